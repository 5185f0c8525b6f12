// Costs of moves: a move adds to the numbers of the position it leads to.
//
// Idea: a move that the game holds to be poor makes what follows look harder, so others are tried
// first; unlike an initial value, a cost stays when the position's own numbers have grown.
// Source: df-pn+ (Nagai & Imai 1999; Kaneko 2010, figure 2).
// Invariant: solved positions cost nothing, or a proven child would no longer prove its parent
// (figure 2 adds the cost to every child). The table keeps numbers without costs, so the thresholds
// of a child are lowered by its cost, but stay above the numbers that it has.
#pragma once

#include <algorithm>

#include "bounds.hpp"
#include "game.hpp"
#include "rules/backup.hpp"
#include "rules/threshold.hpp"

namespace andorra {

inline void add_cost(Number (&numbers)[2], Guess cost) {
  if (numbers[kPn] == 0 || numbers[kDn] == 0) return;
  numbers[kPn] = capped(Wide{numbers[kPn]} + cost.pn);
  numbers[kDn] = capped(Wide{numbers[kDn]} + cost.dn);
}

// `numbers` are the child's with its cost.
inline void take_off_cost(Thresholds& thresholds, const Number (&numbers)[2], Guess cost) {
  const std::uint32_t costs[2] = {cost.pn, cost.dn};
  for (unsigned i : {kPn, kDn}) {
    const Wide least = numbers[i] == kLargest ? Wide{kLargest} + 1 : 1;
    const Wide without = thresholds.of[i] - std::min<Wide>(costs[i], thresholds.of[i]);
    thresholds.of[i] = std::max(least, without);
  }
}

}  // namespace andorra
