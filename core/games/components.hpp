// The strongly connected components of a graph: sets of nodes that can reach each other.
//
// Idea: depth first, on an explicit stack; a node that reaches nothing older than itself closes a
// component, which is what is on the stack of open nodes above it (Tarjan 1972).
// Invariant: an edge leads to a component with the same number or a smaller one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace andorra {

class Components {
 public:
  // successors(node) is a span of nodes' numbers.
  template <class Successors>
  static std::vector<std::uint32_t> of(std::uint32_t nodes, Successors&& successors) {
    Components components(nodes);
    for (std::uint32_t node = 0; node < nodes; ++node)
      if (components.order_[node] == 0) components.explore(node, successors);
    return std::move(components.component_);
  }

 private:
  explicit Components(std::uint32_t nodes)
      : order_(nodes, 0), oldest_(nodes, 0), component_(nodes, kOpen) {}

  static constexpr std::uint32_t kOpen = 0xffffffff;

  struct Step {
    std::uint32_t node;
    std::uint32_t next = 0;  // successor to look at
  };

  template <class Successors>
  void explore(std::uint32_t root, Successors&& successors) {
    enter(root);
    while (!path_.empty()) {
      Step& step = path_.back();
      const std::span<const std::uint32_t> all = successors(step.node);
      if (step.next == all.size())
        leave();
      else if (const std::uint32_t next = all[step.next++]; order_[next] == 0)
        enter(next);
      else if (component_[next] == kOpen)
        oldest_[step.node] = std::min(oldest_[step.node], order_[next]);
    }
  }

  void enter(std::uint32_t node) {
    order_[node] = oldest_[node] = ++entered_;
    path_.push_back({node});
    open_.push_back(node);
  }

  void leave() {
    const std::uint32_t node = path_.back().node;
    path_.pop_back();
    if (!path_.empty())
      oldest_[path_.back().node] = std::min(oldest_[path_.back().node], oldest_[node]);
    if (oldest_[node] == order_[node]) close(node);
  }

  void close(std::uint32_t node) {
    for (bool last = false; !last; open_.pop_back()) {
      component_[open_.back()] = closed_;
      last = open_.back() == node;
    }
    ++closed_;
  }

  std::uint32_t entered_ = 0;
  std::uint32_t closed_ = 0;
  std::vector<std::uint32_t> order_;   // 0: not entered yet
  std::vector<std::uint32_t> oldest_;  // order of the oldest open node that can be reached
  std::vector<std::uint32_t> component_;
  std::vector<Step> path_;
  std::vector<std::uint32_t> open_;
};

}  // namespace andorra
