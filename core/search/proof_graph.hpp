// The graph that best-first proof-number search keeps in memory: nodes, and the moves between them.
//
// Idea: a node is an index. Its moves are one block of edges; the edges that lead to one node form
// a list, so a node knows all its parents. Nodes that may be shared are found by their key.
// Invariant: a node lives as long as an edge leads to it; the root, which is added first, until the
// end. Nodes that lead to each other in circles keep each other, until collect(). `nodes()` never
// passes `capacity()`, and edges never pass kEdgesPerNode times that. A freed block of edges waits,
// by size, for the next expansion with as many moves, or fewer if the pool is used up.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bounds.hpp"
#include "game.hpp"
#include "rules/backup.hpp"
#include "rules/repetition.hpp"

namespace andorra {

using NodeId = std::uint32_t;
using EdgeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0xffffffff;
inline constexpr EdgeId kNoEdge = 0xffffffff;
inline constexpr NodeId kRoot = 0;

struct ProofNode {
  Number numbers[2] = {1, 1};
  Key key;
  EdgeId parents = kNoEdge;          // the first of the edges that lead here
  EdgeId first = kNoEdge;            // of its own edges
  NodeId next = kNoNode;             // with the same hash, or on the list of free nodes
  Depth depth = 0;                   // since the last node that may be shared; or path_marks.hpp
  Depth rests_on = kRestsOnNothing;  // a depth of the same kind
  std::uint16_t count = 0;           // of its edges
  std::uint16_t agents = 0;          // on whose path it is
  bool or_node = false;
  bool shared = false;  // can be found by its key
  bool busy = false;    // an agent is at work on this leaf
  bool queued = false;  // for an update
  bool in_use = false;
  bool reached = false;  // by a collection

  bool on_path() const { return agents > 0; }
  bool expanded() const { return first != kNoEdge; }
  bool solved() const { return numbers[0] == 0 || numbers[1] == 0; }
};

inline unsigned phi_of(const ProofNode& node) {
  return node.or_node ? kPn : kDn;
}

inline Bounds bounds_of(const ProofNode& node) {
  return {node.numbers[kPn], node.numbers[kDn]};
}

inline void set_bounds(ProofNode& node, Bounds bounds) {
  node.numbers[kPn] = bounds.pn;
  node.numbers[kDn] = bounds.dn;
}

struct ProofEdge {
  NodeId parent = kNoNode;
  NodeId child = kNoNode;
  EdgeId next = kNoEdge;  // edge to the same child
  Move move = 0;
};

class ProofGraph {
 public:
  static constexpr std::size_t kEdgesPerNode = 2;
  static constexpr std::size_t kNodeBytes =
      sizeof(ProofNode) + kEdgesPerNode * sizeof(ProofEdge) + 2 * sizeof(NodeId);

  explicit ProofGraph(std::size_t capacity) : capacity_(capacity), heads_(1, kNoNode) {
    nodes_.reserve(capacity);
    edges_.reserve(kEdgesPerNode * capacity);
  }

  ProofNode& operator[](NodeId id) { return nodes_[id]; }
  const ProofNode& operator[](NodeId id) const { return nodes_[id]; }
  const ProofEdge& edge(EdgeId id) const { return edges_[id]; }
  std::span<const ProofEdge> edges(const ProofNode& node) const {
    return {edges_.data() + node.first, node.count};
  }

  std::size_t nodes() const { return used_; }
  std::size_t capacity() const { return capacity_; }
  std::size_t slots() const { return nodes_.size(); }  // ids are below; some are not in use
  std::size_t bytes() const {
    return nodes_.size() * sizeof(ProofNode) + edges_.size() * sizeof(ProofEdge) +
           heads_.capacity() * sizeof(NodeId) + free_bytes_;
  }

  // The shared node of a key, or kNoNode.
  NodeId find(Key key) const {
    NodeId id = heads_[bucket(key)];
    while (id != kNoNode && nodes_[id].key != key) id = nodes_[id].next;
    return id;
  }

  // A place for a copy of `node`; there must be one (see has_room()).
  NodeId add(const ProofNode& node) {
    NodeId id = free_node_;
    if (id == kNoNode) {
      id = static_cast<NodeId>(nodes_.size());
      nodes_.emplace_back();
    } else {
      free_node_ = nodes_[id].next;
    }
    nodes_[id] = node;
    nodes_[id].in_use = true;
    ++used_;
    if (node.shared) enter(id);
    return id;
  }

  // Room for an expansion with `count` moves, to as many new nodes at most.
  bool has_room(std::size_t count) const {
    return used_ + count <= capacity_ && block_size(count) != 0;
  }

  // The edges of `parent`, which has none yet.
  void connect(NodeId parent, std::span<const ProofEdge> edges) {
    const EdgeId first = take_block(edges.size());
    nodes_[parent].first = first;
    nodes_[parent].count = static_cast<std::uint16_t>(edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
      edges_[first + i] = {.parent = parent, .move = edges[i].move};
      lead(first + static_cast<EdgeId>(i), edges[i].child);
    }
  }

