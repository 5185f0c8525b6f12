// df-pn: depth-first proof-number search.
//
// Idea: go down to the most proving node and stay below a child as long as thresholds say that the
// most proving node is still there; numbers of nodes that were left are kept in a table.
// Source: Nagai 2002; survey section 4, figure 5 (MID = visit, lines in the comments below);
// Kishimoto 2010, figure 3, for TCA. Each enhancement has a file in rules/; this is the one step
// that they all change.
// Invariant: the frames hold the current line and the numbers of all its children, in the prover's
// view; the table holds results of nodes that are not on the line. A node is left only if it is
// solved or has reached a threshold, both tested on capped numbers. What the table calls solved is
// solved on every line.
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
#include <memory>
#include <span>
#include <vector>

#include "limits.hpp"
#include "options.hpp"
#include "question.hpp"
#include "rules/backup.hpp"
#include "rules/initialise.hpp"
#include "rules/old_children.hpp"
#include "rules/repetition.hpp"
#include "rules/simulation.hpp"
#include "rules/summation.hpp"
#include "rules/threshold.hpp"
#include "search/arena.hpp"
#include "search/closure.hpp"
#include "search/dfpn_rules.hpp"
#include "search/killers.hpp"
#include "search/progress.hpp"
#include "search/side_tables.hpp"
#include "stats.hpp"
#include "table/table.hpp"

namespace andorra {

template <Game G>
class DfPn {
 public:
  struct Result {
    Bounds bounds;
    std::uint16_t move = kNoMove;  // the move that solves the root, if its mover has one
    bool guessed = false;          // it rests on a guess (option `refine`)
  };

  // `memory` bounds the frames and the arena; the tables have bounds of their own.
  DfPn(Problem<G>& problem, Table& table, SideTables<G>& side, Monitor& monitor, Stats& stats,
       const Options& options, std::size_t memory)
      : problem_(problem),
        table_(table),
        side_(side),
        monitor_(monitor),
        stats_(stats),
        options_(options),
        memory_(memory),
        rules_(problem, side, options),
        progress_(options.natural("guard")),
        summation_(options),
        plain_sum_(summation_.plain()),
        threshold_(options),
        initialise_(problem, options),
        simulation_(problem, table, line_) {}

  // Solves the problem's current position. Positions on `forbidden` may not come again (the
  // extraction of certificates forbids the line it stands on); then nothing is used that was found
  // without regard to them, but what the table has.
  Result search(const Line* forbidden = nullptr) {
    doubt_ = rules_.refine;
    do {
      run(forbidden);
      doubt_ = doubt_ < kMostDoubt ? 2 * doubt_ : 0;
    } while (result_.guessed && monitor_.reached() == Limit::none);
    if (result_.guessed) result_ = {};
    return result_;
  }

  std::size_t bytes() const {
    return frames_.capacity() * sizeof(Frame) + cares_.capacity() * sizeof(Care) + arena_.bytes() +
           extras_.bytes() + line_.bytes();
  }

 private:
  static constexpr Depth kGuess = 0;  // the depth that a guess rests on: above every position
  static constexpr std::uint64_t kMostDoubt = 1'000'000'000;
  static constexpr std::uint64_t kLookInterval = 64;
  static constexpr std::uint64_t kNoBudget = UINT64_MAX;
  static constexpr std::size_t kLeafTable = 1024;

  struct Child {
    Number numbers[2];
    Move move;
    Depth rests_on : kDepthBits;
    unsigned flags : 32 - kDepthBits;
  };

  // Kept beside the children only where a rule asks for it.
  struct Extra {
    std::uint64_t board;  // the upper half of the key
    std::uint32_t group;
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

  // What only some rules ask of a frame; kept apart, because small frames are fast.
  struct Care {
    std::uint16_t distance = 0;
    bool raised = false;     // TCA raises thresholds here and below
    std::uint8_t flags = 0;  // for its entry
    Number weight = 1;       // of weak sums
    Wide increment = 1;      // of thresholds
    PathCode path = 0;       // with its own position
    MoveMask doubled = 0;    // children that count once
    std::uint64_t parent = 0;
  };

