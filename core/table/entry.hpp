// One result as a search sees it, and the cell that keeps it in the table.
//
// Idea: a cell is five 64-bit words, read without locks. The two key words are stored XORed with a
// checksum of the three data words, so a cell that is read while it is written does not verify and
// is not found (Hyatt & Mann's scheme, here over a 128-bit key). Deviations: the checksum
// multiplies, because entries of one board differ in so little that words XORed with each other
// cancel out; and the board's word depends on the other one, because of that one the lower half,
// the resources, is read and not asked for.
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
  std::uint8_t flags = 0;      // 4 bits: kHasOldChild, kHasTwin; open: kSearched;
                               // solved: kHoldsBetween, kRefuterWins
  std::uint64_t parent = 0;    // by which it was first reached (rules/double_count.hpp), or with
                               // kSearched how many plies were searched (search/alphabeta.hpp)
};

// What was read from a cell, which others may have changed since. It is true if it holds a key.
class Snapshot {
 public:
  Snapshot() = default;
  Snapshot(Key key, const Entry& entry)
      : bounds_(std::uint64_t{entry.bounds.pn} << 32 | entry.bounds.dn),
        work_(std::uint64_t{entry.work} << 32 | std::uint64_t{entry.move} << 16 |
              std::uint64_t{entry.distance} << 4 | entry.flags),
        parent_(entry.parent) {
    const std::uint64_t sum = checksum();
    rest_ = key.rest ^ std::rotl(sum, 32);
    board_ = key.board ^ sum ^ rest_;
  }

  bool holds(Key key) const { return this->key() == key; }

  std::uint64_t board() const { return board_ ^ rest_ ^ checksum(); }

  Key key() const {
    const std::uint64_t sum = checksum();
    return {board_ ^ rest_ ^ sum, rest_ ^ std::rotl(sum, 32)};
  }

  Bounds bounds() const {
    return {static_cast<Number>(bounds_ >> 32), static_cast<Number>(bounds_)};
  }

  std::uint16_t distance() const { return static_cast<std::uint16_t>(work_ >> 4 & 0xfff); }
  std::uint8_t flags() const { return static_cast<std::uint8_t>(work_ & 0xf); }
  std::uint32_t work() const { return static_cast<std::uint32_t>(work_ >> 32); }

  Entry entry() const {
    return {bounds(),   work(),  static_cast<std::uint16_t>(work_ >> 16),
            distance(), flags(), parent_};
  }

 private:
  friend class Cell;

  std::uint64_t checksum() const {
    constexpr std::uint64_t kWithBounds = 0x9e3779b97f4a7c15, kWithWork = 0xd1b54a32d192ed03;
    const auto product =
        static_cast<unsigned __int128>(bounds_ ^ kWithBounds) * (work_ ^ kWithWork);
    const auto upper = static_cast<std::uint64_t>(product >> 64);
    return static_cast<std::uint64_t>(product) ^ upper ^ std::rotl(parent_, 24);
  }

  std::uint64_t board_;
  std::uint64_t rest_;
  std::uint64_t bounds_;
  std::uint64_t work_;
  std::uint64_t parent_;
};

class Cell {
 public:
  Cell() = delete;  // cells are zeroed memory
  Cell(const Cell&) = delete;
  Cell& operator=(const Cell&) = delete;

  // A cell may lie across two cache lines.
  void prefetch() const {
    __builtin_prefetch(&words_[0]);
    __builtin_prefetch(&words_[kWords - 1]);
  }

  Snapshot read() const {
    Snapshot copy;
    copy.board_ = load(kBoard);
    copy.rest_ = load(kRest);
    copy.bounds_ = load(kBounds);
    copy.work_ = load(kWork);
    copy.parent_ = load(kParent);
    return copy;
  }

  void write(const Snapshot& copy) {
    store(kBounds, copy.bounds_);
    store(kWork, copy.work_);
    store(kParent, copy.parent_);
    store(kBoard, copy.board_);
    store(kRest, copy.rest_);
  }

 private:
  enum Word { kBoard, kRest, kBounds, kWork, kParent, kWords };

  std::uint64_t load(Word word) const { return words_[word].load(std::memory_order_relaxed); }
  void store(Word word, std::uint64_t value) {
    words_[word].store(value, std::memory_order_relaxed);
  }

  std::atomic<std::uint64_t> words_[kWords];
};

static_assert(sizeof(Cell) == 40);

}  // namespace andorra
