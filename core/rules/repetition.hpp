// Repetition: the positions on the current line, and what a disproof rests upon.
//
// Idea: a move back to a position on the current line is no win for the prover, so inside this line
// it counts as disproven. Such a disproof holds on this line only. A node remembers the smallest
// depth of a line position that its disproof rests upon; if that is the node itself or below it,
// the disproof is a closed set of positions and holds on every line. Otherwise it is tainted and
// must not be stored as solved (graph-history interaction; survey 6.2). A proof never rests on a
// repetition, but may rest on a guess (rules/refine.hpp), which is the same thing here. Invariant:
// positions leave in the reverse order of coming, so a slot can be freed without breaking another's
// probe sequence.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "game.hpp"
#include "rules/backup.hpp"

namespace andorra {

using Depth = std::uint32_t;
inline constexpr unsigned kDepthBits = 28;
inline constexpr Depth kRestsOnNothing = (Depth{1} << kDepthBits) - 1;

class Line {
 public:
  // The depth at which the position stands on the line, or kRestsOnNothing.
  Depth find(Key key) const {
    for (std::size_t i = slot(key); slots_[i].depth != kRestsOnNothing; i = (i + 1) & mask())
      if (slots_[i].key == key) return slots_[i].depth;
    return kRestsOnNothing;
  }

  // The deepest position on the line of the same board, that is of a key that differs in resources
  // at most, for which counts(its key); or kRestsOnNothing.
  template <class Counts>
  Depth find_alike(Key key, Counts&& counts) const {
    Depth deepest = kRestsOnNothing;
    for (std::size_t i = slot(key); slots_[i].depth != kRestsOnNothing; i = (i + 1) & mask()) {
      const Slot& slot = slots_[i];
      if (with_resources(slot.key, 0) != with_resources(key, 0) || !counts(slot.key)) continue;
      if (deepest == kRestsOnNothing || slot.depth > deepest) deepest = slot.depth;
    }
    return deepest;
  }

  // The same, if only the upper half of the key is known.
  Depth find_board(std::uint64_t board) const {
    for (std::size_t i = slot({board, 0}); slots_[i].depth != kRestsOnNothing; i = (i + 1) & mask())
      if (slots_[i].key.board == board) return slots_[i].depth;
    return kRestsOnNothing;
  }

  void push(Key key) {
    if (2 * (keys_.size() + 1) > slots_.size()) grow();
    keys_.push_back(key);
    insert(key, static_cast<Depth>(keys_.size() - 1));
  }

  void pop() {
    std::size_t i = slot(keys_.back());
    while (slots_[i].key != keys_.back()) i = (i + 1) & mask();
    slots_[i].depth = kRestsOnNothing;
    keys_.pop_back();
  }

  void clear() {
    while (!keys_.empty()) pop();
  }

  std::size_t size() const { return keys_.size(); }
  const std::vector<Key>& keys() const { return keys_; }
  std::size_t bytes() const {
    return slots_.capacity() * sizeof(Slot) + keys_.capacity() * sizeof(Key);
  }

 private:
  struct Slot {
    Key key;
    Depth depth = kRestsOnNothing;
  };

  std::size_t mask() const { return slots_.size() - 1; }
  std::size_t slot(Key key) const { return static_cast<std::size_t>(key.board >> 7) & mask(); }

  void insert(Key key, Depth depth) {
    std::size_t i = slot(key);
    while (slots_[i].depth != kRestsOnNothing) i = (i + 1) & mask();
    slots_[i] = {key, depth};
  }

  void grow() {
    slots_.assign(2 * slots_.size(), Slot{});
    for (Depth depth = 0; depth < keys_.size(); ++depth) insert(keys_[depth], depth);
  }

  std::vector<Slot> slots_ = std::vector<Slot>(64);
  std::vector<Key> keys_;
};

// What the solution of a node at `depth` rests upon, where child(i) has numbers[2] and rests_on. If
// its mover has won, one child is enough, and `best` becomes the one that rests on the least;
// otherwise all children are needed.
template <class ChildAt>
Depth solution_rests_on(std::size_t count, ChildAt&& child, unsigned phi, std::size_t depth,
                        std::size_t& best) {
  const bool won = child(best).numbers[phi] == 0;
  Depth rests_on = kRestsOnNothing;
  for (std::size_t i = 0; i < count; ++i) {
    if (!won)
      rests_on = std::min<Depth>(rests_on, child(i).rests_on);
    else if (child(i).numbers[phi] == 0 && child(i).rests_on > child(best).rests_on)
      best = i;
  }
  if (won) rests_on = child(best).rests_on;
  return rests_on >= depth ? kRestsOnNothing : rests_on;
}

template <class Child>
Depth solution_rests_on(std::span<const Child> children, unsigned phi, std::size_t depth,
                        std::size_t& best) {
  const auto child = [&](std::size_t i) -> const Child& { return children[i]; };
  return solution_rests_on(children.size(), child, phi, depth, best);
}

}  // namespace andorra
