// PNS: best-first proof-number search.
//
// Idea: expand the most proving node, again and again; its expansion helps to prove or to disprove
// the root, whichever it is.
// Source: Allis 1994; survey section 3, figure 3 (line numbers below), 3.3 (early stops), 5.1
// (DeleteSolvedSubtree, DeleteLeastProving).
// Invariant: the position stands at `current_`, whose line is played on the problem. All numbers
// above `current_` are right or, after Nagai's early stop, not below the right ones.
// Deviations:
//   - Nagai's early stop is worded in the survey with the parent's numbers; we read it as: stop
//   when
//     neither number of the node has grown, which is what the reason given there needs.
//   - DeleteLeastProving frees the subtree of the least proving child and keeps the child as a leaf
//     with its numbers: deleting the child itself could fake a solution.
//   - The tree may hold a position many times; solved results that hold on every line are shared
//     through the table, which is also what certificates are extracted from.
//   - A repetition is a disproven leaf: in a tree this is exact (see rules/repetition.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "limits.hpp"
#include "options.hpp"
#include "question.hpp"
#include "rules/backup.hpp"
#include "rules/repetition.hpp"
#include "search/tree.hpp"
#include "stats.hpp"
#include "table/table.hpp"

namespace andorra {

template <Game G>
class Pns {
 public:
  // Expansions after the tree was first full, in multiples of its size, before giving up: a search
  // that forgets as fast as it learns must end.
  static constexpr std::uint64_t kPatience = 64;

  // `memory` bounds the line; the tree and the table have bounds of their own.
  Pns(Problem<G>& problem, Table& table, Monitor& monitor, Stats& stats, const Options& options,
      std::size_t tree_nodes, std::size_t memory)
      : problem_(problem),
        table_(table),
        monitor_(monitor),
        stats_(stats),
        early_stop_(options.text("early_stop")),
        least_proving_(options.text("least_proving")),
        delete_solved_(options.flag("delete_solved")),
        acyclic_(problem.acyclic()),
        memory_(memory),
        tree_(tree_nodes) {}

  // Figure 3, lines 1 to 12.
  Bounds search() {
    root_ = tree_.allocate(1);
    tree_[root_] = evaluate(0, kNoNode);
    enter(root_);
    try {
      while (!tree_[root_].solved() && !stop()) {
        select_most_proving_node();
        if (!expand()) break;
        update_ancestors();
      }
    } catch (const Interrupted&) {
      monitor_.end(Limit::interrupted);
    }
    while (current_ != root_) go_up();
    return {tree_[root_].numbers[kPn], tree_[root_].numbers[kDn]};
  }

  std::size_t bytes() const { return tree_.bytes() + line_.bytes(); }

 private:
  static unsigned phi_of(const TreeNode& node) { return node.or_node ? kPn : kDn; }

  std::span<const TreeNode> children(const TreeNode& node) const {
    return {&tree_[node.first], node.count};
  }

  void enter(NodeId id) {
    current_ = id;
    tree_[id].on_path = true;
    if (!acyclic_) line_.push(problem_.key());
  }

  void go_up() {
    TreeNode& node = tree_[current_];
    node.on_path = false;
    if (!acyclic_) line_.pop();
    problem_.undo(node.move);
    current_ = node.parent;
  }

  // Lines 47 to 67.
  void select_most_proving_node() {
    while (tree_[current_].expanded()) {
      const TreeNode& node = tree_[current_];
      const NodeId best =
          node.first + static_cast<NodeId>(back_up(children(node), phi_of(node)).best);
      problem_.play(tree_[best].move);
      ++stats_.moves;
      enter(best);
    }
    ++stats_.nodes;
  }

  // Lines 68 to 80. False if there is no room for the children.
  bool expand() {
    ++stats_.expansions;
    generate();
    const NodeId first = make_room(fresh_.size());
    if (first == kNoNode) return false;
    TreeNode& node = tree_[current_];
    node.first = first;
    node.count = static_cast<std::uint16_t>(fresh_.size());
    for (std::size_t i = 0; i < fresh_.size(); ++i)
      tree_[first + static_cast<NodeId>(i)] = fresh_[i];
    return true;
  }

  void generate() {
    moves_.clear();
    fresh_.clear();
    problem_.moves(moves_);
    const unsigned phi = phi_of(tree_[current_]);
    for (Move move : moves_) {
      problem_.play(move);
      ++stats_.moves;
      fresh_.push_back(evaluate(move, current_));
      problem_.undo(move);
      if (fresh_.back().numbers[phi] == 0) return;  // line 74
    }
  }

  // Lines 34 to 45, for the position on the problem.
  TreeNode evaluate(Move move, NodeId parent) {
    Bounds bounds = bounds_of(problem_.status());
    TreeNode node;
    node.move = move;
    node.parent = parent;
    node.or_node = problem_.or_node();
    if (!bounds.solved()) {
      const Key key = problem_.key();
      Entry known;
      if (!acyclic_) node.rests_on = line_.find(key);
      if (node.rests_on != kRestsOnNothing) ++stats_.repetitions;
      if (node.rests_on != kRestsOnNothing)
        bounds = kDisproven;
      else if (table_.find(key, known) && known.bounds.solved())
        bounds = known.bounds;
    }
    node.numbers[kPn] = bounds.pn;
    node.numbers[kDn] = bounds.dn;
    return node;
  }

