#include "table/table.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <thread>

#include "table/collect.hpp"
#include "table/test_point.hpp"

namespace andorra {

namespace {

// By 4 as soon as half is full: beside growing by 2 at seven eighths, fewer cells are moved, with
// all threads waiting, and look-ups pass fewer cells. On Connect Four 6x5, stopped after 0.3 to 20
// million visits, that takes from 0.78 to 1.07 of the time, 0.90 in the mean.
constexpr std::size_t kGrowth = 2;
constexpr int kStepsAtOnce = 2;
constexpr std::size_t kChunk = std::size_t{1} << 14;  // cells that one thread moves at a time

thread_local double waited = 0;  // seconds

// The least number that no other thread has; it is free again when the thread ends.
class ThreadNumber {
 public:
  static constexpr std::size_t kMost = 32;  // which all others have

  ThreadNumber() {
    std::uint32_t before = taken;
    do {
      mine_ = static_cast<std::size_t>(std::countr_one(before));
    } while (mine_ < kMost && !taken.compare_exchange_weak(before, before | bit()));
  }
  ~ThreadNumber() {
    if (mine_ < kMost) taken &= ~bit();
  }
  ThreadNumber(const ThreadNumber&) = delete;
  ThreadNumber& operator=(const ThreadNumber&) = delete;

  std::size_t operator()() const { return mine_; }

 private:
  static inline std::atomic<std::uint32_t> taken{0};

  std::uint32_t bit() const { return std::uint32_t{1} << mine_; }

