// PNS: best-first proof-number search.
//
// Idea: expand the most proving node, again and again; its expansion helps to prove or to disprove
// the root, whichever it is.
// Source: Allis 1994; survey section 3, figure 3 (line numbers below), 3.3 (early stops), 5.1
// (DeleteSolvedSubtree, DeleteLeastProving); Schijf, Allis & Uiterwijk 1994 in survey 6.1 and 6.2
// (transpositions are merged, and an update goes to all parents).
// Which positions are merged is the option `form`:
//   tree  none: every line has nodes of its own.
//   dag   those reached by a conversion move, which no line can take back. No position above such a
//         node can come again below it, so its result holds on every line. Between conversions,
//         lines have nodes of their own. Where positions cannot repeat, every move is a conversion.
// Invariant: the position stands at the end of `path_`. The numbers of all nodes are right for
// their children's or, after Nagai's early stop, not below. A repetition is a disproven leaf, which
// is exact between conversions (rules/repetition.hpp); depths are counted from the last one.
// Deviations:
//   - Nagai's early stop is worded in the survey with the parent's numbers; we read it as: stop
//     when neither number of the node has grown, which is what the reason given there needs.
//   - DeleteLeastProving frees the subtree of the least proving child and keeps the child as a leaf
//     with its numbers: deleting the child itself could fake a solution.
//   - Solved results that hold on every line are shared through the table as well, which is also
//     what certificates are extracted from.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "limits.hpp"
#include "options.hpp"
#include "question.hpp"
#include "rules/backup.hpp"
#include "rules/repetition.hpp"
#include "search/proof_graph.hpp"
#include "stats.hpp"
#include "table/table.hpp"

namespace andorra {

template <Game G>
class Pns {
 public:
  // Expansions after the graph was first full, in multiples of its size, before giving up: a search
  // that forgets as fast as it learns must end.
  static constexpr std::uint64_t kPatience = 64;

  // `memory` bounds the line; the graph and the table have bounds of their own.
  Pns(Problem<G>& problem, Table& table, Monitor& monitor, Stats& stats, const Options& options,
      std::size_t tree_nodes, std::size_t memory)
      : problem_(problem),
        table_(table),
        monitor_(monitor),
        stats_(stats),
        early_stop_(options.text("early_stop")),
        least_proving_(options.text("least_proving")),
        delete_solved_(options.flag("delete_solved")),
        merges_(options.text("form") == "dag"),
        acyclic_(problem.acyclic()),
        memory_(memory),
        graph_(tree_nodes) {}

  // Figure 3, lines 1 to 12.
  Bounds search() {
    root_ = graph_.add(evaluate(false, 0));
    enter(root_, 0);
    try {
      while (!graph_[root_].solved() && !stop()) {
        select_most_proving_node();
        if (!expand()) break;
        update_ancestors();
      }
    } catch (const Interrupted&) {
      monitor_.end(Limit::interrupted);
    }
    while (path_.size() > 1) go_up();
    return {graph_[root_].numbers[kPn], graph_[root_].numbers[kDn]};
  }

  std::size_t bytes() const { return graph_.bytes() + line_.bytes(); }

 private:
  struct Step {
    NodeId node;
    Move move;  // that led to it
  };

  struct Fresh {
    ProofNode node;
    Move move;
  };

  struct NewlySolved {
    NodeId node;
    Key key;
    Entry entry;
    bool everywhere;  // it holds on every line
  };

  static unsigned phi_of(const ProofNode& node) { return node.or_node ? kPn : kDn; }

  Backup back_up_of(const ProofNode& node) const {
    const auto edges = graph_.edges(node);
    const auto numbers = [&](std::size_t i) { return graph_[edges[i].child].numbers; };
    return back_up(edges.size(), numbers, phi_of(node));
  }

  NodeId current() const { return path_.back().node; }

  void enter(NodeId id, Move move) {
    path_.push_back({id, move});
    graph_[id].on_path = true;
    if (!acyclic_) line_.push(problem_.key());
  }

  void go_up() {
    graph_[current()].on_path = false;
    if (!acyclic_) line_.pop();
    problem_.undo(path_.back().move);
    path_.pop_back();
  }

