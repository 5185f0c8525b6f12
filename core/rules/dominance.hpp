// Dominance: what is solved with fewer resources (or more) decides without a search.
//
// Idea: with monotone resources, a solution for a board holds wherever its holder has at least as
// much (Seo 1999 in survey 7.4.4; proof and disproof hands in tsume-shogi, Nagai 2002). Entries of
// one board stand side by side in the table, so one look-up sees them all. Games that know what a
// solution takes have it stored for just that, the least that the first player needs or the most
// that the second can bear: at a node of the holder what the move's solution takes; elsewhere what
// serves after every move, and leaves the opponent no further moves.
// Invariant: only solutions that hold on every line are stored so. Where it is not known what a
// child's solution takes, it is what the child has.
#pragma once

#include <cstddef>
#include <cstdint>

#include "question.hpp"
#include "rules/repetition.hpp"
#include "table/table.hpp"

namespace andorra {

// A solution that nobody worked out.
inline constexpr Resources kUnknownResources = 0xffffffff;

template <Game G>
class Dominance {
 public:
  explicit Dominance(Side prover) : prover_(prover) {}

  Side holder(bool proven) const { return proven ? prover_ : other(prover_); }

  // What is known of the position, or of one that solves it with other resources, if there is
  // either.
  bool find(const Table& table, Key key, Snapshot& copy) const {
    if constexpr (HasPackedResources<G>) {
      bool found = false;
      table.each_alike(key, [&](const Snapshot& cell, Key its) {
        const bool serves = cell.bounds().solved() && this->serves(cell, its, key);
        if (!serves && its != key) return false;
        copy = cell;
        found = true;
        return serves;
      });
      return found;
    } else {
      return table.find(key, copy);
    }
  }

  // Whether a solution for `known` resources solves the same board with `mine`.
  bool serves(Resources known, Resources mine, bool proven) const
    requires HasPackedResources<G>
  {
    return holder(proven) == Side::first ? G::at_least(mine, known) : G::at_least(known, mine);
  }

  // The depth on the line of a position that is at least as good for the prover; kRestsOnNothing
  // without one. A shortest proof does not come by such a position again.
  Depth repetition(const Line& line, Key key) const {
    if constexpr (HasPackedResources<G>)
      return line.find_alike(key, [&](Key above) { return is_no_better(key, above); });
    else
      return line.find(key);
  }

  // What the solution of the problem's position takes. `children(i)` is what the solution of child
  // i takes, `won` that the mover has the strategy, with move `best`.
  template <class MoveAt, class SolutionAt>
  Resources solution(const Problem<G>& problem, bool proven, bool won, std::size_t best,
                     std::size_t count, MoveAt&& move, SolutionAt&& children) const {
    const Side holds = holder(proven);
    const auto before = [&](std::size_t i) {
      const Resources after = children(i);  // plays and takes back
      return problem.game().before(move(i), after, holds);
    };
    if (won) return before(best);
    Resources all = problem.game().without_new_moves(holds);
    for (std::size_t i = 0; i < count; ++i) all = G::serving_both(all, before(i), holds);
    return all;
  }

  // `solution`, if it serves the position of the key, and else what that has: lines that come back
  // to a position like it are no limit to what it can bear.
  Resources serving(Resources solution, Key key, bool proven) const {
    const Resources own = resources_in(key);
    const bool serves =
        holder(proven) == Side::first ? G::at_least(own, solution) : G::at_least(solution, own);
    return serves ? solution : own;
  }

  // What a move that wins at once takes.
  Resources solution_by(Problem<G>& problem, Move winning) const {
    const bool proven = problem.or_node();
    problem.play(winning);
    const Resources after = problem.game().without_new_moves(holder(proven));
    problem.undo(winning);
    return problem.game().before(winning, after, holder(proven));
  }

 private:
  bool is_no_better(Key key, Key above) const {
    const Resources mine = resources_in(key);
    return prover_ == Side::first ? G::at_least(resources_in(above), mine)
                                  : G::at_least(mine, resources_in(above));
  }

  bool serves(const Snapshot& cell, Key its, Key key) const {
    return serves(resources_in(its), resources_in(key), cell.bounds().proven());
  }

  Side prover_;
};

}  // namespace andorra
