// PDS: thresholds of proof-number and disproof-number search, the predecessor of df-pn.
//
// Idea: a node is left only when both of its numbers have reached their thresholds. The root, and
// then every node on the way down, lets one of its child's numbers grow by a step: the one that is
// smaller, because it is the more likely way to a solution, unless the parent's threshold of that
// kind is reached already.
// Source: Nagai 1998, as told by Winands, Uiterwijk & van den Herik 2004 (proof-like and
// disproof-like children).
// Invariant: of a node that is not left, one number is below its threshold, so the child has
// something to do.
// Deviation: the step is that of rules/threshold.hpp, so `increment`, `epsilon` (Pawlewicz & Lew
// 2007 take 1/16 for PDS) and rising thresholds hold here as well.
#pragma once

#include "bounds.hpp"
#include "rules/backup.hpp"
#include "rules/threshold.hpp"

namespace andorra {

// For a child of a node with these thresholds. step(number) is how far a number may grow.
template <class Step>
Thresholds pds_thresholds(const Thresholds& mine, const Backup& backup, unsigned phi,
                          const Number (&child)[2], Step&& step) {
  const unsigned delta = phi ^ 1;
  const bool wants_phi = mine.of[phi] > backup.phi() &&
                         (child[phi] <= child[delta] || mine.of[delta] <= backup.delta());
  const unsigned grows = wants_phi ? phi : delta;
  Thresholds thresholds;
  thresholds.of[grows] = step(child[grows]);
  thresholds.of[grows ^ 1] = child[grows ^ 1];
  return thresholds;
}

// For the root.
template <class Step>
Thresholds pds_root(Bounds root, Step&& step) {
  if (root.pn <= root.dn) return {{step(root.pn), root.dn}};
  return {{root.pn, step(root.dn)}};
}

}  // namespace andorra
