// Move ordering: which children a depth-first search tries first.
//
// Idea: a node is decided by one good move, so the search is short where that comes first. Good is
// what was good before: here in a shallower search, which the table remembers; in a sibling of this
// node (killers: the last two such moves at each depth); or anywhere (history: a count for each
// move of each side, which grows with the depth of the search it has decided).
// Source: killers, Akl & Newborn 1977; history, Schaeffer 1989, whose weights for a search of n
// plies are 2^n. Deviations: weights are n^2, which do not let one deep search decide for all; a
// count is found by a game's code of the move alone, so games with many codes share counts.
// Invariant: only the order of the search depends on this, never a verdict.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "game.hpp"

namespace andorra {

class MoveOrdering {
 public:
  explicit MoveOrdering(std::string_view name)
      : killers_(name == "killers" || name == "both"),
        history_(name == "history" || name == "both") {
    if (history_) counts_.resize(2 * kCounts);
  }

  // What speaks for a move at a depth; more is better. `before`: it decided a shallower search of
  // this node; `seen`: the table has the position it leads to.
  std::uint64_t merit(Move move, bool or_node, std::size_t depth, bool before, bool seen) const {
    if (before) return 3 * kKiller;
    if (seen) return 2 * kKiller;
    if (is_killer(move, depth)) return kKiller;
    return history_ ? counts_[place(move, or_node)] : 0;
  }

  // The move has decided a node, in a search of so many plies.
  void decided(Move move, bool or_node, std::size_t depth, std::uint64_t plies) {
    if (killers_) add_killer(move, depth);
    if (!history_) return;
    std::uint64_t& count = counts_[place(move, or_node)];
    count += std::min(plies, kMostPlies) * std::min(plies, kMostPlies);
    if (count >= kKiller) halve();
  }

  std::size_t bytes() const {
    return by_depth_.capacity() * sizeof(Pair) + counts_.capacity() * sizeof(std::uint64_t);
  }

 private:
  static constexpr std::size_t kCounts = 4096;
  static constexpr std::uint64_t kKiller = std::uint64_t{1} << 40;
  static constexpr std::uint64_t kMostPlies = 1 << 16;
  static constexpr Move kNone = 0xffffffff;

  struct Pair {
    Move latest = kNone;
    Move other = kNone;
  };

  static std::size_t place(Move move, bool or_node) {
    const std::uint32_t spread = (move ^ move >> 16) * 0x9e3779b1U;
    return 2 * (spread >> 20) + or_node;
  }

  bool is_killer(Move move, std::size_t depth) const {
    if (depth >= by_depth_.size()) return false;
    return by_depth_[depth].latest == move || by_depth_[depth].other == move;
  }

  void add_killer(Move move, std::size_t depth) {
    if (by_depth_.size() <= depth) by_depth_.resize(depth + 1);
    Pair& pair = by_depth_[depth];
    if (pair.latest == move) return;
    pair.other = pair.latest;
    pair.latest = move;
  }

  void halve() {
    for (std::uint64_t& count : counts_) count /= 2;
  }

  const bool killers_;
  const bool history_;
  std::vector<Pair> by_depth_;
  std::vector<std::uint64_t> counts_;
};

}  // namespace andorra
