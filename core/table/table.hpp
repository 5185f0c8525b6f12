// The transposition table: a map of fixed size from keys to results, with garbage collection.
//
// Idea: open addressing with linear probing in one reserved block of memory. A key's home is the
// high half of key.board times the capacity, so any capacity works. The table starts small and
// doubles in place up to its limit, so that short searches touch little memory; when it is full at
// its limit, SmallTreeGC (Nagai 1999; survey 5.1) makes room: results with the least work below
// them go first, open ones before solved ones.
// Invariants: at least a quarter of the cells is empty, so probing ends; a solved entry is never
// overwritten; growing and collecting depend only on what was stored, so runs are repeatable.
// Deviation: the path in use needs no protection here, because the numbers of its nodes and of
// their children live in the search's frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "table/entry.hpp"

namespace andorra {

class Table {
 public:
  static constexpr std::size_t kSmallest = 64;

  // Room for `cells` results at most; fewer if cells < kSmallest is asked for makes no sense.
  explicit Table(std::size_t cells, double gc_fraction = 0.3);
  ~Table();
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  static std::size_t cells_in(std::size_t bytes);

  bool find(Key key, Entry& entry) const {
    for (std::size_t i = home(key);; i = next(i)) {
      if (cells_[i].empty()) return false;
      if (cells_[i].holds(key)) {
        entry = cells_[i].entry();
        return true;
      }
    }
  }

  void prefetch(Key key) const { __builtin_prefetch(&cells_[home(key)]); }

  void store(Key key, const Entry& entry);

  std::size_t used() const { return used_; }
  std::size_t capacity() const { return capacity_; }
  double fill() const { return static_cast<double>(used_) / static_cast<double>(largest_); }
  std::size_t bytes() const { return capacity_ * sizeof(Cell) + capacity_ / 8; }
  std::uint64_t collections() const { return collections_; }

 private:
  std::size_t home(Key key) const {
    return static_cast<std::size_t>((static_cast<unsigned __int128>(key.board) * capacity_) >> 64);
  }
  std::size_t next(std::size_t i) const { return i + 1 == capacity_ ? 0 : i + 1; }

  void make_room();
  void collect();
  void rehash(std::size_t capacity);
  void place(std::size_t from, std::vector<bool>& placed);

  Cell* cells_ = nullptr;
  std::size_t largest_;
  std::size_t capacity_;
  std::size_t used_ = 0;
  std::uint64_t collections_ = 0;
  double gc_fraction_;
};

}  // namespace andorra
