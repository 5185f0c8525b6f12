// PNS: best-first proof-number search.
//
// Idea: expand the most proving node, again and again; its expansion helps to prove or to disprove
// the root, whichever it is.
// Source: Allis 1994; survey section 3, figure 3 (line numbers below), 3.3 (early stops), 5.1
// (DeleteSolvedSubtree, DeleteLeastProving); Schijf, Allis & Uiterwijk 1994 in survey 6.1 and 6.2
// (transpositions are merged, and an update goes to all parents; tree, DAG and DCG methods);
// Breuker et al. 2001 (base-twin algorithm).
// Which positions are merged is the option `form`:
//   tree       none: every line has nodes of its own.
//   dag        those reached by a conversion move, which no line can take back. No position above
//              such a node can come again below it, so its result holds on every line. Between
//              conversions, lines have nodes of their own. Where positions cannot repeat, every
//              move is a conversion, and all forms but `tree` are this one.
//   merge      all. A move that leads back on the path becomes a disproven leaf on every path,
//              which is known to give wrong disproofs where positions repeat.
//   base-twin  all, too; but what is disproven on the current path only is a mark that goes with
//              the path (search/path_marks.hpp). Selection takes marked nodes for disproven. A node
//              that is disproven so is marked in turn or, if the disproof rests on nothing above
//              it, solved for all paths.
// A step has three phases: select() goes down to a leaf, work() generates its children, update()
// puts them into the graph and goes up. A serial search does them in a row; where several agents
// share a graph (core/parallel/), select() and update() need it for themselves, and work() does not
// touch it.
// Invariant: in work(), the position stands at the end of `path_`. The numbers of all nodes are
// right for their children's or, after Nagai's early stop, not below. A repetition is a disproven
// leaf, which is exact between conversions (rules/repetition.hpp); depths are counted from the last
// one. Where nodes lead to each other in circles, numbers are guesses, a zero excepted; an update
// computes a node once, and again when a child is solved. Every step expands a leaf, solves a node,
// cuts a circle for good (merge) or sets a mark (base-twin); when there are too many marks, the
// graph is closed, and a leaf is expanded. So a search ends on every finite graph that fits into
// its memory. Nodes that lead to each other in circles although the game says that nothing comes
// again are a RuleError (search/came_back.hpp). Of several agents, one at most works on a leaf, and
// what an agent has on its path is not freed. Deviations:
//   - Nagai's early stop is worded in the survey with the parent's numbers; we read it as: stop
//     when neither number of the node has grown, which is what the reason given there needs.
//   - Of Breuker's algorithm we know the idea, not the text: marks with depths, which are gone when
//     the path is, come from there. Twins have no nodes of their own here, marks live as long as
//     they are true, and numbers are updated after every mark; the closure is our own.
//   - Solved results that hold on every line are shared through the table as well, which is also
//     what certificates are extracted from.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "limits.hpp"
#include "options.hpp"
#include "question.hpp"
#include "rules/backup.hpp"
#include "rules/repetition.hpp"
#include "search/came_back.hpp"
#include "search/graph_closure.hpp"
#include "search/graph_room.hpp"
#include "search/path_marks.hpp"
#include "search/path_view.hpp"
#include "search/proof_graph.hpp"
#include "stats.hpp"
#include "table/table.hpp"

namespace andorra {

enum class Form { tree, dag, merge, base_twin };

inline Form form_of(std::string_view name) {
  if (name == "tree") return Form::tree;
  if (name == "dag") return Form::dag;
  return name == "merge" ? Form::merge : Form::base_twin;
}

// What all agents of one search share.
struct SharedGraph {
  SharedGraph(const Options& options, Form its_form, bool acyclic, std::size_t nodes,
              bool by_agents)
      : form(its_form),
        circular(!acyclic && form >= Form::merge),
        several(by_agents),
        graph(nodes),
        room(graph, options.text("least_proving"), circular) {}

