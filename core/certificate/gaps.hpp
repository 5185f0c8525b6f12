// Gaps: positions of a strategy whose result is not, or no longer, in the table.
//
// Idea: entries are evicted, and disproofs that rested on a repetition were never stored. When
// extraction meets such a position it is searched again; its verdict is known, so the search ends.
// With resources, an entry for fewer or more of them may solve the position (rules/dominance.hpp).
// Invariant: what is found is solved on every line, or not used.
#pragma once

#include <algorithm>
#include <cstdint>

#include "certificate/covers.hpp"
#include "rules/carry_over.hpp"
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
        memory_(memory),
        dominance_(problem.question().prover),
        dominates_(HasPackedResources<G> && options.flag("dominance")) {}

  // The index of the move that solves the current position for its mover, whose verdict is known to
  // be `proven`; kNoMove if a limit ended the search.
  std::uint16_t solving_move(bool proven) {
    const std::uint16_t known = known_move(proven);
    if (known != kNoMove) return known;
    const std::uint16_t found = search(proven);
    const std::uint16_t stored = dominates_ ? known_move(proven) : kNoMove;
    return stored != kNoMove ? stored : found;
  }

  // Gives the current position, whose verdict is known, the resources with which it is solved.
  // Returns those that it had.
  Resources take_solution(bool proven) {
    const Resources own = resources_in(problem_.key());
    if constexpr (HasPackedResources<G>) {
      Entry known;
      Resources solution = own;
      if (find(known, solution) && known.bounds.proven() == proven) set_resources(solution);
    }
    return own;
  }

  void set_resources(Resources resources) {
    if constexpr (HasPackedResources<G>) problem_.game().set_resources(resources);
  }

  // What is true of the current position, whose verdict is not known; open if a limit ended it.
  Status verdict() { return verdict(table_); }

  // The same, with a search in another table if there must be one.
  Status verdict(Table& table) {
    const Status status = problem_.status();
    if (status != Status::open) return status;
    Entry entry;
    Resources solution;
    const bool found = find(entry, solution);
    const Bounds bounds = found ? entry.bounds : search_again(table).bounds;
    if (!bounds.solved()) return Status::open;
    return bounds.proven() ? Status::proven : Status::disproven;
  }

  // Whether a search of so many visits proves the current position.
  bool can_prove(std::uint64_t visits) {
    DfPn<G> dfpn(problem_, table_, side_, monitor_, stats_, options_, memory_ / 2);
    return dfpn.search(visits).bounds.proven();
  }

  // The index, among the moves of the position as it is, of a move found with other resources.
  std::uint16_t index_here(std::uint16_t index, Resources solution) {
    const Resources own = resources_in(problem_.key());
    MoveList mine, its;
    problem_.moves(mine);
    set_resources(solution);
    problem_.moves(its);
    set_resources(own);
    if (index >= its.size()) return kNoMove;
    const auto found = std::find(mine.begin(), mine.end(), its[index]);
    return found == mine.end() ? kNoMove : static_cast<std::uint16_t>(found - mine.begin());
  }

  // A truth that extraction has learnt, for searches to come.
  void learn(Bounds bounds, std::uint16_t move) { table_.store(problem_.key(), {bounds, 1, move}); }

  bool known(bool proven) const {
    Entry entry;
    Resources solution;
    return find(entry, solution) && entry.bounds.proven() == proven;
  }

  bool dominates() const { return dominates_; }

  std::uint32_t work() const {
    const Key key = problem_.key();
    Snapshot cell;
    const bool found = dominates_ ? dominance_.find(table_, key, cell) : table_.find(key, cell);
    return found ? cell.work() : 0;
  }

  // Whether an earlier question of the series has shown that the prover loses here.
  bool refuter_wins() const {
    Snapshot cell;
    return table_.find(problem_.key(), cell) && (cell.flags() & kRefuterWins) != 0;
  }

  Problem<G>& problem() { return problem_; }
  Monitor& monitor() { return monitor_; }
  Stats& stats() { return stats_; }
  std::size_t memory() const { return memory_; }

 private:
  // True, and with which resources, if the current position is solved on every line.
  bool find(Entry& known, Resources& solution) const {
    const Key key = problem_.key();
    solution = resources_in(key);
    if (solved_.find(key, known)) return true;
    if (!dominates_) return false;
    Snapshot cell;
    if (!dominance_.find(table_, key, cell) || !cell.bounds().solved()) return false;
    known = cell.entry();
    solution = resources_in(cell.key());
    return true;
  }

  // By the table: an index among the moves of the position as it is.
  std::uint16_t known_move(bool proven) {
    Entry known;
    Resources solution;
    if (!find(known, solution) || known.bounds.proven() != proven) return kNoMove;
    const Resources own = resources_in(problem_.key());
    return known.move == kNoMove || solution == own ? known.move : index_here(known.move, solution);
  }

  std::uint16_t search(bool proven) {
    const auto result = search_again(table_);
    return result.bounds.solved() && result.bounds.proven() == proven ? result.move : kNoMove;
  }

  typename DfPn<G>::Result search_again(Table& table) {
    ++stats_.searched_again;
    return DfPn<G>(problem_, table, side_, monitor_, stats_, options_, memory_).search();
  }

  Problem<G>& problem_;
  const Solved& solved_;
  Table& table_;
  SideTables<G>& side_;
  Monitor& monitor_;
  Stats& stats_;
  const Options& options_;
  const std::size_t memory_;
  const Dominance<G> dominance_;
  const bool dominates_;
};

}  // namespace andorra
