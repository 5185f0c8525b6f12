#include "table/table.hpp"

#include <algorithm>

#include "table/collect.hpp"

namespace andorra {

namespace {

constexpr std::size_t kGrowth = 2;

// The smallest capacity that growing takes to `largest`, or near it.
std::size_t first_capacity(std::size_t largest) {
  std::size_t capacity = largest;
  while (capacity >= kGrowth * 4096) capacity /= kGrowth;
  return capacity;
}

}  // namespace

Table::Table(std::size_t cells, double gc_fraction, Forgetting forgetting)
    : largest_(std::max(cells, kSmallest)),
      capacity_(first_capacity(largest_)),
      gc_fraction_(gc_fraction),
      forgetting_(forgetting),
      cells_(largest_),
      tags_(largest_) {}

std::size_t Table::cells_in(std::size_t bytes) {
  return std::max(kSmallest, bytes / (sizeof(Cell) + sizeof(Tag)));
}

void Table::store(Key key, const Entry& entry) {
  const Tag mine = tag_of(key.board);
  std::size_t i = home(key.board);
  for (; tag(i) != kEmpty; i = next(i)) {
    if (tag(i) != mine || !cells_[i].holds(key)) continue;
    if (!cells_[i].bounds().solved()) cells_[i].write(key, entry);
    return;
  }
  if (forgetting_ != Forgetting::small_tree && replace_near(home(key.board), key, entry)) return;
  if (is_full()) {
    make_room();
    return store(key, entry);
  }
  cells_[i].write(key, entry);
  set_tag(i, mine);
  ++used_;
}

void Table::store_instead(Key old, Key key, const Entry& entry) {
  const Cell* here = cell(old);
  if (here == nullptr || cell(key) != nullptr) return store(key, entry);
  cells_[static_cast<std::size_t>(here - &cells_[0])].write(key, entry);
}

// With replacement the last quarter is filled up a little further, until all places are crowded.
bool Table::is_full() const {
  const std::size_t empty = can_grow() || forgetting_ == Forgetting::replace ? 8 : 4;
  return used_ >= capacity_ - capacity_ / empty;
}

// Writes over the result with the least work among the four cells from the key's home on. All must
// be in use, so that the key is found there and no other key's probing ends early.
bool Table::replace_near(std::size_t home, Key key, const Entry& entry) {
  constexpr int kCells = 4;
  if (can_grow() || (forgetting_ == Forgetting::replace && used_ < capacity_ - capacity_ / 4))
    return false;
  std::size_t victim = home;
  for (int n = 0; n < kCells; ++n, home = next(home)) {
    if (tag(home) == kEmpty) return false;
    if (cells_[home].work() < cells_[victim].work()) victim = home;
  }
  cells_[victim].write(key, entry);
  set_tag(victim, tag_of(key.board));
  ++collections_;
  return true;
}

bool Table::can_grow() const {
  return kGrowth * capacity_ <= largest_;
}

void Table::make_room() {
  if (can_grow()) {
    rearrange(kGrowth * capacity_);
  } else {
    collect();
    rearrange(capacity_);
  }
}

void Table::collect() {
  ++collections_;
  const auto target = static_cast<std::size_t>(gc_fraction_ * static_cast<double>(used_));
  SmallTreeGc gc(std::max<std::size_t>(target, 1));
  const auto empty = [&](std::size_t i) { return tag(i) == kEmpty; };
  for (std::size_t i = 0; i < capacity_; ++i)
    if (!empty(i)) gc.count(cells_[i]);
  gc.decide();
  for (std::size_t i = 0; i < capacity_; ++i) {
    if (empty(i) || !gc.removes(cells_[i])) continue;
    set_tag(i, kEmpty);
    --used_;
  }
}

// Moves every cell to its place under the new capacity, inside the same memory. Growing goes from
// the end, where the places are free; collecting from the start, where the holes are filled up.
void Table::rearrange(std::size_t capacity) {
  const std::size_t old = capacity_;
  capacity_ = capacity;
  for (std::size_t i = 0; i < old; ++i)
    if (tag(i) != kEmpty) set_tag(i, kToMove);
  for (std::size_t n = 0; n < old; ++n) {
    const std::size_t i = capacity > old ? old - 1 - n : n;
    if (tag(i) == kToMove) place(i);
  }
}

// A cell that finds an unmoved one in its place takes the place, and the other is moved next.
void Table::place(std::size_t from) {
  Cell moving = cells_[from];
  set_tag(from, kEmpty);
  while (true) {
    const std::uint64_t board = moving.board();
    std::size_t i = home(board);
    while (tag(i) & kSettled) i = next(i);
    const bool free = tag(i) == kEmpty;
    const Cell displaced = cells_[i];
    cells_[i] = moving;
    set_tag(i, tag_of(board));
    if (free) return;
    moving = displaced;
  }
}

}  // namespace andorra