  const Form form;
  const bool circular;  // all lines share nodes, which may lead to each other in circles
  const bool several;   // agents
  ProofGraph graph;
  GraphRoom room;
  std::size_t busy = 0;  // leaves that agents work on
};

template <Game G>
class Pns {
 public:
  // Marks without an expansion before the graph is closed: as a share of its nodes, and at least.
  static constexpr std::uint64_t kShareOfCircles = 16;
  static constexpr std::uint64_t kLeastCircles = 64;
  // From this length on, an agent looks for circles on its path.
  static constexpr std::size_t kLongPath = 64;

  // `memory` bounds the line; the graph and the table have bounds of their own.
  Pns(Problem<G>& problem, Table& table, Monitor& monitor, Stats& stats, const Options& options,
      SharedGraph& shared, std::size_t memory)
      : problem_(problem),
        table_(table),
        monitor_(monitor),
        stats_(stats),
        shared_(shared),
        graph_(shared.graph),
        acyclic_(problem.acyclic()),
        circular_(shared.circular),
        several_(shared.several),
        stops_early_(options.text("early_stop") != "off"),
        stops_without_growth_(options.text("early_stop") == "nagai"),
        delete_solved_(options.flag("delete_solved")),
        form_(shared.form),
        twins_(!acyclic_ && form_ == Form::base_twin),
        memory_(memory),
        room_(shared.room),
        marks_(graph_),
        view_(graph_, acyclic_, twins_) {}

  virtual ~Pns() = default;

  // Figure 3, lines 1 to 12.
  Bounds search() {
    begin();
    try {
      while (!is_over() && select()) {
        work();
        if (!update()) break;
      }
    } catch (const Interrupted&) {
      monitor_.end(Limit::interrupted);
    }
    end();
    return root();
  }

  // The same by phases, for agents: begin(), then select(), work() and update() until is_over() or
  // update() returns false, and end(). All but work() need the graph for themselves.
  void begin() {
    if (graph_.nodes() == 0) added(graph_.add(evaluate(circular_, 0)));
    enter(kRoot, 0);
  }

  bool is_over() {
    if (graph_[kRoot].solved() || graph_.nodes() >= most_nodes_ || stop()) return true;
    if (in_circles()) close_graph();
    return graph_[kRoot].solved();
  }

  void end() {
    release();
    leave_path();
    take_back();
  }

  // Lines 47 to 67. False if others are at work where this agent wants to be.
  virtual bool select() {
    select_most_proving_node();
    if (several_ && !claim()) return leave_path(), false;
    leaf_ = graph_[current()];
    ++stats_.nodes;
    return true;
  }

  virtual void work() {
    walk();
    if (!leaf_.expanded()) generate();
  }

  // False if there is no room.
  virtual bool update() {
    release();
    if (!leaf_.expanded() ? !expand() : !settle()) return false;
    update_ancestors();
    return true;
  }

  Bounds root() const { return bounds_of(graph_[kRoot]); }

  // Without the graph.
  std::size_t bytes() const { return line_.bytes() + marks_.bytes(); }

 protected:
  struct Step {
    NodeId node;
    Move move;  // that led to it
  };

  struct Fresh {
    ProofNode node;
    Move move;
  };

  struct Learned {
    NodeId node;
    Bounds bounds;
  };

  struct NewlySolved {
    NodeId node;
    Key key;
    Entry entry;
    bool everywhere;  // it holds on every line, and is to be stored
  };

  NodeId current() const { return path_.back().node; }

  // The child to go down to, by its place among the edges.
  virtual std::size_t choose(const ProofNode&, const Backup& backup) { return backup.best; }

  // A node has been added to the graph.
  virtual void added(NodeId) {}

  // The graph cannot take another expansion.
  virtual void out_of_room() { monitor_.end(Limit::memory); }

  // For events: the root, its children and the most-proving line. The root's numbers are made of
  // its children's, because after Nagai's early stop its own may be above them.
  virtual void show(Event& event) const {
    ProofNode as_shown = graph_[kRoot];
    if (as_shown.expanded() && !as_shown.solved()) set_numbers(as_shown);
    event.root = bounds_of(as_shown);
    if (!as_shown.expanded()) return;
    for (const ProofEdge& edge : graph_.edges(as_shown))
      event.children.push_back({edge.move, bounds_of(graph_[edge.child])});
    NodeId id = kRoot;
    while (graph_[id].expanded() && event.line.size() < Event::kMostPlies) {
      const ProofEdge& best = graph_.edges(graph_[id])[view_.plain(graph_[id]).best];
      event.line.push_back(best.move);
      id = best.child;
    }
  }
  // Of a new leaf, whose position is on the problem.
  virtual Bounds leaf_bounds(const ProofNode&) { return {}; }

