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

namespace collect_detail {

inline constexpr std::size_t kClasses = 4 * 33;

inline std::size_t work_class(std::uint32_t work) {
  if (work < 4) return work;
  const int log = std::bit_width(work) - 1;
  return 4 * static_cast<std::size_t>(log) + ((work >> (log - 2)) & 3);
}

inline std::size_t rank(const Entry& entry) {
  return work_class(entry.work) + (entry.bounds.solved() ? kClasses : 0);
}

}  // namespace collect_detail

// Clears cells and leaves holes: the caller moves the rest to their places. Returns how many went.
inline std::size_t small_tree_gc(Cell* cells, std::size_t capacity, std::size_t target) {
  using collect_detail::kClasses;
  using collect_detail::rank;
  std::array<std::size_t, 2 * kClasses> count{};
  for (std::size_t i = 0; i < capacity; ++i)
    if (!cells[i].empty()) ++count[rank(cells[i].entry())];

  std::size_t last = 0;  // classes below it go whole
  std::size_t left = target;
  while (last < count.size() && count[last] <= left) left -= count[last++];

  std::size_t removed = 0;
  for (std::size_t i = 0; i < capacity; ++i) {
    if (cells[i].empty()) continue;
    const std::size_t mine = rank(cells[i].entry());
    if (mine > last || (mine == last && left == 0)) continue;
    if (mine == last) --left;
    cells[i].clear();
    ++removed;
  }
  return removed;
}

}  // namespace andorra
