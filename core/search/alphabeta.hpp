// Alpha-beta, with iterative deepening and a table.
//
// Idea: search depth first, so many plies deep; if that does not decide the root, a few plies
// deeper. A question has two answers, so the window is always null: is the node proven within the
// plies left, or not? One move that says yes decides a node of the prover, one that says no decides
// a node of the refuter, and the others need not be looked at. A no is a disproof if no line below
// it was cut off at the last ply.
// Source: Knuth & Moore 1975; iterative deepening, Slate & Atkin 1977; both in the chapter by
// Kishimoto and Müller. A look at all children in the table before one is searched: Schaeffer &
// Plaat 1996 (enhanced transposition cutoffs). The order of moves: rules/move_ordering.hpp.
// Invariant: what the table calls solved is solved on every line. Of an open position it says
// within how many plies it was not proven, on some line. Where positions repeat, a move back to the
// line counts as disproven, and a disproof that rests on the line above is stored as one that was
// cut off (rules/repetition.hpp). So a position is searched once for each number of plies, as long
// as the table keeps it. A search that goes round in circles puts together what its table has
// (search/closure.hpp, when: search/progress.hpp), so it ends on every finite graph that fits into
// its memory; where the table forgets, it gives up after `guard` visits.
// Deviations: an explicit stack instead of recursion; children are evaluated when they are
// generated, so those at the last ply are not visited.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "limits.hpp"
#include "options.hpp"
#include "question.hpp"
#include "rules/move_ordering.hpp"
#include "rules/old_children.hpp"
#include "rules/repetition.hpp"
#include "search/arena.hpp"
#include "search/closure.hpp"
#include "search/progress.hpp"
#include "stats.hpp"
#include "table/table.hpp"

namespace andorra {

template <Game G>
class AlphaBeta {
 public:
  // `memory` bounds the frames and a closure; the table has a bound of its own.
  AlphaBeta(Problem<G>& problem, Table& table, Monitor& monitor, Stats& stats,
            const Options& options, std::size_t memory)
      : problem_(problem),
        table_(table),
        monitor_(monitor),
        stats_(stats),
        memory_(memory),
        acyclic_(problem.acyclic()),
        closure_(!acyclic_ && options.flag("closure")),
        step_(options.natural("depth_step")),
        ordering_(options.text("ordering")),
        progress_(options.natural("guard"), acyclic_) {}

  // Solves the problem's current position.
  Bounds search() {
    const Status status = problem_.status();
    if (status != Status::open) return bounds_of(status);
    progress_.start(stats_.nodes);
    try {
      deepen();
    } catch (const Interrupted&) {
      monitor_.end(Limit::interrupted);
      abandon();
    }
    return root_;
  }

  std::size_t bytes() const {
    return frames_.capacity() * sizeof(Frame) + children_.bytes() + line_.bytes() +
           ordering_.bytes();
  }

 private:
  using Plies = std::uint64_t;

  // What a search of some plies says of a node.
  struct Answer {
    bool proven = false;
    bool cut = false;                  // if not proven: perhaps with more plies
    Depth rests_on = kRestsOnNothing;  // if disproven: a position above

    bool holds_everywhere() const { return !cut && rests_on == kRestsOnNothing; }
  };

  // A child that must be searched.
  struct Open {
    Key key;
    std::uint64_t merit;
    Move move;
    std::uint16_t index;  // among the moves
    bool seen;            // the table has it
  };

  struct Frame {
    Key key;
    Plies plies;  // left
    std::uint64_t nodes_before;
    std::uint32_t work_before;
    std::uint32_t first;  // of its open children
    std::uint32_t next;   // to be searched
    bool or_node;
    std::uint16_t move = kNoMove;  // the one that decides, if there is one
    Answer answer;                 // what the children that were looked at say

    bool decided() const { return move != kNoMove; }
  };

  static constexpr std::uint64_t kLookInterval = 64;
  static constexpr double kGrowth = 2;
  static constexpr Plies kLongestStep = Plies{1} << 40;
  static constexpr std::uint8_t kSearched = 4;  // of an entry: `parent` holds plies

