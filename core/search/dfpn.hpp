// df-pn: depth-first proof-number search.
//
// Idea: go down to the most proving node and stay below a child as long as thresholds say that the
// most proving node is still there; numbers of nodes that were left are kept in a table.
// Source: Nagai 2002; survey section 4, figure 5 (MID = visit, lines in the comments below).
// Invariant: the frames hold the current line and the numbers of all its children, in the prover's
// view; the table holds results of nodes that are not on the line. A node is left only if it is
// solved or has reached a threshold, both tested on capped numbers.
// Deviations: an explicit stack instead of recursion; children are evaluated when they are
// generated, and generation stops at a child that solves the node; numbers are capped and
// thresholds are not (figure 5 decides by "delta = infinity", which a capped sum would fake);
// bounds are not in negamax form, so that a side may move twice; a repetition counts as disproven
// on its line and taints what rests on it (rules/repetition.hpp); without a new expansion
// thresholds rise (rules/threshold.hpp), and on games with cycles the search ends after `guard`
// such visits as "no progress" (search/novelty.hpp sees the same where the table forgets).
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
#include "rules/threshold.hpp"
#include "search/arena.hpp"
#include "search/novelty.hpp"
#include "stats.hpp"
#include "table/table.hpp"

namespace andorra {

template <Game G>
class DfPn {
 public:
  struct Result {
    Bounds bounds;
    std::uint16_t move = kNoMove;  // the move that solves the root, if its mover has one
  };

  // `memory` bounds the frames and the arena; the table has a bound of its own.
  DfPn(Problem<G>& problem, Table& table, Monitor& monitor, Stats& stats, const Options& options,
       std::size_t memory)
      : problem_(problem),
        table_(table),
        monitor_(monitor),
        stats_(stats),
        guard_(options.natural("guard")),
        memory_(memory),
        acyclic_(problem.acyclic()),
        step_(options.natural("rise")) {}

  // Solves the problem's current position. Positions on `forbidden` may not come again (the
  // extraction of certificates forbids the line it stands on).
  Result search(const Line* forbidden = nullptr) {
    try {
      start(forbidden);
      while (!frames_.empty()) step();
    } catch (const Interrupted&) {
      monitor_.end(Limit::interrupted);
      abandon();
    }
    return result_;
  }

  std::size_t bytes() const {
    return frames_.capacity() * sizeof(Frame) + arena_.bytes() + line_.bytes();
  }

 private:
  struct Child {
    Number numbers[2];
    Move move;
    Depth rests_on;
  };

  struct Frame {
    Thresholds thresholds;
    Key key;
    std::uint64_t nodes_before;  // for the work below
    std::uint32_t work_before;
    std::uint32_t first;  // of its children in the arena
    std::uint32_t chosen = 0;
    unsigned phi;  // kPn at OR nodes, kDn at AND nodes
  };

  // Of the frame on top.
  std::span<const Child> children(const Frame& frame) { return arena_.from(frame.first); }

  void start(const Line* forbidden) {
    result_ = {};
    line_.clear();
    if (forbidden != nullptr)
      for (Key key : forbidden->keys()) line_.push(key);
    first_node_ = last_expansion_ = last_novelty_ = stats_.nodes;
    step_.expanded(stats_.nodes);
    const Status status = problem_.status();
    if (status == Status::open) {
      visit(Thresholds{});
    } else {
      result_.bounds = bounds_of(status);
    }
  }

  void step() {
    const Frame& frame = frames_.back();
    const Backup backup = back_up(children(frame), frame.phi);
    if (must_leave(frame, backup)) {
      leave(backup);
    } else if (stop()) {
      abandon();
    } else {
      descend(backup);
    }
  }

