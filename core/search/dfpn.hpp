// df-pn: depth-first proof-number search.
//
// Idea: go down to the most proving node and stay below a child as long as thresholds say that the
// most proving node is still there; numbers of nodes that were left are kept in a table.
// Source: Nagai 2002; survey section 4, figure 5 (MID = visit, lines in the comments below);
// Kishimoto 2010, figure 3, for TCA. Each enhancement has a file in rules/; this is the one step
// that they all change. Variants with other thresholds or leaves: search/variant.hpp.
// Invariant: the frames hold the current line and the numbers of all its children, in the prover's
// view; the table holds results of nodes that are not on the line. A node is left only if it is
// solved or has reached a threshold, both tested on capped numbers. What the table calls solved is
// solved on every line.
// Deviations: an explicit stack instead of recursion; children are evaluated when they are
// generated, and generation stops at a child that solves the node; numbers are capped and
// thresholds are not (figure 5 decides by "delta = infinity", which a capped sum would fake);
// bounds are not in negamax form, so that a side may move twice; a repetition counts as disproven
// on its line and taints what rests on it (rules/repetition.hpp); without progress the search acts
// (search/progress.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "limits.hpp"
#include "options.hpp"
#include "question.hpp"
#include "rules/backup.hpp"
#include "rules/costs.hpp"
#include "rules/dominance.hpp"
#include "rules/old_children.hpp"
#include "rules/pds.hpp"
#include "rules/pn_star.hpp"
#include "rules/refine.hpp"
#include "rules/repetition.hpp"
#include "rules/summation.hpp"
#include "rules/threshold.hpp"
#include "search/borrowing.hpp"
#include "search/closure.hpp"
#include "search/dfpn_rules.hpp"
#include "search/expansion.hpp"
#include "search/frames.hpp"
#include "search/progress.hpp"
#include "search/side_tables.hpp"
#include "search/solutions.hpp"
#include "search/sources.hpp"
#include "search/team.hpp"
#include "search/teamwork.hpp"
#include "search/variant.hpp"
#include "stats.hpp"
#include "table/table.hpp"

namespace andorra {

template <Game G>
class DfPn {
 public:
  struct Result {
    Bounds bounds;
    std::uint16_t move = kNoMove;      // the move that solves the root, if its mover has one
    bool guessed = false;              // it rests on a guess (option `refine`)
    Depth rests_on = kRestsOnNothing;  // a position above the root (search_below)
  };

  // A search of a position below the root of a larger one.
  struct Job {
    std::span<const Key> above;  // the line that leads to it, where positions can repeat
    std::size_t depth;           // its plies
    std::uint64_t visits;        // at most
    Event shown;                 // of the larger search: its root, line and children
  };

  // `memory` bounds the frames and a closure; the tables have bounds of their own. `team`: the
  // search is one of several agents on one table; not with variants.
  DfPn(Problem<G>& problem, Table& table, SideTables<G>& side, Monitor& monitor, Stats& stats,
       const Options& options, std::size_t memory, Team* team = nullptr, Variant variant = {})
      : problem_(problem),
        table_(table),
        side_(side),
        monitor_(monitor),
        stats_(stats),
        options_(options),
        memory_(memory),
        variant_(variant),
        needs_both_(variant.family == Family::pds),
        rules_(problem, side, options),
        summation_(options),
        plain_sum_(summation_.plain()),
        threshold_(options),
        teamwork_(*this, frames_, team, exchange_interval()),
        progress_(options.natural("guard"), rules_.acyclic),
        sources_(frames_, line_, table, rules_.snda),
        expansion_(problem, table, side, stats, rules_, options, frames_, line_),
        solutions_(problem, table, frames_, expansion_),
        borrowing_(problem, table, frames_, expansion_, stats) {}

  // Solves the problem's current position, if so many visits are enough.
  Result search(std::uint64_t visits) {
    budget_ = visits;
    return search();
  }

  // Solves the problem's current position.
  Result search() {
    try {
      begin();
      do {
        while (!frames_.empty() || reopen()) step();
      } while (doubt_less());
    } catch (const Interrupted&) {
      monitor_.interrupt();
      abandon();
    }
    return result();
  }

  // Solves the current position on the job's line, if the visits are enough; otherwise the bounds
  // are what they have come to. What does not rest on the line goes to the table. How long nothing
  // new was found counts from one job to the next.
  Result search_below(const Job& job) {
    start_job(job);
    while (!frames_.empty() || reopen()) step();
    return result_;
  }