  // Lines 47 to 67.
  void select_most_proving_node() {
    while (graph_[current()].expanded()) {
      const ProofNode& node = graph_[current()];
      const ProofEdge& best = graph_.edges(node)[back_up_of(node).best];
      problem_.play(best.move);
      ++stats_.moves;
      enter(best.child, best.move);
    }
    ++stats_.nodes;
  }

  // Lines 68 to 80. False if there is no room for the children.
  bool expand() {
    ++stats_.expansions;
    generate();
    if (!make_room(fresh_.size())) return false;
    edges_.clear();
    for (const Fresh& fresh : fresh_) {
      NodeId child = fresh.node.shared ? graph_.find(fresh.node.key) : kNoNode;
      if (child == kNoNode) child = graph_.add(fresh.node);
      edges_.push_back({.child = child, .move = fresh.move});
    }
    graph_.connect(current(), edges_);
    return true;
  }

  void generate() {
    moves_.clear();
    fresh_.clear();
    problem_.moves(moves_);
    const ProofNode node = graph_[current()];
    for (Move move : moves_) {
      const bool shared = merges_ && problem_.converts(move);
      problem_.play(move);
      ++stats_.moves;
      fresh_.push_back({evaluate(shared, node.depth + 1), move});
      problem_.undo(move);
      if (fresh_.back().node.numbers[phi_of(node)] == 0) return;  // line 74
    }
  }

  // Lines 34 to 45, for the position on the problem, which is not on the path yet.
  ProofNode evaluate(bool shared, Depth depth) {
    const Bounds end = bounds_of(problem_.status());
    ProofNode node;
    node.key = problem_.key();
    node.or_node = problem_.or_node();
    node.shared = shared && !end.solved();
    node.depth = shared ? 0 : depth;
    const Bounds bounds = end.solved() ? end : known_bounds(node);
    node.numbers[kPn] = bounds.pn;
    node.numbers[kDn] = bounds.dn;
    return node;
  }

  // Of a position that is no end: disproven if it repeats, or what the table says.
  Bounds known_bounds(ProofNode& node) {
    const Depth above = acyclic_ ? kRestsOnNothing : line_.find(node.key);
    if (above != kRestsOnNothing) {
      ++stats_.repetitions;
      node.rests_on = above + node.depth - static_cast<Depth>(line_.size());
      return kDisproven;
    }
    Entry known;
    const bool solved = table_.find(node.key, known) && known.bounds.solved();
    return solved ? known.bounds : Bounds{};
  }

  // Lines 81 to 95, for all parents, with both early stops. Ends on the path where the next
  // selection starts: at the node nearest to the root that was computed again.
  void update_ancestors() {
    std::size_t top = path_.size() - 1;
    enqueue(current());
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      const NodeId id = queue_[next];
      graph_[id].queued = false;
      if (graph_[id].on_path) top = std::min(top, place_on_path(id, top));
      if (update(id)) enqueue_parents(id);
    }
    queue_.clear();
    while (path_.size() - 1 > top) go_up();
    share_solved();
  }

  void enqueue(NodeId id) {
    if (std::exchange(graph_[id].queued, true)) return;
    queue_.push_back(id);
  }

  void enqueue_parents(NodeId id) {
    for (EdgeId edge = graph_[id].parents; edge != kNoEdge; edge = graph_.edge(edge).next)
      if (!graph_[graph_.edge(edge).parent].solved()) enqueue(graph_.edge(edge).parent);
  }

  // From `top` upwards, where the node is if it is not below.
  std::size_t place_on_path(NodeId id, std::size_t top) const {
    std::size_t place = top;
    while (place > 0 && path_[place].node != id) --place;
    return path_[place].node == id ? place : top;
  }

  // True if the parents need to know.
  bool update(NodeId id) {
    ProofNode& node = graph_[id];
    const Number old_pn = node.numbers[kPn];
    const Number old_dn = node.numbers[kDn];
    set_numbers(node);
    if (!node.solved()) return !may_stop(node, old_pn, old_dn);
    note_solved(id);
    return true;
  }

