// The graph of positions that can be reached, and fixpoints on it.
//
// Idea: positions are numbered as they are met, depth first; a caller decides which of them are
// leaves. What follows from leaves is found backwards: an OR node needs one child, an AND node all.
// Each node is looked at once an edge. Nodes are found in the order of their distances, so the
// graph knows how many plies a proof takes: one more than the least below an OR node, than the
// largest below an AND node.
// Source: retrograde analysis (Ströhlein 1970, Thompson 1986) over a graph found by forward search;
// the counter a node is Dowling & Gallier's for Horn clauses. Proofs by size are found in the order
// of Knuth 1977, who generalises Dijkstra's algorithm to functions of several arguments that grow
// with each. With resources, a caller may let one position stand for others of its board, by
// changing what it has; then what is proven with some resources is proven with more, in as many
// plies. Invariant: a node gets its mark after the nodes that its mark rests on, and `plies` fall
// along every proof.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include "limits.hpp"
#include "question.hpp"
#include "rules/dominance.hpp"
#include "search/came_back.hpp"
#include "stats.hpp"
#include "table/entry.hpp"

namespace andorra {

// What the graph knows of a position. Marks only grow.
enum class Mark : std::uint8_t {
  none,     // inner, nothing known yet
  maybe,    // would be proven if all open leaves were
  open,     // a leaf of which nothing is known
  refuted,  // a leaf that is disproven
  outside,  // no node: moves to it lead nowhere
  proven,
};

// A caller that changes the resources of positions: settle() gives the one on the problem those of
// the position that stands for it; it is told who has just moved.
template <class Classify>
concept Settles = requires(Classify classify, bool by_prover) { classify.settle(by_prover); };

template <Game G>
class Reachable {
 public:
  using Id = std::uint32_t;
  static constexpr std::uint32_t kNoPlies = 0xffffffff;

  // `alike`: what is proven with some resources is proven with more.
  Reachable(Problem<G>& problem, Monitor& monitor, Stats& stats, std::size_t memory,
            bool alike = false)
      : problem_(problem),
        monitor_(monitor),
        stats_(stats),
        memory_(memory),
        dominance_(problem.question().prover),
        alike_(alike) {}

  // All positions from the current one on; `classify()` tells for the position on the problem
  // whether it is a leaf (open, refuted, proven), no part of the graph (outside) or neither (none).
  // False if a limit ended it, if it is too large, or if there is nothing: the root is outside.
  template <class Classify>
  bool enumerate(Classify&& classify) {
    const Id root = add(classify);
    if (root == kNowhere) return false;
    open(root, 0, classify);
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

  // The same from the smallest proof to the largest, counted in nodes as a tree: the children of an
  // AND node add up. Then `plies` are the places of nodes in this order. For the nodes' own costs
  // this takes kBySize bytes each beside the graph.
  static constexpr std::size_t kBySize = 40;
  void prove_by_size() {
    std::vector<double> sizes(nodes_.size(), 1);  // of an AND node, so far
    std::vector<bool> placed(nodes_.size());
    std::priority_queue<Sized, std::vector<Sized>, std::greater<>> queue;
    for (Id id = 0; id < nodes_.size(); ++id)
      if (nodes_[id].mark == Mark::proven) queue.emplace(1, id);
    for (std::uint32_t place = 0; !queue.empty();) {
      const auto [size, id] = queue.top();
      queue.pop();
      if (placed[id]) continue;
      placed[id] = true;
      nodes_[id].mark = Mark::proven;
      nodes_[id].plies = place++;
      count_in_parents(id, size, sizes, queue);
      each_alike(*nodes_[id].key, [&](Id other, Resources its) {
        if (serves(resources_in(*nodes_[id].key), its)) queue.emplace(size, other);
      });
    }
  }

  // Then marks as maybe all that would follow from open leaves too. The rest is disproven.
  void doubt() { propagate(Mark::open, Mark::maybe); }

  // The most plies that the proof of a position takes, or kNoPlies.
  std::uint32_t plies(Key key) const {
    const auto found = ids_.find(key);
    std::uint32_t least = found == ids_.end() ? kNoPlies : plies(found->second);
    each_alike(key, [&](Id id, Resources its) {
      if (serves(its, resources_in(key))) least = std::min(least, plies(id));
    });
    return least;
  }

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

  template <class Visit>
  void each_leaf(Mark mark, Visit&& visit) const {
    for (const Node& node : nodes_)
      if (node.count == 0 && node.mark == mark) visit(*node.key);
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
    std::uint32_t plies = 0;    // to the farthest leaf of its proof
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
    Resources arrived_with = 0;
  };
  static constexpr Id kNowhere = 0xffffffff;
  struct Hash {
    std::size_t operator()(const Key& key) const { return key.board; }
  };

  template <class Classify>
  void follow(Move move, Id child, Classify&& classify) {
    ++stack_.back().next;
    if (child == kNowhere) return;
    if (nodes_[child].on_line && problem_.acyclic() && !Settles<Classify>)
      came_back(problem_, move);
    if (nodes_[child].expanded) return;
    problem_.play(move);
    ++stats_.moves;
    const Resources arrived_with = resources_in(problem_.key());
    if constexpr (Settles<Classify>) set_resources(resources_in(*nodes_[child].key));
    open(child, move, classify);
    stack_.back().arrived_with = arrived_with;
  }

  void set_resources(Resources resources) {
    if constexpr (HasPackedResources<G>) problem_.game().set_resources(resources);
  }

  void close() {
    const Open top = stack_.back();
    nodes_[top.id].on_line = false;
    moves_.resize(top.first_move);
    stack_.pop_back();
    if (stack_.empty()) return;
    if (alike_) set_resources(top.arrived_with);
    problem_.undo(top.move);
  }

  bool unwind() {
    while (!stack_.empty()) close();
    return false;
  }

  // The node of the current position, new or known.
  template <class Classify>
  Id add(Classify&& classify) {
    const auto [found, fresh] = ids_.try_emplace(problem_.key(), static_cast<Id>(nodes_.size()));
    if (!fresh) return found->second;
    const Id id = found->second;
    Node node;
    node.mark = classify();
    if (node.mark == Mark::outside) return ids_.erase(found), kNowhere;
    node.key = &found->first;
    node.or_node = problem_.or_node();
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
      edges_.push_back(settled(nodes_[id].or_node, classify));
      problem_.undo(moves_[i]);
    }
  }