  void run(const Line* forbidden) {
    try {
      start(forbidden);
      while (!frames_.empty() || reopen()) step();
    } catch (const Interrupted&) {
      monitor_.end(Limit::interrupted);
      abandon();
    }
  }

  void start(const Line* forbidden) {
    result_ = {};
    line_.clear();
    if (rules_.refine != 0) line_.push(Key{});  // depth kGuess
    if (forbidden != nullptr)
      for (Key key : forbidden->keys()) line_.push(key);
    above_root_ = line_.size();
    free_ = forbidden == nullptr;
    uses_dominance_ = side_.dominance && free_;
    plain_leaves_ = !free_ || (initialise_.unit() && !uses_dominance_ && doubt_ == 0 &&
                               !threshold_.by_average());
    next_look_ = 0;
    closes_ = false;
    first_node_ = stats_.nodes;
    progress_.start(stats_.nodes);
    threshold_.expanded(stats_.nodes);
    const Status status = problem_.status();
    if (status == Status::open) {
      visit(Thresholds{}, false);
    } else {
      result_.bounds = bounds_of(status);
    }
  }

  // Puts together what the table has, when the search goes round in circles, and then goes on.
  // False if it has ended.
  bool reopen() {
    if (!std::exchange(closes_, false) || monitor_.reached() != Limit::none) return false;
    const std::size_t solved = Closure<G>(problem_, table_, monitor_, stats_).run(memory_);
    ++stats_.closures;
    progress_.closed(solved, stats_.nodes);
    if (monitor_.reached() != Limit::none) return false;
    visit(Thresholds{}, false);
    return !frames_.empty();
  }

  void step() {
    const Frame& frame = frames_.back();
    const Backup backup = back_up_top();
    if (must_leave(frame, backup)) {
      leave(backup);
    } else if (stop()) {
      abandon();
    } else {
      descend(backup);
    }
  }

  // Of the frame on top.
  std::span<const Child> children(const Frame& frame) { return arena_.from(frame.first); }

  Backup back_up_top() {
    const Frame& frame = frames_.back();
    return back_up_of(frame, children(frame));
  }

  Backup back_up_of(const Frame& frame, std::span<const Child> children) {
    return plain_sum_ ? back_up(children, frame.phi) : back_up_by_rules(frame, children);
  }

  // Functions that plain searches do not call are kept out of line: the step is faster for it.
  [[gnu::noinline]] Backup back_up_by_rules(const Frame& frame, std::span<const Child> children) {
    const auto group = [&](std::size_t i) { return extras_[frame.first + i].group; };
    const Number weight = rules_.weighted ? cares_[&frame - frames_.data()].weight : 1;
    return summation_.back_up(children, frame.phi, group, weight);
  }

  // Figure 5, lines 11 to 20: a new frame for the current position, unless the table knows enough.
  void visit(const Thresholds& thresholds, bool raised) {
    ++stats_.nodes;
    const Key key = problem_.key();
    Entry known;
    const bool seen = table_.find(key, known);
    if (seen && (known.bounds.solved() || is_reached(thresholds, known, raised)))
      return give_back(known.bounds, known.move, kRestsOnNothing);
    if (!seen && free_ && rules_.killers && solved_like_killer(key)) return;
    if (seen)
      ++stats_.reexpansions;
    else
      note_expansion(key);
    if (rules_.care) take_care(key, seen ? &known : nullptr);
    open_frame(thresholds, key, seen ? known.work : 0);
    expand();
    if (rules_.tca) apply_tca(seen && raised);
  }

  // With TCA, a node with an old child must look at its children first.
  static bool is_reached(const Thresholds& thresholds, const Entry& known, bool raised) {
    return !raised && (known.flags & kHasOldChild) == 0 &&
           thresholds.reached(known.bounds.pn, known.bounds.dn);
  }