  // Shows take(frames) the frame that a job starts with. There is none if the position turns out to
  // be solved, which the result then says.
  template <class Take>
  Result open(const Job& job, Take&& take) {
    start_job(job);
    if (frames_.empty()) return result_;
    take(frames_);
    close_frame();
    return {};
  }

  const DfPnRules<G>& rules() const { return rules_; }

  // The same by steps, for agents that take turns: begin(), then advance() until it returns false.
  void begin() { start(rules_.refine); }

  bool advance() {
    if (!frames_.empty() || reopen()) return step(), true;
    return doubt_less();
  }

  Result result() const { return result_.guessed ? Result{} : result_; }

  std::size_t bytes() const { return frames_.bytes() + line_.bytes() + teamwork_.bytes(); }

 private:
  friend class Teamwork<DfPn>;

  static constexpr std::uint64_t kLookInterval = 64;
  static constexpr std::uint64_t kNoBudget = UINT64_MAX;
  static constexpr std::size_t kLeafTable = 1024;

  // Starts again with clearer guesses, if the result rests on one.
  bool doubt_less() {
    if (!result_.guessed || monitor_.reached() != Limit::none) return false;
    start(next_doubt(doubt_));
    return true;
  }

  void start(std::uint64_t doubt) {
    doubt_ = doubt;
    guesses_ = doubt != 0;
    start_line();
    expansion_.start(doubt, 0);
    progress_.start(stats_.nodes);
    threshold_.expanded(stats_.nodes);
    open_root();
  }

  void start_job(const Job& job) {
    job_ = &job;
    budget_ = job.visits;
    line_.clear();
    for (Key key : job.above) line_.push(key);
    above_root_ = line_.size();
    expansion_.start(0, job.depth);
    borrowing_.start(job.depth);
    open_root();
  }

  void open_root() {
    result_ = {};
    next_look_ = 0;
    closes_ = false;
    first_node_ = stats_.nodes;
    stopped_ = false;
    const Status status = problem_.status();
    if (status == Status::open)
      visit(root_thresholds(), false);
    else
      result_.bounds = bounds_of(status);
  }

  // By what the root's numbers have come to; df-pn leaves it only when it is solved.
  Thresholds root_thresholds() {
    const auto step = [&](Number number) { return step_above(number); };
    if (variant_.family == Family::pds) return pds_root(result_.bounds, step);
    if (variant_.family == Family::pn_star) return pn_star_root(result_.bounds, step);
    return {};
  }

  Wide step_above(Number number) {
    return threshold_.after(number, std::max<Wide>(threshold_.increment(), 1), stats_.nodes);
  }

  void start_line() {
    line_.clear();
    if (rules_.refine != 0) line_.push(Key{});  // the depth that guesses rest on
    above_root_ = line_.size();
  }

  // Plies from the root of the whole search to that of this one.
  std::size_t depth_of_root() const { return job_ == nullptr ? 0 : job_->depth; }

  // When there is no frame: goes on if the search only went round in circles, or if its root was
  // left before it was solved. False if it has ended.
  bool reopen() {
    if (monitor_.reached() != Limit::none) return false;
    if (std::exchange(closes_, false)) return reopen_closed();
    if (!variant_.returns() || stopped_ || result_.bounds.solved()) return false;
    if (stop()) return closes_ && reopen();
    visit(root_thresholds(), false);
    return !frames_.empty() || reopen();
  }

  // Puts together what the table has, and starts again with it.
  bool reopen_closed() {
    if (guesses_) return give_up_guesses();
    close_table(problem_, table_, monitor_, stats_, progress_, memory_);
    if (monitor_.reached() != Limit::none) return false;
    stopped_ = false;
    visit(root_thresholds(), false);
    return !frames_.empty() || reopen();
  }

  // What goes round in circles by guesses is left to clearer ones.
  bool give_up_guesses() {
    result_ = {Bounds{}, kNoMove, true};
    return false;
  }

  // Inlined by force, as the parts of it that are called from two places: calls cost 4%.
  [[gnu::always_inline]] void step() {
    if (frames_.top().shared && teamwork_.looks_at_others()) return teamwork_.step();
    const Backup backup = back_up_of(frames_.top(), frames_.children());
    if (must_leave(frames_.top(), backup)) {
      leave(backup);
    } else if (stop()) {
      abandon();
    } else if (variant_.family == Family::pn_star) {
      descend(hardest_defence<FrameChild>(backup, frames_.children(), frames_.top().phi));
    } else {
      descend(backup);
    }
  }

