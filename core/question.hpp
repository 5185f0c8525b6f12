// A question about a position: can the prover force a win, perhaps within a number of plies, or a
// score?
//
// Idea: searches do not ask the game who has won; they ask the problem (game plus question) whether
// the current node is proven, disproven or open. So draws, the choice of the prover, a bound on the
// plies and scores are handled here, once.
// A score of at least N is the first player's to force, one of at most N the second's. A position
// is decided as soon as the scores that its game still allows are all good enough, or all not. Play
// without end has no score, which is no success of the prover's: so what all ends have in common is
// proven at once only where every line ends.
// Invariant: with a bound, the plies left are part of the key: the bounded question is about
// (position, plies left), and no such node can come again.
#pragma once

#include <cstdint>
#include <string>

#include "bounds.hpp"
#include "game.hpp"
#include "secret.hpp"

namespace andorra {

struct Question {
  Side prover = Side::first;
  bool bounded = false;
  std::uint32_t within = 0;  // plies, if bounded
  bool scored = false;       // and then not bounded
  std::int32_t score = 0;    // at least, or at most if the second player proves

  // Whether all scores are good enough for the prover, and whether one is.
  bool is_sure(Scores scores) const {
    return prover == Side::first ? scores.least >= score : scores.most <= score;
  }
  bool is_possible(Scores scores) const {
    return prover == Side::first ? scores.most >= score : scores.least <= score;
  }
};

enum class Status : std::uint8_t { open, proven, disproven };

constexpr Bounds bounds_of(Status status) {
  if (status == Status::proven) return kProven;
  return status == Status::disproven ? kDisproven : Bounds{};
}

// An odd constant spreads the plies left over the key; multiplication keeps distinct plies
// distinct. The check bits get a secret multiple besides: else somebody could solve for a position
// that, with other plies left, has the key of a given one.
inline const std::uint64_t kSecretOfPlies = Secret::of(0x706c696573, 0) | 1;

inline Key with_plies(Key key, std::uint64_t plies) {
  const Key check = check_bits((plies + 1) * kSecretOfPlies);
  return {key.board ^ ((plies + 1) * 0x9e3779b97f4a7c15ULL) ^ check.board, key.rest ^ check.rest};
}

template <Game G>
class Problem {
 public:
  Problem(G& game, Question question) : game_(game), question_(question), left_(question.within) {}

  bool or_node() const { return game_.side_to_move() == question_.prover; }

  Status status() const { return status(game_.outcome(), left_); }
  // Inlined by force: a key returned in two registers and then copied as one stalls the step.
  [[gnu::always_inline]] Key key() const { return key(game_.key(), left_); }

  void moves(MoveList& list) { game_.moves(list); }

  void play(Move move) {
    game_.play(move);
    --left_;  // wraps harmlessly without a bound
  }

  void undo(Move move) {
    game_.undo(move);
    ++left_;
  }

  // For selective searches: the mover makes no move, which takes a ply as well.
  void pass()
    requires HasPass<G>
  {
    game_.pass();
    --left_;
  }

  void undo_pass()
    requires HasPass<G>
  {
    game_.undo_pass();
    ++left_;
  }

  // True if no position from before the move can come again after it.
  bool converts(Move move) const {
    if (acyclic()) return true;
    if constexpr (HasConversions<G>) return game_.converts(move);
    return false;
  }

  // How many children the position has; `moves` is filled only if each_child() needs it.
  std::size_t count_children(MoveList& moves) {
    if constexpr (HasChildren<G>) return game_.children().size();
    moves.clear();
    game_.moves(moves);
    return moves.size();
  }

  // Calls visit(i, move, status, key) for each child, where key() computes its key, until a visit
  // returns false. `moves` comes from count_children(). Returns how many children were visited.
  template <class Visit>
  std::size_t each_child(const MoveList& moves, Visit&& visit) {
    if constexpr (HasChildren<G>) {
      const std::span<const Child> children = game_.children();
      for (std::size_t i = 0; i < children.size(); ++i) {
        const auto its_key = [&] { return key(children[i].key, left_ - 1); };
        const Status its_status = status(children[i].outcome, left_ - 1);
        if (!visit(i, static_cast<Move>(i), its_status, its_key)) return i + 1;
      }
      return children.size();
    } else {
      for (std::size_t i = 0; i < moves.size(); ++i) {
        play(moves[i]);
        const Status its_status = status(game_.outcome(), left_);
        const bool go_on = visit(i, moves[i], its_status, [&] { return key(); });
        undo(moves[i]);
        if (!go_on) return i + 1;
      }
      return moves.size();
    }
  }

  // Calls visit(i, move, key) for each child.
  template <class Visit>
  void each_key(const MoveList& moves, Visit&& visit) {
    for (std::size_t i = 0; i < moves.size(); ++i) visit(i, moves[i], key_after(moves[i]));
  }

  Key key_after(Move move) {
    if constexpr (HasKeyAfter<G>) return key(game_.key_after(move), left_ - 1);
    play(move);
    const Key its = key();
    undo(move);
    return its;
  }

  // What a look of the game's at the position says of it.
  Status status(const Look& look) const { return status(look.outcome, left_); }

  // What the game's position takes, where that grows with the line.
  std::size_t bytes() const {
    if constexpr (HasBytes<G>) return game_.bytes();
    return 0;
  }

  bool acyclic() const { return question_.bounded || game_.acyclic(); }
  std::uint32_t plies_left() const { return left_; }
  // With another bound it is another question; its key differs, so one table serves both.
  void set_plies_left(std::uint32_t plies) { left_ = plies; }
  const Question& question() const { return question_; }
  G& game() { return game_; }
  const G& game() const { return game_; }

 private:
  Status status(Outcome outcome, std::uint32_t left) const {
    if (question_.scored) return score_status(outcome);
    if (outcome == Outcome::ongoing)
      return question_.bounded && left == 0 ? Status::disproven : Status::open;
    const Outcome wanted =
        question_.prover == Side::first ? Outcome::first_wins : Outcome::second_wins;
    return outcome == wanted ? Status::proven : Status::disproven;
  }

  Status score_status(Outcome outcome) const {
    const Scores scores = scores_with(outcome);
    if (!question_.is_possible(scores)) return Status::disproven;
    const bool ends = outcome != Outcome::ongoing || game_.acyclic();
    return ends && question_.is_sure(scores) ? Status::proven : Status::open;
  }

  // A game with scores of its own stands at the position whose outcome it is.
  Scores scores_with(Outcome outcome) const {
    static_assert(!HasScore<G> || (!HasChildren<G> && !LooksAhead<G> && !HasResources<G>));
    if constexpr (HasScore<G>) return game_.scores();
    return scores_of(outcome);
  }

  Key key(Key position, std::uint32_t left) const {
    return question_.bounded ? with_plies(position, left) : position;
  }

  G& game_;
  Question question_;
  std::uint32_t left_;
};

}  // namespace andorra
