// Best-first search by another measure than proof and disproof numbers.
//
// Idea: the graph, its updates, its memory and what happens where positions repeat are those of
// best-first proof-number search; only which child is worth going to is said by a measure: by
// product propagation, by expected work or by proof sets (rules/). A node's value follows from its
// children's.
// Source: named in each measure's file; the frame is our own.
// Invariant: proof and disproof numbers are kept as in search/pns.hpp, and say what is solved. The
// search goes to open children only that are not lost on the path.
#pragma once

#include <cstddef>
#include <vector>

#include "search/pns.hpp"

namespace andorra {

template <Game G, class Measure>
class MeasuredPns : public Pns<G> {
 public:
  MeasuredPns(Problem<G>& problem, Table& table, Monitor& monitor, Stats& stats,
              const Options& options, SharedGraph& shared, std::size_t memory)
      : Pns<G>(problem, table, monitor, stats, options, shared, memory),
        measure_(options),
        bytes_a_node_(Measure::bytes_a_node(options)) {
    values_.reserve(shared.graph.capacity());
    this->once_an_update_ = true;
  }

  std::size_t bytes() const { return Pns<G>::bytes() + values_.size() * bytes_a_node_; }

 private:
  using Value = typename Measure::Value;

  void added(NodeId id) override {
    if (values_.size() <= id) values_.resize(id + 1);
    values_[id] = measure_.leaf(id);
  }

  // Solved nodes speak for themselves, whatever was stored.
  const Value& value(NodeId id) const {
    static const Value kWon = Measure::solved(true);
    static const Value kLost = Measure::solved(false);
    const ProofNode& node = this->graph_[id];
    if (!node.solved()) return values_[id];
    return node.numbers[kPn] == 0 ? kWon : kLost;
  }

  bool compute(NodeId id) override {
    const bool grown = Pns<G>::compute(id);
    const ProofNode& node = this->graph_[id];
    if (node.solved() || !node.expanded()) return grown;
    const auto edges = this->graph_.edges(node);
    const auto child = [&](std::size_t i) -> const Value& { return value(edges[i].child); };
    Value now = measure_.combine(edges.size(), node.or_node, child);
    if (now == values_[id]) return grown;
    values_[id] = std::move(now);
    return true;
  }

  std::size_t choose(const ProofNode& node, const Backup& backup) override {
    const auto edges = this->graph_.edges(node);
    std::size_t best = backup.best;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (i == best || !is_candidate(node, edges[i])) continue;
      if (!is_candidate(node, edges[best]) ||
          measure_.better(value(edges[i].child), value(edges[best].child), node.or_node))
        best = i;
    }
    return best;
  }

  bool is_candidate(const ProofNode& node, const ProofEdge& edge) const {
    const ProofNode& child = this->graph_[edge.child];
    return !child.solved() && !(this->twins_ && PathMarks::lost(node, child));
  }

  Measure measure_;
  const std::size_t bytes_a_node_;
  std::vector<Value> values_;  // by node
};

}  // namespace andorra