  static Bounds view_of(const Frame& frame, const Backup& backup) {
    return from_view({backup.phi(), backup.delta()}, frame.phi == kPn);
  }

  Backup back_up_of(const Frame& frame, std::span<const FrameChild> children) {
    return plain_sum_ ? back_up(children, frame.phi) : back_up_by_rules(frame, children);
  }

  // Functions that plain searches do not call are kept out of line: the step is faster for it.
  [[gnu::noinline]] Backup back_up_by_rules(const Frame& frame,
                                            std::span<const FrameChild> children) {
    const auto group = [&](std::size_t i) { return frames_.extra(frame, i).group; };
    const std::size_t depth = static_cast<std::size_t>(&frame - &frames_[0]);
    const Number weight = rules_.weighted ? frames_.care(depth).weight : 1;
    return summation_.back_up(children, frame.phi, group, weight);
  }

  // Figure 5, lines 11 to 20: a new frame for the current position, unless the table knows enough.
  void visit(const Thresholds& thresholds, bool raised) {
    ++stats_.nodes;
    const Key key = problem_.key();
    Entry known;
    Resources solution = kUnknownResources;
    const bool seen = table_.is_shared() ? solutions_.find_though_written(key, known, solution)
                                         : solutions_.find(key, known, solution);
    if (seen && (known.bounds.solved() || is_reached(thresholds, known, raised)) &&
        !lacks_move(known, solution))
      return give_back(known.bounds, known.move, kRestsOnNothing, solution);
    if (!seen && rules_.killers && solved_like_killer(key)) return;
    if (!seen && variant_.second_level != nullptr) return develop(key);
    if (seen)
      ++stats_.reexpansions;
    else
      note_expansion(key);
    if (!teamwork_.alone()) table_.prefetch_to_store(key);
    if (rules_.care) take_care(key, seen ? &known : nullptr);
    open_frame(thresholds, key, seen ? known.work : 0);
    expansion_.run([&] { return after_short_search(); });
    if (rules_.tca) apply_tca(seen, raised);
  }

  // A new position is left with the numbers that the second level finds, and expanded when it is
  // visited again.
  [[gnu::noinline]] void develop(Key key) {
    note_expansion(key);
    const std::uint64_t before = stats_.nodes;
    const Bounds bounds =
        variant_.second_level->develop(table_.used(), [this](Event& event) { show(event); });
    const std::uint64_t work = 1 + stats_.nodes - before;
    Entry entry{bounds, static_cast<std::uint32_t>(std::min<std::uint64_t>(work, UINT32_MAX))};
    if (rules_.distances) entry.distance = distance_of(depth_of_root() + frames_.size());
    table_.store(key, entry);
    give_back(bounds, kNoMove, kRestsOnNothing);
  }

  // Wins that were seen at once are stored without their move, and those with other resources with
  // one that counts among the moves with these; at the root it is asked for.
  bool lacks_move(const Entry& known, Resources solution) const {
    if (!frames_.empty() || !known.bounds.solved()) return false;
    if (known.bounds.proven() != problem_.or_node()) return false;
    return known.move == kNoMove ||
           (job_ == nullptr && rules_.dominance && solution != resources_in(problem_.key()));
  }

  // With TCA, a node with an old child must look at its children first.
  bool is_reached(const Thresholds& thresholds, const Entry& known, bool raised) const {
    return !raised && (known.flags & kHasOldChild) == 0 &&
           thresholds.reached(known.bounds.pn, known.bounds.dn, needs_both_);
  }

  void note_expansion(Key key) {
    ++stats_.expansions;
    threshold_.expanded(stats_.nodes);
    progress_.expanded(key, stats_.nodes);
  }

  void open_frame(const Thresholds& thresholds, Key key, std::uint32_t work_before) {
    const bool may_share = frames_.empty() ? !teamwork_.alone() : frames_.top().shared;
    Frame& frame = frames_.open();
    frame.thresholds = thresholds;
    frame.key = key;
    frame.nodes_before = stats_.nodes - 1;
    frame.work_before = work_before;
    frame.phi = problem_.or_node() ? kPn : kDn;
    if (rules_.line) line_.push(key);
    if (may_share) teamwork_.opened(work_before);
  }

