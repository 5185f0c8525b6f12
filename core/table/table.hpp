// The transposition table: a map of fixed size from keys to results, with garbage collection.
//
// Idea: open addressing with linear probing. A key's home is the high half of key.board times the
// capacity, so any capacity works. A byte a cell, its tag, says whether the cell is empty and keeps
// six bits of the key; the tags of a large table fit into the caches where the cells do not, and
// most look-ups end there. The table starts small and doubles in place up to its limit, so
// that short searches touch little memory. When it is full at its limit, it forgets:
//  - small-tree: SmallTreeGC (Nagai 1999; survey 5.1): a share of all results goes at once, those
//    with the least work below them first
//  - replace: a new result takes the place of the one with the least work among the four cells from
//    its home on (as Hex solvers do); collection only where these are not all in use
//  - both: the same as soon as the four are in use, and collection when the table is full
// Invariants: an eighth of the cells is empty, so probing ends, and a quarter once the table cannot
// grow, because it then stays that full (growing at 3/4 too costs 15% on Connect Four 5x5, by
// memory touched; filling to 7/8 at the limit costs 5% on 7x6 in 64 MiB); a solved entry is never
// overwritten; growing and collecting depend only on what was stored, so runs are repeatable.
// Deviation: the path in use needs no protection here, because the numbers of its nodes and of
// their children live in the search's frames.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "table/entry.hpp"
#include "table/reserved.hpp"

namespace andorra {

enum class Forgetting : std::uint8_t { small_tree, replace, both };

class Table {
 public:
  static constexpr std::size_t kSmallest = 64;

  // Room for `cells` results, at least kSmallest.
  explicit Table(std::size_t cells, double gc_fraction = 0.3,
                 Forgetting forgetting = Forgetting::small_tree);

  static std::size_t cells_in(std::size_t bytes);

  // The cell of a key, or null. What it holds may change with the next store.
  const Cell* cell(Key key) const {
    const Tag mine = tag_of(key.board);
    for (std::size_t i = home(key.board);; i = next(i)) {
      if (tag(i) == mine && cells_[i].holds(key)) return &cells_[i];
      if (tag(i) == kEmpty) return nullptr;
    }
  }

  bool find(Key key, Entry& entry) const {
    const Cell* found = cell(key);
    if (found != nullptr) entry = found->entry();
    return found != nullptr;
  }

  // By the upper half of the key alone: for what only steers the search.
  bool find_board(std::uint64_t board, Entry& entry) const {
    const Tag mine = tag_of(board);
    for (std::size_t i = home(board); tag(i) != kEmpty; i = next(i)) {
      if (tag(i) != mine || cells_[i].board() != board) continue;
      entry = cells_[i].entry();
      return true;
    }
    return false;
  }

  // Visits cells of the same board, that is with keys that differ in resources at most, until a
  // visit returns true.
  template <class Visit>
  void each_alike(Key key, Visit&& visit) const {
    const Tag mine = tag_of(key.board);
    for (std::size_t i = home(key.board); tag(i) != kEmpty; i = next(i)) {
      if (tag(i) != mine) continue;
      const Key its = cells_[i].key();
      if (with_resources(its, 0) == with_resources(key, 0) && visit(cells_[i], its)) return;
    }
  }

  // The table's memory is slow. To look up many keys: prefetch each, then ask of each whether it
  // may be there, and only then for its cell.
  void prefetch(Key key) const { __builtin_prefetch(&tags_[home(key.board)]); }

  bool may_hold(Key key) const {
    const Tag mine = tag_of(key.board);
    std::size_t i = home(key.board);
    while (tag(i) != mine && tag(i) != kEmpty) i = next(i);
    cells_[i].prefetch();
    return tag(i) == mine;
  }

  void store(Key key, const Entry& entry);

  // Stores an entry, in place of another of the same board if that is there.
  void store_instead(Key old, Key key, const Entry& entry);

  std::size_t used() const { return used_; }
  std::size_t capacity() const { return capacity_; }
  double fill() const { return static_cast<double>(used_) / static_cast<double>(largest_); }
  std::size_t bytes() const { return capacity_ * (sizeof(Cell) + sizeof(Tag)); }
  std::uint64_t collections() const { return collections_; }

 private:
  // 0, or two bits of state over six bits of the key.
  using Tag = std::uint8_t;
  static constexpr Tag kEmpty = 0;
  static constexpr Tag kSettled = 0x80;
  static constexpr Tag kToMove = 0x40;  // while the table is rearranged
  static constexpr Tag kKeyBits = 0x3f;

  static Tag tag_of(std::uint64_t board) { return static_cast<Tag>((board & kKeyBits) | kSettled); }

  Tag tag(std::size_t i) const { return tags_[i].load(std::memory_order_relaxed); }
  void set_tag(std::size_t i, Tag tag) { tags_[i].store(tag, std::memory_order_relaxed); }

  std::size_t home(std::uint64_t board) const {
    return static_cast<std::size_t>((static_cast<unsigned __int128>(board) * capacity_) >> 64);
  }
  std::size_t next(std::size_t i) const { return i + 1 == capacity_ ? 0 : i + 1; }

  bool can_grow() const;
  bool is_full() const;
  bool replace_near(std::size_t home, Key key, const Entry& entry);
  void make_room();
  void collect();
  void rearrange(std::size_t capacity);
  void place(std::size_t from);

  std::size_t largest_;
  std::size_t capacity_;
  std::size_t used_ = 0;
  std::uint64_t collections_ = 0;
  double gc_fraction_;
  Forgetting forgetting_;
  Reserved<Cell> cells_;
  Reserved<std::atomic<Tag>> tags_;
};

}  // namespace andorra
