// Room in a proof graph that is full.
//
// Idea: what leads only to itself, in circles, goes first; then the subtrees of least proving
// nodes.
// Source: DeleteLeastProving, Allis 1994 in survey 5.1. Deviation: it frees the subtree of the
// least proving child and keeps the child as a leaf with its numbers: deleting the child itself
// could fake a solution.
// Invariant: nodes on a path stay, whoever's it is. A search that forgets as fast as it learns
// ends.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "search/proof_graph.hpp"
#include "stats.hpp"

namespace andorra {

class GraphRoom {
 public:
  // Expansions after the graph was first full, in multiples of its size, before giving up.
  static constexpr std::uint64_t kPatience = 64;
  // Expansions between two looks for circles, as a share of its size.
  static constexpr std::uint64_t kCollections = 8;

  // `circular`: nodes may lead to each other in circles.
  GraphRoom(ProofGraph& graph, std::string_view least_proving, bool circular)
      : graph_(graph), least_proving_(least_proving), circular_(circular) {}

  // A leaf is being expanded.
  void note_expansion() { ++expansions_; }

  // Room for `count` more nodes and as many edges. `path` has the steps from the root to the node
  // in hand. False if there is none.
  template <class Path>
  bool make(std::size_t count, const Path& path, Stats& stats) {
    while (!graph_.has_room(count)) {
      if (!patient()) return false;
      if (collect(graph_.capacity() / kCollections)) continue;
      if (least_proving_ != "off" && delete_least_proving(path, stats)) continue;
      if (!collect(0)) return false;
    }
    return true;
  }

 private:
  bool patient() {
    if (first_full_ == 0) first_full_ = expansions_;
    return expansions_ - first_full_ <= kPatience * graph_.capacity();
  }

  // If the last time was that many expansions ago.
  bool collect(std::uint64_t expansions) {
    if (!circular_ || expansions_ < collected_ + expansions) return false;
    collected_ = expansions_;
    return graph_.collect() > 0;
  }

  // Prunes the least proving child nearest to the root; children on a path stay.
  template <class Path>
  bool delete_least_proving(const Path& path, Stats& stats) {
    for (const auto& step : path) {
      const NodeId victim = least_proving_child(graph_[step.node]);
      if (victim == kNoNode) continue;
      ++stats.collections;
      graph_.prune(victim);
      return true;
    }
    return false;
  }

  NodeId least_proving_child(const ProofNode& node) const {
    NodeId victim = kNoNode;
    double worst = -1;
    if (!node.expanded()) return kNoNode;
    for (const ProofEdge& edge : graph_.edges(node)) {
      const ProofNode& child = graph_[edge.child];
      if (!child.expanded() || child.on_path()) continue;
      const double value = unpromising(child, phi_of(node));
      if (value <= worst) continue;
      worst = value;
      victim = edge.child;
    }
    return victim;
  }

  // "number": the mover's own number (survey 5.1); "ratio": over the other number (Gnodde 1993).
  double unpromising(const ProofNode& node, unsigned phi) const {
    const double mine = node.numbers[phi];
    return least_proving_ == "ratio" ? mine / std::max<double>(node.numbers[phi ^ 1], 1) : mine;
  }

  ProofGraph& graph_;
  const std::string_view least_proving_;
  const bool circular_;
  std::uint64_t expansions_ = 0;  // of all agents
  std::uint64_t first_full_ = 0;
  std::uint64_t collected_ = 0;  // when, in expansions
};

}  // namespace andorra