  // Deeper searches are meant to take much longer; where they do not, steps grow, so that a long
  // narrow line is not searched once for each of its plies.
  void deepen() {
    Plies deeper = step_;
    std::uint64_t last = 0;
    for (Plies plies = 1; !root_.solved() && !is_over(); plies += deeper) {
      const std::uint64_t visits = visits_of_search(plies);
      const bool cheap = static_cast<double>(visits) < kGrowth * static_cast<double>(last);
      deeper = cheap ? std::min(2 * deeper, kLongestStep) : std::max(deeper / 2, step_);
      last = visits;
    }
  }

  bool is_over() {
    return monitor_.reached() != Limit::none ||
           monitor_.stop(stats_.nodes, [&] { return snapshot(); });
  }

  std::uint64_t visits_of_search(Plies plies) {
    const std::uint64_t before = stats_.nodes;
    open_root(plies);
    while (!frames_.empty()) step();
    if (std::exchange(closes_, false))
      close_table(problem_, table_, monitor_, stats_, progress_, memory_);
    return stats_.nodes - before;
  }

  void open_root(Plies plies) {
    const Key key = problem_.key();
    Entry known;
    if (table_.find(key, known) && known.bounds.solved())
      root_ = known.bounds;
    else
      visit(key, plies);
  }

  void step() {
    const Frame& frame = frames_.back();
    if (frame.decided() || frame.next == children_.size()) return leave();
    if (stop()) return abandon();
    const Open& child = children_[frame.next];
    ++stats_.moves;
    problem_.play(child.move);
    visit(child.key, frame.plies - 1);
  }

  void visit(Key key, Plies plies) {
    ++stats_.nodes;
    Entry known;
    const bool seen = table_.find(key, known);
    if (seen)
      ++stats_.reexpansions;
    else
      note_expansion(key);
    open_frame(key, plies, seen ? known.work : 0);
    list_children();
    if (!frames_.back().decided()) look_up();
    if (!frames_.back().decided()) sort(seen ? known.move : kNoMove);
  }

  void note_expansion(Key key) {
    ++stats_.expansions;
    progress_.expanded(key, stats_.nodes);
  }

  void open_frame(Key key, Plies plies, std::uint32_t work_before) {
    const auto first = static_cast<std::uint32_t>(children_.size());
    const bool or_node = problem_.or_node();
    frames_.push_back({.key = key,
                       .plies = plies,
                       .nodes_before = stats_.nodes - 1,
                       .work_before = work_before,
                       .first = first,
                       .next = first,
                       .or_node = or_node,
                       .answer = {.proven = !or_node}});
    if (!acyclic_) line_.push(key);
  }

  // Takes what a child says into account. Of several that decide, the one that says most counts.
  static void take(Frame& frame, const Answer& answer, std::uint16_t index) {
    if (answer.proven == frame.or_node) {
      if (frame.decided() && !says_more(answer, frame.answer)) return;
      frame.answer = answer;
      frame.move = index;
    } else if (frame.or_node && !frame.decided()) {
      frame.answer.cut |= answer.cut;
      frame.answer.rests_on = std::min(frame.answer.rests_on, answer.rests_on);
    }
  }

  static bool says_more(const Answer& one, const Answer& other) {
    return std::pair(!one.cut, one.rests_on) > std::pair(!other.cut, other.rests_on);
  }

  // Ends decide the node, or need no search; all others are open, until one decides.
  void list_children() {
    Frame& frame = frames_.back();
    Open* open = children_.reserve(problem_.count_children(moves_));
    stats_.moves +=
        problem_.each_child(moves_, [&](std::size_t i, Move move, Status status, auto key) {
          const auto index = static_cast<std::uint16_t>(i);
          if (status == Status::open) {
            *open = {key(), 0, move, index, false};
            table_.prefetch((open++)->key);
          } else {
            take(frame, {.proven = status == Status::proven}, index);
          }
          return !frame.decided();
        });
    children_.resize(static_cast<std::size_t>(open - &children_[0]));
  }

  // Leaves the children open that must be searched.
  void look_up() {
    Frame& frame = frames_.back();
    const std::span<Open> listed = children_.from(frame.first);
    std::size_t kept = 0;
    for (Open& child : listed) {
      Answer answer;
      if (is_known(child, frame.plies - 1, answer))
        take(frame, answer, child.index);
      else
        listed[kept++] = child;
    }
    children_.resize(frame.first + kept);
  }