  std::size_t mine_;
};

thread_local const ThreadNumber thread_number;

// In a loop that waits for another core: leaves it the memory, and saves energy.
void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// The smallest capacity that growing takes to `largest`, or near it.
std::size_t first_capacity(std::size_t largest) {
  std::size_t capacity = largest;
  while (capacity >= kGrowth * 4096) capacity /= kGrowth;
  return capacity;
}

}  // namespace

Table::Table(std::size_t cells, double gc_fraction, Forgetting forgetting)
    : largest_(std::max(cells, kSmallest)),
      gc_fraction_(gc_fraction),
      forgetting_(forgetting),
      cells_(largest_),
      tags_(largest_) {
  set_capacity(first_capacity(largest_));
}

std::size_t Table::cells_in(std::size_t bytes) {
  return std::max(kSmallest, bytes / (sizeof(Cell) + sizeof(Tag)));
}

void Table::share() {
  if (shared_) return;
  shared_ = true;
  const std::size_t used = this->used();
  set_capacity(capacity());
  set_used(used);
}

double Table::seconds_waited() {
  return waited;
}

// Waits until nobody writes to a cell, but not for long: a writer may have lost its core.
bool Table::find_patiently(Key key, Entry& entry) const {
  constexpr int kLooks = 128;
  const Tag mine = tag_of(key.board);
  for (std::size_t i = home(key.board); tag(i) != kEmpty; i = next(i)) {
    if (!is(tag(i), mine)) continue;
    for (int looks = 0; looks < kLooks && tag(i) != mine; ++looks) pause();
    const Snapshot copy = cells_[i].read();
    if (!copy.holds(key)) continue;
    entry = copy.entry();
    return true;
  }
  return false;
}

Table::Attempt Table::try_again(Attempt attempt, Key key, const Entry& entry) {
  const auto start = std::chrono::steady_clock::now();
  const bool worked = attempt == Attempt::full ? make_room() : let_others_work();
  if (!worked)
    waited += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return try_store(key, entry);
}

// A cell that somebody else has locked may be about to become any: then all starts again.
Table::Attempt Table::try_store(Key key, const Entry& entry) {
  const Tag mine = tag_of(key.board);
  const std::size_t first = home(key.board);
  std::size_t i = first;
  for (Tag its = tag(i); its != kEmpty; its = tag(i = next(i))) {
    if ((its & kSettled) == 0) return Attempt::disturbed;
    if (!is(its, mine)) continue;
    if (!lock(i, mine)) return Attempt::disturbed;
    const Snapshot known = cells_[i].read();
    const bool here = known.holds(key);
    if (here && !known.bounds().solved()) cells_[i].write({key, entry});
    unlock(i, mine);
    if (here) return Attempt::present;
  }
  if (forgetting_ != Forgetting::small_tree) {
    const Attempt replaced = replace_near(first, key, entry);
    if (replaced != Attempt::full) return replaced;
  }
  test_point(TestPoint::cell_chosen, i);
  if (!lock(i, kEmpty)) return Attempt::disturbed;
  if (!may_take(key, i)) return set_tag(i, kEmpty), Attempt::disturbed;
  if (!count_one_more()) return set_tag(i, kEmpty), Attempt::full;
  cells_[i].write({key, entry});
  set_tag(i, mine);
  return Attempt::absent;
}

bool Table::store_instead(Key old, Key key, const Entry& entry) {
  return (!holds(key) && try_store_instead(old, key, entry)) || store(key, entry);
}

// False if the old key is not there.
bool Table::try_store_instead(Key old, Key key, const Entry& entry) {
  const Tag mine = tag_of(old.board);
  for (std::size_t i = home(old.board); tag(i) != kEmpty; i = next(i)) {
    if (!is(tag(i), mine) || !cells_[i].read().holds(old) || !lock(i, mine)) continue;
    const bool here = cells_[i].read().holds(old);
    if (here) cells_[i].write({key, entry});
    unlock(i, mine);
    if (here) return true;
  }
  return false;
}

// For a cell whose tag was `expected`. False, and nothing changed, if it is something else by now
// or if the table is being rearranged.
bool Table::lock(std::size_t i, Tag expected) {
  if (!shared_) return true;
  const Tag before = expected;
  if (!tags_[i].compare_exchange_strong(expected, before | kLocked)) return false;
  if (!gate_shut_.load()) return true;
  set_tag(i, before);
  return false;
}

// Returns whether this thread has worked as well.
bool Table::let_others_work() {
  if (!gate_shut_.load(std::memory_order_relaxed)) return pause(), false;
  if (help_to_grow()) return true;
  std::this_thread::yield();
  return false;
}

// With replacement the last quarter is filled up a little further, until all places are crowded.
void Table::set_capacity(std::size_t capacity) {
  capacity_ = capacity;
  set_empty_share(can_grow() ? 2 : forgetting_ == Forgetting::replace ? 8 : 4);
}

void Table::set_empty_share(std::size_t empty) {
  most_used_ = capacity() - capacity() / empty;
}

bool Table::is_full() const {
  return used_.its.load(std::memory_order_relaxed) >= most_used_.load(std::memory_order_relaxed);
}

// While others forget, what is in purses may be read before that, and more than all is after it.
std::size_t Table::used() const {
  std::size_t in_purses = 0;
  for (const Count& purse : purses_) in_purses += purse.its.load(std::memory_order_relaxed);
  const std::size_t counted = used_.its.load(std::memory_order_relaxed);
  return counted - std::min(counted, in_purses);
}

// By who has locked the cell to be filled: so no rearrangement counts at the same time, and cells
// that are not empty never get more than allowed. False if there is no room.
bool Table::count_one_more() {
  return shared_ && capacity() >= kLeastCellsForPurses ? take_from_purse() : take(1);
}

bool Table::take_from_purse() {
  const std::size_t mine = thread_number();
  if (mine >= kPurses) return take(1);
  auto& purse = purses_[mine].its;
  std::size_t left = purse.load(std::memory_order_relaxed);
  if (left == 0 && take(kPurse)) left = kPurse;
  if (left == 0) return take(1);
  purse.store(left - 1, std::memory_order_relaxed);
  return true;
}

bool Table::take(std::size_t cells) {
  auto& used = used_.its;
  const std::size_t most = most_used_.load(std::memory_order_relaxed);
  if (!shared_) {
    const std::size_t before = used.load(std::memory_order_relaxed);
    if (before + cells > most) return false;
    used.store(before + cells, std::memory_order_relaxed);
    return true;
  }
  if (used.fetch_add(cells, std::memory_order_relaxed) + cells <= most) return true;
  used.fetch_sub(cells, std::memory_order_relaxed);
  return false;
}

void Table::set_used(std::size_t used) {
  for (Count& purse : purses_) purse.its = 0;
  used_.its = used;
}

// Writes over the result with the least work among the four cells from the key's home on. All must
// be in use, so that the key is found there and no other key's probing ends early; otherwise the
// attempt says that the four are not `full` of results.
Table::Attempt Table::replace_near(std::size_t first, Key key, const Entry& entry) {
  constexpr std::size_t kCells = 4;
  if (can_grow() || (forgetting_ == Forgetting::replace && used() < capacity() - capacity() / 4))
    return Attempt::full;
  std::size_t victim = first;
  for (std::size_t n = 0, i = first; n < kCells; ++n, i = next(i)) {
    if (tag(i) == kEmpty) return Attempt::full;
    if (cells_[i].read().work() < cells_[victim].read().work()) victim = i;
  }
  const Tag its = tag(victim);
  if ((its & kSettled) == 0 || (its & kLocked) != 0 || !lock(victim, its))
    return Attempt::disturbed;
  if (!may_take(key, victim)) return set_tag(victim, its), Attempt::disturbed;
  cells_[victim].write({key, entry});
  set_tag(victim, tag_of(key.board));
  ++collections_;
  return Attempt::absent;
}

bool Table::can_grow() const {
  return kGrowth * capacity() <= largest_;
}

// The next capacity: several steps at once, as far as there is room.
std::size_t Table::grown() const {
  std::size_t capacity = kGrowth * this->capacity();
  for (int more = 1; more < kStepsAtOnce && kGrowth * capacity <= largest_; ++more)
    capacity *= kGrowth;
  return capacity;
}

// Returns whether this thread has worked for it.
bool Table::make_room() {
  if (!shared_) return rearrange_alone(), true;
  bool worked = false;
  while (!maintenance_.try_lock()) {
    if (help_to_grow())
      worked = true;
    else
      std::this_thread::yield();
  }
  const std::lock_guard alone(maintenance_, std::adopt_lock);
  if (!is_full()) return worked;
  if (can_grow())
    grow();
  else
    sweep();
  return true;
}

// The memory to grow into is empty, so any thread can move results whose homes will be there, and
// the system has to find that memory, which takes longer than the rest. The others have unmoved
// results in their way and are left to one thread, as in rearrange().
void Table::grow() {
  gate_shut_ = true;
  capacity_before_ = capacity();
  for (std::size_t i = 0; i < capacity_before_; ++i) mark_to_move(i);
  set_capacity(grown());
  const std::size_t chunks = (capacity_before_ + kChunk - 1) / kChunk;
  moved_ = chunks_done_ = 0;
  chunks_left_ = chunks;
  while (help_to_grow()) continue;
  while (chunks_done_ != chunks) std::this_thread::yield();
  std::size_t used = moved_;
  for (std::size_t i = capacity_before_; i-- > 0;)
    if (tag(i) == kToMove) used += place(i);
  set_used(used);
  gate_shut_ = false;
}

// Moves a chunk. False if there is none left. Growing does not end before all chunks are done, so
// who has got one can rely on all else.
bool Table::help_to_grow() {
  std::size_t left = chunks_left_;
  while (left != 0 && !chunks_left_.compare_exchange_weak(left, left - 1)) continue;
  if (left == 0) return false;
  const std::size_t first = (left - 1) * kChunk;
  moved_ += move_to_new_memory(first, std::min(first + kChunk, capacity_before_));
  ++chunks_done_;
  return true;
}

std::size_t Table::move_to_new_memory(std::size_t first, std::size_t end) {
  std::size_t moved = 0;
  for (std::size_t i = first; i < end; ++i)
    if (tag(i) == kToMove && move_to_new_memory(i)) ++moved;
  return moved;
}

// False, and nothing changed, if the cell's home is not there, or no room up to the table's end.
bool Table::move_to_new_memory(std::size_t from) {
  const Snapshot moving = cells_[from].read();
  std::size_t i = home(moving.board());
  if (i < capacity_before_) return false;
  for (Tag its = kEmpty; !tags_[i].compare_exchange_strong(its, kLocked); its = kEmpty)
    if ((its & kSettled) && ++i == capacity()) return false;
  cells_[i].write(moving);
  set_tag(i, tag_of(moving.board()));
  set_tag(from, kEmpty);
  return true;
}

// Forgets as collect() does, while others go on. Until it is done they may fill the table further.
void Table::sweep() {
  ++collections_;
  set_empty_share(16);
  const auto target = static_cast<std::size_t>(gc_fraction_ * static_cast<double>(used()));
  SmallTreeGc gc(std::max<std::size_t>(target, 1));
  const std::size_t cells = capacity();
  for (std::size_t i = 0; i < cells; ++i)
    if (tag(i) & kSettled) gc.count(cells_[i].read());
  gc.decide();
  sweep_from(lock_empty_cell(), gc);
  set_capacity(cells);
}

// The empty cell between two stretches stays locked until both are: no result may pass it.
void Table::sweep_from(std::size_t empty, SmallTreeGc& gc) {
  for (std::size_t done = 0; done < capacity();) {
    test_point(TestPoint::sweep_goes_on, empty);
    const std::size_t first = next(empty);
    const std::size_t end = lock_stretch(first);
    set_tag(empty, kEmpty);
    close_up(first, end, gc);
    empty = end;
    done += (end >= first ? end - first : end + capacity() - first) + 1;
  }
  ++sweeps_ended_;
  set_tag(empty, kEmpty);
}

std::size_t Table::lock_empty_cell() {
  std::size_t i = 0;
  while (tag(i) != kEmpty || !lock(i, kEmpty)) i = next(i);
  return i;
}

// From a cell after an empty one up to the next empty one, which is locked as well and returned.
std::size_t Table::lock_stretch(std::size_t first) {
  for (std::size_t i = first;; i = next(i)) {
    Tag its = tags_[i].load();
    while ((its & kLocked) != 0 || !tags_[i].compare_exchange_weak(its, its | kLocked))
      its = tags_[i].load();
    if (its == kEmpty) return i;
  }
}

// Results that stay move towards their homes, in their order, over places that became free: none
// moves further away, so each finds one where it was at the latest.
void Table::close_up(std::size_t first, std::size_t end, SmallTreeGc& gc) {
  for (std::size_t from = first; from != end; from = next(from)) {
    const Snapshot result = cells_[from].read();
    set_tag(from, kLocked);
    if (gc.removes(result)) {
      used_.its.fetch_sub(1, std::memory_order_relaxed);
      continue;
    }
    std::size_t to = home(result.board());
    while (tag(to) != kLocked) to = next(to);
    if (to != from) cells_[to].write(result);
    set_tag(to, tag_of(result.board()) | kLocked);
  }
  for (std::size_t i = first; i != end; i = next(i)) {
    const Tag its = tag(i);
    set_tag(i, its & static_cast<Tag>(~kLocked));
  }
}

// Whether a key that was not found may go to a cell that is locked by now. Before it was, a sweep
// may have made room nearer to the key's home, where the key would have to be, or where somebody
// else has stored it already; or the table may have grown and the home be another. A cell that is
// empty and locked is room, too: its writer may give it back as it was. With replacement, another
// writer may have chosen another cell for the same key: whoever sees a lock of somebody else's on
// the way gives in.
//
// The cells on the way are not seen at one moment. No sweep passes the locked cell. What one
// empties on the way meanwhile lies before an empty cell that it holds until it goes on, so the way
// would be seen to end there; but for the last one of a sweep, which is free when the sweep has
// ended.
bool Table::may_take(Key key, std::size_t i) const {
  if (!shared_) return true;
  const std::uint64_t sweeps = sweeps_ended_;
  return leads_to(key, i) && sweeps == sweeps_ended_;
}

// Whether probing for a key, which is not there, comes to the cell.
bool Table::leads_to(Key key, std::size_t i) const {
  const auto now = [&](std::size_t at) { return tags_[at].load(); };  // not before the lock
  const bool replaces = forgetting_ != Forgetting::small_tree;
  const Tag mine = tag_of(key.board);
  bool on_the_way = false;
  std::size_t at = home(key.board);
  for (; (now(at) & kSettled) != 0; at = next(at)) {
    if (is(now(at), mine) && cells_[at].read().holds(key)) return false;
    if (at == i)
      on_the_way = true;
    else if (replaces && (now(at) & kLocked) != 0)
      return false;
    test_point(TestPoint::way_seen, at);
  }
  return on_the_way ? !replaces || now(at) == kEmpty : at == i;
}

void Table::rearrange_alone() {
  if (can_grow()) {
    rearrange(grown());
  } else {
    collect();
    rearrange(capacity());
  }
}

void Table::collect() {
  ++collections_;
  const auto target = static_cast<std::size_t>(gc_fraction_ * static_cast<double>(used()));
  SmallTreeGc gc(std::max<std::size_t>(target, 1));
  const std::size_t cells = capacity();
  for (std::size_t i = 0; i < cells; ++i) mark_to_move(i);
  for (std::size_t i = 0; i < cells; ++i)
    if (tag(i) == kToMove) gc.count(cells_[i].read());
  gc.decide();
  for (std::size_t i = 0; i < cells; ++i)
    if (tag(i) == kToMove && gc.removes(cells_[i].read())) set_tag(i, kEmpty);
}

// Moves every cell to its place under the new capacity, inside the same memory. Growing goes from
// the end, where the places are free; collecting from the start, where the holes are filled up.
void Table::rearrange(std::size_t capacity) {
  const std::size_t old = this->capacity();
  std::size_t used = 0;
  for (std::size_t i = 0; i < old; ++i) mark_to_move(i);
  set_capacity(capacity);
  for (std::size_t n = 0; n < old; ++n) {
    const std::size_t i = capacity > old ? old - 1 - n : n;
    if (tag(i) == kToMove) used += place(i);
  }
  set_used(used);
}

// Waits until nobody has locked the cell. A writer that locks it later sees the gate shut.
void Table::mark_to_move(std::size_t i) {
  for (Tag its = tags_[i].load(); its != kEmpty && its != kToMove; its = tags_[i].load()) {
    if (!shared_) return set_tag(i, kToMove);
    if ((its & kLocked) == 0) tags_[i].compare_exchange_strong(its, kToMove);
  }
}

// A cell that finds an unmoved one in its place takes the place, and the other is moved next.
// Returns how many cells have their place now.
std::size_t Table::place(std::size_t from) {
  Snapshot moving = cells_[from].read();
  set_tag(from, kEmpty);
  for (std::size_t placed = 1;; ++placed) {
    const std::uint64_t board = moving.board();
    std::size_t i = home(board);
    Tag its = claim(i);
    while (its & kSettled) its = claim(i = next(i));
    const Snapshot displaced = cells_[i].read();
    cells_[i].write(moving);
    set_tag(i, tag_of(board));
    if (its == kEmpty) return placed;
    moving = displaced;
  }
}

// Makes an empty cell one that no writer touches. Returns what it was.
Table::Tag Table::claim(std::size_t i) {
  if (!shared_) return tag(i);
  while (true) {
    Tag its = tags_[i].load();
    if ((its & kSettled) || its == kToMove) return its;
    if (its == kEmpty && tags_[i].compare_exchange_strong(its, kToMove)) return kEmpty;
  }
}

}  // namespace andorra
