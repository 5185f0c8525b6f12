// The graph of positions that can be reached, and fixpoints on it.
//
// Idea: positions are numbered as they are met, depth first; a caller decides which of them are
// leaves. What follows from leaves is found backwards: an OR node needs one child, an AND node all.
// Each node is looked at once an edge.
// Source: retrograde analysis (Ströhlein 1970, Thompson 1986) over a graph found by forward search;
// the counter a node is Dowling & Gallier's for Horn clauses.
// Invariant: a node gets its mark after the nodes that its mark rests on, so `order` falls along
// every proof.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "errors.hpp"
#include "limits.hpp"
#include "question.hpp"
#include "stats.hpp"
#include "table/entry.hpp"

namespace andorra {

// What the graph knows of a position. Marks only grow.
enum class Mark : std::uint8_t {
  none,     // inner, nothing known yet
  maybe,    // would be proven if all open leaves were
  open,     // a leaf of which nothing is known
  refuted,  // a leaf that is disproven
  proven,
};

template <Game G>
class Reachable {
 public:
  using Id = std::uint32_t;

  Reachable(Problem<G>& problem, Monitor& monitor, Stats& stats, std::size_t memory)
      : problem_(problem), monitor_(monitor), stats_(stats), memory_(memory) {}

  // All positions from the current one on; `classify()` tells for the position on the problem
  // whether it is a leaf (open, refuted, proven) or not (none). False if a limit ended it, or if it
  // is too large.
  template <class Classify>
  bool enumerate(Classify&& classify) {
    open(add(classify), 0, classify);
    while (!stack_.empty()) {
      if (stop()) return unwind();
      Open& top = stack_.back();
      if (top.next == nodes_[top.id].count)
        close();
      else
        follow(moves_[top.first_move + top.next], edges_[nodes_[top.id].first + top.next],
               classify);
    }
    reverse_edges();
    return true;
  }

  // The graph did not fit into the memory.
  bool too_large() const { return too_large_; }

  // Marks as proven all that follows from proven leaves.
  void prove() { propagate(Mark::proven, Mark::proven); }

  // Then marks as maybe all that would follow from open leaves too. The rest is disproven.
  void doubt() { propagate(Mark::open, Mark::maybe); }

  bool contains(Key key) const { return ids_.contains(key); }
  Mark mark(Key key) const { return nodes_[ids_.at(key)].mark; }
  Mark root() const { return nodes_[0].mark; }

  // For each inner node that is solved: its key, verdict, and the index of the solving move.
  template <class Visit>
  void each_solved(Visit&& visit) const {
    for (const Node& node : nodes_)
      if (node.count != 0 && node.mark != Mark::maybe)
        visit(*node.key, node.mark == Mark::proven, solving_move(node));
  }

  std::uint16_t solving_move(Key key) const { return solving_move(nodes_[ids_.at(key)]); }
  std::size_t size() const { return nodes_.size(); }

  std::size_t bytes() const {
    constexpr std::size_t kMapNode = 64;  // a hash map's node, its bucket and the allocator's share
    return nodes_.capacity() * sizeof(Node) + ids_.size() * kMapNode +
           (edges_.capacity() + reversed_.capacity()) * sizeof(Id) +
           stack_.capacity() * sizeof(Open) + moves_.capacity() * sizeof(Move);
  }

 private:
  struct Node {
    const Key* key = nullptr;   // in the map, where it stays
    std::uint64_t first = 0;    // edge
    Id order = 0;               // when it was proven
    std::uint32_t missing = 0;  // children that are needed and not yet marked
    std::uint16_t count = 0;    // of children; 0 at leaves
    Mark mark = Mark::none;
    bool or_node = false;
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

  template <class Classify>
  void follow(Move move, Id child, Classify&& classify) {
    ++stack_.back().next;
    if (nodes_[child].on_line && problem_.acyclic()) came_back(move);
    if (nodes_[child].expanded) return;
    problem_.play(move);
    ++stats_.moves;
    open(child, move, classify);
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
  template <class Classify>
  Id add(Classify&& classify) {
    const auto [found, fresh] = ids_.try_emplace(problem_.key(), static_cast<Id>(nodes_.size()));
    if (!fresh) return found->second;
    const Id id = found->second;
    Node node;
    node.key = &found->first;
    node.or_node = problem_.or_node();
    node.mark = classify();
    node.expanded = node.mark != Mark::none;
    nodes_.push_back(node);
    return id;
  }

  template <class Classify>
  void open(Id id, Move move, Classify&& classify) {
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
      edges_.push_back(add(classify));
      problem_.undo(moves_[i]);
    }
  }

  // Compressed rows, as `edges_`: the parents of node i are reversed_[starts_[i]..starts_[i + 1]).
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

  void propagate(Mark seed, Mark mark) {
    std::vector<Id> queue;
    for (Id id = 0; id < nodes_.size(); ++id)
      if (nodes_[id].mark == seed) queue.push_back(id);
    for (std::size_t head = 0; head < queue.size(); ++head) {
      if (mark == Mark::proven) nodes_[queue[head]].order = static_cast<Id>(head);
      for (std::uint64_t e = starts_[queue[head]]; e < starts_[queue[head] + 1]; ++e) {
        Node& parent = nodes_[reversed_[e]];
        if (parent.mark != Mark::none || --parent.missing > 0) continue;
        parent.mark = mark;
        queue.push_back(reversed_[e]);
      }
    }
  }

  // The earliest proven child of a proven OR node, the first disproven one of a disproven AND node.
  std::uint16_t solving_move(const Node& node) const {
    const bool proven = node.mark == Mark::proven;
    if (node.count == 0 || node.or_node != proven) return kNoMove;
    std::uint16_t best = kNoMove;
    for (std::uint16_t i = 0; i < node.count; ++i) {
      const Node& child = nodes_[edges_[node.first + i]];
      const bool lost = child.mark == Mark::none || child.mark == Mark::refuted;
      if (proven ? child.mark != Mark::proven : !lost) continue;
      if (best == kNoMove || child.order < nodes_[edges_[node.first + best]].order) best = i;
    }
    return best;
  }

  bool stop() {
    // Reversing needs as much again for the edges, and two numbers a node.
    const std::size_t later = edges_.size() * sizeof(Id) + nodes_.size() * 20;
    if ((stats_.nodes & 0xff) == 0 && bytes() + problem_.bytes() + later > memory_)
      too_large_ = true;
    if (too_large_ || monitor_.reached() != Limit::none) return true;
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
  bool too_large_ = false;
  std::vector<Node> nodes_;
  std::vector<Id> edges_, reversed_;
  std::vector<std::uint64_t> starts_;
  std::unordered_map<Key, Id, Hash> ids_;
  std::vector<Open> stack_;
  MoveList moves_;  // of the nodes on the stack, one after the other
};

}  // namespace andorra
