// Path marks: disproofs that hold on the current path, for a graph in which equal positions share a
// node.
//
// Idea: a node on the path is disproven for all that comes below it, where it would be a
// repetition. A node that is disproven because of that gets a mark: it says on which positions of
// the path the disproof rests, and lives until the first of them leaves. So a mark is never seen
// from another path, and the node's own numbers stay those that all paths share.
// Source: the possible-draw marks and possible-draw depths of Breuker et al. 2001. Deviation: there
// all marks go when a leaf is expanded; here each stays as long as it is true.
// Invariant: a node with a mark is disproven wherever the positions of the path from depth
// `rests_on` to depth `depth` (both in ProofNode) are above. More positions above do no harm.
// A node on the path has both set to its own depth.
#pragma once

#include <cstddef>
#include <vector>

#include "search/proof_graph.hpp"

namespace andorra {

class PathMarks {
 public:
  explicit PathMarks(ProofGraph& graph) : graph_(graph) {}

  // The node becomes the last one of the path.
  void enter(NodeId id) {
    graph_[id].depth = graph_[id].rests_on = static_cast<Depth>(starts_.size());
    starts_.push_back(marks_.size());
  }

  // The last node leaves the path, and with it all marks that rest on it. A node that was freed in
  // the meantime may have become another: it loses a mark at worst.
  void leave(NodeId id) {
    const auto depth = static_cast<Depth>(starts_.size() - 1);
    std::size_t kept = starts_.back();
    for (std::size_t i = kept; i < marks_.size(); ++i) {
      if (marks_[i].until < depth)
        marks_[kept++] = marks_[i];
      else if (!graph_[marks_[i].node].on_path())
        graph_[marks_[i].node].rests_on = kRestsOnNothing;
    }
    marks_.resize(kept);
    starts_.pop_back();
    graph_[id].rests_on = kRestsOnNothing;
  }

  // For a node that has just left the path.
  void add(NodeId id, Depth rests_on, Depth until) {
    graph_[id].rests_on = rests_on;
    graph_[id].depth = until;
    marks_.push_back({id, until});
  }

  std::size_t bytes() const {
    return marks_.capacity() * sizeof(Mark) + starts_.capacity() * sizeof(std::size_t);
  }

  // Whether `child` is disproven below `parent`, if that is on the path.
  static bool lost(const ProofNode& parent, const ProofNode& child) {
    return parent.on_path() && child.rests_on != kRestsOnNothing && child.depth <= parent.depth;
  }

 private:
  struct Mark {
    NodeId node;
    Depth until;
  };

  ProofGraph& graph_;
  std::vector<Mark> marks_;
  std::vector<std::size_t> starts_;  // for each node of the path, of the marks that came later
};

}  // namespace andorra