  // Before the frame is opened; `known` is the position's entry, or null.
  [[gnu::noinline]] void take_care(Key key, const Entry* known) {
    FrameCare care;
    care.increment = std::max<Wide>(threshold_.increment(), 1);
    if (rules_.distances) care.distance = distance_of(depth_of_root() + frames_.size());
    if (rules_.distances && known != nullptr)
      care.distance = std::min(care.distance, known->distance);
    if (known != nullptr) care.flags = known->flags & kHasTwin;
    if (rules_.twins) care.path = with_position(path_above(), key, line_.size());
    if (rules_.weighted) care.weight = expansion_.weight();
    if (rules_.doubles) sources_.look_for(care, key, known, above_root_);
    frames_.add_care(care);
  }

  PathCode path_above() const {
    if (frames_.has_cares()) return frames_.care().path;
    PathCode path;
    for (std::size_t ply = 0; ply < line_.size(); ++ply)
      path = with_position(path, line_.keys()[ply], ply);
    return path;
  }

  // Kishimoto 2010, figure 3: the lines marked (*). Not at a leaf: see rules/old_children.hpp.
  [[gnu::noinline]] void apply_tca(bool seen, bool raised) {
    Frame& frame = frames_.top();
    const auto old_and_open = [](const FrameChild& c) { return (c.flags & kOldChild) && c.open(); };
    const auto all = frames_.children();
    const bool has_old = std::any_of(all.begin(), all.end(), old_and_open);
    FrameCare& care = frames_.care();
    care.raised = seen && (raised || has_old);
    if (has_old) care.flags |= kHasOldChild;
    if (care.raised) raise(frame, back_up_of(frame, all));
  }

  // PDS would stay until both numbers have grown, ever deeper in a circle: one is enough there, and
  // none if the node would not be left.
  void raise(Frame& frame, const Backup& backup) const {
    if (!needs_both_) return raise_above(frame.thresholds, backup, frame.phi);
    if (!must_leave(frame, backup)) return;
    const unsigned grows = backup.phi() <= backup.delta() ? frame.phi : frame.phi ^ 1;
    frame.thresholds.of[grows] = Wide{std::min(backup.phi(), backup.delta())} + 1;
  }

  // Figure 5, lines 23 and 24.
  bool must_leave(const Frame& frame, const Backup& backup) const {
    if (backup.won() || backup.lost()) return true;
    const bool mine = backup.phi() >= frame.thresholds.of[frame.phi];
    const bool others = backup.delta() >= frame.thresholds.of[frame.phi ^ 1];
    return needs_both_ ? mine && others : mine || others;
  }

  // Figure 5, lines 25 to 29.
  [[gnu::always_inline]] void descend(const Backup& backup) {
    Frame& frame = frames_.top();
    frame.chosen = static_cast<std::uint32_t>(backup.best);
    const FrameChild& child = frames_.chosen();
    if ((child.flags & kUnseen) != 0)
      return expansion_.look_again(backup.best, [&] { return after_short_search(); });
    const Wide increment = rules_.care ? frames_.care().increment : threshold_.increment();
    const Wide passed = threshold_.after(backup.second, increment, stats_.nodes);
    Thresholds thresholds = child_thresholds(frame.thresholds, backup, frame.phi, passed);
    if (variant_.family != Family::dfpn) thresholds = variants_thresholds(backup);
    if (frame.shared) thresholds.raise_above(child.numbers);
    if (rules_.costs) take_off_cost(thresholds, child.numbers, expansion_.cost_of(child.move));
    ++stats_.moves;
    problem_.play(child.move);
    visit(thresholds, rules_.tca && frames_.care().raised);
  }

  [[gnu::noinline]] Thresholds variants_thresholds(const Backup& backup) {
    const Frame& frame = frames_.top();
    const auto step = [&](Number number) { return step_above(number); };
    if (variant_.family == Family::pn_star)
      return pn_star_thresholds(frame.thresholds, backup, frame.phi, step);
    return pds_thresholds(frame.thresholds, backup, frame.phi, frames_.chosen().numbers, step);
  }

  // Figure 5, lines 31 to 33.
  [[gnu::always_inline]] void leave(const Backup& backup) {
    const Frame& frame = frames_.top();
    const Bounds bounds = view_of(frame, backup);
    std::size_t best = backup.best;
    Depth rests_on = kRestsOnNothing;
    if (rules_.taints && bounds.solved()) {
      const std::span<const FrameChild> children = frames_.children();
      rests_on = solution_rests_on(children, frame.phi, line_.size() - 1, best);
    }
    const auto move = backup.lost() ? kNoMove : static_cast<std::uint16_t>(best);
    Entry entry{bounds, work(frame), move};
    if (rules_.care) leave_with_care(entry, rests_on);
    bool was_there = false;
    const Resources solution = solutions_.store(entry, was_there);
    stats_.duplicated += was_there && frame.work_before == 0;
    if (frames_.top().shared && entry.bounds.solved()) teamwork_.tell_solved();
    close_frame();
    give_back(bounds, move, rests_on, solution);
  }

