// A selective search: df-pn in a game of fewer moves, whose proofs are turned into real ones.
//
// Idea: an attacker who may only threaten has few moves, and a defender who must answer threats has
// few that matter. Such a search is a game of its own: the rules of the real one, restricted
// (`Rules`, see search/lambda.hpp). df-pn plays it in a table of its own. If the attacker wins
// there, the strategy is walked through in the real game: one move at the attacker's positions, by
// what the table says, and all legal moves at the defender's. A position of which the restricted
// game says nothing is searched in it then.
// Invariant: a position goes into the real table, with a real move, only after all that it rests on
// has: an end of the real game, or positions that are in it. So nothing here has to be believed,
// neither that the restricted game leaves out only what does not matter, nor what passes show.
// It is not complete: without an answer, another search has to decide.
// Source: the walk is ours; what is restricted is said where the rules are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "limits.hpp"
#include "options.hpp"
#include "question.hpp"
#include "search/dfpn.hpp"
#include "search/side_tables.hpp"
#include "stats.hpp"
#include "table/table.hpp"

namespace andorra {

// What restricted rules share. They play on a problem of the real game, whose prover attacks. Its
// texts are the real game's, and who has won is the attacker or not.
template <Game G>
class RestrictedRules {
 public:
  explicit RestrictedRules(Problem<G>& problem) : problem_(problem) {}

  Side attacker() const { return problem_.question().prover; }
  Side side_to_move() const { return problem_.game().side_to_move(); }
  bool acyclic() const { return problem_.acyclic(); }
  bool can_draw() const { return false; }
  std::string format() const { return problem_.game().format(); }
  void parse(std::string_view text) { problem_.game().parse(text); }
  Move parse_move(std::string_view text) const { return problem_.game().parse_move(text); }

  // Whether the attacker, who is to move, wins at once with a real move.
  bool wins(Move move) const {
    problem_.play(move);
    const bool wins = problem_.status() == Status::proven;
    problem_.undo(move);
    return wins;
  }

 protected:
  Outcome result(bool attacker_wins) const {
    const bool first = attacker_wins == (attacker() == Side::first);
    return first ? Outcome::first_wins : Outcome::second_wins;
  }

  // Whether the attacker, who is to move, wins with one move.
  bool wins_at_once() const {
    moves_.clear();
    problem_.moves(moves_);
    return std::any_of(moves_.begin(), moves_.end(), [&](Move move) { return wins(move); });
  }

  Problem<G>& problem_;

 private:
  mutable MoveList moves_;  // here and not in the function: it is asked at every new position
};

// Restricted rules are a game. At the attacker's positions real(move) is a move's real one, and
// after play() of it, settle() makes what else there is to do before the defender moves: it returns
// how many moves of the restricted game that took. At the defender's, play() takes all real moves.
template <class R>
concept Restricted = Game<R> && requires(R rules, Move move) {
  { rules.real(move) } -> std::same_as<Move>;
  { rules.settle() } -> std::same_as<unsigned>;
  { rules.unsettle(1u) };
};

template <Game G, Restricted Rules>
class Selective {
 public:
  // `problem` is the one that the rules play on, `known` the real table, for a question in which
  // the attacker's win is `truth`. The table of the restricted game may take `memory`, the frames a
  // quarter of it.
  Selective(Problem<G>& problem, Rules& rules, Table& known, Bounds truth, Monitor& monitor,
            Stats& stats, std::size_t memory)
      : problem_(problem),
        rules_(rules),
        known_(known),
        truth_(truth),
        monitor_(monitor),
        stats_(stats),
        game_(rules, Question{rules.attacker()}),
        table_(Table::cells_in(memory)),
        side_(game_, options_, memory / 64),
        memory_(memory) {}

  // Whether the attacker wins from the problem's current position, as far as so many visits, and as
  // many steps of the walk, tell. If it does, the real table has the strategy.
  bool prove(std::uint64_t visits) {
    left_ = visits;
    return search().bounds.proven() && walk(visits);
  }

