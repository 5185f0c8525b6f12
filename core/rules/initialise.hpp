// Initial values: the numbers of a leaf that no table knows.
//
// Idea: unit numbers say nothing; better ones say how hard a leaf is to prove and to disprove.
//  - mobility: the mover must answer one move, the other side all of them: what is added up at the
//    leaf starts with the number of its moves (Allis 1988; survey 7.1)
//  - game: the game's own guess
//  - search-1, search-3: a full search of 1 or 3 plies; what it leaves open has unit numbers
//    (Kaneko et al. 2005; survey 7.4.3; theirs looks for proofs at OR leaves only)
//  - deep: deep_base to the power of the plies that are left to deep_depth (deep df-pn, 2017):
//    leaves near the root are large, so the search goes deep first
// A short df-pn (initial=dfpn) is the search's own business (search/dfpn.hpp).
// Invariant: an open leaf has both numbers in [1, kLargest]. A search of a few plies uses no
// repetition, so what it solves is solved on every line.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

#include "bounds.hpp"
#include "errors.hpp"
#include "options.hpp"
#include "question.hpp"
#include "rules/backup.hpp"

namespace andorra {

inline Number as_number(Wide value) {
  return capped(std::max<Wide>(value, 1));
}

template <Game G>
class Initialise {
 public:
  Initialise(Problem<G>& problem, const Options& options)
      : problem_(problem),
        kind_(options.text("initial")),
        by_dfpn_(kind_ == "dfpn"),
        by_game_(kind_ == "game"),
        deep_depth_(options.natural("deep_depth")),
        deep_base_(options.real("deep_base")) {
    if (by_game_ && !HasGuess<G>)
      throw OptionError("initial=game: this game makes no guesses; expected another value");
  }

  bool unit() const { return kind_ == "unit"; }
  bool by_dfpn() const { return by_dfpn_; }
  bool by_game() const { return by_game_; }

  // For the current position, an open leaf at `depth`.
  Bounds bounds(std::size_t depth) {
    if (by_game_) return guess();
    if (kind_ == "mobility") return mobility();
    if (kind_ == "deep") return deep(depth);
    if (kind_ == "search-1") return bounds_of(search(1));
    if (kind_ == "search-3") return bounds_of(search(3));
    return Bounds{};
  }

  Bounds guess() const {
    if constexpr (HasGuess<G>) {
      const Guess guess = problem_.game().guess(problem_.question().prover);
      return {as_number(guess.pn), as_number(guess.dn)};
    }
    return Bounds{};
  }

 private:
  Bounds mobility() {
    MoveList moves;
    problem_.moves(moves);
    return from_view({1, as_number(moves.size())}, problem_.or_node());
  }

  Bounds deep(std::size_t depth) const {
    if (depth >= deep_depth_) return Bounds{};
    const double value = std::pow(deep_base_, static_cast<double>(deep_depth_ - depth));
    const Number number = as_number(static_cast<Wide>(std::min(value, 1e9)));
    return {number, number};
  }

  // Who can force it within `plies`; open if neither can.
  Status search(int plies) {
    const Status status = problem_.status();
    if (status != Status::open || plies == 0) return status;
    const Status wanted = problem_.or_node() ? Status::proven : Status::disproven;
    Status lost = wanted == Status::proven ? Status::disproven : Status::proven;
    MoveList moves;
    problem_.moves(moves);
    for (Move move : moves) {
      problem_.play(move);
      const Status its = search(plies - 1);
      problem_.undo(move);
      if (its == wanted) return wanted;
      if (its == Status::open) lost = Status::open;
    }
    return lost;
  }

  Problem<G>& problem_;
  std::string_view kind_;
  bool by_dfpn_;
  bool by_game_;
  std::size_t deep_depth_;
  double deep_base_;
};

}  // namespace andorra
