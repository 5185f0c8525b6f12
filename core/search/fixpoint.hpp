// Fixpoint: all positions that can be reached, solved backwards from the ends.
//
// Idea: a question is a reachability game on a finite graph; its proven set is the least fixpoint
// of "an OR node with a proven child, an AND node with only proven children". Everything else is
// disproven, endless play included. Each node is looked at once an edge.
// Source: retrograde analysis (Ströhlein 1970, Thompson 1986) over a graph found by forward search;
// the counter a node is Dowling & Gallier's for Horn clauses.
// Invariant: a node is proven after the nodes its proof uses, so `order` falls along every proof.
// Deviation: the graph is kept in memory, edges and all; a search that does not fit ends as
// "memory".
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "limits.hpp"
#include "question.hpp"
#include "search/solved.hpp"
#include "stats.hpp"

namespace andorra {

template <Game G>
class Fixpoint : public Solved {
 public:
  Fixpoint(Problem<G>& problem, Monitor& monitor, Stats& stats, std::size_t memory)
      : problem_(problem), monitor_(monitor), stats_(stats), memory_(memory) {}

  Bounds search() {
    if (!enumerate()) return {};
    reverse_edges();
    propagate();
    return nodes_[0].proven ? kProven : kDisproven;
  }

  bool find(Key key, Entry& entry) const override {
    const auto found = ids_.find(key);
    if (found == ids_.end()) return false;
    const Node& node = nodes_[found->second];
    entry = {node.proven ? kProven : kDisproven, 1, solving_move(node)};
    return true;
  }

  std::size_t bytes() const {
    constexpr std::size_t kMapNode =
        64;  // an unordered_map's node, its bucket and the allocator's share
    return nodes_.capacity() * sizeof(Node) + ids_.size() * kMapNode +
           (edges_.capacity() + reversed_.capacity()) * sizeof(Id) +
           stack_.capacity() * sizeof(Open);
  }

 private:
  using Id = std::uint32_t;
  struct Node {
    std::uint64_t first = 0;    // edge
    Id order = 0;               // when it was proven
    std::uint32_t missing = 0;  // children of an AND node that are not yet proven
    std::uint16_t count = 0;
    bool or_node = false;
    bool proven = false;
    bool end = false;
    bool expanded = false;
  };
  struct Open {  // a node whose children are being expanded, depth first
    Id id;
    std::uint32_t next = 0;
    Move move = 0;  // that led here
    MoveList moves;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const { return key.board; }
  };

  bool enumerate() {
    add();
    open(0, 0);
    while (!stack_.empty()) {
      if (stop()) return unwind();
      Open& top = stack_.back();
      if (top.next == top.moves.size()) {
        const Move move = top.move;
        stack_.pop_back();
        if (!stack_.empty()) problem_.undo(move);
        continue;
      }
      const Move move = top.moves[top.next];
      const Id child = edges_[nodes_[top.id].first + top.next++];
      if (nodes_[child].expanded) continue;
      problem_.play(move);
      ++stats_.moves;
      open(child, move);
    }
    return true;
  }

  bool unwind() {
    for (; stack_.size() > 1; stack_.pop_back()) problem_.undo(stack_.back().move);
    stack_.clear();
    return false;
  }

  // The node of the current position, new or known.
  Id add() {
    const auto [found, fresh] = ids_.try_emplace(problem_.key(), static_cast<Id>(nodes_.size()));
    if (!fresh) return found->second;
    Node node;
    const Status status = problem_.status();
    node.or_node = problem_.or_node();
    node.end = node.expanded = status != Status::open;
    node.proven = status == Status::proven;
    nodes_.push_back(node);
    return found->second;
  }

  void open(Id id, Move move) {
    ++stats_.nodes;
    stack_.push_back({id, 0, move, {}});
    if (nodes_[id].expanded) return;
    ++stats_.expansions;
    MoveList& moves = stack_.back().moves;
    problem_.moves(moves);
    nodes_[id].expanded = true;
    nodes_[id].first = edges_.size();
    nodes_[id].count = static_cast<std::uint16_t>(moves.size());
    nodes_[id].missing = nodes_[id].or_node ? 1 : nodes_[id].count;
    for (Move each : moves) {
      problem_.play(each);
      ++stats_.moves;
      edges_.push_back(add());
      problem_.undo(each);
    }
  }

  // Compressed rows, as `edges_`: the parents of node i are reversed_[starts_[i] .. starts_[i +
  // 1]).
  void reverse_edges() {
    starts_.assign(nodes_.size() + 1, 0);
    for (Id child : edges_) ++starts_[child + 1];
    for (std::size_t i = 0; i < nodes_.size(); ++i) starts_[i + 1] += starts_[i];
    reversed_.resize(edges_.size());
    std::vector<std::uint64_t> next(starts_.begin(), starts_.end() - 1);
    for (Id id = 0; id < nodes_.size(); ++id)
      for (std::uint64_t e = nodes_[id].first; e < nodes_[id].first + nodes_[id].count; ++e)
        reversed_[next[edges_[e]]++] = id;
  }

  void propagate() {
    std::vector<Id> queue;
    for (Id id = 0; id < nodes_.size(); ++id)
      if (nodes_[id].proven) queue.push_back(id);
    for (std::size_t head = 0; head < queue.size(); ++head) {
      nodes_[queue[head]].order = static_cast<Id>(head);
      for (std::uint64_t e = starts_[queue[head]]; e < starts_[queue[head] + 1]; ++e) {
        Node& parent = nodes_[reversed_[e]];
        if (parent.proven || --parent.missing > 0) continue;
        parent.proven = true;
        queue.push_back(reversed_[e]);
      }
    }
  }

  // The earliest proven child of a proven OR node, the first open one of a disproven AND node.
  std::uint16_t solving_move(const Node& node) const {
    if (node.end || node.or_node != node.proven) return kNoMove;
    std::uint16_t best = kNoMove;
    for (std::uint16_t i = 0; i < node.count; ++i) {
      const Node& child = nodes_[edges_[node.first + i]];
      if (child.proven != node.proven) continue;
      if (best == kNoMove || child.order < nodes_[edges_[node.first + best]].order) best = i;
    }
    return best;
  }

  bool stop() {
    // Reversing needs as much again for the edges, and two numbers a node.
    const std::size_t later = edges_.size() * sizeof(Id) + nodes_.size() * 20;
    if ((stats_.nodes & 0xff) == 0 && bytes() + later > memory_) monitor_.end(Limit::memory);
    if (monitor_.reached() != Limit::none) return true;
    return monitor_.stop(stats_.nodes, [&] {
      Event event;
      event.stats = stats_;
      event.depth = stack_.size();
      event.table_fill = static_cast<double>(bytes()) / static_cast<double>(memory_);
      return event;
    });
  }

  Problem<G>& problem_;
  Monitor& monitor_;
  Stats& stats_;
  const std::size_t memory_;
  std::vector<Node> nodes_;
  std::vector<Id> edges_, reversed_;
  std::vector<std::uint64_t> starts_;
  std::unordered_map<Key, Id, Hash> ids_;
  std::vector<Open> stack_;
};

}  // namespace andorra
