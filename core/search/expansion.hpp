// Expansion: the children of df-pn's current position, with all that is known of each.
//
// Idea: an end is solved; a repetition is disproven on this line; a position in the table has its
// numbers there, and may be disproven on this path by a twin; of all others, the leaves, the
// options decide (rules/initialise.hpp, rules/dominance.hpp, guesses, a short df-pn). A leaf that
// waits for another child of its group is not looked at before its turn comes: on the Zuko, two
// looks of five at positions of the attacker's were for nothing. Invariant: generation stops at a
// child that wins for the mover; no child is visited that was not looked at. Keys are computed
// first and looked up later, because the table's memory is slow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "question.hpp"
#include "rules/costs.hpp"
#include "rules/dominance.hpp"
#include "rules/initialise.hpp"
#include "rules/old_children.hpp"
#include "rules/refine.hpp"
#include "rules/simulation.hpp"
#include "rules/summation.hpp"
#include "search/dfpn_rules.hpp"
#include "search/frames.hpp"
#include "stats.hpp"
#include "table/table.hpp"

namespace andorra {

template <Game G>
class Expansion {
 public:
  Expansion(Problem<G>& problem, Table& table, SideTables<G>& side, Stats& stats,
            const DfPnRules<G>& rules, const Options& options, Frames& frames, Line& line)
      : problem_(problem),
        table_(table),
        side_(side),
        stats_(stats),
        rules_(rules),
        frames_(frames),
        line_(line),
        by_average_(options.natural("increment") == 0),
        dominance_(problem.question().prover),
        initialise_(problem, options),
        simulation_(problem, table, line) {}

  // `doubt`: how clear a guess must be to be taken, 0 for never. The first frame will stand so many
  // plies below the root of the whole search.
  void start(std::uint64_t doubt, std::size_t depth_of_root) {
    doubt_ = doubt;
    depth_of_root_ = depth_of_root;
    plain_leaves_ = initialise_.unit() && doubt_ == 0 && !by_average_;
    if constexpr (LooksAhead<G>) plain_leaves_ = false;
  }

  // For the frame on top. short_search() gives the numbers of a leaf on the problem.
  template <class ShortSearch>
  void run(ShortSearch&& short_search) {
    const unsigned phi = frames_.top().phi;
    if (rules_.doubles) side_.doubles->prefetch(frames_.top().key);
    const std::size_t count = problem_.count_children(moves_);
    if (keys_.size() < count) {
      keys_.resize(count);
      candidates_.resize(count);
    }
    FrameChild* children = frames_.reserve(count);
    const std::size_t visited = list_children(children, phi);
    stats_.moves += visited;
    frames_.keep(visited);
    if (rules_.extras) add_extras(visited);
    if (children[visited - 1].numbers[phi] == 0) return;
    look_up(children, visited);
    if (!plain_leaves_) look_at_leaves(children, short_search);
    if (rules_.costs) add_costs(children, visited);
  }

  // Of child i of the frame on top: looks at it now, if it has waited for that.
  template <class ShortSearch>
  [[gnu::noinline]] void look_again(std::size_t i, ShortSearch&& short_search) {
    FrameChild& child = frames_.children()[i];
    child.flags &= ~kUnseen;
    problem_.play(child.move);
    look_at_leaf(child, problem_.key(), i, short_search);
    problem_.undo(child.move);
    if (rules_.costs) add_cost(child);
  }

  // Of child i of the frame on top, if it is open: takes the numbers that the table has by now.
  [[gnu::noinline]] void look_up_again(std::size_t i, Key key) {
    FrameChild& child = frames_.children()[i];
    if (!child.open() || (child.flags & kUnseen) != 0) return;
    if (is_known(child, i, key) && rules_.costs) add_cost(child);
  }

  // The same for a frame further up, where the game is not: without what depends on the line, and
  // not with costs.
  [[gnu::noinline]] void look_up_above(std::size_t depth, std::size_t i, Key key) {
    FrameChild& child = frames_.children(depth)[i];
    if (!child.open() || (child.flags & kUnseen) != 0) return;
    Snapshot known;
    if (!find(key, known) || (rules_.twins && (known.flags() & kHasTwin) != 0)) return;
    child.set(known.bounds());
    if (rules_.dominance && known.bounds().solved())
      frames_.extra(frames_[depth], i).solution = resources_in(known.key());
  }

  // The current position is the parent's.
  void add_cost(FrameChild& child) {
    if (child.open()) andorra::add_cost(child.numbers, cost_of(child.move));
  }

  Guess cost_of(Move move) const {
    if constexpr (HasCosts<G>) return problem_.game().cost(move, problem_.question().prover);
    return {0, 0};
  }

  // The weight of a weak sum at the current position: the game's guess of what adds up there.
  Number weight() const { return view(initialise_.guess(), problem_.or_node()).delta; }

