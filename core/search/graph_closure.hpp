// Closure of a proof graph in which equal positions share a node: what follows from its leaves.
//
// Idea: as in search/closure.hpp, on the graph that best-first search keeps anyway. A node is alive
// if it would be proven were all its open leaves proven. Where no leaf can help any more, the
// refuter can stay for ever, so it is disproven. A node becomes alive after the nodes that make it
// so: who goes from alive nodes to earlier ones comes to an open leaf, and never in circles.
// Source: our own.
// Invariant: all that follows from proven leaves has been proven before. It takes 12 bytes a node
// while it runs, from the memory that extraction will need later.
#pragma once

#include <cstdint>
#include <vector>

#include "search/proof_graph.hpp"

namespace andorra {

class GraphClosure {
 public:
  explicit GraphClosure(const ProofGraph& graph)
      : graph_(graph), order_(graph.slots(), kDead), missing_(graph.slots(), 0) {
    std::vector<NodeId> queue;
    for (NodeId id = 0; id < graph.slots(); ++id)
      if (graph[id].in_use) seed(id, queue);
    for (std::size_t head = 0; head < queue.size(); ++head) revive_parents(queue[head], queue);
  }

  // Whether the node is open, and may yet be proven.
  bool alive(NodeId id) const { return order_[id] != kDead && !graph_[id].solved(); }

  // Whether `id` was alive before `other`.
  bool earlier(NodeId id, NodeId other) const { return order_[id] < order_[other]; }

  // The open nodes that are disproven.
  std::vector<NodeId> dead() const {
    std::vector<NodeId> found;
    for (NodeId id = 0; id < graph_.slots(); ++id)
      if (graph_[id].in_use && !graph_[id].solved() && order_[id] == kDead) found.push_back(id);
    return found;
  }

 private:
  static constexpr std::uint32_t kDead = 0xffffffff;

  void seed(NodeId id, std::vector<NodeId>& queue) {
    const ProofNode& node = graph_[id];
    missing_[id] = node.or_node ? 1 : node.count;
    if (node.numbers[0] == 0 || (!node.expanded() && !node.solved())) revive(id, queue);
  }

  void revive(NodeId id, std::vector<NodeId>& queue) {
    order_[id] = static_cast<std::uint32_t>(queue.size());
    queue.push_back(id);
  }

  void revive_parents(NodeId id, std::vector<NodeId>& queue) {
    for (EdgeId edge = graph_[id].parents; edge != kNoEdge; edge = graph_.edge(edge).next) {
      const NodeId parent = graph_.edge(edge).parent;
      if (graph_[parent].solved() || order_[parent] != kDead || --missing_[parent] > 0) continue;
      revive(parent, queue);
    }
  }

  const ProofGraph& graph_;
  std::vector<std::uint32_t> order_;    // in which nodes became alive
  std::vector<std::uint32_t> missing_;  // children that must become alive first
};

}  // namespace andorra
