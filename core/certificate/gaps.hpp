// Gaps: positions of a strategy whose result is not, or no longer, in the table.
//
// Idea: entries are evicted, and disproofs that rested on a repetition were never stored. When
// extraction meets such a position it is searched again; its verdict is known, so the search ends.
// Invariant: what is found is solved on every line, or not used.
#pragma once

#include <cstdint>

#include "certificate/covers.hpp"
#include "search/dfpn.hpp"
#include "search/solved.hpp"

namespace andorra {

template <Game G>
class Gaps {
 public:
  Gaps(Problem<G>& problem, const Solved& solved, Table& table, SideTables<G>& side,
       Monitor& monitor, Stats& stats, const Options& options, std::size_t memory)
      : problem_(problem),
        solved_(solved),
        table_(table),
        side_(side),
        monitor_(monitor),
        stats_(stats),
        options_(options),
        memory_(memory) {}

  // The index of the move that solves the current position for its mover, whose verdict is known to
  // be `proven`; kNoMove if a limit ended the search.
  std::uint16_t solving_move(bool proven) {
    Entry known;
    if (solved_.find(problem_.key(), known) && known.bounds.proven() == proven &&
        known.move != kNoMove)
      return known.move;
    return search(table_, proven, nullptr);
  }

  // The same, with the positions of `line` forbidden and results from `table` alone.
  std::uint16_t search(Table& table, bool proven, const Line* line) {
    ++stats_.searched_again;
    DfPn<G> dfpn(problem_, table, side_, monitor_, stats_, options_, memory_);
    const auto result = dfpn.search(line);
    return result.bounds.solved() && result.bounds.proven() == proven ? result.move : kNoMove;
  }

  // A truth that extraction has learnt, for searches to come.
  void learn(Bounds bounds, std::uint16_t move) { table_.store(problem_.key(), {bounds, 1, move}); }

  bool known(bool proven) const {
    Entry entry;
    return solved_.find(problem_.key(), entry) && entry.bounds.proven() == proven;
  }

  std::uint32_t work() const {
    Entry entry;
    return table_.find(problem_.key(), entry) ? entry.work : 0;
  }

  Problem<G>& problem() { return problem_; }
  Monitor& monitor() { return monitor_; }
  Stats& stats() { return stats_; }
  std::size_t memory() const { return memory_; }

 private:
  Problem<G>& problem_;
  const Solved& solved_;
  Table& table_;
  SideTables<G>& side_;
  Monitor& monitor_;
  Stats& stats_;
  const Options& options_;
  const std::size_t memory_;
};

}  // namespace andorra
