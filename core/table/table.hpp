// The transposition table: a map of fixed size from keys to results, with garbage collection.
//
// Idea: open addressing with linear probing. A key's home is the high half of the public bits of
// key.board times the capacity, so any capacity works. A byte a cell, its tag, says whether the
// cell is empty and keeps six bits of the key; the tags of a large table fit into the caches where
// the cells do not, and most look-ups end there. The table starts small and grows in place up to
// its limit, so that short searches touch little memory. When it is full at its limit, it forgets:
//  - small-tree: SmallTreeGC (Nagai 1999; survey 5.1): a share of all results goes at once, those
//    with the least work below them first
//  - replace: a new result takes the place of the one with the least work among the four cells from
//    its home on (as Hex solvers do); collection only where these are not all in use
//  - both: the same as soon as the four are in use, and collection when the table is full
// Invariants: half of the cells are empty as long as the table can grow, and then a quarter, or an
// eighth with replacement, so probing ends (filling to 7/8 instead of 3/4 costs 5% on Connect Four
// 7x6 in 64 MiB). While threads go on beside one that forgets, it is a sixteenth; a cell counts as
// soon as it is locked to be filled. An open entry never takes the place of a solved one of its
// key; growing and collecting depend only on what was stored, so runs are repeatable. Nothing is
// allocated while a cell is locked: who threw then would leave it so.
// Deviation: the path in use needs no protection here, because the numbers of its nodes and of
// their children live in the search's frames.
//
// Several threads, after share(): look-ups take no locks. They copy a cell and believe it only if
// its checksum fits (table/entry.hpp); at worst they miss an entry that is being written or moved.
// Writers lock one cell, by a bit of its tag, so a solved entry is never lost to an open one. Who
// rearranges the table shuts a gate first and waits for the locked cells; a writer that has locked
// a cell looks at the gate, and if that is shut gives the cell back as it was and waits. (Lock,
// then look; shut, then wait for locks: all four in one order, so one of the two sees the other.)
// Only growing shuts the gate, which moves every cell; whoever waits helps with it. Forgetting goes
// on beside the writers: the cells between two empty ones, a stretch, hold all results whose home
// is among them; so a stretch can be locked, thinned out and closed up, while all others are free.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "table/entry.hpp"
#include "table/reserved.hpp"

namespace andorra {

class SmallTreeGc;

enum class Forgetting : std::uint8_t { small_tree, replace, both };

class Table {
 public:
  static constexpr std::size_t kSmallest = 64;

  // Room for `cells` results, at least kSmallest.
  explicit Table(std::size_t cells, double gc_fraction = 0.3,
                 Forgetting forgetting = Forgetting::small_tree);

  static std::size_t cells_in(std::size_t bytes);

  // What the cell of a key holds, if there is one.
  [[gnu::always_inline]] bool find(Key key, Snapshot& copy) const {
    const Tag mine = tag_of(key.board);
    for (std::size_t i = home(key.board);; i = next(i)) {
      const Tag its = tag(i);
      if (its == mine) {
        copy = cells_[i].read();
        if (copy.holds(key)) return true;
      }
      if (its == kEmpty) return false;
    }
  }

  bool find(Key key, Entry& entry) const {
    Snapshot copy;
    if (!find(key, copy)) return false;
    entry = copy.entry();
    return true;
  }

  bool holds(Key key) const {
    Snapshot copy;
    return find(key, copy);
  }

  // find() misses what others write to at that moment. That is rare, and most look-ups can bear it;
  // but who takes a known position for a new one believes that the search gets on. This one looks
  // again, with a little patience.
  bool find_though_written(Key key, Entry& entry) const {
    const Tag mine = tag_of(key.board);
    bool doubt = false;
    for (std::size_t i = home(key.board);; i = next(i)) {
      const Tag its = tag(i);
      if (its == mine) {
        const Snapshot copy = cells_[i].read();
        if (copy.holds(key)) return entry = copy.entry(), true;
        doubt = true;
      }
      doubt |= (its & kLocked) != 0;  // no branch: those of a probe are hard to foresee
      if (its == kEmpty) return doubt && find_patiently(key, entry);
    }
  }

