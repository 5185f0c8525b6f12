// PNS-PDFPN: a proof-number tree above the table, with df-pn jobs at its leaves.
//
// Idea: an agent locks the tree, goes down to a leaf and takes it; without the lock, it runs df-pn
// there for a bounded number of visits, on the table that all agents share; then it writes down
// what came of it. A leaf that is not solved is expanded, its children with the numbers that the
// table has for them. So the work is divided by a tree that forgets nothing, and the table keeps
// what all jobs have found.
// While somebody works on a leaf, the others see it as won or lost, whichever is more likely, and
// their choice goes by the numbers that follow from that: they find the leaf that would be most
// proving if all went as expected. If that solved the root, they would have nothing to do, so then
// they see the leaf as what is less likely, and look for what would help in that case (mates often
// hang on one leaf: of 16 agents at a shogi problem, 13 waited). Only if the root is solved in this
// view, too, an agent waits.
// Source: PNS-PDFPN 2025 (locked pseudo most proving leaves, tables that are kept); the view of
// busy leaves is that of SPDFPN (Pawlewicz & Hayward 2013). Deviations: one table for all, and the
// less likely view.
// Numbers are those of df-pn (rules/summation.hpp): groups, costs, weights and double counts are
// kept with the tree since the expansion. Old children are of no importance here, since the tree
// has lines of its own for them.
// Repetition: a job knows the line above its leaf, so a move back to it is seen. A disproof that
// rests on that line solves the leaf on it only, as in search/pns.hpp, and never gets into the
// table. Nodes are shared as with form=dag; but not where a position with fewer resources counts as
// a repetition, which a conversion does not exclude.
// Invariant: both views of a node follow from its children's; what is solved in the true one is
// solved. A leaf is expanded after one job, so a search that circles among positions of the table
// gets on in the tree, in which a line is finite. When the tree is full, jobs at a leaf double.
// Jobs of 500 to 2000 visits do about as well on Connect Four 5x5 and 6x4; with 5000 and more, 64
// agents and more visit a fifth more. With 100 they visit a tenth less, but take the lock ten times
// as often.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rules/costs.hpp"
#include "rules/summation.hpp"
#include "search/dfpn.hpp"
#include "search/pns.hpp"

namespace andorra {

template <Game G>
Form form_of_job_tree(const Problem<G>& problem, const Options& options) {
  const bool dominance = HasPackedResources<G> && options.flag("dominance");
  return dominance && !problem.acyclic() ? Form::tree : Form::dag;
}

// The tree, and what df-pn's numbers need beside its nodes and edges.
class JobTree : public SharedGraph {
 public:
  struct NodeCare {
    Bounds seen;               // with busy leaves as won or lost
    Number weight = 1;         // of weak sums
    std::uint32_t visits = 0;  // by jobs
  };

  struct EdgeCare {
    std::uint32_t group = 0;
    std::uint32_t flags = 0;  // kDoubleCounted
    Guess cost{0, 0};
  };

  JobTree(const Options& options, Form form, bool acyclic, std::size_t memory)
      : SharedGraph(options, form, acyclic, memory / kBytes, true) {
    nodes_.reserve(graph.capacity());
    edges_.reserve(ProofGraph::kEdgesPerNode * graph.capacity());
  }

  void add(NodeId id) {
    if (id >= nodes_.size()) nodes_.resize(id + 1);
    nodes_[id] = {.seen = bounds_of(graph[id])};
  }

  void add(EdgeId first, std::span<const EdgeCare> cares) {
    edges_.resize(std::max<std::size_t>(edges_.size(), first + cares.size()));
    std::copy(cares.begin(), cares.end(), edges_.begin() + first);
  }

  NodeCare& operator[](NodeId id) { return nodes_[id]; }
  const EdgeCare& edge(EdgeId id) const { return edges_[id]; }

  std::size_t bytes() const {
    return graph.bytes() + nodes_.size() * sizeof(NodeCare) + edges_.size() * sizeof(EdgeCare);
  }

 private:
  static constexpr std::size_t kBytes =
      ProofGraph::kNodeBytes + sizeof(NodeCare) + ProofGraph::kEdgesPerNode * sizeof(EdgeCare);

