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
#include <string>
#include <unordered_map>
#include <vector>

#include "errors.hpp"
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
    constexpr std::size_t kMapNode = 64;  // a hash map's node, its bucket and the allocator's share
    return nodes_.capacity() * sizeof(Node) + ids_.size() * kMapNode +
           (edges_.capacity() + reversed_.capacity()) * sizeof(Id) +
           stack_.capacity() * sizeof(Open) + moves_.capacity() * sizeof(Move);
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
    bool on_line = false;
  };
  struct Open {  // a node whose children are being expanded, depth first
    Id id;
    std::uint32_t next = 0;
    Move move = 0;               // that led here
    std::size_t first_move = 0;  // of its moves in moves_
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
      if (top.next == nodes_[top.id].count)
        close();
      else
        follow(moves_[top.first_move + top.next], edges_[nodes_[top.id].first + top.next]);
    }
    return true;
  }

  void follow(Move move, Id child) {
    ++stack_.back().next;
    if (nodes_[child].on_line && problem_.acyclic()) came_back(move);
    if (nodes_[child].expanded) return;
    problem_.play(move);
    ++stats_.moves;
    open(child, move);
  }

  void close() {
    const Open top = stack_.back();
    nodes_[top.id].on_line = false;
    moves_.resize(top.first_move);
    stack_.pop_back();
    if (!stack_.empty()) problem_.undo(top.move);
  }

  bool unwind() {
    while (!stack_.empty()) close();
    return false;
  }

  // Only a user's game can promise what it does not keep.
  [[noreturn]] void came_back(Move move) {
    G& game = problem_.game();
    std::string subject;
    if constexpr (requires { game.spec(); }) subject = game.spec() + ": ";
    throw RuleError(subject +
                    "the rule 'play' came back to a position of the same line, which the " +
                    "game says cannot happen, by move " + game.format_move(move) +
                    " in position '" + game.format() + "'");
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
    stack_.push_back({id, 0, move, moves_.size()});
    if (nodes_[id].expanded) return;
    ++stats_.expansions;
    problem_.moves(moves_);
    const std::size_t first = stack_.back().first_move;
    Node& node = nodes_[id];
    node.expanded = node.on_line = true;
    node.first = edges_.size();
    node.count = static_cast<std::uint16_t>(moves_.size() - first);
    node.missing = node.or_node ? 1 : node.count;
    for (std::size_t i = first; i < moves_.size(); ++i) {
      problem_.play(moves_[i]);
      ++stats_.moves;
      edges_.push_back(add());
      problem_.undo(moves_[i]);
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
    if ((stats_.nodes & 0xff) == 0 && bytes() + problem_.bytes() + later > memory_)
      monitor_.end(Limit::memory);
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
  MoveList moves_;  // of the nodes on the stack, one after the other
};

}  // namespace andorra