  // Lines 81 to 95, with both early stops. Ends at the node where the next selection starts.
  void update_ancestors() {
    while (true) {
      TreeNode& node = tree_[current_];
      const Number old_pn = node.numbers[kPn];
      const Number old_dn = node.numbers[kDn];
      set_numbers(node);
      if (node.solved()) solved(node);
      if (current_ == root_) return;
      if (!node.solved() && may_stop(node, old_pn, old_dn)) return;
      go_up();
    }
  }

  bool may_stop(const TreeNode& node, Number old_pn, Number old_dn) const {
    if (early_stop_ == "off") return false;
    if (early_stop_ == "nagai") return node.numbers[kPn] <= old_pn && node.numbers[kDn] <= old_dn;
    return node.numbers[kPn] == old_pn && node.numbers[kDn] == old_dn;
  }

  // Lines 14 to 33.
  void set_numbers(TreeNode& node) {
    const unsigned phi = phi_of(node);
    const Backup backup = back_up(children(node), phi);
    node.numbers[phi] = backup.phi();
    node.numbers[phi ^ 1] = backup.delta();
  }

  // The current node is solved: share it if it holds on every line, then free its subtree.
  void solved(TreeNode& node) {
    const std::size_t best = what_it_rests_on(node);
    Entry entry{{node.numbers[kPn], node.numbers[kDn]}, 1, kNoMove};
    if (node.numbers[phi_of(node)] == 0) entry.move = static_cast<std::uint16_t>(best);
    if (delete_solved_)  // what is left of the subtree stands for the work
      entry.work += static_cast<std::uint32_t>(tree_.prune(current_));
    if (node.rests_on == kRestsOnNothing) table_.store(problem_.key(), entry);
  }

  // Sets node.rests_on; returns the child that solves the node, if its mover wins.
  std::size_t what_it_rests_on(TreeNode& node) {
    const std::span<const TreeNode> all = children(node);
    std::size_t best = back_up(all, phi_of(node)).best;
    if (!acyclic_ && node.numbers[kDn] == 0)
      node.rests_on = disproof_rests_on(all, node.or_node, line_.size() - 1, best);
    return best;
  }

  // A block for the children, by DeleteLeastProving if the tree is full.
  NodeId make_room(std::size_t count) {
    NodeId block = tree_.allocate(count);
    while (block == kNoNode) {
      if (least_proving_ == "off" || !patient() || !delete_least_proving()) {
        monitor_.end(Limit::memory);
        return kNoNode;
      }
      block = tree_.allocate(count);
    }
    return block;
  }

  bool patient() {
    if (first_full_ == 0) first_full_ = stats_.expansions;
    return stats_.expansions - first_full_ <= kPatience * tree_.capacity();
  }

  // Prunes the least proving child nearest to the root; children on the path stay.
  bool delete_least_proving() {
    for (NodeId id = root_; id != kNoNode; id = child_on_path(id)) {
      const NodeId victim = least_proving_child(id);
      if (victim == kNoNode) continue;
      ++stats_.collections;
      tree_.prune(victim);
      return true;
    }
    return false;
  }

  NodeId child_on_path(NodeId id) const {
    for (NodeId c = tree_[id].first; tree_[id].expanded() && c < tree_[id].first + tree_[id].count;
         ++c)
      if (tree_[c].on_path) return c;
    return kNoNode;
  }

  NodeId least_proving_child(NodeId id) const {
    const TreeNode& node = tree_[id];
    NodeId victim = kNoNode;
    double worst = -1;
    if (!node.expanded()) return kNoNode;
    for (NodeId c = node.first; c < node.first + node.count; ++c) {
      if (!tree_[c].expanded() || tree_[c].on_path) continue;
      const double value = unpromising(tree_[c], phi_of(node));
      if (value <= worst) continue;
      worst = value;
      victim = c;
    }
    return victim;
  }

  // "number": the mover's own number (survey 5.1); "ratio": over the other number (Gnodde 1993).
  double unpromising(const TreeNode& node, unsigned phi) const {
    const double mine = node.numbers[phi];
    return least_proving_ == "ratio" ? mine / std::max<double>(node.numbers[phi ^ 1], 1) : mine;
  }

  bool stop() {
    if ((stats_.nodes & 0xff) == 0 && line_.bytes() + problem_.bytes() > memory_)
      monitor_.end(Limit::memory);
    if (monitor_.reached() != Limit::none) return true;
    return monitor_.stop(stats_.nodes, [&] {
      Event event;
      event.root = {tree_[root_].numbers[kPn], tree_[root_].numbers[kDn]};
      event.stats = stats_;
      event.table_fill = static_cast<double>(tree_.used()) / static_cast<double>(tree_.capacity());
      for (NodeId id = current_; id != kNoNode; id = tree_[id].parent) ++event.depth;
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
  const bool acyclic_;
  const std::size_t memory_;
  Tree tree_;
  NodeId root_ = kNoNode;
  NodeId current_ = kNoNode;
  std::uint64_t first_full_ = 0;
  Line line_;
  MoveList moves_;
  std::vector<TreeNode> fresh_;
};

}  // namespace andorra