  std::vector<NodeCare> nodes_;
  std::vector<EdgeCare> edges_;
};

template <Game G>
class PnDfPn : public Pns<G> {
 public:
  PnDfPn(Problem<G>& problem, Table& table, Monitor& monitor, Stats& stats, const Options& options,
         JobTree& tree, std::size_t memory, std::size_t)
      : Pns<G>(problem, table, monitor, stats, options, tree, memory),
        tree_(tree),
        visits_of_job_(options.natural("job_nodes")),
        summation_(options),
        plain_sum_(summation_.plain()),
        side_(problem, options, memory / 4),
        dfpn_(problem, table, side_, monitor, stats, options, memory) {}

  // False if others work on all that could be done.
  bool select() override {
    if (tree_[kRoot].seen.solved()) {
      // Nobody works, so what is seen could only have come round to itself.
      if (this->acyclic_ && tree_.busy == 0) this->refuse_circles();
      return false;
    }
    while (graph_[current()].expanded()) {
      const NodeId id = current();
      this->go_down(graph_.edges(graph_[id])[sum(id, View::seen).best]);
    }
    this->claim();
    leaf_ = graph_[current()];
    const bool likely = leaf_.numbers[kPn] <= leaf_.numbers[kDn];
    hide(likely ? kProven : kDisproven);
    if (tree_[kRoot].seen.solved()) hide(likely ? kDisproven : kProven);
    job_.visits = std::max<std::uint64_t>(visits_of_job_, tree_[current()].visits);
    job_.shown = where();
    return true;
  }

  // For events while nobody may look at the tree: the root, its children, and the line to the job.
  Event where() const {
    Event event;
    Pns<G>::show(event);
    event.line.clear();
    for (std::size_t i = 1; i < std::min(this->path_.size(), Event::kMostPlies); ++i)
      event.line.push_back(this->path_[i].move);
    return event;
  }

  void work() override {
    const std::uint64_t before = this->stats_.nodes;
    this->walk();
    fresh_.clear();
    cares_.clear();
    if (!this->acyclic_) job_.above = std::span(line_.keys()).first(line_.size() - 1);
    job_.depth = this->path_.size() - 1;
    result_ = dfpn_.search_below(job_);
    if (is_out_of_reach(result_.rests_on, leaf_, line_.size() - 1)) result_ = {};
    if (!result_.bounds.solved() && this->monitor_.reached() == Limit::none) open_leaf();
    visits_ = this->stats_.nodes - before;
  }

  bool update() override {
    const NodeId id = current();
    this->release();
    tree_[id].visits =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(tree_[id].visits + visits_, UINT32_MAX));
    if (!graph_[id].solved())  // nor by who found it in the table meanwhile
      write(graph_[id], result_.bounds, result_.rests_on, line_.size() - 1);
    if (!graph_[id].solved() && !fresh_.empty() && graph_.has_room(fresh_.size()))
      expand(id);
    else
      show(id);
    this->update_queued();
    return true;
  }

  std::size_t bytes() const { return Pns<G>::bytes() + dfpn_.bytes() + side_.bytes(); }

 private:
  enum class View : std::uint8_t { real, seen };

  // As df-pn's summation takes them.
  struct Summand {
    Number numbers[2];
    unsigned flags;
  };

  using Pns<G>::current;
  using Pns<G>::graph_;
  using Pns<G>::leaf_;
  using Pns<G>::line_;
  using Pns<G>::fresh_;
  using Pns<G>::problem_;

  void added(NodeId id) override { tree_.add(id); }

  bool compute(NodeId id) override {
    ProofNode& node = graph_[id];
    const Bounds real = bounds_of(node);
    const Bounds seen = tree_[id].seen;
    set_bounds(node, bounds(id, View::real));
    tree_[id].seen = bounds(id, View::seen);
    if (!node.solved()) return bounds_of(node) != real || tree_[id].seen != seen;
    this->note_solved(id);
    return true;
  }

  Bounds bounds(NodeId id, View view) {
    const Backup backup = sum(id, view);
    return from_view({backup.phi(), backup.delta()}, graph_[id].or_node);
  }

  Backup sum(NodeId id, View view) {
    const ProofNode& node = graph_[id];
    summands_.clear();
    for (EdgeId edge = node.first; edge < node.first + node.count; ++edge)
      summands_.push_back(summand(edge, view));
    const std::span<const Summand> all(summands_);
    if (plain_sum_) return back_up(all, phi_of(node));
    const auto group = [&](std::size_t i) {
      return tree_.edge(node.first + static_cast<EdgeId>(i)).group;
    };
    return summation_.back_up(all, phi_of(node), group, tree_[id].weight);
  }