  [[gnu::noinline]] void leave_with_care(Entry& entry, Depth rests_on) {
    note_care(entry, frames_.size() - 1);
    if (rests_on != kRestsOnNothing)
      taint(entry, rests_on);
    else if (entry.bounds.solved() && rules_.killers)
      borrowing_.remember(entry.bounds);
  }

  void note_care(Entry& entry, std::size_t depth) {
    const FrameCare& care = frames_.care(depth);
    entry.distance = care.distance;
    entry.flags = care.flags;
    entry.parent = care.parent;
    if (care.doubled != 0) side_.doubles->set(frames_[depth].key, care.doubled);
  }

  bool is_guess(Depth rests_on) const { return rules_.refine != 0 && rests_on == kGuess; }

  // The solution holds on this line only: the position is seen, but not solved.
  void taint(Entry& entry, Depth rests_on) {
    const bool by_repetition = entry.bounds.disproven() && !is_guess(rests_on);
    entry.bounds = Bounds{};
    if (!rules_.twins || !by_repetition) return;
    entry.flags |= kHasTwin;
    const Key key = frames_.top().key;
    side_.twins->add(key, with_position(frames_.care().path, key, line_.size() - 1), rests_on);
  }

  std::uint32_t work(const Frame& frame) const {
    const std::uint64_t total = frame.work_before + (stats_.nodes - frame.nodes_before);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(total, UINT32_MAX));
  }

  void close_frame() {
    if (frames_.top().counted) teamwork_.closing();
    frames_.close();
    if (rules_.line) line_.pop();
  }

  // Hands a node's bounds to its parent's frame, or to the result.
  [[gnu::always_inline]] void give_back(Bounds bounds, std::uint16_t move, Depth rests_on,
                                        Resources solution = kUnknownResources) {
    if (frames_.empty()) {
      result_ = {bounds, move, is_guess(rests_on), rests_on};
      return;
    }
    FrameChild& child = frames_.chosen();
    child.set(bounds);
    child.rests_on = rests_on;
    if (rules_.dominance) frames_.extra(frames_.top(), frames_.top().chosen).solution = solution;
    problem_.undo(child.move);
    if (rules_.costs) expansion_.add_cost(child);
    if (rules_.siblings && rests_on == kRestsOnNothing && child.numbers[frames_.top().phi ^ 1] == 0)
      borrowing_.from_sibling(child);
  }

  [[gnu::noinline]] bool solved_like_killer(Key key) {
    Entry entry;
    if (!borrowing_.from_killer(key, entry)) return false;
    give_back(entry.bounds, entry.move, kRestsOnNothing);
    return true;
  }

  bool stop() {
    if (stats_.nodes >= next_look_ && look_around()) return true;
    return monitor_.stop(stats_.nodes, [&] { return snapshot(); });
  }

  // What need not be looked at with every visit. True if the search must end, or close its table.
  [[gnu::noinline]] bool look_around() {
    if (stats_.nodes - first_node_ >= budget_) return true;
    next_look_ =
        std::min(stats_.nodes + std::min(kLookInterval, teamwork_.interval()), end_of_budget());
    if (!teamwork_.alone() && teamwork_.look_around()) return true;
    if ((rules_.closure || guesses_) && progress_.is_circling(stats_.nodes, table_.used()))
      return closes_ = true;
    if (progress_.is_stuck(stats_.nodes)) monitor_.end(Limit::no_progress);
    if (bytes() + problem_.bytes() > memory_) monitor_.end(Limit::memory);
    return monitor_.reached() != Limit::none;
  }

  // Numbers with costs are not exchanged: those in the table are without.
  std::uint64_t exchange_interval() const {
    const std::uint64_t visits = rules_.costs ? 0 : options_.natural("exchange");
    return visits == 0 ? Teamwork<DfPn>::kNever : visits;
  }

  std::uint64_t end_of_budget() const {
    return budget_ == kNoBudget ? kNoBudget : first_node_ + budget_;
  }