  void enter(NodeId id, Move move) {
    path_.push_back({id, move});
    ++graph_[id].agents;
    if (twins_) marks_.enter(id);
    if (!acyclic_ && !circular_) line_.push(graph_[id].key);
  }

  void go_down(const ProofEdge& edge) {
    if (acyclic_ && goes_round(edge.child)) refuse_round(edge.move);
    enter(edge.child, edge.move);
  }

  // Whether the path has come back to one of its nodes. What is on the path of others says nothing;
  // then the path is looked through each time that its length has doubled.
  bool goes_round(NodeId child) const {
    if (!several_) return graph_[child].on_path();
    if (path_.size() < kLongPath || !std::has_single_bit(path_.size())) return false;
    std::vector<NodeId> nodes;
    for (const Step& step : path_) nodes.push_back(step.node);
    std::ranges::sort(nodes);
    return std::ranges::adjacent_find(nodes) != nodes.end();
  }

  // The game itself may notice on the way, and say so.
  [[noreturn]] void refuse_round(Move move) {
    walk();
    came_back(problem_, move);
  }

  // Ends the search if nodes lead to each other in circles.
  void refuse_circles() {
    const std::vector<Move> round = way_round(graph_);
    if (round.empty() && graph_.collect() == 0) return;
    take_back_to(0);
    for (std::size_t i = 0; i + 1 < round.size(); ++i) problem_.play(round[i]);
    MoveList moves;
    problem_.moves(moves);
    came_back(problem_, round.empty() ? moves.front() : round.back());
  }

  void go_up() {
    const NodeId id = current();
    --graph_[id].agents;
    if (several_) left_.push_back(id);
    if (twins_) marks_.leave(id);
    if (!acyclic_ && !circular_) line_.pop();
    path_.pop_back();
  }

  // Until the path ends at its `top`.
  void go_up_to(std::size_t top) {
    while (path_.size() - 1 > top) go_up();
  }

  void leave_path() {
    go_up_to(0);
    free_what_was_left();
  }

  // Makes the leaf at the end of the path this agent's. False if it is another's.
  bool claim() {
    if (graph_[current()].busy) return false;
    ++shared_.busy;
    return claimed_ = graph_[current()].busy = true;
  }

  void release() {
    if (!std::exchange(claimed_, false)) return;
    graph_[current()].busy = false;
    --shared_.busy;
    const auto solved = [&](const Step& step) { return graph_[step.node].solved(); };
    stats_.stops += std::any_of(path_.begin(), path_.end() - 1, solved);
  }

  // Puts the position to the end of the path. What both have in common is not played again.
  void walk() {
    if (several_) take_back_to(plies_in_common());
    while (played_.size() + 1 < path_.size()) {
      const Move move = path_[played_.size() + 1].move;
      problem_.play(move);
      ++stats_.moves;
      played_.push_back(move);
    }
  }

  std::size_t plies_in_common() const {
    const auto same = [](Move move, const Step& step) { return move == step.move; };
    const auto [played, step] =
        std::mismatch(played_.begin(), played_.end(), path_.begin() + 1, path_.end(), same);
    return static_cast<std::size_t>(played - played_.begin());
  }

  // Moves that are not on the path any more.
  void take_back() { take_back_to(path_.size() - 1); }

  void take_back_to(std::size_t plies) {
    while (played_.size() > plies) {
      problem_.undo(played_.back());
      played_.pop_back();
    }
  }

  // Where nodes lead to each other in circles, it may end at an inner node, which is solved as the
  // path sees it, or whose best move leads back.
  void select_most_proving_node() {
    while (graph_[current()].expanded()) {
      const ProofNode& node = graph_[current()];
      const Backup backup = view_.back_up_of(node);
      const ProofEdge& best = graph_.edges(node)[choose(node, backup)];
      if (circular_ && (backup.won() || backup.lost() || graph_[best.child].on_path())) break;
      go_down(best);
    }
  }

