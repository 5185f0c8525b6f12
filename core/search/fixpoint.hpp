// Fixpoint: all positions that can be reached, solved backwards from the ends.
//
// Idea: a question is a reachability game on a finite graph; its proven set is the least fixpoint
// of "an OR node with a proven child, an AND node with only proven children". Everything else is
// disproven, endless play included.
// Source: retrograde analysis; see search/reachable.hpp.
// Deviation: the graph is kept in memory, edges and all; a search that does not fit ends as
// "memory".
#pragma once

#include "search/reachable.hpp"
#include "search/solved.hpp"

namespace andorra {

template <Game G>
class Fixpoint : public Solved {
 public:
  Fixpoint(Problem<G>& problem, Monitor& monitor, Stats& stats, std::size_t memory)
      : problem_(problem), monitor_(monitor), graph_(problem, monitor, stats, memory) {}

  Bounds search() {
    const auto ends_are_leaves = [&] {
      const Status status = problem_.status();
      if (status == Status::open) return Mark::none;
      return status == Status::proven ? Mark::proven : Mark::refuted;
    };
    if (!graph_.enumerate(ends_are_leaves)) {
      if (graph_.too_large()) monitor_.end(Limit::memory);
      return {};
    }
    graph_.prove();
    return graph_.root() == Mark::proven ? kProven : kDisproven;
  }

  bool find(Key key, Entry& entry) const override {
    if (!graph_.contains(key)) return false;
    const bool proven = graph_.mark(key) == Mark::proven;
    entry = {proven ? kProven : kDisproven, 1, graph_.solving_move(key)};
    return true;
  }

  std::size_t bytes() const { return graph_.bytes(); }

 private:
  Problem<G>& problem_;
  Monitor& monitor_;
  Reachable<G> graph_;
};

}  // namespace andorra
