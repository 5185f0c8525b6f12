// Thresholds: how long df-pn stays below the best child.
//
// Idea: until the child is no longer the best one (its number passes the second best), or until the
// parent itself has to be left.
// Source: survey section 4 and figure 5, lines 27 and 28.
// Invariant: both thresholds are above the child's numbers, so the search below the child always
// has something to do.
#pragma once

#include <algorithm>

#include "bounds.hpp"
#include "rules/backup.hpp"

namespace andorra {

struct Thresholds {
  Wide of[2] = {kUnlimited, kUnlimited};  // by kPn, kDn

  bool reached(Number pn, Number dn) const { return pn >= of[kPn] || dn >= of[kDn]; }
};

inline Thresholds child_thresholds(const Thresholds& mine, const Backup& backup, unsigned phi,
                                   Number child_delta) {
  Thresholds child;
  child.of[phi] = std::min(mine.of[phi], Wide{backup.second} + 1);
  child.of[phi ^ 1] = mine.of[phi ^ 1] - backup.delta() + child_delta;
  return child;
}

}  // namespace andorra