  void note_expansion(Key key) {
    ++stats_.expansions;
    threshold_.expanded(stats_.nodes);
    if (!rules_.acyclic) progress_.expanded(key, stats_.nodes);
  }

  void open_frame(const Thresholds& thresholds, Key key, std::uint32_t work_before) {
    Frame& frame = frames_.emplace_back();
    frame.thresholds = thresholds;
    frame.key = key;
    frame.nodes_before = stats_.nodes - 1;
    frame.work_before = work_before;
    frame.first = static_cast<std::uint32_t>(arena_.size());
    frame.phi = problem_.or_node() ? kPn : kDn;
    if (rules_.line) line_.push(key);
  }

  // Before the frame is opened; `known` is the position's entry, or null.
  [[gnu::noinline]] void take_care(Key key, const Entry* known) {
    Care care;
    care.increment = std::max<Wide>(threshold_.increment(), 1);
    if (rules_.distances) care.distance = distance_of(frames_.size());
    if (rules_.distances && known != nullptr)
      care.distance = std::min(care.distance, known->distance);
    if (known != nullptr) care.flags = known->flags & kHasTwin;
    if (rules_.twins) care.path = with_position(path_above(), key, line_.size());
    if (rules_.weighted) care.weight = view(initialise_.guess(), problem_.or_node()).delta;
    if (rules_.doubles) find_double_counts(care, key, known);
    cares_.push_back(care);
  }

  PathCode path_above() const {
    if (!cares_.empty()) return cares_.back().path;
    PathCode path = 0;
    for (std::size_t ply = 0; ply < line_.size(); ++ply)
      path = with_position(path, line_.keys()[ply], ply);
    return path;
  }

  // Generates and evaluates the children. Keys first, look-ups later: the table's memory is slow.
  void expand() {
    const unsigned phi = frames_.back().phi;
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
    arena_.resize(arena_.size() + visited);
    if (rules_.extras) add_extras(visited);
    if (children[visited - 1].numbers[phi] == 0) return;
    look_up(children, visited);
    if (!plain_leaves_) look_at_leaves(children);
    if (rules_.costs) add_costs(children, visited);
  }

  template <class ComputeKey>
  Child evaluate(Move move, Status status, ComputeKey compute_key, Key& key) {
    const Bounds bounds = bounds_of(status);
    Child child{{bounds.pn, bounds.dn}, move, kRestsOnNothing, 0};
    if (bounds.solved()) return child;
    key = compute_key();
    table_.prefetch(key);
    if (!rules_.acyclic) mark_repetition(child, key);
    return child;
  }

  void mark_repetition(Child& child, Key key) {
    const Depth above = line_.find(key);
    if (above == kRestsOnNothing) return;
    set_numbers(child, kDisproven);
    if (!rules_.trusts_repetitions) child.rests_on = above;
    ++stats_.repetitions;
  }

  static void set_numbers(Child& child, Bounds bounds) {
    child.numbers[kPn] = bounds.pn;
    child.numbers[kDn] = bounds.dn;
  }

  static bool is_open(const Child& child) {
    return child.numbers[kPn] != 0 && child.numbers[kDn] != 0;
  }

  void look_up(Child* children, std::size_t count) {
    std::size_t found = 0;
    leaves_.clear();
    const bool leaves = !plain_leaves_;
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_open(children[i])) continue;
      if (table_.may_hold(keys_[i]))
        candidates_[found++] = static_cast<std::uint32_t>(i);
      else if (leaves)
        leaves_.push_back(static_cast<std::uint32_t>(i));
    }
    for (std::size_t c = 0; c < found; ++c) {
      const std::uint32_t i = candidates_[c];
      const Cell* known = table_.cell(keys_[i]);
      if (known != nullptr)
        take_over(children[i], keys_[i], *known);
      else if (leaves)
        leaves_.push_back(i);
    }
  }