  // What is solved holds on every line, and may decide others.
  bool dominates() const { return rules_.dominance; }
  const Dominance<G>& dominance() const { return dominance_; }
  Simulation<G>& simulation() { return simulation_; }

 private:
  // Returns how many there are, up to one that wins for the mover (survey figure 3, line 74).
  std::size_t list_children(FrameChild* children, unsigned phi) {
    if constexpr (LooksAhead<G>) {
      problem_.each_key(moves_, [&](std::size_t i, Move move, Key key) {
        children[i] = evaluate(move, Status::open, [&] { return key; }, keys_[i]);
      });
      return moves_.size();
    } else {
      return problem_.each_child(moves_, [&](std::size_t i, Move move, Status status, auto key) {
        children[i] = evaluate(move, status, key, keys_[i]);
        return children[i].numbers[phi] != 0;
      });
    }
  }

  template <class ComputeKey>
  FrameChild evaluate(Move move, Status status, ComputeKey compute_key, Key& key) {
    const Bounds bounds = bounds_of(status);
    FrameChild child{{bounds.pn, bounds.dn}, move, kRestsOnNothing, 0};
    if (bounds.solved()) return child;
    key = compute_key();
    table_.prefetch(key);
    if (!rules_.acyclic) mark_repetition(child, key);
    return child;
  }

  void mark_repetition(FrameChild& child, Key key) {
    const Depth above = rules_.dominance ? dominance_.repetition(line_, key) : line_.find(key);
    if (above == kRestsOnNothing) return;
    child.set(kDisproven);
    if (!rules_.trusts_repetitions) child.rests_on = above;
    ++stats_.repetitions;
  }

  void look_up(FrameChild* children, std::size_t count) {
    std::size_t found = 0;
    leaves_.clear();
    const bool leaves = !plain_leaves_;
    for (std::size_t i = 0; i < count; ++i) {
      if (!children[i].open()) continue;
      if (table_.may_hold(keys_[i]))
        candidates_[found++] = static_cast<std::uint32_t>(i);
      else if (leaves)
        leaves_.push_back(static_cast<std::uint32_t>(i));
    }
    for (std::size_t c = 0; c < found; ++c) {
      const std::uint32_t i = candidates_[c];
      if (!is_known(children[i], i, keys_[i]) && leaves) leaves_.push_back(i);
    }
  }

  bool is_known(FrameChild& child, std::size_t i, Key key) {
    if (rules_.dominance) return is_dominated(child, i, key);
    Snapshot known;
    if (!table_.find(key, known)) return false;
    take_over(child, key, known);
    return true;
  }

  bool find(Key key, Snapshot& known) const {
    return rules_.dominance ? dominance_.find(table_, key, known) : table_.find(key, known);
  }

  [[gnu::noinline]] bool is_dominated(FrameChild& child, std::size_t i, Key key) {
    Snapshot known;
    if (!dominance_.find(table_, key, known)) return false;
    if (known.bounds().solved())
      frames_.extra(frames_.top(), i).solution = resources_in(known.key());
    take_over(child, key, known);
    return true;
  }

  void take_over(FrameChild& child, Key key, const Snapshot& known) {
    child.set(known.bounds());
    if (rules_.acyclic || known.bounds().solved()) return;
    if (rules_.distances && is_old(known.distance(), frames_.care().distance))
      child.flags |= kOldChild;
    if (rules_.twins && (known.flags() & kHasTwin) != 0) ask_twins(child, key);
  }

  // A disproof of the child on this path, or one of another path that works here too.
  [[gnu::noinline]] void ask_twins(FrameChild& child, Key key) {
    const PathCode path = frames_.care().path;
    Depth rests_on = side_.twins->find(key, path);
    if (rests_on == kRestsOnNothing) {
      rests_on = rules_.simulates_twins ? simulated(child.move) : Simulation<G>::kFailed;
      if (rests_on == Simulation<G>::kFailed) return;
      if (rests_on != kRestsOnNothing) side_.twins->add(key, path, rests_on);
    }
    child.set(kDisproven);
    child.rests_on = rests_on;
  }

  Depth simulated(Move move) {
    problem_.play(move);
    const Depth rests_on = simulation_.disproof();
    problem_.undo(move);
    return rests_on;
  }

  template <class ShortSearch>
  [[gnu::noinline]] void look_at_leaves(FrameChild* children, ShortSearch&& short_search) {
    const unsigned phi = frames_.top().phi;
    Wide total = 0;
    if (rules_.in_turn && phi == kDn) let_some_wait();
    for (std::uint32_t i : leaves_) {
      problem_.play(children[i].move);
      look_at_leaf(children[i], keys_[i], i, short_search);
      problem_.undo(children[i].move);
      if (children[i].numbers[phi] == 0) return;
      total += std::min<Wide>(children[i].numbers[phi], kLargest);
    }
    if (by_average_)
      frames_.care().increment = leaves_.empty() ? 1 : std::max<Wide>(1, total / leaves_.size());
  }