  // By the upper half of the key alone: for what only steers the search.
  bool find_board(std::uint64_t board, Entry& entry) const {
    const Tag mine = tag_of(board);
    for (std::size_t i = home(board); tag(i) != kEmpty; i = next(i)) {
      if (tag(i) != mine) continue;
      const Snapshot copy = cells_[i].read();
      if (copy.board() != board) continue;
      entry = copy.entry();
      return true;
    }
    return false;
  }

  // Visits what cells of the same board hold, that is with keys that differ in resources at most,
  // until a visit returns true.
  template <class Visit>
  void each_alike(Key key, Visit&& visit) const {
    const Tag mine = tag_of(key.board);
    for (std::size_t i = home(key.board); tag(i) != kEmpty; i = next(i)) {
      if (tag(i) != mine) continue;
      const Snapshot copy = cells_[i].read();
      const Key its = copy.key();
      if (with_resources(its, 0) == with_resources(key, 0) && visit(copy, its)) return;
    }
  }

  // The table's memory is slow. To look up many keys: prefetch each, then ask of each whether it
  // may be there, and only then for its cell.
  void prefetch(Key key) const { __builtin_prefetch(&tags_[home(key.board)]); }

  // For a key that will be stored soon, most likely at its home or in the next cells: so that no
  // other core has a say in them by then. A lock waits until all that was written before has
  // reached the cache, so a cell that comes late delays the next store.
  void prefetch_to_store(Key key) const {
    const std::size_t at = home(key.board);
    prefetch_to_write(&tags_[at]);
    const auto* cell = reinterpret_cast<const std::byte*>(&cells_[at]);
    prefetch_to_write(cell);
    prefetch_to_write(cell + kCacheLine);
  }

  bool may_hold(Key key) const {
    const Tag mine = tag_of(key.board);
    std::size_t i = home(key.board);
    Tag its = tag(i);
    while (its != mine && its != kEmpty) its = tag(i = next(i));
    cells_[i].prefetch();
    return its == mine;
  }

  // From now on several threads may use the table. The first call must be before they do.
  void share();
  bool is_shared() const { return shared_; }

  // Solved results stay as they are. Returns whether the key was there before.
  bool store(Key key, const Entry& entry) {
    Attempt attempt = try_store(key, entry);
    while (attempt > Attempt::present) attempt = try_again(attempt, key, entry);
    return attempt == Attempt::present;
  }

  // Stores an entry, in place of another of the same board if that is there. Returns whether one of
  // the two was there before.
  bool store_instead(Key old, Key key, const Entry& entry);

  // Gives every result to change(entry), which may change it and says whether it stays. Not while
  // other threads use the table.
  template <class Change>
  void translate(Change&& change) {
    const std::size_t cells = capacity();
    for (std::size_t i = 0; i < cells; ++i) mark_to_move(i);
    for (std::size_t i = 0; i < cells; ++i) {
      if (tag(i) != kToMove) continue;
      const Snapshot cell = cells_[i].read();
      Entry entry = cell.entry();
      if (change(entry))
        cells_[i].write({cell.key(), entry});
      else
        set_tag(i, kEmpty);
    }
    rearrange(cells);
  }

  // That the calling thread has spent waiting for others, in all shared tables.
  static double seconds_waited();

  std::size_t used() const;
  std::size_t capacity() const { return capacity_.load(std::memory_order_relaxed); }
  double fill() const { return static_cast<double>(used()) / static_cast<double>(largest_); }
  std::size_t bytes() const { return capacity() * (sizeof(Cell) + sizeof(Tag)); }
  std::uint64_t collections() const { return collections_.load(std::memory_order_relaxed); }

 private:
  enum class Attempt : std::uint8_t { absent, present, full, disturbed };

  // 0; or that it is settled, and six bits of the key; or a state without them. A locked cell has
  // the bit kLocked besides.
  using Tag = std::uint8_t;
  static constexpr Tag kEmpty = 0;
  static constexpr Tag kSettled = 0x80;
  static constexpr Tag kLocked = 0x40;
  static constexpr Tag kToMove = 0x41;  // while the table is rearranged
  static constexpr Tag kKeyBits = 0x3f;

