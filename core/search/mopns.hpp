// MOPNS: multiple-outcome proof-number search, which asks for the value instead of one question.
//
// Idea: a value above a threshold is a question of its own, with its own proof and disproof
// numbers; one tree can carry the numbers of all thresholds at once. The effort to show that a node
// has some value is that of reaching it plus that of not passing it; the search goes for the value
// that takes the least, at the root, and on the way down to the children that make up its numbers.
// Source: Saffidine & Cazenave 2012: G(n,o), the effort to reach at least o, and S(n,o), to hold it
// at most o; G is the minimum at nodes of the first player and the sum at those of the second, S
// the reverse.
// Here: the values are loss, draw and win of the first player, so there are two thresholds, which
// are the two questions of a game: win:first is "at least a win", win:second "less than a draw".
// Invariant: numbers of a threshold are proof and disproof numbers of "at least that", in the first
// player's view, and solved is a zero. What is solved goes into the table of its question, so both
// answers and their certificates come from there.
// Deviations: it is for trees, as published, so games whose positions repeat are left to pns
// (solve/search_run.hpp); equal positions share what is solved, through the tables. At a
// node of the first player the child with the least G is chosen, and at one of the second that with
// the least S, as published; where that effort is spent, or is none because the value is the best
// or the worst, a child is chosen as in pns for the other threshold, which is ours (by the least
// effort that is left instead, Connect Four 4x5 takes five times the nodes). Subtrees of nodes
// whose value is known are freed; a full tree ends the search.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "limits.hpp"
#include "question.hpp"
#include "rules/backup.hpp"
#include "search/proof_graph.hpp"
#include "stats.hpp"
#include "table/table.hpp"

namespace andorra {

template <Game G>
class Mopns {
 public:
  static constexpr std::size_t kMoreBytes = sizeof(Bounds);  // a node, beside the graph's

  // `wins` and `losses`: for what is found out about win:first and win:second.
  Mopns(G& game, Table& wins, Table& losses, Monitor& monitor, Stats& stats, std::size_t nodes)
      : game_(game), tables_{&losses, &wins}, monitor_(monitor), stats_(stats), graph_(nodes) {
    draws_.reserve(nodes);
  }

  // Until the value is known; not at all if the tables know what is asked.
  void search(Side prover) {
    path_.assign(1, {add(evaluate()), 0});
    if (answer(prover).solved()) return;
    try {
      while (!is_settled(kRoot) && !stop()) {
        descend();
        if (!expand()) monitor_.end(Limit::memory);
        update();
      }
    } catch (const Interrupted&) {
      monitor_.end(Limit::interrupted);
    }
    while (path_.size() > 1) go_up();
  }

  // Of the root, as answers to the question.
  Bounds answer(Side prover) const { return as_answer(of(kRoot, threshold_of(prover)), prover); }

  std::size_t bytes() const { return graph_.bytes() + draws_.capacity() * sizeof(Bounds); }

 private:
  // A draw at least, or a win: the numbers of a win are those of the graph's node.
  enum Threshold : unsigned { kDraw, kWin };
  static constexpr std::array kThresholds{kDraw, kWin};
  static constexpr int kValues = 3;  // loss, draw, win

  struct Step {
    NodeId node;
    Move move;
  };

  struct Fresh {
    ProofNode node;
    Bounds draw;
  };

  static Threshold threshold_of(Side prover) { return prover == Side::first ? kWin : kDraw; }

  // The second player proves that the first one does not reach a draw.
  static Bounds as_answer(Bounds bounds, Side prover) {
    return prover == Side::first ? bounds : Bounds{bounds.dn, bounds.pn};
  }

  Bounds of(NodeId id, Threshold threshold) const {
    return threshold == kWin ? bounds_of(graph_[id]) : draws_[id];
  }

  bool is_settled(NodeId id) const { return of(id, kWin).solved() && of(id, kDraw).solved(); }

  // The effort to reach at least the value, and to hold it at most there.
  Number reach(NodeId id, int value) const {
    return value == 0 ? 0 : of(id, static_cast<Threshold>(value - 1)).pn;
  }
  Number hold(NodeId id, int value) const {
    return value == kValues - 1 ? 0 : of(id, static_cast<Threshold>(value)).dn;
  }

  NodeId add(const Fresh& fresh) {
    const NodeId id = graph_.add(fresh.node);
    if (draws_.size() <= id) draws_.resize(id + 1);
    draws_[id] = fresh.draw;
    return id;
  }

  Fresh evaluate() {
    Fresh fresh;
    fresh.node.or_node = game_.side_to_move() == Side::first;
    const Outcome outcome = game_.outcome();
    if (outcome != Outcome::ongoing) {
      set_bounds(fresh.node, outcome == Outcome::first_wins ? kProven : kDisproven);
      fresh.draw = outcome == Outcome::second_wins ? kDisproven : kProven;
      return fresh;
    }
    fresh.node.key = game_.key();
    set_bounds(fresh.node, known(Side::first));
    fresh.draw = known(Side::second);
    if (fresh.node.numbers[kPn] == 0) fresh.draw = kProven;
    if (fresh.draw.disproven()) set_bounds(fresh.node, kDisproven);
    return fresh;
  }

  // By the table of the question, as numbers of its threshold.
  Bounds known(Side prover) const {
    Entry entry;
    const Table& table = *tables_[threshold_of(prover)];
    if (!table.find(game_.key(), entry) || !entry.bounds.solved()) return {};
    return as_answer(entry.bounds, prover);
  }

