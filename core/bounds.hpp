// Proof and disproof numbers, always in the prover's view.
//
// Idea: pn (dn) is the number of leaves still to be proven (disproven) to prove (disprove) a node.
// Source: Allis 1994; survey sections 3.1 and 3.2.
// Invariant: a solved node has one zero and one kInfinite; an open node has both numbers in
// [1, kLargest]. Solved is tested by a zero and never by a large number, so a capped sum is no
// proof. Deviation: the papers let sums grow to infinity; ours stop at kLargest.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace andorra {

// The build with ANDORRA_NUMBER=std::uint8_t tests that capped numbers are handled right.
#ifndef ANDORRA_NUMBER
#define ANDORRA_NUMBER std::uint32_t
#endif
using Number = ANDORRA_NUMBER;

inline constexpr Number kInfinite = std::numeric_limits<Number>::max();
inline constexpr Number kLargest = kInfinite - 1;

// Thresholds and sums are wider than numbers, so that "infinity - x" stays distinct for every x
// (survey 3.2) and a sum over any list of children cannot wrap.
using Wide = std::uint64_t;
inline constexpr Wide kUnlimited = Wide{1} << 62;

constexpr Number capped(Wide sum) {
  return sum < kLargest ? static_cast<Number>(sum) : kLargest;
}

struct Bounds {
  Number pn = 1;
  Number dn = 1;

  constexpr bool proven() const { return pn == 0; }
  constexpr bool disproven() const { return dn == 0; }
  constexpr bool solved() const { return pn == 0 || dn == 0; }
  friend constexpr bool operator==(const Bounds&, const Bounds&) = default;
};

inline constexpr Bounds kProven{0, kInfinite};
inline constexpr Bounds kDisproven{kInfinite, 0};

// The mover's view of bounds: phi is what the mover makes small to win, delta what the opponent
// does. It exists inside one node only; nothing stores it.
struct MoversView {
  Number phi;
  Number delta;
};

constexpr MoversView view(Bounds bounds, bool or_node) {
  return or_node ? MoversView{bounds.pn, bounds.dn} : MoversView{bounds.dn, bounds.pn};
}

constexpr Bounds from_view(MoversView mover, bool or_node) {
  return or_node ? Bounds{mover.phi, mover.delta} : Bounds{mover.delta, mover.phi};
}

}  // namespace andorra
