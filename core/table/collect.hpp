// SmallTreeGC: when the table is full, forget the results that cost the least to find again.
//
// Idea: an entry's work is the number of visits spent below it; a fixed fraction of the entries
// goes, those with the least work first.
// Source: Nagai 1999; survey 5.1.
// Invariant: removes exactly `target` entries (or all, if there are fewer).
// Deviation: open entries go before solved ones of any size, because a solved entry ends a search
// below it for good and a certificate is read from it. Work is compared by quarter powers of two,
// so one pass counts and one removes; inside the last class, cells go in table order.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "table/entry.hpp"

namespace andorra {

class SmallTreeGc {
 public:
  explicit SmallTreeGc(std::size_t target) : left_(target) {}

  // First count every entry, then decide, then ask which to remove.
  void count(const Entry& entry) { ++count_[rank(entry)]; }

  void decide() {
    while (last_ < count_.size() && count_[last_] <= left_) left_ -= count_[last_++];
  }

  bool removes(const Entry& entry) {
    const std::size_t mine = rank(entry);
    if (mine == last_ && left_ > 0) return left_-- > 0;
    return mine < last_;
  }

 private:
  static constexpr std::size_t kClasses = 4 * 33;

  static std::size_t work_class(std::uint32_t work) {
    if (work < 4) return work;
    const int log = std::bit_width(work) - 1;
    return 4 * static_cast<std::size_t>(log) + ((work >> (log - 2)) & 3);
  }

  static std::size_t rank(const Entry& entry) {
    return work_class(entry.work) + (entry.bounds.solved() ? kClasses : 0);
  }

  std::array<std::size_t, 2 * kClasses> count_{};
  std::size_t last_ = 0;  // classes below it go whole
  std::size_t left_;      // of the target, after them
};

}  // namespace andorra