  std::uint64_t visits_left() const { return left_; }
  std::size_t bytes() const { return table_.bytes() + side_.bytes() + most_; }

 private:
  struct Frame {
    Move move = 0;         // of the restricted game, that led here
    unsigned settled = 0;  // moves that followed it
    std::size_t next = 0;
    MoveList moves = {};            // to follow: the attacker's one, all of the defender's
    std::uint16_t index = kNoMove;  // of the attacker's, among all real moves
  };

  // Of the restricted game's current position.
  typename DfPn<Rules>::Result search() {
    const std::uint64_t before = stats_.nodes;
    DfPn<Rules> dfpn(game_, table_, side_, monitor_, stats_, options_, memory_ / 4);
    const auto result = left_ == 0 ? typename DfPn<Rules>::Result{} : dfpn.search(left_);
    left_ -= std::min(left_, stats_.nodes - before);
    most_ = std::max(most_, dfpn.bytes());
    return result;
  }

  bool walk(std::uint64_t steps) {
    steps_ = steps;
    bool proven = open(0, 0);
    while (proven && !frames_.empty()) {
      Frame& top = frames_.back();
      if (top.next == top.moves.size())
        close();
      else
        proven = follow(top.moves[top.next++]);
    }
    while (!frames_.empty()) pop();
    return proven;
  }

  // False if the walk must end: the move cannot be shown to be good enough.
  bool follow(Move move) {
    rules_.play(move);
    const unsigned settled = rules_.settle();
    const Status status = problem_.status();
    if (status == Status::open && !is_known()) return open(move, settled);
    take_back(move, settled);
    return status != Status::disproven;
  }

  void take_back(Move move, unsigned settled) {
    rules_.unsettle(settled);
    rules_.undo(move);
  }

  bool is_known() const {
    Entry known;
    return known_.find(problem_.key(), known) && known.bounds == truth_;
  }

  bool open(Move move, unsigned settled) {
    frames_.push_back({move, settled});
    if (steps_ == 0 || monitor_.reached() != Limit::none) return false;
    --steps_;
    if (problem_.or_node()) return choose();
    problem_.moves(frames_.back().moves);
    return true;
  }

  // The attacker's move: one that ends the restricted game, by which walks stay short, or what
  // df-pn has found there.
  bool choose() {
    MoveList all;
    problem_.moves(all);
    Frame& top = frames_.back();
    MoveList attacks;
    rules_.moves(attacks);
    const std::size_t index = solving_move(attacks);
    if (index >= attacks.size()) return false;
    top.moves = {attacks[index]};
    const auto found = std::find(all.begin(), all.end(), rules_.real(attacks[index]));
    top.index = static_cast<std::uint16_t>(found - all.begin());
    return found != all.end();
  }

  std::size_t solving_move(const MoveList& attacks) {
    for (std::size_t i = 0; i < attacks.size(); ++i)
      if (ends(attacks[i])) return i;
    Entry known;
    if (table_.find(game_.key(), known) && known.bounds.proven()) return known.move;
    const auto result = search();
    return result.bounds.proven() ? result.move : kNoMove;
  }

  bool ends(Move attack) {
    game_.play(attack);
    const bool won = game_.status() == Status::proven;
    game_.undo(attack);
    return won;
  }

  // All that the position rests on is known.
  void close() {
    known_.store(problem_.key(), {truth_, 1, frames_.back().index});
    pop();
  }

  void pop() {
    const Frame top = std::move(frames_.back());
    frames_.pop_back();
    if (!frames_.empty()) take_back(top.move, top.settled);
  }

  Problem<G>& problem_;
  Rules& rules_;
  Table& known_;
  const Bounds truth_;
  Monitor& monitor_;
  Stats& stats_;
  Options options_;  // plain ones: the user's are for the real game
  Problem<Rules> game_;
  Table table_;
  SideTables<Rules> side_;
  const std::size_t memory_;
  std::size_t most_ = 0;     // bytes of frames
  std::uint64_t left_ = 0;   // visits
  std::uint64_t steps_ = 0;  // of the walk
  std::vector<Frame> frames_;
};

}  // namespace andorra
