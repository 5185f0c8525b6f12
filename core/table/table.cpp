#include "table/table.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "table/collect.hpp"

namespace andorra {

namespace {

// The smallest capacity that doubling takes exactly to `largest`'s neighbourhood.
std::size_t first_capacity(std::size_t largest) {
  std::size_t capacity = largest;
  while (capacity >= 2 * 4096) capacity /= 2;
  return capacity;
}

}  // namespace

Table::Table(std::size_t cells, double gc_fraction)
    : largest_(std::max(cells, kSmallest)),
      capacity_(first_capacity(largest_)),
      gc_fraction_(gc_fraction) {
  void* block = mmap(nullptr, largest_ * sizeof(Cell), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (block == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  madvise(block, largest_ * sizeof(Cell), MADV_HUGEPAGE);
#endif
  cells_ = static_cast<Cell*>(block);
}

Table::~Table() { munmap(static_cast<void*>(cells_), largest_ * sizeof(Cell)); }

std::size_t Table::cells_in(std::size_t bytes) {
  // A bit a cell is needed while the cells are moved.
  return std::max(kSmallest, bytes / (8 * sizeof(Cell) + 1) * 8);
}

void Table::store(Key key, const Entry& entry) {
  for (std::size_t i = home(key);; i = next(i)) {
    if (cells_[i].holds(key) && !cells_[i].empty()) {
      if (!cells_[i].entry().bounds.solved()) cells_[i].write(key, entry);
      return;
    }
    if (!cells_[i].empty()) continue;
    if (used_ < capacity_ - capacity_ / 4) {
      cells_[i].write(key, entry);
      ++used_;
      return;
    }
    make_room();
    return store(key, entry);
  }
}

void Table::make_room() {
  if (2 * capacity_ <= largest_) {
    rehash(2 * capacity_);
  } else {
    collect();
    rehash(capacity_);
  }
}

void Table::collect() {
  ++collections_;
  const auto target = static_cast<std::size_t>(gc_fraction_ * static_cast<double>(used_));
  used_ -= small_tree_gc(cells_, capacity_, std::max<std::size_t>(target, 1));
}

// Moves every cell to its place under the new capacity, inside the same block: a cell that finds an
// unmoved one in its place takes the place, and the other is moved next. `placed` marks the moved.
void Table::rehash(std::size_t capacity) {
  const std::size_t old = capacity_;
  capacity_ = capacity;
  std::vector<bool> placed(capacity);
  for (std::size_t i = 0; i < old; ++i)
    if (!cells_[i].empty() && !placed[i]) place(i, placed);
}

void Table::place(std::size_t from, std::vector<bool>& placed) {
  Key key = cells_[from].key();
  Entry entry = cells_[from].entry();
  cells_[from].clear();
  while (true) {
    std::size_t i = home(key);
    while (placed[i]) i = next(i);
    placed[i] = true;
    const bool free = cells_[i].empty();
    const Key evicted_key = cells_[i].key();
    const Entry evicted = cells_[i].entry();
    cells_[i].write(key, entry);
    if (free) return;
    key = evicted_key;
    entry = evicted;
  }
}

}  // namespace andorra
