// Carry-over: what a solved question leaves to the next one in the same table.
//
// Idea: a table knows nothing of questions. Between two of them, one pass over it keeps what holds
// for the next as well, under its verdict there, and drops all else that is solved. Open numbers
// stay, as guesses: for the other prover they change places. (Connect Four 5x5, second question of
// the value: 1,169,399 visits alone, 451,028 with what is solved, 222,373 with open numbers, too.)
//  - A win, then the other side's: who can force a win cannot be beaten. So a position that is
//    proven becomes one that is disproven, by the same move. That neither side can force a win says
//    nothing of the other, so disproofs go.
//  - A score, then another one, for the same prover: who can force N can force less, and who cannot
//    force N cannot force more. Both hold where positions repeat, too: a proof ends on every line,
//    and a set of positions that the refuter never leaves is closed whatever is asked for.
// Source: two-phase df-pn with the table kept (Kishimoto & Müller 2003, in the survey's section 9);
// iterative proof-number search, which keeps a lower and an upper bound of the score with each
// entry (Moldenhauer 2009, same place; we know no more of it than that).
// Deviation: no bounds are stored. The questions of a series close in on the root's score, from
// `proven`, the most that is known to be forced, and `disproven`, the least that is known not to
// be. An entry proven for `disproven` or more, or disproven for `proven` or less, holds for all
// questions in between: a flag says so. Any other one is of use for no question that is still to be
// asked. So the flag tells as much as two bounds would.
// Invariant: a solved entry that stays is a truth about the next question, on every line, whatever
// the order of the questions is: of one that is not in between, no flag is believed.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>

#include "question.hpp"
#include "table/entry.hpp"

namespace andorra {

inline constexpr std::uint8_t kHoldsBetween = 4;
inline constexpr std::uint8_t kRefuterWins = 8;  // and does not only avoid the prover's win

// The score that is asked for as the prover counts: more is harder.
inline std::int64_t demand(const Question& question) {
  return question.prover == Side::first ? question.score : -std::int64_t{question.score};
}

// Two demands: how much of what a prover wants was proven at the root, and what was disproven.
struct Closing {
  std::int64_t proven = std::numeric_limits<std::int64_t>::min();
  std::int64_t disproven = std::numeric_limits<std::int64_t>::max();

  void learn(std::int64_t demand, Bounds root) {
    if (root.proven() && demand > proven) proven = demand;
    if (root.disproven() && demand < disproven) disproven = demand;
  }
};

class CarryOver {
 public:
  CarryOver(const Question& from, const Question& to, const Closing& closing)
      : from_(from), to_(to), closing_(closing) {}

  // Whether the entry stays; it says then what it says of the next question.
  bool operator()(Entry& entry) const {
    if (from_.bounded || to_.bounded || from_.scored != to_.scored) return false;
    if (!entry.bounds.solved()) return guess(entry), true;
    return from_.scored ? keeps_score(entry) : keeps_win(entry);
  }

 private:
  void guess(Entry& entry) const {
    if (from_.prover != to_.prover) std::swap(entry.bounds.pn, entry.bounds.dn);
    entry.flags = 0;
  }

  bool keeps_win(Entry& entry) const {
    if (from_.prover == to_.prover) return true;
    if (!entry.bounds.proven()) return false;
    entry.bounds = kDisproven;
    entry.flags = kRefuterWins;
    return true;
  }

  bool keeps_score(Entry& entry) const {
    if (from_.prover != to_.prover) return false;
    const bool proven = entry.bounds.proven();
    const std::int64_t was = demand(from_);
    const std::int64_t is = demand(to_);
    const bool between = closing_.proven <= is && is <= closing_.disproven;
    const bool held = between && (entry.flags & kHoldsBetween) != 0;
    const bool stays = held || (proven ? is <= was : is >= was);
    const bool holds = held || (proven ? was >= closing_.disproven : was <= closing_.proven);
    entry.flags = between && holds ? kHoldsBetween : 0;
    return stays;
  }

  const Question& from_;
  const Question& to_;
  const Closing& closing_;
};

}  // namespace andorra
