// Teamwork: what a df-pn agent does because of the others.
//
// Idea: where others may be below the same node, numbers come from the table and the child is
// chosen by virtual ones; every now and then an agent looks whether the team has ended or somebody
// has solved a node above it, and exchanges the numbers of its line with the others. How agents
// see each other is in search/shared_frames.hpp; the step itself is df-pn's (search/dfpn.hpp),
// which lets this class in.
// Source: Kaneko 2010, figure 3 and section 4, for the choice and for notification; Pawlewicz &
// Hayward 2013 for jobs (search/virtual_wins.hpp). The exchange of numbers is ours.
// Invariant: whether a node is left depends on real numbers. (Kaneko's figure decides that by
// virtual ones, which may claim a solution that nobody has.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <thread>
#include <utility>

#include "bounds.hpp"
#include "rules/backup.hpp"
#include "rules/dominance.hpp"
#include "search/frames.hpp"
#include "search/shared_frames.hpp"
#include "search/team.hpp"
#include "search/virtual_wins.hpp"
#include "table/table.hpp"

namespace andorra {

template <class Search>
class Teamwork {
 public:
  static constexpr std::uint64_t kNever = UINT64_MAX;

  // Without a team, a search alone. Numbers are exchanged after so many visits, or kNever.
  Teamwork(Search& search, Frames& frames, Team* team, std::uint64_t exchange)
      : search_(search),
        frames_(frames),
        team_(team),
        shared_(frames, team),
        exchange_(team == nullptr || shared_.by_jobs() ? kNever : exchange),
        next_exchange_(exchange_) {}

  bool alone() const { return team_ == nullptr; }

  // Visits between two looks at the team, at most.
  std::uint64_t interval() const { return exchange_; }

  // As in SharedFrames.
  void opened(std::uint64_t work) { shared_.opened(work); }
  void closing() { shared_.closing(); }

  // The node on top, whose frame is shared, is solved.
  void tell_solved() {
    if (shared_.others_below_top()) team_->tell_solved();
  }

  // At a shared frame. Where nobody else is, there is nothing to look at, and most frames are so.
  bool looks_at_others() const {
    return shared_.others_below_top() || was_stopped_ || shared_.by_jobs();
  }

  // The step of df-pn at such a frame.
  [[gnu::noinline]] void step() {
    const bool others = shared_.others_below_top();
    if (std::exchange(in_job_, false)) show_views();
    if ((others || std::exchange(was_stopped_, false)) && leave_if_solved()) return;
    if (others || shared_.by_jobs()) look_up_again(others);
    const Backup backup = search_.back_up_of(frames_.top(), frames_.children());
    if (search_.must_leave(frames_.top(), backup)) return search_.leave(backup);
    if (search_.stop()) return search_.abandon();
    const bool views = others || shared_.by_jobs();
    descend(views ? virtual_backup(frames_.size() - 1) : backup);
  }

  // True if the search must end, or has to leave a node because of what others have done.
  bool look_around() {
    if (team_->ended()) return true;
    if (!shared_.by_jobs())
      shared_.extend([&](const Frame& frame) { return search_.work(frame); });
    else if (nodes() - job_start_ >= VirtualWins::kJob && shared_.count() < frames_.size())
      return kept_frames_ = shared_.count(), true;
    return goes_up_to_solved() || (nodes() >= next_exchange_ && goes_up_after_exchange());
  }

  std::size_t bytes() const { return shared_.bytes(); }

  // How many frames stay when the search abandons them next.
  std::size_t take_kept_frames() { return std::exchange(kept_frames_, 0); }

 private:
  // An exchange goes through the whole line; for each so many frames of it, the next comes later.
  static constexpr std::uint64_t kShortLine = 128;

  std::uint64_t nodes() const { return search_.stats_.nodes; }

  void look_up_again(bool others) {
    shared_.list_keys([&](Move move) { return search_.problem_.key_after(move); });
    const auto look = [&](std::size_t i, Key key) { search_.expansion_.look_up_again(i, key); };
    if (others) shared_.each_changed(look);
  }

  Backup virtual_backup(std::size_t depth) {
    Backup backup;
    shared_.with_virtual_numbers(
        depth, [&] { backup = search_.back_up_of(frames_[depth], frames_.children(depth)); });
    return backup;
  }