  void take_over(Child& child, Key key, const Cell& known) {
    set_numbers(child, known.bounds());
    if (rules_.acyclic || known.bounds().solved()) return;
    if (rules_.distances && is_old(known.distance(), cares_.back().distance))
      child.flags |= kOldChild;
    if (rules_.twins && (known.flags() & kHasTwin) != 0) ask_twins(child, key);
  }

  // A disproof of the child on this path, or one of another path that works here too.
  [[gnu::noinline]] void ask_twins(Child& child, Key key) {
    const PathCode path = cares_.back().path;
    Depth rests_on = side_.twins->find(key, path);
    if (rests_on == kRestsOnNothing) {
      rests_on = rules_.simulates_twins ? simulated(child.move) : Simulation<G>::kFailed;
      if (rests_on == Simulation<G>::kFailed) return;
      if (rests_on != kRestsOnNothing) side_.twins->add(key, path, rests_on);
    }
    set_numbers(child, kDisproven);
    child.rests_on = rests_on;
  }

  Depth simulated(Move move) {
    problem_.play(move);
    const Depth rests_on = simulation_.disproof();
    problem_.undo(move);
    return rests_on;
  }

  [[gnu::noinline]] void look_at_leaves(Child* children) {
    const unsigned phi = frames_.back().phi;
    Wide total = 0;
    for (std::uint32_t i : leaves_) {
      problem_.play(children[i].move);
      look_at_leaf(children[i]);
      problem_.undo(children[i].move);
      total += std::min<Wide>(children[i].numbers[phi], kLargest);
    }
    if (threshold_.by_average())
      cares_.back().increment = leaves_.empty() ? 1 : std::max<Wide>(1, total / leaves_.size());
  }

  void look_at_leaf(Child& child) {
    bool proven = false;
    if (uses_dominance_ && side_.dominance->find(problem_, proven))
      return set_numbers(child, proven ? kProven : kDisproven);
    if (initialise_.by_dfpn()) return set_numbers(child, after_short_search());
    set_numbers(child, initialise_.bounds(frames_.size()));
    if (doubt_ != 0 && is_open(child)) take_guess(child);
  }

  // Survey 7.4.1: a position whose guess is clear enough counts as decided, for now.
  void take_guess(Child& child) {
    const Bounds guess = initialise_.guess();
    if (guess.dn >= Wide{guess.pn} + doubt_)
      set_numbers(child, kProven);
    else if (guess.pn >= Wide{guess.dn} + doubt_)
      set_numbers(child, kDisproven);
    else
      return;
    child.rests_on = kGuess;
  }

  // What a df-pn of leaf_nodes visits makes of the current position; it starts a line of its own,
  // so what it solves holds everywhere.
  Bounds after_short_search() {
    if (!leaf_search_) leaf_search_ = std::make_unique<LeafSearch>(*this);
    const Result result = leaf_search_->run();
    if (result.bounds.solved()) table_.store(problem_.key(), {result.bounds, 1, result.move});
    return result.bounds;
  }

  [[gnu::noinline]] void add_extras(std::size_t count) {
    const Frame& frame = frames_.back();
    Extra* extras = extras_.reserve(count);
    const MoveMask doubled = rules_.doubles ? side_.doubles->find(frame.key) : 0;
    cares_.back().doubled = doubled;
    for (std::size_t i = 0; i < count; ++i) {
      Child& child = arena_[frame.first + i];
      extras[i] = {is_open(child) ? keys_[i].board : 0, 0};
      if constexpr (HasGroups<G>)
        if (rules_.groups) extras[i].group = problem_.game().group(child.move);
      if (i < kMostMarked && (doubled >> i & 1) != 0) child.flags |= kDoubleCounted;
    }
    extras_.resize(frame.first + count);
  }

