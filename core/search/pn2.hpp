// PN²: best-first proof-number search whose leaves are developed by a second one.
//
// Idea: a leaf is expanded with the numbers that its children have after a second search below it
// (search/second_level.hpp), of which nothing but these children is kept. So the memory of one
// search sees what a much larger one would see, at the price of doing some of it twice.
// Source: Allis 1994; Breuker 1998; survey 5.2.
// Invariant: as in search/pns.hpp. Numbers of open children are guesses; solved ones come from the
// rules or the table.
#pragma once

#include <algorithm>

#include "search/pns.hpp"
#include "search/second_level.hpp"

namespace andorra {

template <Game G>
class Pn2 : public Pns<G> {
 public:
  Pn2(Problem<G>& problem, Table& table, Monitor& monitor, Stats& stats, const Options& options,
      SharedGraph& shared, std::size_t memory)
      : Pns<G>(problem, table, monitor, stats, options, shared, memory / 2),
        second_(problem, table, monitor, stats, options, shared.graph.capacity(),
                shared.graph.capacity(), memory / 2) {}

  std::size_t bytes() const { return Pns<G>::bytes() + second_.bytes(); }

 private:
  void work() override {
    this->walk();
    if (this->leaf_.expanded()) return;
    found_ = second_.develop(this->graph_.nodes(), [this](Event& event) { this->show(event); });
    if (found_.solved()) return;
    this->generate();
    take_over_numbers();
  }

  bool update() override {
    if (this->leaf_.expanded() || !found_.solved()) return Pns<G>::update();
    this->settle_leaf(found_);
    return true;
  }

  // Both levels list the moves in the same order, as far as they do.
  void take_over_numbers() {
    const ProofGraph& below = second_.graph();
    if (!below[kRoot].expanded()) return;
    const auto edges = below.edges(below[kRoot]);
    for (std::size_t i = 0; i < std::min(edges.size(), this->fresh_.size()); ++i) {
      ProofNode& mine = this->fresh_[i].node;
      const ProofNode& its = below[edges[i].child];
      if (!mine.solved() && !its.solved()) set_bounds(mine, bounds_of(its));
    }
  }

  SecondLevel<G> second_;
  Bounds found_;  // of the leaf in hand
};

}  // namespace andorra
