// One result as a search sees it, and the cell that keeps it in the table.
//
// Idea: a cell is five 64-bit words, read and written without locks. The two key words are stored
// XORed with a checksum of the three data words, so a cell torn by two writers does not verify and
// is not found (Hyatt & Mann's scheme, here over a 128-bit key).
// Layout: bounds | work, move, distance and flags | parent. Whether a cell is empty is the table's
// business.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>

#include "bounds.hpp"
#include "game.hpp"

namespace andorra {

inline constexpr std::uint16_t kNoMove = 0xffff;

struct Entry {
  Bounds bounds;
  std::uint32_t work = 0;        // visits spent below, saturating
  std::uint16_t move = kNoMove;  // index in the move list: the move that solves, or the last best
  std::uint16_t distance = 0;  // from the root, the least so far, 12 bits (rules/old_children.hpp)
  std::uint8_t flags = 0;      // 4 bits: kHasOldChild, kHasTwin
  std::uint64_t parent = 0;    // by which it was first reached (rules/double_count.hpp)
};

class Cell {
 public:
  Cell() = default;
  Cell(const Cell& other) { *this = other; }
  Cell& operator=(const Cell& other) {
    for (int word = 0; word < kWords; ++word)
      store(static_cast<Word>(word), other.load(static_cast<Word>(word)));
    return *this;
  }

  // A cell may lie across two cache lines.
  void prefetch() const {
    __builtin_prefetch(&words_[0]);
    __builtin_prefetch(&words_[kWords - 1]);
  }

  bool holds(Key key) const {
    const std::uint64_t sum = checksum();
    return (load(kBoard) ^ sum) == key.board && (load(kRest) ^ std::rotl(sum, 32)) == key.rest;
  }

  std::uint64_t board() const { return load(kBoard) ^ checksum(); }

  Key key() const {
    const std::uint64_t sum = checksum();
    return {load(kBoard) ^ sum, load(kRest) ^ std::rotl(sum, 32)};
  }

  Bounds bounds() const {
    const std::uint64_t word = load(kBounds);
    return {static_cast<Number>(word >> 32), static_cast<Number>(word)};
  }

  std::uint16_t distance() const { return static_cast<std::uint16_t>(load(kWork) >> 4 & 0xfff); }
  std::uint8_t flags() const { return static_cast<std::uint8_t>(load(kWork) & 0xf); }
  std::uint32_t work() const { return static_cast<std::uint32_t>(load(kWork) >> 32); }

  Entry entry() const {
    const std::uint64_t packed = load(kWork);
    return {bounds(),
            static_cast<std::uint32_t>(packed >> 32),
            static_cast<std::uint16_t>(packed >> 16),
            static_cast<std::uint16_t>(packed >> 4 & 0xfff),
            static_cast<std::uint8_t>(packed & 0xf),
            load(kParent)};
  }

  void write(Key key, const Entry& entry) {
    store(kBounds, std::uint64_t{entry.bounds.pn} << 32 | entry.bounds.dn);
    store(kWork, std::uint64_t{entry.work} << 32 | std::uint64_t{entry.move} << 16 |
                     std::uint64_t{entry.distance} << 4 | entry.flags);
    store(kParent, entry.parent);
    store(kBoard, key.board ^ checksum());
    store(kRest, key.rest ^ std::rotl(checksum(), 32));
  }

 private:
  enum Word { kBoard, kRest, kBounds, kWork, kParent, kWords };

  std::uint64_t load(Word word) const { return words_[word].load(std::memory_order_relaxed); }
  void store(Word word, std::uint64_t value) {
    words_[word].store(value, std::memory_order_relaxed);
  }
  std::uint64_t checksum() const {
    return load(kBounds) ^ std::rotl(load(kWork), 16) ^ std::rotl(load(kParent), 24);
  }

  std::atomic<std::uint64_t> words_[kWords];
};

static_assert(sizeof(Cell) == 40);

}  // namespace andorra