  [[gnu::noinline]] void add_costs(Child* children, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) add_cost(children[i]);
  }

  // The current position is the parent's.
  void add_cost(Child& child) {
    if (!is_open(child)) return;
    const Guess cost = cost_of(child.move);
    child.numbers[kPn] = capped(Wide{child.numbers[kPn]} + cost.pn);
    child.numbers[kDn] = capped(Wide{child.numbers[kDn]} + cost.dn);
  }

  Guess cost_of(Move move) const {
    if constexpr (HasCosts<G>) return problem_.game().cost(move, problem_.question().prover);
    return {0, 0};
  }

  // Kishimoto 2010, figure 3: the lines marked (*).
  [[gnu::noinline]] void apply_tca(bool raised) {
    Frame& frame = frames_.back();
    const auto old_and_open = [](const Child& c) { return (c.flags & kOldChild) && is_open(c); };
    const auto all = children(frame);
    const bool has_old = std::any_of(all.begin(), all.end(), old_and_open);
    Care& care = cares_.back();
    care.raised = raised || has_old;
    if (has_old) care.flags |= kHasOldChild;
    if (care.raised) raise_above(frame.thresholds, back_up_top(), frame.phi);
  }

  // The position was reached by another parent before: who counts it twice?
  void find_double_counts(Care& care, Key key, const Entry* known) {
    if (frames_.empty()) return;
    const std::uint64_t parent = SourceDetection::pointer_to(frames_.back().key);
    care.parent = known != nullptr && known->parent != 0 ? known->parent : parent;
    if (care.parent == parent || !SourceDetection::worth_it(*known)) return;
    const auto on_line = [&](std::uint64_t board) { return line_.find_board(board); };
    const Source source = SourceDetection::find(table_, key.board, *known, on_line);
    if (source.depth != kRestsOnNothing && source.depth >= above_root_)
      mark_double_count(source.depth - above_root_, source.child);
  }

  void mark_double_count(std::size_t depth, std::uint64_t other_child) {
    const Frame& source = frames_[depth];
    const std::size_t end = depth + 1 < frames_.size() ? frames_[depth + 1].first : arena_.size();
    const std::size_t count = std::min<std::size_t>(end - source.first, kMostMarked);
    std::size_t other = 0;
    while (other < count && extras_[source.first + other].board != other_child) ++other;
    if (other == count || other == source.chosen || source.chosen >= count) return;
    const MoveMask both = MoveMask{1} << other | MoveMask{1} << source.chosen;
    MoveMask& doubled = cares_[depth].doubled;
    doubled |= rules_.snda ? both : ~MoveMask{0};
    for (std::size_t i = 0; i < count; ++i)
      if ((doubled >> i & 1) != 0) arena_[source.first + i].flags |= kDoubleCounted;
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
    const Wide increment = rules_.care ? cares_.back().increment : threshold_.increment();
    const Wide passed = threshold_.after(backup.second, increment, stats_.nodes);
    Thresholds thresholds = child_thresholds(frame.thresholds, backup, frame.phi, passed);
    if (rules_.costs) take_off_cost(thresholds, child);
    ++stats_.moves;
    problem_.play(child.move);
    visit(thresholds, rules_.tca && cares_.back().raised);
  }

  // The child's own numbers are without the cost; where they are capped, thresholds stay above
  // them.
  void take_off_cost(Thresholds& thresholds, const Child& child) const {
    const Guess cost = cost_of(child.move);
    const std::uint32_t costs[2] = {cost.pn, cost.dn};
    for (unsigned i : {kPn, kDn}) {
      const Wide least = child.numbers[i] == kLargest ? Wide{kLargest} + 1 : 1;
      thresholds.of[i] =
          std::max(least, thresholds.of[i] - std::min<Wide>(costs[i], thresholds.of[i]));
    }
  }

  // Figure 5, lines 31 to 33.
  void leave(const Backup& backup) {
    const Frame& frame = frames_.back();
    const Bounds bounds = from_view({backup.phi(), backup.delta()}, frame.phi == kPn);
    std::size_t best = backup.best;
    Depth rests_on = kRestsOnNothing;
    if (rules_.taints && bounds.solved())
      rests_on = solution_rests_on(children(frame), frame.phi, line_.size() - 1, best);
    const auto move = backup.lost() ? kNoMove : static_cast<std::uint16_t>(best);
    Entry entry{bounds, work(frame), move};
    if (rules_.care) leave_with_care(entry, rests_on);
    table_.store(frame.key, entry);
    pop_frame();
    give_back(bounds, move, rests_on);
  }

  [[gnu::noinline]] void leave_with_care(Entry& entry, Depth rests_on) {
    const Care& care = cares_.back();
    entry.distance = care.distance;
    entry.flags = care.flags;
    entry.parent = care.parent;
    if (care.doubled != 0) side_.doubles->set(frames_.back().key, care.doubled);
    if (rests_on != kRestsOnNothing)
      taint(entry, rests_on);
    else if (entry.bounds.solved())
      note_solved(entry.bounds);
  }

  // The solution holds on this line only: the position is seen, but not solved.
  void taint(Entry& entry, Depth rests_on) {
    const bool by_repetition =
        entry.bounds.disproven() && (rules_.refine == 0 || rests_on != kGuess);
    entry.bounds = Bounds{};
    if (!rules_.twins || !by_repetition) return;
    entry.flags |= kHasTwin;
    const Key key = frames_.back().key;
    side_.twins->add(key, with_position(cares_.back().path, key, line_.size() - 1), rests_on);
  }

  // The current position is solved on every line.
  void note_solved(Bounds bounds) {
    if (uses_dominance_) side_.dominance->add(problem_, bounds.proven());
    if (rules_.killers) killers_.remember(frames_.size(), problem_.game(), bounds.proven());
  }

  std::uint32_t work(const Frame& frame) const {
    const std::uint64_t total = frame.work_before + (stats_.nodes - frame.nodes_before);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(total, UINT32_MAX));
  }

  void pop_frame() {
    arena_.resize(frames_.back().first);
    if (rules_.extras) extras_.resize(frames_.back().first);
    frames_.pop_back();
    if (rules_.care) cares_.pop_back();
    if (rules_.line) line_.pop();
  }

  // Hands a node's bounds to its parent's frame, or to the result.
  void give_back(Bounds bounds, std::uint16_t move, Depth rests_on) {
    if (frames_.empty()) {
      result_ = {bounds, move, rests_on != kRestsOnNothing};
      return;
    }
    const Frame& parent = frames_.back();
    Child& child = arena_[parent.first + parent.chosen];
    set_numbers(child, bounds);
    child.rests_on = rests_on;
    problem_.undo(child.move);
    if (rules_.costs) add_cost(child);
    if (rules_.siblings && free_ && rests_on == kRestsOnNothing &&
        child.numbers[parent.phi ^ 1] == 0)
      solve_siblings_like(child);
  }

  // Kawano 1996: the mover's move failed; try to answer the others in the same way.
  [[gnu::noinline]] void solve_siblings_like(const Child& solved) {
    const Frame& parent = frames_.back();
    const bool proven = solved.numbers[kPn] == 0;
    problem_.play(solved.move);
    const G model = problem_.game();
    problem_.undo(solved.move);
    for (Child& child : arena_.from(parent.first)) {
      if (!is_open(child)) continue;
      problem_.play(child.move);
      std::uint16_t reply;
      if (simulation_.like(model, proven, reply)) {
        set_numbers(child, proven ? kProven : kDisproven);
        table_.store(problem_.key(), {proven ? kProven : kDisproven, 1, reply});
        ++stats_.simulations;
      }
      problem_.undo(child.move);
    }
  }

  [[gnu::noinline]] bool solved_like_killer(Key key) {
    const auto* killer = killers_.at(frames_.size());
    std::uint16_t reply;
    if (killer == nullptr || !simulation_.like(killer->position, killer->proven, reply))
      return false;
    const Bounds bounds = killer->proven ? kProven : kDisproven;
    ++stats_.simulations;
    table_.store(key, {bounds, 1, reply});
    give_back(bounds, reply, kRestsOnNothing);
    return true;
  }

  bool stop() {
    if (stats_.nodes >= next_look_ && look_around()) return true;
    return monitor_.stop(stats_.nodes, [&] { return snapshot(); });
  }

  // What need not be looked at with every visit. True if the search must end, or close its table.
  [[gnu::noinline]] bool look_around() {
    if (stats_.nodes - first_node_ >= budget_) return true;
    next_look_ = std::min(stats_.nodes + kLookInterval, end_of_budget());
    if (rules_.closure && free_ && progress_.is_circling(stats_.nodes, table_.used()))
      return closes_ = true;
    if (!rules_.acyclic && progress_.is_stuck(stats_.nodes)) monitor_.end(Limit::no_progress);
    if (bytes() + problem_.bytes() > memory_) monitor_.end(Limit::memory);
    return monitor_.reached() != Limit::none;
  }

  std::uint64_t end_of_budget() const {
    return budget_ == kNoBudget ? kNoBudget : first_node_ + budget_;
  }

  // A limit was reached: take back all moves, and keep what the numbers say now.
  void abandon() {
    while (!frames_.empty()) {
      const Frame& frame = frames_.back();
      const Backup backup = back_up_top();
      Bounds bounds = from_view({backup.phi(), backup.delta()}, frame.phi == kPn);
      if (bounds.solved()) bounds = Bounds{};
      table_.store(frame.key, {bounds, work(frame), static_cast<std::uint16_t>(backup.best)});
      pop_frame();
      give_back(bounds, kNoMove, kRestsOnNothing);
    }
  }

  [[gnu::noinline]] Event snapshot() {
    Event event;
    event.stats = stats_;
    event.depth = frames_.size();
    event.table_fill = table_.fill();
    if (!frames_.empty()) {
      const Frame& root = frames_.front();
      const std::size_t end = frames_.size() > 1 ? frames_[1].first : arena_.size();
      const std::span<const Child> children = arena_.between(root.first, end);
      const Backup backup = back_up_of(root, children);
      event.root = from_view({backup.phi(), backup.delta()}, root.phi == kPn);
    }
    return event;
  }

  // The short df-pn at new leaves: the same step, with plain options, a small table and a budget.
  struct LeafSearch {
    explicit LeafSearch(DfPn& outer)
        : table(kLeafTable),
          side(outer.problem_, options, kLeafTable),
          dfpn(outer.problem_, table, side, outer.monitor_, outer.stats_, options, outer.memory_) {
      dfpn.budget_ = outer.options_.natural("leaf_nodes");
    }

    Result run() { return dfpn.search(); }

    Options options;
    Table table;
    SideTables<G> side;
    DfPn dfpn;
  };

  Problem<G>& problem_;
  Table& table_;
  SideTables<G>& side_;
  Monitor& monitor_;
  Stats& stats_;
  const Options& options_;
  const std::size_t memory_;
  const DfPnRules<G> rules_;
  Progress progress_;
  bool free_ = true;  // no position is forbidden, so what holds everywhere holds here
  bool uses_dominance_ = false;
  bool plain_leaves_ = true;  // nothing is asked about positions that the table does not know
  Summation summation_;
  const bool plain_sum_;
  ThresholdRule threshold_;
  Initialise<G> initialise_;
  Line line_;
  Simulation<G> simulation_;
  Killers<G> killers_;
  std::unique_ptr<LeafSearch> leaf_search_;
  std::uint64_t budget_ = kNoBudget;
  std::uint64_t next_look_ = 0;
  std::uint64_t doubt_ = 0;  // a guess must be clearer than this to be taken; 0: none is
  std::size_t above_root_ = 0;
  std::uint64_t first_node_ = 0;
  bool closes_ = false;  // the stack was abandoned for it
  Result result_;
  std::vector<Frame> frames_;
  std::vector<Care> cares_;  // one a frame where there is a rule that asks; else empty
  Arena<Child> arena_;
  Arena<Extra> extras_;
  MoveList moves_;
  std::vector<Key> keys_;
  std::vector<std::uint32_t> candidates_;
  std::vector<std::uint32_t> leaves_;
};

}  // namespace andorra