  void descend(const Backup& backup) {
    ++search_.stats_.shared_steps;
    if (!shared_.by_jobs()) return search_.descend(backup);
    show_view(frames_.size() - 1, backup);
    if (backup.won() || backup.lost()) return go_elsewhere(Search::view_of(frames_.top(), backup));
    job_start_ = nodes();
    search_.monitor_.busy();
    search_.descend(backup);
    in_job_ = shared_.count() < frames_.size();
    if (in_job_) shared_.forget_taken();
  }

  // By virtual wins and losses: others are at work on all that could be done below the node on top.
  void go_elsewhere(Bounds view) {
    if (frames_.size() > 1) {
      kept_frames_ = frames_.size() - 1;
      search_.abandon();
      shared_.note_taken(view);
    } else {
      ++search_.stats_.idle;
      shared_.forget_taken();
      const auto snapshot = [&] { return search_.snapshot(); };
      if (team_->ended() || search_.monitor_.idle(snapshot)) return search_.abandon();
      if (!team_->takes_turns) std::this_thread::yield();
    }
  }

  void show_view(std::size_t depth, const Backup& backup) {
    shared_.show(depth, Search::view_of(frames_[depth], backup));
  }

  // After a job, for those who wait further up.
  void show_views() {
    for (std::size_t depth = shared_.count(); depth-- > 0;) show_view(depth, virtual_backup(depth));
  }

  // Somebody else may have solved the node on top.
  bool leave_if_solved() {
    Entry known;
    Resources solution = kUnknownResources;
    if (!is_solved(frames_.top().key, known, solution)) return false;
    search_.close_frame();
    search_.give_back(known.bounds, known.move, kRestsOnNothing, solution);
    return true;
  }

  bool is_solved(Key key, Entry& known, Resources& solution) const {
    return search_.solutions_.find(key, known, solution) && known.bounds.solved();
  }

  bool goes_up_to_solved() {
    if (team_->solved() == solved_seen_) return false;
    solved_seen_ = team_->solved();
    const std::size_t first = shared_.first_shared([&](Key key) {
      Entry known;
      Resources solution;
      return is_solved(key, known, solution);
    });
    if (first == frames_.size()) return false;
    was_stopped_ = true;
    return go_up_to(first);
  }

  // Numbers go to the others and come from them.
  [[gnu::noinline]] bool goes_up_after_exchange() {
    next_exchange_ = nodes() + exchange_ * (1 + frames_.size() / kShortLine);
    if (!shared_.others_below_root()) return false;
    shared_.each_changed_above([&](std::size_t depth, std::size_t i, Key key) {
      search_.expansion_.look_up_above(depth, i, key);
    });
    std::size_t first_to_leave = frames_.size();
    for (std::size_t depth = frames_.size(); depth-- > 0;)
      if (search_.must_leave(frames_[depth], hand_up(depth))) first_to_leave = depth;
    return first_to_leave + 1 < frames_.size() && go_up_to(first_to_leave);
  }

  // A frame's numbers go to the frame above it, and to the table if others want to see them.
  Backup hand_up(std::size_t depth) {
    const Frame& frame = frames_[depth];
    const Backup backup = search_.back_up_of(frame, frames_.children(depth));
    if (depth == 0 || backup.won() || backup.lost()) return backup;
    frames_.children(depth - 1)[frames_[depth - 1].chosen].set(Search::view_of(frame, backup));
    if (shared_.has_onlookers(depth)) publish(depth, backup);
    return backup;
  }

  void publish(std::size_t depth, const Backup& backup) {
    Frame& frame = frames_[depth];
    frame.work_before = search_.work(frame);
    frame.nodes_before = nodes();
    search_.store_open(depth, backup, true);
    shared_.announce(depth);
  }

  // The frames below that one will be abandoned.
  bool go_up_to(std::size_t depth) {
    kept_frames_ = depth + 1;
    ++search_.stats_.stops;
    return true;
  }

  Search& search_;
  Frames& frames_;
  Team* const team_;
  SharedFrames shared_;
  const std::uint64_t exchange_;  // of numbers: visits between two, and the next
  std::uint64_t next_exchange_;
  bool was_stopped_ = false;       // by somebody who solved the node on top
  bool in_job_ = false;            // the agent was below the shared frames
  std::size_t kept_frames_ = 0;    // when frames are abandoned
  std::uint64_t solved_seen_ = 0;  // of what the team told
  std::uint64_t job_start_ = 0;    // visits
};

}  // namespace andorra