  bool is_known(Open& child, Plies plies, Answer& answer) {
    if (!acyclic_ && repeats(child.key, answer)) return true;
    Entry known;
    child.seen = table_.find(child.key, known);
    if (child.seen && known.bounds.solved()) {
      answer.proven = known.bounds.proven();
      return true;
    }
    answer.cut = true;
    return plies <= (child.seen && (known.flags & kSearched) != 0 ? known.parent : 0);
  }

  bool repeats(Key key, Answer& answer) {
    answer.rests_on = line_.find(key);
    if (answer.rests_on == kRestsOnNothing) return false;
    ++stats_.repetitions;
    return true;
  }

  // `before` is the move that decided a shallower search.
  void sort(std::uint16_t before) {
    const Frame& frame = frames_.back();
    const std::span<Open> open = children_.from(frame.first);
    for (Open& child : open)
      child.merit = ordering_.merit(child.move, frame.or_node, frames_.size(),
                                    child.index == before, child.seen);
    for (std::size_t i = 1; i < open.size(); ++i)
      for (std::size_t j = i; j > 0 && open[j].merit > open[j - 1].merit; --j)
        std::swap(open[j], open[j - 1]);
  }

  void leave() {
    Frame& frame = frames_.back();
    Answer& answer = frame.answer;
    if (answer.cut || answer.rests_on >= frames_.size() - 1) answer.rests_on = kRestsOnNothing;
    store(frame);
    give_back(answer);
  }

  void store(const Frame& frame) {
    Entry entry{Bounds{}, work(frame), frame.move, kFarthest - 1};
    if (frame.answer.holds_everywhere()) {
      entry.bounds = frame.answer.proven ? kProven : kDisproven;
    } else {
      entry.flags = kSearched;
      entry.parent = frame.plies;
    }
    table_.store(frame.key, entry);
  }

  std::uint32_t work(const Frame& frame) const {
    const std::uint64_t total = frame.work_before + (stats_.nodes - frame.nodes_before);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(total, UINT32_MAX));
  }

  // Closes the frame on top and hands its answer to its parent's, or to the root.
  void give_back(const Answer answer) {
    close_frame();
    if (frames_.empty()) {
      if (!answer.cut) root_ = answer.proven ? kProven : kDisproven;
      return;
    }
    Frame& frame = frames_.back();
    const Open& child = children_[frame.next++];
    problem_.undo(child.move);
    take(frame, answer, child.index);
    if (frame.decided()) ordering_.decided(child.move, frame.or_node, frames_.size(), frame.plies);
  }

  void close_frame() {
    children_.resize(frames_.back().first);
    frames_.pop_back();
    if (!acyclic_) line_.pop();
  }

  bool stop() {
    if (stats_.nodes >= next_look_ && look_around()) return true;
    return monitor_.stop(stats_.nodes, [&] { return snapshot(); });
  }

  // True if the search must end, or close its table.
  bool look_around() {
    next_look_ = stats_.nodes + kLookInterval;
    if (closure_ && progress_.is_circling(stats_.nodes, table_.used())) return closes_ = true;
    if (progress_.is_stuck(stats_.nodes)) monitor_.end(Limit::no_progress);
    if (bytes() + problem_.bytes() > memory_) monitor_.end(Limit::memory);
    return monitor_.reached() != Limit::none;
  }

  // Takes back all moves.
  void abandon() {
    while (!frames_.empty()) {
      close_frame();
      if (!frames_.empty()) problem_.undo(children_[frames_.back().next].move);
    }
  }

  Event snapshot() const {
    Event event;
    event.stats = stats_;
    event.depth = frames_.size();
    event.table_fill = table_.fill();
    return event;
  }

  Problem<G>& problem_;
  Table& table_;
  Monitor& monitor_;
  Stats& stats_;
  const std::size_t memory_;
  const bool acyclic_;
  const bool closure_;
  const Plies step_;
  MoveOrdering ordering_;
  Progress progress_;
  Line line_;
  std::vector<Frame> frames_;
  Arena<Open> children_;  // of all frames
  MoveList moves_;
  Bounds root_;
  bool closes_ = false;  // the frames were abandoned to close the table
  std::uint64_t next_look_ = 0;
};

}  // namespace andorra
