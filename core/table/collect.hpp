// SmallTreeGC: when the table is full, forget the results that cost the least to find again.
//
// Idea: an entry's work is the number of visits spent below it; a fixed fraction of the entries
// goes, those with the least work first.
// Source: Nagai 1999; survey 5.1.
// Invariant: removes exactly `target` entries (or all, if there are fewer).
// Deviations: a solved entry counts twice its work, so that it outlives open entries of its size.
// (Keeping solved entries before all open ones was tried and dropped: Connect Four 5x5 with a tenth
// of the entries that a full search stores takes 6.6M visits this way, and was not solved after 40M
// that way.) Work is compared by quarter powers of two, so one pass counts and one removes; of the
// last class, cells go evenly over the table, because a part of the table that stays full makes
// every probe in it long.
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
  void count(const Snapshot& cell) { ++count_[rank(cell)]; }

  void decide() {
    while (last_ < count_.size() && count_[last_] <= left_) left_ -= count_[last_++];
  }

  bool removes(const Snapshot& cell) {
    const std::size_t mine = rank(cell);
    if (mine != last_) return mine < last_;
    ++seen_;
    if (removed_ * count_[last_] >= seen_ * left_) return false;
    ++removed_;
    return true;
  }

 private:
  static constexpr std::size_t kTwice = 4;  // classes

  static std::size_t work_class(std::uint32_t work) {
    if (work < 4) return work;
    const int log = std::bit_width(work) - 1;
    return 4 * static_cast<std::size_t>(log) + ((work >> (log - 2)) & 3);
  }

  static std::size_t rank(const Snapshot& cell) {
    return work_class(cell.work()) + (cell.bounds().solved() ? kTwice : 0);
  }

  std::array<std::size_t, 4 * 32 + kTwice> count_{};
  std::size_t last_ = 0;  // classes below it go whole
  std::size_t left_;      // of the target, after them: so many go of the class last_
  std::size_t seen_ = 0;  // of that class, and how many of them went
  std::size_t removed_ = 0;
};

}  // namespace andorra
