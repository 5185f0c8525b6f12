// Lambda search in df-pn form: the attacker may only threaten, and an order says how far off the
// threat is.
//
// Idea: a lambda move of order n is a move of the attacker's after which, if the defender passes, a
// search of an order below n proves the win; order 0 is a win with one move. So orders tell threats
// from threats of threats. A search of order n lets the attacker choose a move and an order up to n
// for it. The defender then passes, to be shown the threat (of an order less), and also makes each
// real move, after which the search goes on with the order chosen; a move that does not meet the
// threat is refuted by orders below.
// Source: Thomsen 2000; Yoshizoe, Kishimoto & Müller 2007 (LDFPN), where the proof numbers choose
// between the orders of a move, too. We know the latter by its abstract and by descriptions; here
// the order is part of the attacker's move, which is our reconstruction, and no zone of relevance
// is used: all of the defender's moves are searched.
// As a game for df-pn (search/selective.hpp) it has four stages:
//   attack  the attacker moves; lost with order 0, won with a win at once
//   test    after a move of order 2 or more: the defender either passes or answers
//   direct  after a move of order 1: the defender answers; lost at once if there is no threat
//   answer  the defender makes a real move
// Invariant: a pass only tests the attacker's move. It adds to what must be proven and takes
// nothing away, so a proof holds without it, whatever passes mean in the game.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "search/selective.hpp"
#include "secret.hpp"

namespace andorra {

template <HasPass G>
class LambdaRules : public RestrictedRules<G> {
 public:
  static constexpr unsigned kMostOrder = 9;

  // From the problem's current position; its prover attacks.
  LambdaRules(Problem<G>& problem, unsigned order)
      : RestrictedRules<G>(problem),
        at_{problem.or_node() ? Stage::attack : Stage::answer, order} {}

  Outcome outcome() const {
    const Status status = this->problem_.status();
    if (status != Status::open) return this->result(status == Status::proven);
    if (at_.stage == Stage::direct && !threatens()) return this->result(false);
    if (at_.stage != Stage::attack) return Outcome::ongoing;
    if (this->wins_at_once()) return this->result(true);
    return at_.order == 0 ? this->result(false) : Outcome::ongoing;
  }

  // The attacker's by order, the lowest first. At a test, the pass comes first.
  void moves(MoveList& list) {
    if (at_.stage == Stage::test) {
      list.insert(list.end(), {kPass, kAnswer});
      return;
    }
    const std::size_t first = list.size();
    this->problem_.moves(list);
    if (at_.stage != Stage::attack) return;
    const std::size_t count = list.size() - first;
    for (unsigned order = 2; order <= at_.order; ++order)
      for (std::size_t i = 0; i < count; ++i) list.push_back(attack(list[first + i], order));
    for (std::size_t i = 0; i < count; ++i) list[first + i] = attack(list[first + i], 1);
  }

  void play(Move move) {
    before_.push_back(at_);
    switch (at_.stage) {
      case Stage::attack:
        at_.order = move & kOrder;
        at_.stage = at_.order == 1 ? Stage::direct : Stage::test;
        return this->problem_.play(real(move));
      case Stage::test:
        return meet(move);
      default:
        at_.stage = Stage::attack;
        return this->problem_.play(move);
    }
  }

  void undo(Move move) {
    at_ = before_.back();
    before_.pop_back();
    if (at_.stage == Stage::attack) return this->problem_.undo(real(move));
    if (at_.stage != Stage::test) return this->problem_.undo(move);
    if (move == kPass) this->problem_.undo_pass();
  }

  Key key() const {
    return combined(this->problem_.key(),
                    kKeys[static_cast<unsigned>(at_.stage) * (kMostOrder + 1) + at_.order]);
  }

  std::string format_move(Move move) const {
    return this->problem_.game().format_move(at_.stage == Stage::attack ? real(move) : move);
  }

  static constexpr Move real(Move move) { return move >> kOrderBits; }

  unsigned settle() {
    if (at_.stage != Stage::test) return 0;
    play(kAnswer);
    return 1;
  }

  void unsettle(unsigned moves) {
    if (moves != 0) undo(kAnswer);
  }

 private:
  enum class Stage : std::uint8_t { attack, test, direct, answer };

  struct At {
    Stage stage;
    unsigned order;
  };

  static constexpr unsigned kOrderBits = 4;
  static constexpr Move kOrder = (1u << kOrderBits) - 1;
  static constexpr Move kPass = 0;
  static constexpr Move kAnswer = 1;
  static inline const auto kKeys = zobrist_keys<4 * (kMostOrder + 1)>(0x6c616d626461);

  static constexpr Move attack(Move move, unsigned order) { return move << kOrderBits | order; }

  void meet(Move move) {
    if (move == kAnswer) {
      at_.stage = Stage::answer;
    } else {
      at_ = {Stage::attack, at_.order - 1};
      this->problem_.pass();
    }
  }

  bool threatens() const {
    this->problem_.pass();
    const bool wins = this->problem_.status() == Status::open && this->wins_at_once();
    this->problem_.undo_pass();
    return wins;
  }

  At at_;
  std::vector<At> before_;
};

}  // namespace andorra
