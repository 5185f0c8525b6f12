// Old children: minimal distances, and what df-pn(r) and TCA do with them.
//
// Idea: a child that was once reached by a path no longer than its parent's may lead back to the
// parent, so that the parent's numbers are computed from themselves and the search runs in circles.
// Such a child is old.
// df-pn(r): numbers that add up ignore old children as long as a normal one is open; if all open
//   children are old, only the largest counts.
// TCA: numbers are computed as always, but a node with an open old child gets thresholds above its
//   numbers when it is entered, and so does everything below it down to a leaf.
// Source: Kishimoto & Müller 2003, Kishimoto 2005 (df-pn(r)); Kishimoto 2010, figure 3 (TCA).
// Invariant: only the order of the search depends on this, never a verdict. Distances go when the
// table forgets an entry, so neither is a proof against loops there; the guard is.
// Deviations: a leaf raises nothing, even if it has an old child. The figure raises thresholds
// there, the prose goes on "until either expanding a leaf, or detecting a new cyclic path"; where
// most moves can be taken back, the figure dives for ever from leaf to leaf (Lines of Action 6x6:
// lines of 130,000 plies). A distance is capped at 12 bits (entries at the cap count as old); the
// update of a node's distance when all its open children are old, which the paper mentions without
// a formula, is left out.
#pragma once

#include <algorithm>
#include <cstdint>

#include "rules/backup.hpp"
#include "rules/threshold.hpp"

namespace andorra {

inline constexpr std::uint16_t kFarthest = 0xfff;

// Of a table entry: the node had an open old child when it was left.
inline constexpr std::uint8_t kHasOldChild = 1;

inline std::uint16_t distance_of(std::size_t depth) {
  return static_cast<std::uint16_t>(std::min<std::size_t>(depth, kFarthest));
}

// `child` was reached before, at the distance given.
inline bool is_old(std::uint16_t child, std::uint16_t parent) {
  return child <= parent;
}

// TCA, "increase thresholds", where a node is left by either of them.
inline void raise_above(Thresholds& thresholds, const Backup& backup, unsigned phi) {
  thresholds.of[phi] = std::max(thresholds.of[phi], Wide{backup.phi()} + 1);
  thresholds.of[phi ^ 1] = std::max(thresholds.of[phi ^ 1], Wide{backup.delta()} + 1);
}

}  // namespace andorra