  // At such an inner node. False if there is no room.
  bool settle() {
    if (!twins_) return cut_circle();
    const NodeId id = current();
    const Reason reason = view_.reason_of(graph_[id]);
    if (reason.rests_on == kRestsOnNothing) return true;
    ++circles_;
    go_up();
    marks_.add(id, reason.rests_on, reason.until);
    return true;
  }

  // The flaw of form=merge: the best move leads back on this path, and is lost on every other too.
  bool cut_circle() {
    const ProofNode& node = graph_[current()];
    const EdgeId best = node.first + static_cast<EdgeId>(view_.plain(node).best);
    if (!graph_[graph_.edge(best).child].on_path()) return true;
    if (!make_room(1)) return false;
    ++stats_.repetitions;
    ProofNode lost;
    set_bounds(lost, kDisproven);
    graph_.redirect(best, graph_.add(lost));
    return true;
  }

  // Lines 68 to 80. False if there is no room for the children.
  bool expand() {
    ++stats_.expansions;
    room_.note_expansion();
    circles_ = 0;
    if (!make_room(fresh_.size())) return false;
    link();
    return true;
  }

  // Another search has solved the leaf in hand, for every line.
  void settle_leaf(Bounds bounds) {
    ++stats_.expansions;
    room_.note_expansion();
    circles_ = 0;
    settle_node({current(), bounds});
    update_queued();
  }

  // Puts the children of the leaf in hand into the graph, which must have room.
  void link() {
    edges_.clear();
    for (const Fresh& fresh : fresh_) {
      NodeId child = fresh.node.shared ? graph_.find(fresh.node.key) : kNoNode;
      if (child == kNoNode)
        added(child = graph_.add(fresh.node));
      else if (fresh.node.solved() && !graph_[child].solved())
        learned_.push_back({child, bounds_of(fresh.node)});
      edges_.push_back({.child = child, .move = fresh.move});
    }
    graph_.connect(current(), edges_);
    for (const Learned& learned : std::exchange(learned_, {})) settle_node(learned);
  }

  // The table knows more than the graph, from another search: the node is solved on every line.
  void settle_node(const Learned& learned) {
    if (graph_[learned.node].solved()) return;
    set_bounds(graph_[learned.node], learned.bounds);
    solved_.push_back({learned.node, graph_[learned.node].key, {}, false});
    enqueue_parents(learned.node);
  }

  void generate() {
    moves_.clear();
    fresh_.clear();
    problem_.moves(moves_);
    for (Move move : moves_) {
      const bool shared = shares(move);
      problem_.play(move);
      ++stats_.moves;
      fresh_.push_back({evaluate(shared, leaf_.depth + 1), move});
      problem_.undo(move);
      if (fresh_.back().node.numbers[phi_of(leaf_)] == 0) return;  // line 74
    }
  }

  bool shares(Move move) const {
    return circular_ || (form_ != Form::tree && problem_.converts(move));
  }

  // Lines 34 to 45, for the position on the problem, which is not on the path yet.
  ProofNode evaluate(bool shared, Depth depth) {
    const Bounds end = bounds_of(problem_.status());
    ProofNode node;
    node.key = problem_.key();
    node.or_node = problem_.or_node();
    node.shared = shared && !end.solved();
    node.depth = shared ? 0 : depth;
    set_bounds(node, end.solved() ? end : known_bounds(node));
    return node;
  }

  // Of a position that is no end: disproven if it repeats, or what the table says.
  Bounds known_bounds(ProofNode& node) {
    if (circular_ ? comes_back(node) : repeats(node)) return kDisproven;
    Entry known;
    const bool solved = table_.find(node.key, known) && known.bounds.solved();
    return solved ? known.bounds : leaf_bounds(node);
  }

  bool repeats(ProofNode& node) {
    const Depth above = acyclic_ ? kRestsOnNothing : line_.find(node.key);
    if (above == kRestsOnNothing) return false;
    ++stats_.repetitions;
    node.rests_on = above + node.depth - static_cast<Depth>(line_.size());
    return true;
  }