  // Lets an edge lead to another child. The old one must have another parent, or be the root.
  void redirect(EdgeId edge, NodeId child) {
    unlink(edge);
    lead(edge, child);
  }

  // Takes the node's edges away, and all that cannot be reached without them. The node becomes a
  // leaf with the numbers it has. Returns how many nodes went.
  std::size_t prune(NodeId id) {
    const std::size_t before = used_;
    std::vector<NodeId> todo{id};
    while (!todo.empty()) {
      const NodeId next = todo.back();
      todo.pop_back();
      disconnect(next, todo);
      if (next != id) remove(next);
    }
    return before - used_;
  }

  // Frees all that cannot be reached from the root. Returns how many nodes went.
  std::size_t collect() {
    const std::size_t before = used_;
    reach();
    std::vector<NodeId> lost, ignored;
    for (NodeId id = 0; id < nodes_.size(); ++id)
      if (!std::exchange(nodes_[id].reached, false) && nodes_[id].in_use) lost.push_back(id);
    for (NodeId id : lost) disconnect(id, ignored);
    for (NodeId id : lost) remove(id);
    return before - used_;
  }

 private:
  void reach() {
    std::vector<NodeId> todo{kRoot};
    nodes_[kRoot].reached = true;
    while (!todo.empty()) {
      const ProofNode& node = nodes_[todo.back()];
      todo.pop_back();
      for (EdgeId edge = node.first; edge < node.first + node.count; ++edge)
        if (!std::exchange(nodes_[edges_[edge].child].reached, true))
          todo.push_back(edges_[edge].child);
    }
  }

  void lead(EdgeId edge, NodeId child) {
    edges_[edge].child = child;
    edges_[edge].next = std::exchange(nodes_[child].parents, edge);
  }

  void unlink(EdgeId edge) {
    EdgeId* link = &nodes_[edges_[edge].child].parents;
    while (*link != edge) link = &edges_[*link].next;
    *link = edges_[edge].next;
  }

  std::size_t bucket(Key key) const { return place_bits(key.board) & (heads_.size() - 1); }

  void enter(NodeId id) {
    if (++shared_ > heads_.size()) rehash(2 * heads_.size());
    NodeId& head = heads_[bucket(nodes_[id].key)];
    nodes_[id].next = head;
    head = id;
  }

  void rehash(std::size_t size) {
    const std::vector<NodeId> old = std::exchange(heads_, std::vector<NodeId>(size, kNoNode));
    for (NodeId head : old) {
      for (NodeId id = head; id != kNoNode;) {
        const NodeId next = nodes_[id].next;
        NodeId& place = heads_[bucket(nodes_[id].key)];
        nodes_[id].next = std::exchange(place, id);
        id = next;
      }
    }
  }

  void remove(NodeId id) {
    ProofNode& node = nodes_[id];
    if (node.shared) {
      NodeId* link = &heads_[bucket(node.key)];
      while (*link != id) link = &nodes_[*link].next;
      *link = node.next;
      --shared_;
    }
    node.next = std::exchange(free_node_, id);
    node.in_use = false;
    --used_;
  }

  // Children that lose their last parent are put on `orphans`.
  void disconnect(NodeId id, std::vector<NodeId>& orphans) {
    ProofNode& node = nodes_[id];
    if (!node.expanded()) return;
    for (EdgeId edge = node.first; edge < node.first + node.count; ++edge) {
      const NodeId child = edges_[edge].child;
      unlink(edge);
      if (nodes_[child].parents == kNoEdge && child != kRoot) orphans.push_back(child);
    }
    add_freed(node.count, node.first);
    node.first = kNoEdge;
    node.count = 0;
  }

  // The size of the block that take_block() would cut the edges from; 0 if there is none.
  std::size_t block_size(std::size_t count) const {
    if (count < free_.size() && !free_[count].empty()) return count;
    if (edges_.size() + count <= kEdgesPerNode * capacity_) return count;
    for (std::size_t size = count + 1; size < free_.size(); ++size)
      if (!free_[size].empty()) return size;
    return 0;
  }

  EdgeId take_block(std::size_t count) {
    const std::size_t size = block_size(count);
    if (size >= free_.size() || free_[size].empty()) {
      edges_.resize(edges_.size() + count);
      return static_cast<EdgeId>(edges_.size() - count);
    }
    const EdgeId block = free_[size].back();
    free_[size].pop_back();
    if (size > count) add_freed(size - count, block + static_cast<EdgeId>(count));
    return block;
  }

  void add_freed(std::size_t size, EdgeId block) {
    if (free_.size() <= size) free_.resize(size + 1);
    free_[size].push_back(block);
    free_bytes_ = std::max(free_bytes_, free_[size].capacity() * sizeof(EdgeId));
  }

  std::size_t capacity_;
  std::size_t used_ = 0;
  std::size_t shared_ = 0;
  std::size_t free_bytes_ = 0;
  NodeId free_node_ = kNoNode;
  std::vector<ProofNode> nodes_;
  std::vector<ProofEdge> edges_;
  std::vector<NodeId> heads_;              // by hash
  std::vector<std::vector<EdgeId>> free_;  // blocks, by size
};

}  // namespace andorra
