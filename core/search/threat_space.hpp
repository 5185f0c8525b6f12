// Threat-space search: the attacker only makes direct threats, the defender only answers them.
//
// Idea: in games of k in a row most won positions are won by a sequence of threats, each of which
// leaves the defender a few answers at most. With these moves alone the search goes deep at once.
// Source: Allis, Huntjens & van den Herik 1996, Allis 1994. Which moves threaten, and what answers
// them, is the game's knowledge (HasThreats).
// Deviations: there, the defender makes all answers to a threat at once, which leaves a search of
// one side, and what it finds is checked against other defences afterwards. Here df-pn tries each
// answer on its own, so what it finds is nearly a proof; the rest is the walk of
// search/selective.hpp, which tries all other moves of the defender's too. Threats are not combined
// by dependencies. Invariant: the game's answers only have to be likely; see there.
#pragma once

#include <string>

#include "search/selective.hpp"

namespace andorra {

template <HasThreats G>
class ThreatRules : public RestrictedRules<G> {
 public:
  using RestrictedRules<G>::RestrictedRules;

  Outcome outcome() const {
    const Status status = this->problem_.status();
    if (status != Status::open) return this->result(status == Status::proven);
    moves_.clear();
    moves(moves_);  // who has none has lost
    if (moves_.empty()) return this->result(!this->problem_.or_node());
    return this->problem_.or_node() && this->wins(moves_.front()) ? this->result(true)
                                                                  : Outcome::ongoing;
  }

  void moves(MoveList& list) const {
    if (this->problem_.or_node())
      this->problem_.game().threats(list);
    else
      this->problem_.game().answers(list);
  }

  void play(Move move) { this->problem_.play(move); }
  void undo(Move move) { this->problem_.undo(move); }
  Key key() const { return this->problem_.key(); }
  std::string format_move(Move move) const { return this->problem_.game().format_move(move); }

  static constexpr Move real(Move move) { return move; }
  static constexpr unsigned settle() { return 0; }
  static constexpr void unsettle(unsigned) {}

 private:
  mutable MoveList moves_;
};

}  // namespace andorra