  // The same where all lines share nodes; with twins, the path itself will tell.
  bool comes_back(ProofNode& node) {
    const NodeId known = graph_.find(node.key);
    if (known == kNoNode || !graph_[known].on_path()) return false;
    ++stats_.repetitions;
    node.shared = twins_;
    return !twins_;
  }

  // Lines 81 to 95, for all parents, with both early stops. Ends on the path where the next
  // selection starts: at the node nearest to the root that was computed again; or at the root,
  // where others may have changed any number.
  void update_ancestors() {
    enqueue(current(), false);
    update_queued();
  }

  void update_queued() {
    const std::size_t top = compute_queued();
    go_up_to(several_ ? 0 : top);
    if (!several_) take_back();
    share_solved();
  }

  // Returns where on the path the topmost of the nodes is.
  std::size_t compute_queued() {
    std::size_t top = path_.size() - 1;
    std::size_t computed = 0;
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      if (++computed % Monitor::kPollInterval == 0 && !may_go_on(computed, next)) break;
      const NodeId id = queue_[next];
      if (!once_an_update_) graph_[id].queued = false;
      if (graph_[id].on_path()) top = std::min(top, place_on_path(id, top));
      if (!graph_[id].solved() && compute(id)) enqueue_parents(id);
    }
    for (NodeId id : queue_) graph_[id].queued = false;
    queue_.clear();
    return top;
  }