  static constexpr std::size_t kCacheLine = 64;

  // A number that threads write to, away from what all of them read.
  struct alignas(kCacheLine) Count {
    std::atomic<std::size_t> its{0};
  };

  // Threads take cells to fill from the common count, in a large table many at a time: a number
  // that another core has written to last is dear. Each has a purse of its own, as long as there
  // are enough.
  static constexpr std::size_t kPurses = 32;
  static constexpr std::size_t kPurse = 64;
  static constexpr std::size_t kLeastCellsForPurses = std::size_t{1} << 16;

  // Compilers make a plain prefetch of the builtin unless they know the machine.
  static void prefetch_to_write(const void* place) {
#ifdef __x86_64__
    asm("prefetchw %0" : : "m"(*static_cast<const char*>(place)));
#else
    __builtin_prefetch(place, 1);
#endif
  }

  static Tag tag_of(std::uint64_t board) { return static_cast<Tag>((board & kKeyBits) | kSettled); }
  static bool is(Tag its, Tag mine) { return (its & ~kLocked) == mine; }

  Tag tag(std::size_t i) const { return tags_[i].load(std::memory_order_relaxed); }
  void set_tag(std::size_t i, Tag tag) { tags_[i].store(tag, std::memory_order_release); }

  std::size_t home(std::uint64_t board) const {
    const unsigned __int128 place = board & kPublicInBoard;
    return static_cast<std::size_t>((place * capacity()) >> 64);
  }
  std::size_t next(std::size_t i) const { return i + 1 == capacity() ? 0 : i + 1; }

  bool find_patiently(Key key, Entry& entry) const;
  bool lock(std::size_t i, Tag expected);
  void unlock(std::size_t i, Tag tag) {
    if (shared_) set_tag(i, tag);
  }
  Attempt try_store(Key key, const Entry& entry);
  Attempt try_again(Attempt attempt, Key key, const Entry& entry);
  Attempt replace_near(std::size_t first, Key key, const Entry& entry);
  bool try_store_instead(Key old, Key key, const Entry& entry);
  bool let_others_work();

  bool can_grow() const;
  std::size_t grown() const;
  bool is_full() const;
  bool count_one_more();
  bool take(std::size_t cells);
  bool take_from_purse();
  void set_used(std::size_t used);
  void set_capacity(std::size_t capacity);
  void set_empty_share(std::size_t empty);

  bool make_room();
  void grow();
  bool help_to_grow();
  std::size_t move_to_new_memory(std::size_t first, std::size_t end);
  bool move_to_new_memory(std::size_t from);
  void sweep();
  void sweep_from(std::size_t empty, SmallTreeGc& gc);
  std::size_t lock_empty_cell();
  std::size_t lock_stretch(std::size_t first);
  void close_up(std::size_t first, std::size_t end, SmallTreeGc& gc);
  bool may_take(Key key, std::size_t i) const;
  bool leads_to(Key key, std::size_t i) const;
  void rearrange_alone();
  void collect();
  void rearrange(std::size_t capacity);
  void mark_to_move(std::size_t i);
  std::size_t place(std::size_t from);
  Tag claim(std::size_t i);

  std::size_t largest_;
  std::atomic<std::size_t> capacity_;
  std::atomic<std::size_t> most_used_{0};
  double gc_fraction_;
  Forgetting forgetting_;
  bool shared_ = false;
  std::atomic<bool> gate_shut_{false};
  std::mutex maintenance_;
  std::size_t capacity_before_ = 0;  // while it grows: of it, so many chunks are
  std::atomic<std::size_t> chunks_left_{0};
  std::atomic<std::size_t> chunks_done_{0};
  std::atomic<std::size_t> moved_{0};  // results
  Reserved<Cell> cells_;
  Reserved<std::atomic<Tag>> tags_;
  Count used_;                         // cells, with those in purses
  std::array<Count, kPurses> purses_;  // each for one thread
  std::atomic<std::uint64_t> collections_{0};
  std::atomic<std::uint64_t> sweeps_ended_{0};
};

}  // namespace andorra