  // Figure 5, lines 11 to 20: a new frame for the current position, unless the table knows enough.
  void visit(const Thresholds& thresholds) {
    ++stats_.nodes;
    const Key key = problem_.key();
    Entry known;
    const bool seen = table_.find(key, known);
    if (seen && (known.bounds.solved() || thresholds.reached(known.bounds.pn, known.bounds.dn)))
      return give_back(known.bounds, known.move, kRestsOnNothing);
    if (seen)
      ++stats_.reexpansions;
    else
      note_expansion(key);
    Frame frame;
    frame.thresholds = thresholds;
    frame.key = key;
    frame.nodes_before = stats_.nodes - 1;
    frame.work_before = seen ? known.work : 0;
    frame.first = static_cast<std::uint32_t>(arena_.size());
    frame.phi = problem_.or_node() ? kPn : kDn;
    frames_.push_back(frame);
    if (!acyclic_) line_.push(key);
    expand(frame.phi);
  }

  void note_expansion(Key key) {
    ++stats_.expansions;
    last_expansion_ = stats_.nodes;
    step_.expanded(stats_.nodes);
    if (!acyclic_ && novelty_.add(key)) last_novelty_ = stats_.nodes;
  }

  // Generates and evaluates the children. Keys first, look-ups later: the table's memory is slow.
  void expand(unsigned phi) {
    const std::size_t count = problem_.count_children(moves_);
    if (keys_.size() < count) {
      keys_.resize(count);
      candidates_.resize(count);
    }
    Child* children = arena_.reserve(count);
    const std::size_t visited =
        problem_.each_child(moves_, [&](std::size_t i, Move move, Status status, auto key) {
          children[i] = evaluate(move, status, key, keys_[i]);
          return children[i].numbers[phi] != 0;  // else the mover wins: survey figure 3, line 74
        });
    stats_.moves += visited;
    if (children[visited - 1].numbers[phi] != 0) look_up(children, visited);
    arena_.resize(arena_.size() + visited);
  }

  void look_up(Child* children, std::size_t count) {
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (children[i].numbers[kPn] == 0 || children[i].numbers[kDn] == 0) continue;
      if (table_.may_hold(keys_[i])) candidates_[found++] = static_cast<std::uint32_t>(i);
    }
    for (std::size_t c = 0; c < found; ++c) {
      const std::uint32_t i = candidates_[c];
      const Cell* known = table_.cell(keys_[i]);
      if (known != nullptr) set_numbers(children[i], known->bounds());
    }
  }

  static void set_numbers(Child& child, Bounds bounds) {
    child.numbers[kPn] = bounds.pn;
    child.numbers[kDn] = bounds.dn;
  }

  template <class ComputeKey>
  Child evaluate(Move move, Status status, ComputeKey compute_key, Key& key) {
    const Bounds bounds = bounds_of(status);
    Child child{{bounds.pn, bounds.dn}, move, kRestsOnNothing};
    if (bounds.solved()) return child;
    key = compute_key();
    table_.prefetch(key);
    if (!acyclic_) mark_repetition(child, key);
    return child;
  }

  void mark_repetition(Child& child, Key key) {
    child.rests_on = line_.find(key);
    if (child.rests_on == kRestsOnNothing) return;
    set_numbers(child, kDisproven);
    ++stats_.repetitions;
  }

  // Figure 5, lines 23 and 24.
  static bool must_leave(const Frame& frame, const Backup& backup) {
    if (backup.won() || backup.lost()) return true;
    return backup.phi() >= frame.thresholds.of[frame.phi] ||
           backup.delta() >= frame.thresholds.of[frame.phi ^ 1];
  }

  // Figure 5, lines 25 to 29.
  void descend(const Backup& backup) {
    Frame& frame = frames_.back();
    frame.chosen = static_cast<std::uint32_t>(backup.best);
    const Child& child = arena_[frame.first + backup.best];
    const Thresholds thresholds = child_thresholds(
        frame.thresholds, backup, frame.phi, child.numbers[frame.phi ^ 1], step_.now(stats_.nodes));
    ++stats_.moves;
    problem_.play(child.move);
    visit(thresholds);
  }

