// Refinement of heuristic proofs: clear guesses count as decided at first, ever clearer ones later.
//
// Idea: where the game's guess says that a leaf is much easier to prove than to disprove, or the
// other way round, it is taken at its word, and the search soon has a solution. If that rests on a
// guess, the next search asks for twice as much clearness; it goes the same way fast, because what
// was solved without guesses is in the table. The last one takes no guess at all. A search by
// guesses that goes round in circles is given up for the next one: guesses are no leaves that what
// is known could be put together from (search/closure.hpp).
// Source: survey 7.4.1, which describes the rising threshold; the doubling is ours.
// Invariant: a solution that rests on a guess is none (it rests on kGuess, above every position of
// the line, so it is never stored as solved; rules/repetition.hpp). The searches end.
#pragma once

#include <cstdint>

#include "bounds.hpp"
#include "rules/repetition.hpp"

namespace andorra {

// The depth on the line that a guess rests on: above every position.
inline constexpr Depth kGuess = 0;

// How clear a guess must be in the next search; 0 is for none.
inline std::uint64_t next_doubt(std::uint64_t doubt) {
  constexpr std::uint64_t kMostDoubt = 1'000'000'000;
  return doubt < kMostDoubt ? 2 * doubt : 0;
}

// What a guess decides: solved bounds, or open ones if it is not clear enough.
inline Bounds decided_by(Bounds guess, std::uint64_t doubt) {
  if (guess.dn >= Wide{guess.pn} + doubt) return kProven;
  if (guess.pn >= Wide{guess.dn} + doubt) return kDisproven;
  return Bounds{};
}

}  // namespace andorra
