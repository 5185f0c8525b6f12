// Killers: the last position solved at each depth, whose solution others may borrow
// (rules/simulation.hpp).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "game.hpp"

namespace andorra {

template <Game G>
class Killers {
 public:
  struct Killer {
    G position;
    bool proven;
  };

  const Killer* at(std::size_t depth) const {
    return depth < by_depth_.size() && by_depth_[depth] ? &*by_depth_[depth] : nullptr;
  }

  // The frame of the position stands at depth - 1 when it is solved.
  void remember(std::size_t frames, const G& position, bool proven) {
    const std::size_t depth = frames - 1;
    if (depth >= kDeepest) return;
    if (by_depth_.size() <= depth) by_depth_.resize(depth + 1);
    by_depth_[depth].emplace(Killer{position, proven});
  }

 private:
  static constexpr std::size_t kDeepest = 256;  // copies of positions are not counted as memory

  std::vector<std::optional<Killer>> by_depth_;
};

}  // namespace andorra