  // For an update that takes long; `next` is the place in the queue. The search is over if not.
  bool may_go_on(std::size_t computed, std::size_t& next) {
    monitor_.watch();
    const bool may_be_round = acyclic_ && !once_an_update_ && computed > 4 * graph_.nodes();
    if (may_be_round && std::has_single_bit(computed / Monitor::kPollInterval)) refuse_circles();
    if (!once_an_update_ && 2 * next > queue_.size()) {
      queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(next));
      next = 0;
    }
    return monitor_.reached() == Limit::none;
  }

  // Where nodes come once an update, one comes again only if it `must`.
  void enqueue(NodeId id, bool must) {
    if (!std::exchange(graph_[id].queued, true) || must) queue_.push_back(id);
  }

  void enqueue_parents(NodeId id) {
    const bool must = once_an_update_ && graph_[id].solved();
    for (EdgeId edge = graph_[id].parents; edge != kNoEdge; edge = graph_.edge(edge).next)
      if (!graph_[graph_.edge(edge).parent].solved()) enqueue(graph_.edge(edge).parent, must);
  }

  // True if the parents need to know.
  virtual bool compute(NodeId id) {
    ProofNode& node = graph_[id];
    const Number old_pn = node.numbers[kPn];
    const Number old_dn = node.numbers[kDn];
    set_numbers(node);
    if (!node.solved()) return !may_stop(node, old_pn, old_dn);
    note_solved(id);
    return true;
  }

  void note_solved(NodeId id) {
    ProofNode& node = graph_[id];
    const Reason reason = view_.reason_of(node);
    node.rests_on = reason.rests_on;
    Entry entry{bounds_of(node), 1, kNoMove};
    if (node.numbers[phi_of(node)] == 0) entry.move = static_cast<std::uint16_t>(reason.best);
    solved_.push_back({id, node.key, entry, node.rests_on == kRestsOnNothing});
  }

  // From `top` upwards, where the node is if it is not below.
  std::size_t place_on_path(NodeId id, std::size_t top) const {
    std::size_t place = top;
    while (place > 0 && path_[place].node != id) --place;
    return path_[place].node == id ? place : top;
  }

  bool may_stop(const ProofNode& node, Number old_pn, Number old_dn) const {
    if (!stops_early_) return false;
    if (stops_without_growth_) return node.numbers[kPn] <= old_pn && node.numbers[kDn] <= old_dn;
    return node.numbers[kPn] == old_pn && node.numbers[kDn] == old_dn;
  }

  // Lines 14 to 33.
  void set_numbers(ProofNode& node) const {
    Backup backup = view_.back_up_of(node);
    if (twins_ && (backup.won() || backup.lost()) &&
        view_.reason_of(node).rests_on != kRestsOnNothing)
      backup = view_.plain(node);
    node.numbers[phi_of(node)] = backup.phi();
    node.numbers[phi_of(node) ^ 1] = backup.delta();
  }

  // What was solved goes into the table if it holds on every line, and its subtree is freed. Only
  // now: while an update runs, nodes keep their places. Where others are below, the last of them
  // frees it.
  void share_solved() {
    for (NewlySolved& solved : solved_) {
      if (delete_solved_ && !(several_ && graph_[solved.node].on_path()))
        // what is left of the subtree stands for the work
        solved.entry.work += static_cast<std::uint32_t>(graph_.prune(solved.node));
      if (solved.everywhere) table_.store(solved.key, solved.entry);
    }
    solved_.clear();
    free_what_was_left();
  }

  void free_what_was_left() {
    for (NodeId id : left_) {
      const ProofNode& node = graph_[id];
      if (delete_solved_ && node.in_use && node.solved() && !node.on_path()) graph_.prune(id);
    }
    left_.clear();
  }

  // Many marks, and no leaf in sight.
  bool in_circles() const {
    return circles_ > std::max<std::uint64_t>(kLeastCircles, graph_.nodes() / kShareOfCircles);
  }

  // Solves what can be solved without another leaf; then the path leads to a leaf that can help.
  void close_graph() {
    ++stats_.closures;
    circles_ = 0;
    go_up_to(0);
    take_back();
    const GraphClosure closure(graph_);
    const std::vector<NodeId> dead = closure.dead();
    for (NodeId id : dead) set_bounds(graph_[id], kDisproven);
    for (NodeId id : dead) {
      note_solved(id);
      enqueue_parents(id);
    }
    update_queued();
    if (!graph_[kRoot].solved()) go_to_leaf(closure);
  }

  void go_to_leaf(const GraphClosure& closure) {
    while (graph_[current()].expanded()) {
      const ProofNode& node = graph_[current()];
      const ProofEdge* best = nullptr;
      for (const ProofEdge& edge : graph_.edges(node)) {
        if (!closure.alive(edge.child) || !closure.earlier(edge.child, current())) continue;
        if (best == nullptr || phi_at(node, edge) < phi_at(node, *best)) best = &edge;
      }
      go_down(*best);
    }
  }

  Number phi_at(const ProofNode& node, const ProofEdge& edge) const {
    return graph_[edge.child].numbers[phi_of(node)];
  }

  bool make_room(std::size_t count) {
    const bool made = room_.make(count, path_, stats_);
    if (!made) out_of_room();
    return made;
  }

  bool stop() {
    if ((stats_.nodes & 0xff) == 0 && line_.bytes() + marks_.bytes() + problem_.bytes() > memory_)
      monitor_.end(Limit::memory);
    if (monitor_.reached() != Limit::none) return true;
    return monitor_.stop(stats_.nodes, [&] {
      Event event;
      show(event);
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
  SharedGraph& shared_;
  ProofGraph& graph_;
  const bool acyclic_;
  const bool circular_;
  const bool several_;
  // In circles numbers might grow for ever, so an update computes a node once, unless another is
  // solved. Searches whose values nearly always change ask for the same, or lines of unequal
  // lengths between two nodes would multiply.
  bool once_an_update_ = circular_;
  std::vector<Step> path_;
  Line line_;
  ProofNode leaf_;  // as it was selected
  MoveList moves_;
  std::vector<Fresh> fresh_;  // its children
  std::size_t most_nodes_ = SIZE_MAX;

  const bool stops_early_;
  const bool stops_without_growth_;  // Nagai's
  const bool delete_solved_;
  const Form form_;
  const bool twins_;
  const std::size_t memory_;
  GraphRoom& room_;
  PathMarks marks_;
  PathView view_;
  std::uint64_t circles_ = 0;  // marks since the last expansion
  bool claimed_ = false;
  std::vector<Move> played_;  // from the root to where the position stands
  std::vector<ProofEdge> edges_;
  std::vector<NodeId> queue_;
  std::vector<Learned> learned_;
  std::vector<NewlySolved> solved_;
  std::vector<NodeId> left_;  // since the last update, where others may have solved them
};

}  // namespace andorra
