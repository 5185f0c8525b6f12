// PN*: thresholds on proof numbers alone, with iterative deepening at every OR node.
//
// Idea: is there a proof with a proof number below a threshold? If not, the threshold grows, at the
// root and at every OR node below it, by a step above the best child's number: so all moves are
// tried with a small threshold before any is with a larger one.
// Source: Seo, Iida & Uiterwijk 2001, as described there and in survey section 4.
// Invariant: disproof numbers end no search but by a disproof, and choose no child.
// Reconstruction: we do not know how it orders the moves of an AND node. Here the defence with the
// largest proof number comes first, which is the soonest to reach the threshold; on Connect Four
// 4x4 that takes an eighth of the visits that going by disproof numbers takes, as df-pn does.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "bounds.hpp"
#include "rules/backup.hpp"
#include "rules/threshold.hpp"

namespace andorra {

// At an AND node, chooses the open child that is hardest to prove; `Child` has numbers[2] and
// open().
template <class Child>
Backup hardest_defence(Backup backup, std::span<const Child> children, unsigned phi) {
  if (phi == kPn) return backup;
  Number most = 0;
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (!children[i].open() || children[i].numbers[kPn] <= most) continue;
    most = children[i].numbers[kPn];
    backup.best = i;
    backup.share = most;
  }
  return backup;
}

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