  // Figure 5, lines 31 to 33.
  void leave(const Backup& backup) {
    const Frame frame = frames_.back();
    const Bounds bounds = from_view({backup.phi(), backup.delta()}, frame.phi == kPn);
    std::size_t best = backup.best;
    Depth rests_on = kRestsOnNothing;
    if (!acyclic_ && bounds.disproven())
      rests_on = disproof_rests_on(children(frame), frame.phi == kPn, line_.size() - 1, best);
    const auto move = backup.lost() ? kNoMove : static_cast<std::uint16_t>(best);
    Entry entry{bounds, work(frame), move};
    if (rests_on != kRestsOnNothing) entry.bounds = Bounds{};  // tainted: seen, but not solved
    table_.store(frame.key, entry);
    pop_frame();
    give_back(bounds, move, rests_on);
  }

  std::uint32_t work(const Frame& frame) const {
    const std::uint64_t total = frame.work_before + (stats_.nodes - frame.nodes_before);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(total, UINT32_MAX));
  }

  void pop_frame() {
    arena_.resize(frames_.back().first);
    frames_.pop_back();
    if (!acyclic_) line_.pop();
  }

  // Hands a node's bounds to its parent's frame, or to the result.
  void give_back(Bounds bounds, std::uint16_t move, Depth rests_on) {
    if (frames_.empty()) {
      result_ = {bounds, move};
      return;
    }
    const Frame& parent = frames_.back();
    Child& child = arena_[parent.first + parent.chosen];
    set_numbers(child, bounds);
    child.rests_on = rests_on;
    problem_.undo(child.move);
  }

  // No expansion for `guard` visits; or, where the table forgets and old positions look new, no
  // sign of a new one for `guard` visits and as long again as the search took to find the last.
  bool stuck() const {
    return stats_.nodes - last_expansion_ > guard_ ||
           stats_.nodes - last_novelty_ > guard_ + (last_novelty_ - first_node_);
  }

  bool stop() {
    if (!acyclic_ && stuck()) monitor_.end(Limit::no_progress);
    if (monitor_.reached() != Limit::none) return true;
    if ((stats_.nodes & 0xff) == 0 && bytes() + problem_.bytes() > memory_)
      monitor_.end(Limit::memory);
    return monitor_.stop(stats_.nodes, [&] { return snapshot(); });
  }

  // A limit was reached: take back all moves, and keep what the numbers say now.
  void abandon() {
    while (!frames_.empty()) {
      const Frame frame = frames_.back();
      const Backup backup = back_up(children(frame), frame.phi);
      const Bounds bounds = from_view({backup.phi(), backup.delta()}, frame.phi == kPn);
      table_.store(frame.key, {bounds.solved() ? Bounds{} : bounds, work(frame),
                               static_cast<std::uint16_t>(backup.best)});
      pop_frame();
      give_back(bounds.solved() ? Bounds{} : bounds, kNoMove, kRestsOnNothing);
    }
  }

  Event snapshot() {
    Event event;
    event.stats = stats_;
    event.depth = frames_.size();
    event.table_fill = table_.fill();
    if (!frames_.empty()) {
      const Frame& root = frames_.front();
      const std::size_t end = frames_.size() > 1 ? frames_[1].first : arena_.size();
      const std::span<const Child> children = arena_.between(root.first, end);
      const Backup backup = back_up(children, root.phi);
      event.root = from_view({backup.phi(), backup.delta()}, root.phi == kPn);
    }
    return event;
  }

  Problem<G>& problem_;
  Table& table_;
  Monitor& monitor_;
  Stats& stats_;
  const std::uint64_t guard_;
  const std::size_t memory_;
  const bool acyclic_;
  ThresholdStep step_;
  std::uint64_t first_node_ = 0;
  std::uint64_t last_expansion_ = 0;
  std::uint64_t last_novelty_ = 0;
  Novelty novelty_;
  Result result_;
  std::vector<Frame> frames_;
  Arena<Child> arena_;
  Line line_;
  MoveList moves_;
  std::vector<Key> keys_;
  std::vector<std::uint32_t> candidates_;
};

}  // namespace andorra
