// Path view: the numbers of a node, and why it is solved, as the current path sees it.
//
// Idea: a node's numbers come from its children's. With twins, a child that is disproven on the
// path (search/path_marks.hpp) counts as disproven; what is concluded from it says on which depths
// of the path it rests, and is right for all paths only if that is none above the node.
// Source: rules/backup.hpp and rules/repetition.hpp, on a proof graph.
#pragma once

#include <algorithm>
#include <cstddef>

#include "rules/backup.hpp"
#include "rules/repetition.hpp"
#include "search/path_marks.hpp"
#include "search/proof_graph.hpp"

namespace andorra {

// Why a node is solved.
struct Reason {
  std::size_t best = 0;              // the child that solves it, if its mover wins
  Depth rests_on = kRestsOnNothing;  // the smallest depth, as in rules/repetition.hpp
  Depth until = 0;                   // the largest one above the node, or larger; with twins
};

class PathView {
 public:
  PathView(const ProofGraph& graph, bool acyclic, bool twins)
      : graph_(graph), acyclic_(acyclic), twins_(twins) {}

  // By the children's own numbers, which all paths share.
  Backup plain(const ProofNode& node) const {
    const auto edges = graph_.edges(node);
    const auto numbers = [&](std::size_t i) { return graph_[edges[i].child].numbers; };
    return back_up(edges.size(), numbers, phi_of(node));
  }

  // As the path sees them.
  Backup back_up_of(const ProofNode& node) const {
    if (!twins_) return plain(node);
    const auto edges = graph_.edges(node);
    const auto numbers = [&](std::size_t i) { return seen(node, edges[i]).numbers; };
    return back_up(edges.size(), numbers, phi_of(node));
  }

  // Of a node that is solved, as the path sees it.
  Reason reason_of(const ProofNode& node) const {
    Reason reason{.best = back_up_of(node).best};
    if (acyclic_) return reason;
    const auto edges = graph_.edges(node);
    const auto child = [&](std::size_t i) { return seen(node, edges[i]); };
    reason.rests_on = solution_rests_on(edges.size(), child, phi_of(node), node.depth, reason.best);
    if (twins_ && reason.rests_on != kRestsOnNothing) reason.until = until(node, reason.best);
    return reason;
  }

 private:
  struct Seen {
    const Number* numbers;
    Depth rests_on = kRestsOnNothing;
    Depth until = 0;
  };

  Seen seen(const ProofNode& node, const ProofEdge& edge) const {
    static constexpr Number kLost[2] = {kDisproven.pn, kDisproven.dn};
    const ProofNode& child = graph_[edge.child];
    if (!twins_) return {child.numbers, child.rests_on};
    if (!PathMarks::lost(node, child)) return {child.numbers};
    return {kLost, child.rests_on, child.depth};
  }

  // A child may rest on the node itself and on others above, nobody knows which: hence the minimum.
  Depth until(const ProofNode& node, std::size_t best) const {
    const auto edges = graph_.edges(node);
    Depth deepest = node.or_node ? 0 : seen(node, edges[best]).until;
    if (node.or_node)
      for (const ProofEdge& edge : edges) deepest = std::max(deepest, seen(node, edge).until);
    return std::min(deepest, node.depth - 1);
  }

  const ProofGraph& graph_;
  const bool acyclic_;
  const bool twins_;
};

}  // namespace andorra