  template <class Classify>
  Id settled(bool by_prover, Classify&& classify) {
    if constexpr (Settles<Classify>) {
      const Resources own = resources_in(problem_.key());
      classify.settle(by_prover);
      const Id id = add(classify);
      set_resources(own);
      return id;
    } else {
      return add(classify);
    }
  }

  // Compressed rows, as `edges_`: the parents of node i are reversed_[starts_[i]..starts_[i + 1]).
  void reverse_edges() {
    starts_.assign(nodes_.size() + 1, 0);
    for (Id child : edges_)
      if (child != kNowhere) ++starts_[child + 1];
    for (std::size_t i = 0; i < nodes_.size(); ++i) starts_[i + 1] += starts_[i];
    reversed_.resize(starts_.back());
    std::vector<std::uint64_t> next(starts_.begin(), starts_.end() - 1);
    for (Id id = 0; id < nodes_.size(); ++id)
      for (std::uint64_t e = nodes_[id].first; e < nodes_[id].first + nodes_[id].count; ++e)
        if (edges_[e] != kNowhere) reversed_[next[edges_[e]]++] = id;
  }

  void propagate(Mark seed, Mark mark) {
    std::vector<Id> queue;
    for (Id id = 0; id < nodes_.size(); ++id)
      if (nodes_[id].mark == seed) queue.push_back(id);
    for (std::size_t head = 0; head < queue.size(); ++head) {
      for (std::uint64_t e = starts_[queue[head]]; e < starts_[queue[head] + 1]; ++e) {
        Node& parent = nodes_[reversed_[e]];
        if (parent.mark != Mark::none || --parent.missing > 0) continue;
        follows(reversed_[e], mark, nodes_[queue[head]].plies + 1, queue);
      }
    }
  }

  using Sized = std::pair<double, Id>;

  // An OR node takes its first child, which is the smallest; an AND node waits for the last.
  template <class Queue>
  void count_in_parents(Id id, double size, std::vector<double>& sizes, Queue& queue) {
    for (std::uint64_t e = starts_[id]; e < starts_[id + 1]; ++e) {
      Node& parent = nodes_[reversed_[e]];
      if (parent.missing == 0) continue;
      sizes[reversed_[e]] += size;
      if (--parent.missing == 0) queue.emplace(sizes[reversed_[e]], reversed_[e]);
    }
  }

  void follows(Id id, Mark mark, std::uint32_t plies, std::vector<Id>& queue) {
    nodes_[id].mark = mark;
    nodes_[id].plies = plies;
    queue.push_back(id);
    each_alike(*nodes_[id].key, [&](Id other, Resources its) {
      if (nodes_[other].mark == Mark::none && serves(resources_in(*nodes_[id].key), its))
        follows(other, mark, plies, queue);
    });
  }

  // Nodes of one board have one hash, so they are in one bucket.
  template <class Visit>
  void each_alike(Key key, Visit&& visit) const {
    if (!alike_ || ids_.empty()) return;
    const std::size_t bucket = ids_.bucket(key);
    for (auto it = ids_.begin(bucket); it != ids_.end(bucket); ++it)
      if (with_resources(it->first, 0) == with_resources(key, 0))
        visit(it->second, resources_in(it->first));
  }

  bool serves(Resources known, Resources mine) const {
    if constexpr (HasPackedResources<G>) return dominance_.serves(known, mine, true);
    return known == mine;
  }

  std::uint32_t plies(Id id) const {
    return nodes_[id].mark == Mark::proven ? nodes_[id].plies : kNoPlies;
  }

  // The proven child of a proven OR node with the fewest plies, the first disproven one of a
  // disproven AND node.
  std::uint16_t solving_move(const Node& node) const {
    const bool proven = node.mark == Mark::proven;
    if (node.count == 0 || node.or_node != proven) return kNoMove;
    std::uint16_t best = kNoMove;
    for (std::uint16_t i = 0; i < node.count; ++i) {
      if (edges_[node.first + i] == kNowhere) continue;
      const Node& child = nodes_[edges_[node.first + i]];
      const bool lost = child.mark == Mark::none || child.mark == Mark::refuted;
      if (proven ? child.mark != Mark::proven : !lost) continue;
      if (best == kNoMove || child.plies < nodes_[edges_[node.first + best]].plies) best = i;
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
  const Dominance<G> dominance_;
  const bool alike_;
  bool too_large_ = false;
  std::vector<Node> nodes_;
  std::vector<Id> edges_, reversed_;
  std::vector<std::uint64_t> starts_;
  std::unordered_map<Key, Id, Hash> ids_;
  std::vector<Open> stack_;
  MoveList moves_;  // of the nodes on the stack, one after the other
};

}  // namespace andorra