  // Takes those out of the leaves that wait for another child of their group (rules/summation.hpp).
  void let_some_wait() {
    groups_.clear();
    std::sort(leaves_.begin(), leaves_.end());
    const auto children = frames_.children();
    auto next = leaves_.begin();
    auto kept = next;
    for (std::uint32_t i = 0; i < children.size(); ++i) {
      const bool leaf = next != leaves_.end() && *next == i;
      if (leaf) ++next;
      const std::uint32_t group = frames_.extra(frames_.top(), i).group;
      const bool first = std::find(groups_.begin(), groups_.end(), group) == groups_.end();
      if (leaf && (group == 0 || first)) *kept++ = i;
      if (leaf && group != 0 && !first) children[i].flags |= kUnseen;
      if (group != 0 && first && children[i].open()) groups_.push_back(group);
    }
    leaves_.erase(kept, leaves_.end());
  }

  template <class ShortSearch>
  void look_at_leaf(FrameChild& child, Key key, std::size_t i, ShortSearch&& short_search) {
    if constexpr (LooksAhead<G>)
      if (look_ahead(child, key, i)) return;
    if (initialise_.by_dfpn()) return child.set(short_search());
    const Bounds bounds = initialise_.bounds(depth_of_root_ + frames_.size());
    child.set(bounds);
    // Stored like all that is solved: a closure that took it for unknown could miss the last leaf.
    if (bounds.solved()) table_.store(key, {bounds, 1, kNoMove});
    if (doubt_ != 0 && child.open()) take_guess(child);
  }

  // True if the look decides, or gives the numbers asked for.
  bool look_ahead(FrameChild& child, Key key, std::size_t i)
    requires LooksAhead<G>
  {
    const Look look = problem_.game().look(problem_.question().prover, child.move);
    const Status status = problem_.status(look);
    if (status != Status::open) return child.set(bounds_of(status)), true;
    if (!initialise_.by_game()) return false;
    // A win may be more, or less, than the score that is asked for.
    if (look.winning == Look::kNoMove || problem_.question().scored)
      child.set({as_number(look.guess.pn), as_number(look.guess.dn)});
    else
      win_at_once(child, key, i, look.winning);
    return doubt_ == 0 || !child.open();
  }

  // Stored, so that it need not be seen again; without the move, which a search finds at once.
  void win_at_once(FrameChild& child, Key key, std::size_t i, Move winning) {
    const Bounds bounds = problem_.or_node() ? kProven : kDisproven;
    child.set(bounds);
    if constexpr (HasSolutionResources<G>) {
      if (rules_.dominance) {
        key = with_resources(key, dominance_.solution_by(problem_, winning));
        frames_.extra(frames_.top(), i).solution = resources_in(key);
      }
    }
    table_.store(key, {bounds, 1, kNoMove});
  }

  void take_guess(FrameChild& child) {
    const Bounds bounds = decided_by(initialise_.guess(), doubt_);
    if (!bounds.solved()) return;
    child.set(bounds);
    child.rests_on = kGuess;
  }

  [[gnu::noinline]] void add_extras(std::size_t count) {
    const MoveMask doubled = rules_.doubles ? side_.doubles->find(frames_.top().key) : 0;
    frames_.care().doubled = doubled;
    const auto extras = frames_.add_extras(count);
    const auto children = frames_.children();
    for (std::size_t i = 0; i < count; ++i) {
      extras[i] = {children[i].open() ? keys_[i].board : 0, 0, kUnknownResources};
      if constexpr (HasGroups<G>)
        if (rules_.groups) extras[i].group = problem_.game().group(children[i].move);
      if (i < kMostMarked && (doubled >> i & 1) != 0) children[i].flags |= kDoubleCounted;
    }
  }

  [[gnu::noinline]] void add_costs(FrameChild* children, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) add_cost(children[i]);
  }

  Problem<G>& problem_;
  Table& table_;
  SideTables<G>& side_;
  Stats& stats_;
  const DfPnRules<G>& rules_;
  Frames& frames_;
  Line& line_;
  const bool by_average_;
  std::uint64_t doubt_ = 0;
  std::size_t depth_of_root_ = 0;
  bool plain_leaves_ = true;  // nothing is asked about positions that the table does not know
  const Dominance<G> dominance_;
  Initialise<G> initialise_;
  Simulation<G> simulation_;
  MoveList moves_;
  std::vector<Key> keys_;
  std::vector<std::uint32_t> candidates_;
  std::vector<std::uint32_t> leaves_;
  std::vector<std::uint32_t> groups_;
};

}  // namespace andorra