  Summand summand(EdgeId edge, View view) {
    const JobTree::EdgeCare& care = tree_.edge(edge);
    const NodeId child = graph_.edge(edge).child;
    const Bounds its = view == View::real ? bounds_of(graph_[child]) : tree_[child].seen;
    Summand summand{{its.pn, its.dn}, care.flags};
    add_cost(summand.numbers, care.cost);
    return summand;
  }

  // The leaf's children, as df-pn sees them.
  void open_leaf() {
    const auto opened = dfpn_.open(job_, [&](Frames& frames) {
      weight_ = dfpn_.rules().weighted ? frames.care().weight : 1;
      for (std::size_t i = 0; i < frames.children().size(); ++i) take_child(frames, i);
    });
    if (opened.bounds.solved()) result_ = opened;
  }

  void take_child(Frames& frames, std::size_t i) {
    const FrameChild& child = frames.children()[i];
    const bool shared = child.open() && this->shares(child.move);
    JobTree::EdgeCare care{.flags = child.flags & kDoubleCounted, .cost = cost_of(child.move)};
    if (dfpn_.rules().groups) care.group = frames.extra(frames.top(), i).group;
    problem_.play(child.move);
    ++this->stats_.moves;
    ProofNode node;
    node.key = problem_.key();
    node.or_node = problem_.or_node();
    node.shared = shared;
    node.depth = shared ? 0 : leaf_.depth + 1;
    write(node, without(care.cost, child.numbers), child.rests_on, line_.size());
    problem_.undo(child.move);
    fresh_.push_back({node, child.move});
    cares_.push_back(care);
  }

  Guess cost_of(Move move) const {
    if constexpr (HasCosts<G>)
      if (dfpn_.rules().costs) return problem_.game().cost(move, problem_.question().prover);
    return {0, 0};
  }

  // Frames have a child's numbers with the cost of the move, the tree without.
  static Bounds without(Guess cost, const Number (&numbers)[2]) {
    const Bounds bounds{numbers[kPn], numbers[kDn]};
    if (bounds.solved()) return bounds;
    const auto less = [](Number number, std::uint32_t by) {
      return static_cast<Number>(number > by ? number - by : 1);
    };
    return {less(bounds.pn, cost.pn), less(bounds.dn, cost.dn)};
  }

  // What df-pn says of the node, which stands at `place` on the line, where `above` is the position
  // that it rests on.
  static void write(ProofNode& node, Bounds bounds, Depth above, std::size_t place) {
    const bool lost = is_out_of_reach(above, node, place);
    set_bounds(node, lost ? Bounds{} : bounds);
    if (above != kRestsOnNothing && !lost)
      node.rests_on = above + node.depth - static_cast<Depth>(place);
  }

  // Whether it stands above all that the node's own depth counts, and so may not be on other lines
  // that share the node. No conversion allows that; if a game errs, nothing is concluded from it.
  static bool is_out_of_reach(Depth above, const ProofNode& node, std::size_t place) {
    return above != kRestsOnNothing && above + node.depth < place;
  }

  // What the others take the leaf for.
  void hide(Bounds bounds) {
    tree_[current()].seen = bounds;
    this->enqueue_parents(current());
    this->compute_queued();
  }

  // The leaf stays one, and is not busy any more.
  void show(NodeId id) {
    tree_[id].seen = bounds_of(graph_[id]);
    this->enqueue_parents(id);
  }

  // The others still see it as solved, so its parents will be told whatever its numbers are.
  void expand(NodeId id) {
    this->link();
    tree_.add(graph_[id].first, cares_);
    tree_[id].weight = weight_;
    this->enqueue(id, false);
  }

  JobTree& tree_;
  const std::uint64_t visits_of_job_;
  Summation summation_;
  const bool plain_sum_;
  SideTables<G> side_;
  DfPn<G> dfpn_;
  typename DfPn<G>::Job job_{};
  typename DfPn<G>::Result result_;
  std::uint64_t visits_ = 0;              // of the job
  Number weight_ = 1;                     // of the leaf, once it is expanded
  std::vector<JobTree::EdgeCare> cares_;  // of the moves to the leaf's children
  std::vector<Summand> summands_;
};

}  // namespace andorra
