// The search tree of best-first proof-number search: nodes in one pool, siblings side by side.
//
// Idea: a node is an index; the children of a node are one block. Freed blocks wait, by size, for
// the next expansion with as many children, or fewer if the pool is used up.
// Invariant: `used()` counts the nodes of all blocks in use; it never passes `capacity()`.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bounds.hpp"
#include "game.hpp"
#include "rules/repetition.hpp"

namespace andorra {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0xffffffff;

struct TreeNode {
  Number numbers[2] = {1, 1};
  NodeId parent = kNoNode;
  NodeId first = kNoNode;  // child
  Move move = 0;           // that leads here
  Depth rests_on = kRestsOnNothing;
  std::uint16_t count = 0;  // of children
  bool or_node = false;
  bool on_path = false;

  bool expanded() const { return first != kNoNode; }
  bool solved() const { return numbers[0] == 0 || numbers[1] == 0; }
};

class Tree {
 public:
  explicit Tree(std::size_t capacity) : capacity_(capacity) { nodes_.reserve(capacity); }

  TreeNode& operator[](NodeId id) { return nodes_[id]; }
  const TreeNode& operator[](NodeId id) const { return nodes_[id]; }
  std::size_t used() const { return used_; }
  std::size_t capacity() const { return capacity_; }
  std::size_t bytes() const { return nodes_.size() * sizeof(TreeNode) + free_bytes_; }

  // A block for `count` siblings, or kNoNode if there is none.
  NodeId allocate(std::size_t count) {
    NodeId block = take_freed(count, count);
    if (block == kNoNode && nodes_.size() + count <= capacity_) {
      block = static_cast<NodeId>(nodes_.size());
      nodes_.resize(nodes_.size() + count);
    }
    for (std::size_t size = count + 1; block == kNoNode && size < free_.size(); ++size)
      block = take_freed(size, count);
    if (block != kNoNode) used_ += count;
    return block;
  }

  // Frees all below `id`, which becomes a leaf with the numbers it has. Returns how many went.
  std::size_t prune(NodeId id) {
    const std::size_t before = used_;
    std::vector<NodeId> todo{id};
    while (!todo.empty()) {
      TreeNode& node = nodes_[todo.back()];
      todo.pop_back();
      if (!node.expanded()) continue;
      for (NodeId child = node.first; child < node.first + node.count; ++child)
        todo.push_back(child);
      release(node);
    }
    return before - used_;
  }

 private:
  // The first `count` nodes of a freed block of `size`; the rest of it stays free.
  NodeId take_freed(std::size_t size, std::size_t count) {
    if (size >= free_.size() || free_[size].empty()) return kNoNode;
    const NodeId block = free_[size].back();
    free_[size].pop_back();
    if (size > count) add_freed(size - count, block + static_cast<NodeId>(count));
    return block;
  }

  void add_freed(std::size_t size, NodeId block) {
    if (free_.size() <= size) free_.resize(size + 1);
    free_[size].push_back(block);
    free_bytes_ = std::max(free_bytes_, free_[size].capacity() * sizeof(NodeId));
  }

  void release(TreeNode& node) {
    add_freed(node.count, node.first);
    used_ -= node.count;
    node.first = kNoNode;
    node.count = 0;
  }

  std::size_t capacity_;
  std::size_t used_ = 0;
  std::size_t free_bytes_ = 0;
  std::vector<TreeNode> nodes_;
  std::vector<std::vector<NodeId>> free_;  // by block size
};

}  // namespace andorra