  void descend() {
    const int value = cheapest();
    while (graph_[path_.back().node].expanded()) {
      const ProofEdge& edge = choose(path_.back().node, value);
      path_.push_back({edge.child, edge.move});
      game_.play(edge.move);
      ++stats_.moves;
    }
    ++stats_.nodes;
  }

  int cheapest() const {
    int best = -1;
    Wide least = kUnlimited;
    for (int value = 0; value < kValues; ++value) {
      const Number reached = reach(kRoot, value);
      const Number held = hold(kRoot, value);
      if (reached == kInfinite || held == kInfinite || Wide{reached} + held >= least) continue;
      least = Wide{reached} + held;
      best = value;
    }
    return best;
  }

  // The mover's best child in the question that is open: of the first player, whether the value is
  // reached, and if that is known, whether it is passed; of the second player the reverse.
  const ProofEdge& choose(NodeId id, int value) const {
    const ProofNode& node = graph_[id];
    const bool reached = reach(id, value) == 0;
    const bool held = hold(id, value) == 0;
    const bool passing = node.or_node ? reached : !held;
    const auto threshold = static_cast<Threshold>(passing ? value : value - 1);
    const ProofEdge* best = nullptr;
    Number least = kInfinite;
    for (const ProofEdge& edge : graph_.edges(node)) {
      const Bounds its = of(edge.child, threshold);
      const Number mine = node.or_node ? its.pn : its.dn;
      if (mine >= least) continue;
      best = &edge;
      least = mine;
    }
    return *best;
  }

  // False if there is no room.
  bool expand() {
    const NodeId id = path_.back().node;
    ++stats_.expansions;
    generate(graph_[id].or_node);
    if (!graph_.has_room(fresh_.size())) return false;
    edges_.clear();
    for (std::size_t i = 0; i < fresh_.size(); ++i)
      edges_.push_back({.child = add(fresh_[i]), .move = moves_[i]});
    graph_.connect(id, edges_);
    return true;
  }

  // Up to a child that wins for the mover.
  void generate(bool or_node) {
    moves_.clear();
    fresh_.clear();
    game_.moves(moves_);
    for (Move move : moves_) {
      game_.play(move);
      ++stats_.moves;
      fresh_.push_back(evaluate());
      game_.undo(move);
      const Fresh& child = fresh_.back();
      if (or_node ? child.node.numbers[kPn] == 0 : child.draw.dn == 0) return;
    }
  }

  // From the leaf to the root, or to the last node with a number that changes.
  void update() {
    bool changes = graph_[path_.back().node].expanded();
    while (true) {
      const NodeId id = path_.back().node;
      if (changes) changes = compute(id);
      if (path_.size() == 1) return;
      go_up();
    }
  }

  void go_up() {
    game_.undo(path_.back().move);
    path_.pop_back();
  }

  bool compute(NodeId id) {
    bool changed = false;
    for (Threshold threshold : kThresholds) {
      const Bounds before = of(id, threshold);
      if (before.solved()) continue;
      std::size_t best = 0;
      const Bounds now = backed_up(id, threshold, best);
      if (now == before) continue;
      changed = true;
      set(id, threshold, now);
      if (now.solved()) store(id, threshold, now, best);
    }
    if (changed) take_consequences(id);
    if (changed && is_settled(id)) graph_.prune(id);
    return changed;
  }

  // A win is a draw at least; less than a draw is no win.
  void take_consequences(NodeId id) {
    if (of(id, kWin).proven()) set(id, kDraw, kProven);
    if (of(id, kDraw).disproven()) set(id, kWin, kDisproven);
  }

  Bounds backed_up(NodeId id, Threshold threshold, std::size_t& best) const {
    const ProofNode& node = graph_[id];
    const auto edges = graph_.edges(node);
    std::array<Number, 2> numbers;
    const auto child = [&](std::size_t i) {
      const Bounds its = of(edges[i].child, threshold);
      numbers = {its.pn, its.dn};
      return numbers.data();
    };
    const Backup backup = back_up(edges.size(), child, phi_of(node));
    best = backup.best;
    return from_view({backup.phi(), backup.delta()}, node.or_node);
  }

  void set(NodeId id, Threshold threshold, Bounds bounds) {
    if (threshold == kWin)
      set_bounds(graph_[id], bounds);
    else
      draws_[id] = bounds;
  }

  void store(NodeId id, Threshold threshold, Bounds bounds, std::size_t best) {
    const ProofNode& node = graph_[id];
    const Side prover = threshold == kWin ? Side::first : Side::second;
    const bool movers = node.or_node ? bounds.proven() : bounds.disproven();
    const auto move = movers ? static_cast<std::uint16_t>(best) : kNoMove;
    tables_[threshold]->store(node.key, {as_answer(bounds, prover), 1, move});
  }

  bool stop() {
    return monitor_.stop(stats_.nodes, [&] {
      Event event;
      event.root = of(kRoot, kWin);
      event.stats = stats_;
      event.table_fill =
          static_cast<double>(graph_.nodes()) / static_cast<double>(graph_.capacity());
      event.depth = path_.size();
      return event;
    });
  }

  G& game_;
  std::array<Table*, 2> tables_;  // by threshold
  Monitor& monitor_;
  Stats& stats_;
  ProofGraph graph_;
  std::vector<Bounds> draws_;  // of each node
  std::vector<Step> path_;
  std::vector<Fresh> fresh_;
  std::vector<ProofEdge> edges_;
  MoveList moves_;
};

}  // namespace andorra
