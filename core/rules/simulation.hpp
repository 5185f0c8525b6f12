// Simulation: solve a position with moves borrowed from a solution that is known already.
//
// Twins: a disproof of the same position on another path is tried on this one. At AND nodes the
//   stored move is borrowed, at OR nodes all moves are tried; leaves are ends, solved positions and
//   repetitions on this line (Kishimoto & Müller 2004).
// Similar positions: the solution of a sibling, or of the last position solved at this depth, is
//   tried move by move; the side that has the strategy borrows its move if it is legal here, the
//   other side tries all its moves (Kawano 1996; survey 7.4.2. Trying the last solution of the same
//   depth is our reading of the killer-tree heuristic, Tanase 2000, which the survey only names).
// Invariant: every step is checked on the position itself, so a success is a solution; what it
// rests on is worked out as in the search. A failure says nothing. Both stop after kBudget
// positions.
#pragma once

#include <algorithm>
#include <cstdint>

#include "question.hpp"
#include "rules/repetition.hpp"
#include "table/table.hpp"

namespace andorra {

// Of a table entry: its move was chosen by a disproof that rested on a repetition.
inline constexpr std::uint8_t kHasTwin = 2;

template <Game G>
class Simulation {
 public:
  static constexpr int kBudget = 100;
  static constexpr Depth kFailed = kRestsOnNothing - 1;

  Simulation(Problem<G>& problem, const Table& table, Line& line)
      : problem_(problem), table_(table), line_(line) {}

  // Tries to disprove the current position, which is not on the line. Returns the depth on the line
  // that the disproof rests on, kRestsOnNothing if it holds everywhere, or kFailed.
  Depth disproof() {
    budget_ = kBudget;
    return disprove();
  }

  // Tries to solve the current position for the prover (or the refuter) as `model` was solved.
  // True if that works; then `move` is the index of the solving move if its side is to move.
  bool like(const G& model, bool proven, std::uint16_t& move) {
    budget_ = kBudget;
    G copy = model;
    Problem<G> twin(copy, problem_.question());
    return follow(twin, proven, move);
  }

 private:
  Depth disprove() {
    const Status status = problem_.status();
    if (status != Status::open) return status == Status::disproven ? kRestsOnNothing : kFailed;
    const Key key = problem_.key();
    const Depth above = line_.find(key);
    if (above != kRestsOnNothing) return above;
    Entry known;
    const bool seen = table_.find(key, known);
    if (seen && known.bounds.solved()) return known.bounds.disproven() ? kRestsOnNothing : kFailed;
    if (!seen || --budget_ < 0) return kFailed;
    line_.push(key);
    const Depth rests_on = problem_.or_node() ? disprove_all() : disprove_by(known);
    line_.pop();
    if (rests_on == kFailed) return kFailed;
    return rests_on >= line_.size() ? kRestsOnNothing : rests_on;
  }

  Depth disprove_all() {
    MoveList moves;
    problem_.moves(moves);
    Depth rests_on = kRestsOnNothing;
    for (Move move : moves) {
      const Depth its = disprove_after(move);
      if (its == kFailed) return kFailed;
      rests_on = std::min(rests_on, its);
    }
    return rests_on;
  }

  Depth disprove_by(const Entry& known) {
    if ((known.flags & kHasTwin) == 0) return kFailed;
    MoveList moves;
    problem_.moves(moves);
    return known.move < moves.size() ? disprove_after(moves[known.move]) : kFailed;
  }

  Depth disprove_after(Move move) {
    problem_.play(move);
    const Depth rests_on = disprove();
    problem_.undo(move);
    return rests_on;
  }

  bool follow(Problem<G>& model, bool proven, std::uint16_t& move) {
    move = kNoMove;
    const Status status = problem_.status();
    if (status != Status::open) return (status == Status::proven) == proven;
    if (line_.find(problem_.key()) != kRestsOnNothing) return false;
    Entry known;
    if (table_.find(problem_.key(), known) && known.bounds.solved()) {
      move = known.move;
      return known.bounds.proven() == proven;
    }
    if (model.status() != Status::open || --budget_ < 0) return false;
    line_.push(problem_.key());
    const bool solved =
        problem_.or_node() == proven ? borrow(model, proven, move) : answer_all(model, proven);
    line_.pop();
    return solved;
  }

  bool borrow(Problem<G>& model, bool proven, std::uint16_t& index) {
    Entry known;
    if (!table_.find(model.key(), known) || !known.bounds.solved() || known.move == kNoMove)
      return false;
    MoveList its, mine;
    model.moves(its);
    problem_.moves(mine);
    if (known.move >= its.size()) return false;
    const auto found = std::find(mine.begin(), mine.end(), its[known.move]);
    if (found == mine.end()) return false;
    index = static_cast<std::uint16_t>(found - mine.begin());
    return both(model, its[known.move], proven);
  }

  bool answer_all(Problem<G>& model, bool proven) {
    MoveList its, mine;
    model.moves(its);
    problem_.moves(mine);
    for (Move move : mine) {
      const bool known_there = std::find(its.begin(), its.end(), move) != its.end();
      if (known_there ? !both(model, move, proven) : !alone(move, proven)) return false;
    }
    return true;
  }

  bool both(Problem<G>& model, Move move, bool proven) {
    std::uint16_t reply;
    model.play(move);
    problem_.play(move);
    const bool solved = follow(model, proven, reply);
    problem_.undo(move);
    model.undo(move);
    return solved;
  }

  // A move that the model does not have must be solved already.
  bool alone(Move move, bool proven) {
    problem_.play(move);
    const Status status = problem_.status();
    Entry known;
    const bool solved = status != Status::open
                            ? (status == Status::proven) == proven
                            : table_.find(problem_.key(), known) && known.bounds.solved() &&
                                  known.bounds.proven() == proven;
    problem_.undo(move);
    return solved;
  }

  Problem<G>& problem_;
  const Table& table_;
  Line& line_;
  int budget_ = 0;
};

}  // namespace andorra
