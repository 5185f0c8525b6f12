// MCTS-Solver: Monte-Carlo tree search that backs up proven values.
//
// Idea: each step goes down from the root to a leaf, at every node to the child with the highest
// upper confidence bound on its share of won playouts (UCT); expands the leaf, finishes a game from
// there by chance, and counts its end at all nodes of the path. A child that is proven or disproven
// is never gone to again, and a node is solved as soon as its children say so.
// Source: Winands, Björnsson & Saito 2008; UCT, Kocsis & Szepesvári 2006.
// Relation to score-bounded MCTS (Cazenave & Saffidine 2011): there a node has a pessimistic and an
// optimistic bound on its score. A question here has two answers, so its two bounds say nothing but
// proven, disproven or open; a draw is two questions that are both disproven.
// This is a best-first search of a graph in memory, as PNS is, and differs in where it goes: graph,
// forms, repetition, memory, the closure and what the table gets are those of search/pns.hpp. Its
// invariant holds: every step expands a leaf, solves a node or marks one, so a search ends on every
// finite graph that fits into its memory, whatever the playouts say.
// Deviations: the first visit of a leaf expands it, with all its children, as ends among them are
// what solves nodes; counts belong to positions, so lines that meet share them; there is no choice
// of a final move, which the proof makes.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "search/playouts.hpp"
#include "search/pns.hpp"

namespace andorra {

template <Game G>
class MctsSolver : public Pns<G> {
 public:
  // What a node has beside its place in the graph.
  struct Count {
    std::uint32_t visits = 0;
    std::uint32_t wins = 0;  // of the prover
  };

  static constexpr std::size_t kMoreBytes = sizeof(Count);  // a node, beside the graph's

  MctsSolver(Problem<G>& problem, Table& table, Monitor& monitor, Stats& stats,
             const Options& options, SharedGraph& shared, std::size_t memory)
      : Pns<G>(problem, table, monitor, stats, options, shared, memory),
        exploration_(options.real("exploration")),
        playouts_(problem, monitor, stats, options) {
    counts_.reserve(shared.graph.capacity());
  }

  std::size_t bytes() const {
    return Pns<G>::bytes() + counts_.size() * sizeof(Count) + playouts_.bytes();
  }

  // From the root, unless a closure has led to a leaf.
  bool select() override {
    if (this->graph_[this->current()].expanded()) {
      this->go_up_to(0);
      this->take_back();
    }
    return Pns<G>::select();
  }

  void work() override {
    Pns<G>::work();
    won_ = !this->leaf_.expanded() && result();
  }

  bool update() override {
    for (const auto& step : this->path_) count(counts_[step.node]);
    return Pns<G>::update();
  }

 private:
  // Of the leaf in hand: by its children, or by a playout. (What only repeats is no win.)
  bool result() {
    const unsigned phi = phi_of(this->leaf_);
    const auto numbers = [&](std::size_t i) { return this->fresh_[i].node.numbers; };
    const Backup backup = back_up(this->fresh_.size(), numbers, phi);
    if (backup.won() || backup.lost()) return backup.won() == (phi == kPn);
    return playouts_.won();
  }

  void count(Count& count) const {
    if (count.visits == UINT32_MAX) count = {count.visits / 2, count.wins / 2};
    ++count.visits;
    count.wins += won_;
  }

  void added(NodeId id) override {
    if (counts_.size() <= id) counts_.resize(id + 1);
    counts_[id] = {};
  }

  // Among those that are open as the path sees them; all that are not may lead back to it.
  std::size_t choose(const ProofNode& node, const Backup& backup) override {
    const auto edges = this->graph_.edges(node);
    const double spread = exploration_ * std::sqrt(std::log(counts_[this->current()].visits));
    std::size_t best = backup.best;
    double highest = -1;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (!is_open(node, edges[i].child)) continue;
      const double bound = upper_bound(counts_[edges[i].child], node.or_node, spread);
      if (bound <= highest) continue;
      highest = bound;
      best = i;
    }
    return best;
  }

  bool is_open(const ProofNode& node, NodeId id) const {
    const ProofNode& child = this->graph_[id];
    if (child.solved() || child.on_path()) return false;
    return !this->twins_ || !PathMarks::lost(node, child);
  }

  // Of the mover's share of won games; those that nobody has tried come first, in the game's order.
  static double upper_bound(const Count& count, bool or_node, double spread) {
    if (count.visits == 0) return HUGE_VAL;
    const double visits = count.visits;
    const double won = or_node ? count.wins : count.visits - count.wins;
    return won / visits + spread / std::sqrt(visits);
  }

  const double exploration_;
  Playouts<G> playouts_;
  std::vector<Count> counts_;  // by node
  bool won_ = false;           // the last game
};

}  // namespace andorra
