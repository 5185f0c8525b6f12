// Back-up: a node's bounds from its children's.
//
// Idea: the mover needs one child, so its number is the minimum; the opponent needs them all, so
// the other number is the sum. In the prover's view: OR has pn = min, dn = sum; AND the reverse.
// Source: survey 3.1; figure 5, procedures SelectChild, DeltaMin and PhiSum.
// Invariant: a zero minimum or a zero sum is a solution; anything else is capped at kLargest. The
// parent's mover alone decides how a child's numbers are read, so sides may move twice.
#pragma once

#include <cstddef>
#include <span>

#include "bounds.hpp"

namespace andorra {

// Numbers by index, so that OR and AND nodes share one loop without a branch.
inline constexpr unsigned kPn = 0;
inline constexpr unsigned kDn = 1;

struct Backup {
  Number smallest = kInfinite;  // of the numbers that the mover makes small
  Number second = kInfinite;    // the next one after the best child's
  Wide sum = 0;                 // of the numbers that the opponent makes small
  Number share = 0;             // the best child's part of the sum
  std::size_t best = 0;         // the first child with the smallest number

  bool won() const { return smallest == 0; }  // for the mover
  bool lost() const { return sum == 0; }      // then every child's number is kInfinite
  Number phi() const { return smallest; }
  Number delta() const { return won() ? kInfinite : capped(sum); }
};

// Of `count` children, where numbers(i) points to child i's {pn, dn}; `phi` is kPn at an OR node
// and kDn at an AND node.
template <class Numbers>
[[gnu::always_inline]] inline Backup back_up(std::size_t count, Numbers&& numbers, unsigned phi) {
  Backup backup;
  for (std::size_t i = 0; i < count; ++i) {
    const Number mine = numbers(i)[phi];
    if (mine < backup.smallest) {
      backup.second = backup.smallest;
      backup.smallest = mine;
      backup.best = i;
    } else if (mine < backup.second) {
      backup.second = mine;
    }
    backup.sum += numbers(i)[phi ^ 1];
  }
  backup.share = numbers(backup.best)[phi ^ 1];
  return backup;
}

// The same for children in one block; `Child` has numbers[2].
template <class Child>
Backup back_up(std::span<const Child> children, unsigned phi) {
  return back_up(children.size(), [&](std::size_t i) { return children[i].numbers; }, phi);
}

}  // namespace andorra