  // A limit was reached: take back all moves, and keep what the numbers say now. Or only those
  // below a node that has to be left because of what others have done.
  void abandon() {
    const std::size_t kept = teamwork_.take_kept_frames();
    stopped_ = kept == 0;
    while (frames_.size() > kept) {
      const Backup backup = back_up_of(frames_.top(), frames_.children());
      const bool will_come_back = job_ != nullptr || kept > 0;
      const Bounds bounds = store_open(frames_.size() - 1, backup, will_come_back);
      close_frame();
      give_back(bounds, kNoMove, kRestsOnNothing);
    }
  }

  // Returns what is stored of the node. It is not taken for solved: that is for leave().
  Bounds store_open(std::size_t depth, const Backup& backup, bool will_come_back) {
    const Frame& frame = frames_[depth];
    Bounds bounds = view_of(frame, backup);
    if (bounds.solved()) bounds = Bounds{};
    Entry entry{bounds, work(frame), static_cast<std::uint16_t>(backup.best)};
    if (will_come_back && rules_.care) note_care(entry, depth);
    table_.store(frame.key, entry);
    return bounds;
  }

  [[gnu::noinline]] Event snapshot() {
    Event event;
    show(event);
    event.stats = stats_;
    event.stats.collections += table_.collections() - collections_before_;
    event.depth = depth_of_root() + frames_.size();
    event.table_fill = table_.fill();
    return event;
  }

  // The root, its children and the line; those of the whole search, of which this may be a part.
  void show(Event& event) {
    if (outer_ != nullptr) return outer_->show(event);
    if (job_ != nullptr) event = job_->shown;
    if (job_ != nullptr || frames_.empty()) return;
    const Backup backup = back_up_of(frames_[0], frames_.children(0));
    event.root = view_of(frames_[0], backup);
    for (std::size_t i = 0; i + 1 < std::min(frames_.size(), Event::kMostPlies); ++i)
      event.line.push_back(frames_.children(i)[frames_[i].chosen].move);
    for (const FrameChild& child : frames_.children(0))
      event.children.push_back({child.move, {child.numbers[kPn], child.numbers[kDn]}});
  }

  // What a df-pn of leaf_nodes visits makes of the current position; it starts a line of its own,
  // so what it solves holds everywhere.
  Bounds after_short_search() {
    if (!short_search_) short_search_ = std::make_unique<ShortSearch>(*this);
    const Result result = short_search_->dfpn.search();
    if (result.bounds.solved()) table_.store(problem_.key(), {result.bounds, 1, result.move});
    return result.bounds;
  }

  // The short df-pn at new leaves: the same step, with plain options, a small table and a budget.
  struct ShortSearch {
    explicit ShortSearch(DfPn& outer)
        : table(kLeafTable),
          side(outer.problem_, options, kLeafTable),
          dfpn(outer.problem_, table, side, outer.monitor_, outer.stats_, options, outer.memory_) {
      dfpn.budget_ = outer.options_.natural("leaf_nodes");
      dfpn.outer_ = &outer;
    }

    Options options;
    Table table;
    SideTables<G> side;
    DfPn dfpn;
  };

  Problem<G>& problem_;
  Table& table_;
  const std::uint64_t collections_before_ = table_.collections();  // of a table that was there
  SideTables<G>& side_;
  Monitor& monitor_;
  Stats& stats_;
  const Options& options_;
  const std::size_t memory_;
  const Variant variant_;
  const bool needs_both_;  // thresholds reached, to leave a node
  const DfPnRules<G> rules_;
  Summation summation_;
  const bool plain_sum_;
  ThresholdRule threshold_;
  Frames frames_;
  Teamwork<DfPn> teamwork_;
  Progress progress_;
  Line line_;
  Sources sources_;
  Expansion<G> expansion_;
  Solutions<G> solutions_;
  Borrowing<G> borrowing_;
  std::unique_ptr<ShortSearch> short_search_;
  Result result_;
  const Job* job_ = nullptr;
  DfPn* outer_ = nullptr;             // this is its short search at a leaf
  bool closes_ = false;               // the stack was abandoned to close the table
  bool stopped_ = false;              // the stack was abandoned
  bool guesses_ = false;              // clear guesses count as decided (rules/refine.hpp)
  std::uint64_t doubt_ = 0;           // how clear a guess must be
  std::size_t above_root_ = 0;        // positions of the line that have no frame
  std::uint64_t budget_ = kNoBudget;  // visits
  std::uint64_t next_look_ = 0;
  std::uint64_t first_node_ = 0;
};

}  // namespace andorra
