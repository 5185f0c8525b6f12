// PN*: thresholds on proof numbers alone, with iterative deepening at every OR node.
//
// Idea: is there a proof with a proof number below a threshold? If not, the threshold grows, at the
// root and at every OR node below it, by a step above the best child's number: so all moves are
// tried with a small threshold before any is with a larger one.
// Source: Seo, Iida & Uiterwijk 2001, as described there and in survey section 4.
// Invariant: disproof numbers end no search but by a disproof.
// Deviation: Seo's search knows no disproof numbers, and we do not know how it orders the moves of
// an AND node; here they are kept, and choose the child there, as in df-pn.
#pragma once

#include <algorithm>

#include "bounds.hpp"
#include "rules/backup.hpp"
#include "rules/threshold.hpp"

namespace andorra {

// For a child of a node with these thresholds. step(number) is how far a number may grow.
template <class Step>
Thresholds pn_star_thresholds(const Thresholds& mine, const Backup& backup, unsigned phi,
                              Step&& step) {
  Thresholds thresholds;
  thresholds.of[kPn] = phi == kPn ? std::min(mine.of[kPn], step(backup.smallest))
                                  : mine.of[kPn] - backup.delta() + backup.share;
  return thresholds;
}

// For the root.
template <class Step>
Thresholds pn_star_root(Bounds root, Step&& step) {
  return {{step(root.pn), kUnlimited}};
}

}  // namespace andorra
