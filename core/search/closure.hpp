// Closure: what follows from the positions that a search has expanded, whatever the order.
//
// Idea: where positions repeat, a disproof may be a large closed set in which every line leads back
// to another line; df-pn, which sees one line at a time, can then visit the same positions for ever
// without putting the pieces together. But the pieces are in its table: take the positions it has
// expanded as a graph, whose leaves are solved positions and positions that were never expanded.
// Proven is what follows from proven leaves. Disproven is what would not follow even if all unknown
// leaves were proven: from there, the refuter can stay among such positions for ever.
// If nothing follows, some unknown leaf matters that df-pn, among all the lines that lead back,
// does not come by: then the closure expands leaves itself, and positions below them, half as many
// as it knows.
// Source: our own; the fixpoints are those of search/fixpoint.hpp.
// Invariant: what is found is solved on every line. With all reachable positions in the table,
// everything is solved; so a search that closes its table now and then ends on every finite graph
// that fits into its memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "rules/old_children.hpp"
#include "search/progress.hpp"
#include "search/reachable.hpp"
#include "table/table.hpp"

namespace andorra {

template <Game G>
class Closure {
 public:
  Closure(Problem<G>& problem, Table& table, Monitor& monitor, Stats& stats)
      : problem_(problem), table_(table), monitor_(monitor), stats_(stats) {}

  // Solves what it can from the problem's current position on, and stores it. Returns how many
  // positions it solved; none if there is no room for the graph.
  std::size_t run(std::size_t memory) {
    const std::size_t solved = close(memory);
    return expanded_.empty() ? solved : close(memory);
  }

  const std::vector<Key>& expanded() const { return expanded_; }

 private:
  std::size_t close(std::size_t memory) {
    Reachable<G> graph(problem_, monitor_, stats_, memory);
    const std::uint64_t expansions = stats_.expansions;
    const bool complete = graph.enumerate([&] { return classify(); });
    stats_.expansions = expansions;  // these were expanded before
    if (!complete) return 0;
    graph.prove();
    graph.doubt();
    const std::size_t solved = store(graph);
    if (solved == 0 && expanded_.empty()) expand_leaves(graph);
    return solved;
  }

  Mark classify() {
    const Status status = problem_.status();
    if (status != Status::open) return status == Status::proven ? Mark::proven : Mark::refuted;
    Entry known;
    if (!table_.find(problem_.key(), known))
      return expand(problem_.key()) ? Mark::none : Mark::open;
    if (!known.bounds.solved()) return Mark::none;
    return known.bounds.proven() ? Mark::proven : Mark::refuted;
  }

  std::size_t store(const Reachable<G>& graph) {
    const auto work = static_cast<std::uint32_t>(std::min<std::size_t>(graph.size(), UINT32_MAX));
    std::size_t solved = 0;
    graph.each_solved([&](Key key, bool proven, std::uint16_t move) {
      table_.store(key, {proven ? kProven : kDisproven, work, move});
      ++solved;
    });
    return solved;
  }

  // The leaves come first; what is left of the number is for positions below them.
  void expand_leaves(const Reachable<G>& graph) {
    most_ = std::max(kFew, graph.size() / 2);
    graph.each_leaf(Mark::open, [&](Key key) { expand(key); });
  }

  // An entry makes a leaf an inner node. It is as far away as can be: no line has come by, so it is
  // nobody's old child.
  bool expand(Key key) {
    if (expanded_.size() == most_) return false;
    table_.store(key, {Bounds{}, 1, kNoMove, kFarthest - 1});
    expanded_.push_back(key);
    return true;
  }

  static constexpr std::size_t kFew = 64;

  Problem<G>& problem_;
  Table& table_;
  Monitor& monitor_;
  Stats& stats_;
  std::vector<Key> expanded_;
  std::size_t most_ = 0;  // that it may expand
};

// Closes the table of a search that goes round in circles, and notes what that came to.
template <Game G>
void close_table(Problem<G>& problem, Table& table, Monitor& monitor, Stats& stats,
                 Progress& progress, std::size_t memory) {
  Closure<G> closure(problem, table, monitor, stats);
  const std::size_t solved = closure.run(memory);
  ++stats.closures;
  stats.expansions += closure.expanded().size();
  for (Key key : closure.expanded()) progress.expanded(key, stats.nodes);
  progress.closed(solved + closure.expanded().size(), stats.nodes);
}

}  // namespace andorra
