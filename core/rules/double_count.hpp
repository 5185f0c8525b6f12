// Double counting: finding nodes whose numbers count one descendant twice.
//
// Idea: an entry remembers the parent from which its position was first reached. When a position is
// reached from another parent, follow these pointers upwards; if they meet the current line, the
// node where they meet (the source) counts the position at least twice, once through the child on
// the line and once through the child that the pointers came by. There, only the largest of the
// children involved counts: all children (Nagai), or just those two and others found before (SNDA).
// Source: Nagai 2002 in survey 6.1; Kishimoto 2010 (SNDA).
// Invariant: only the order of the search depends on this. A mark stays, as in Kishimoto 2010.
// Deviations: marks are a mask of the first 64 moves, kept in a table of their own that forgets by
// overwriting; the climb ends after kMostSteps pointers, or where neither number of a node is as
// large as the position's, since then the position is not counted in it (our reading of "checks if
// n_d is involved"); it starts only at positions with a number of kWorthIt or more, as Kaneko's
// program does.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "game.hpp"
#include "rules/repetition.hpp"
#include "table/reserved.hpp"
#include "table/table.hpp"

namespace andorra {

using MoveMask = std::uint64_t;
inline constexpr std::size_t kMostMarked = 64;

// The children that a source counts only once, by position.
class DoubleCounts {
 public:
  explicit DoubleCounts(std::size_t bytes)
      : size_(std::max<std::size_t>(64, bytes / sizeof(Marks))), memory_(size_) {}

  void prefetch(Key key) const { __builtin_prefetch(&place(key)); }

  MoveMask find(Key key) const {
    const Marks& marks = place(key);
    return marks.board == key.board ? marks.moves : 0;
  }

  void set(Key key, MoveMask moves) {
    Marks& marks = place(key);
    if (marks.moves == 0) used_bytes_ += sizeof(Marks);
    marks = {key.board, moves};
  }

  std::size_t bytes() const { return used_bytes_; }

 private:
  struct Marks {
    std::uint64_t board;
    MoveMask moves;
  };

  Marks& place(Key key) const {
    const unsigned __int128 place = key.board & kPublicInBoard;
    return memory_[static_cast<std::size_t>((place * size_) >> 64)];
  }

  std::size_t size_;
  std::size_t used_bytes_ = 0;
  Reserved<Marks> memory_;
};

struct Source {
  Depth depth = kRestsOnNothing;  // on the line; kRestsOnNothing: there is none
  std::uint64_t child = 0;        // its other child: the upper half of the key
};

class SourceDetection {
 public:
  static constexpr Number kWorthIt = 64;
  static constexpr int kMostSteps = 256;

  // A parent pointer is the upper half of the parent's key. Of it alone the table finds the entry.
  static std::uint64_t pointer_to(Key parent) { return parent.board; }

  static bool worth_it(const Entry& entry) {
    return std::max(entry.bounds.pn, entry.bounds.dn) >= kWorthIt;
  }

  // Climbs from a position with this entry. `on_line(pointer)` is the depth of a position on the
  // line, or kRestsOnNothing.
  template <class OnLine>
  static Source find(const Table& table, std::uint64_t position, const Entry& start,
                     OnLine&& on_line) {
    std::uint64_t below = position;
    std::uint64_t pointer = start.parent;
    for (int step = 0; step < kMostSteps && pointer != 0; ++step) {
      const Depth depth = on_line(pointer);
      if (depth != kRestsOnNothing) return {depth, below};
      Entry entry;
      if (!table.find_board(pointer, entry) || !may_count(entry, start)) break;
      below = pointer;
      pointer = entry.parent;
    }
    return {};
  }

 private:
  static bool may_count(const Entry& above, const Entry& position) {
    return !above.bounds.solved() &&
           (above.bounds.pn >= position.bounds.pn || above.bounds.dn >= position.bounds.dn);
  }
};

}  // namespace andorra