  bool may_stop(const ProofNode& node, Number old_pn, Number old_dn) const {
    if (early_stop_ == "off") return false;
    if (early_stop_ == "nagai") return node.numbers[kPn] <= old_pn && node.numbers[kDn] <= old_dn;
    return node.numbers[kPn] == old_pn && node.numbers[kDn] == old_dn;
  }

  // Lines 14 to 33.
  void set_numbers(ProofNode& node) {
    const Backup backup = back_up_of(node);
    node.numbers[phi_of(node)] = backup.phi();
    node.numbers[phi_of(node) ^ 1] = backup.delta();
  }

  void note_solved(NodeId id) {
    ProofNode& node = graph_[id];
    const std::size_t best = what_it_rests_on(node);
    Entry entry{{node.numbers[kPn], node.numbers[kDn]}, 1, kNoMove};
    if (node.numbers[phi_of(node)] == 0) entry.move = static_cast<std::uint16_t>(best);
    solved_.push_back({id, node.key, entry, node.rests_on == kRestsOnNothing});
  }

  // What was solved goes into the table if it holds on every line, and its subtree is freed. Only
  // now: while an update runs, nodes keep their places.
  void share_solved() {
    for (NewlySolved& solved : solved_) {
      if (delete_solved_)  // what is left of the subtree stands for the work
        solved.entry.work += static_cast<std::uint32_t>(graph_.prune(solved.node));
      if (solved.everywhere) table_.store(solved.key, solved.entry);
    }
    solved_.clear();
  }

  // Sets node.rests_on; returns the child that solves the node, if its mover wins.
  std::size_t what_it_rests_on(ProofNode& node) {
    const auto edges = graph_.edges(node);
    const auto child = [&](std::size_t i) -> const ProofNode& { return graph_[edges[i].child]; };
    std::size_t best = back_up_of(node).best;
    if (!acyclic_ && node.numbers[kDn] == 0)
      node.rests_on = solution_rests_on(edges.size(), child, phi_of(node), node.depth, best);
    return best;
  }

  // Room for the children, by DeleteLeastProving if the graph is full.
  bool make_room(std::size_t count) {
    while (!graph_.has_room(count)) {
      if (least_proving_ == "off" || !patient() || !delete_least_proving()) {
        monitor_.end(Limit::memory);
        return false;
      }
    }
    return true;
  }

  bool patient() {
    if (first_full_ == 0) first_full_ = stats_.expansions;
    return stats_.expansions - first_full_ <= kPatience * graph_.capacity();
  }

  // Prunes the least proving child nearest to the root; children on the path stay.
  bool delete_least_proving() {
    for (const Step& step : path_) {
      const NodeId victim = least_proving_child(graph_[step.node]);
      if (victim == kNoNode) continue;
      ++stats_.collections;
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
      if (!child.expanded() || child.on_path) continue;
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

  bool stop() {
    if ((stats_.nodes & 0xff) == 0 && line_.bytes() + problem_.bytes() > memory_)
      monitor_.end(Limit::memory);
    if (monitor_.reached() != Limit::none) return true;
    return monitor_.stop(stats_.nodes, [&] {
      Event event;
      event.root = {graph_[root_].numbers[kPn], graph_[root_].numbers[kDn]};
      event.stats = stats_;
      event.table_fill =
          static_cast<double>(graph_.nodes()) / static_cast<double>(graph_.capacity());
      event.depth = path_.size();
      return event;
    });
  }

  Problem<G>& problem_;
  Table& table_;
  Monitor& monitor_;
  Stats& stats_;
  const std::string_view early_stop_;
  const std::string_view least_proving_;
  const bool delete_solved_;
  const bool merges_;
  const bool acyclic_;
  const std::size_t memory_;
  ProofGraph graph_;
  NodeId root_ = kNoNode;
  std::uint64_t first_full_ = 0;
  std::vector<Step> path_;
  Line line_;
  MoveList moves_;
  std::vector<Fresh> fresh_;
  std::vector<ProofEdge> edges_;
  std::vector<NodeId> queue_;
  std::vector<NewlySolved> solved_;
};

}  // namespace andorra
