// Shared frames: the upper part of an agent's line, where it looks at what the others do.
//
// Idea: numbers of children are kept in frames, so an agent alone never looks them up twice. Where
// others work below the same node, the numbers of its children change meanwhile, so those that
// somebody has left since are looked up again before a child is chosen, and all are seen as the
// scheduler says. That pays only at nodes with some work below them, and these are few: the first
// frames of the line. An agent may be below a child for long, and would act on old numbers of the
// siblings, and the others on old numbers of the child: so once in a while all agents look up the
// siblings of their lines, and store and announce the numbers of the lines.
// Source: Kaneko 2010, figure 3 (selection by virtual numbers, real ones elsewhere).
// The exchange of numbers is ours.
// Invariant: the shared frames are the first of the line, and the team counts this agent at each of
// them; and at the frame after them, if others were below the last of them or others want to see
// who has a job. (An agent that is alone there soon leaves such a frame, and counting is dear: it
// waits for all that was written before.)
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "search/frames.hpp"
#include "search/team.hpp"
#include "search/virtual_numbers.hpp"
#include "search/virtual_wins.hpp"

namespace andorra {

class SharedFrames {
 public:
  SharedFrames(Frames& frames, Team* team)
      : frames_(frames), team_(team), seat_(team == nullptr ? 0 : team->join()) {}

  bool by_jobs() const { return team_->scheduler == Scheduler::by_jobs; }

  // A frame was opened, with so much work below it before: the first, or one below a shared frame.
  [[gnu::noinline]] void opened(std::uint64_t work) {
    const bool shares = shared_ == 0 || work >= least_work();
    if (!shares && !by_jobs() && !others_below(shared_ - 1)) return;
    enter();
    if (shares)
      share();
    else if (by_jobs())
      show(frames_.size() - 1, VirtualWins::view_of_job(frames_.child_above_top()));
  }

  // The frame on top, which is counted, is about to be closed.
  [[gnu::noinline]] void closing() {
    team_->presence.leave(place(frames_.size() - 1), seat_);
    if (keys_.size() >= frames_.size()) keys_[frames_.size() - 1].taken.clear();
    --counted_;
    shared_ = std::min(shared_, counted_);
  }

  // Shares more frames, if by now they have enough work below them; work(frame) tells.
  template <class Work>
  void extend(Work&& work) {
    while (shared_ < frames_.size() && work(frames_[shared_]) >= least_work()) {
      if (counted_ == shared_) enter();
      share();
    }
  }

  // Whether others are below the frame on top, too.
  bool others_below_top() const { return others_below(frames_.size() - 1); }

  // Makes the keys of the children of the frame on top known; key_after(move) computes one.
  template <class KeyAfter>
  void list_keys(KeyAfter&& key_after) {
    if (keys_.size() < shared_) keys_.resize(shared_);
    if (has_keys(shared_ - 1)) return;
    Keys& keys = keys_[shared_ - 1];
    bytes_ -= keys.bytes();
    keys.of = frames_.top().key;
    keys.all.clear();
    keys.departures.clear();
    for (const FrameChild& child : frames_.children()) {
      keys.all.push_back(key_after(child.move));
      keys.departures.push_back(team_->presence.departures(team_->presence.of(keys.all.back())) -
                                1);
    }
    bytes_ += keys.bytes();
  }

  // Calls visit(i, key) for each child of the frame on top that somebody has left since the last
  // time, and for all of them the first time.
  template <class Visit>
  void each_changed(Visit&& visit) {
    each_changed_at(shared_ - 1, visit, [](std::size_t) { return false; });
  }

  // Calls visit(depth, i, key) for such children of the shared frames above the top, but for those
  // that the line goes through.
  template <class Visit>
  void each_changed_above(Visit&& visit) {
    for (std::size_t depth = 0; depth < shared_ && depth + 1 < frames_.size(); ++depth) {
      if (!has_keys(depth)) continue;
      const auto visit_here = [&](std::size_t i, Key key) { visit(depth, i, key); };
      const auto on_line = [&](std::size_t i) { return i == frames_[depth].chosen; };
      each_changed_at(depth, visit_here, on_line);
    }
  }

  bool others_below_root() const { return others_below(0); }

  // Whether others choose between a frame that is not the first and its siblings. Those that are
  // below the frame themselves have numbers of their own for it.
  bool has_onlookers(std::size_t depth) const {
    return depth < counted_ && below(depth - 1) > below(depth);
  }

  // The frame's numbers are in the table now.
  void announce(std::size_t depth) { team_->presence.announce(place(depth), seat_); }

  // Lets open children of a shared frame have virtual numbers while visit() looks.
  template <class Visit>
  void with_virtual_numbers(std::size_t depth, Visit&& visit) {
    const std::span<FrameChild> children = frames_.children(depth);
    const std::span<const Key> keys = keys_[depth].all;
    real_.assign(children.begin(), children.end());
    for (std::size_t i = 0; i < children.size(); ++i)
      if (children[i].open()) see(children[i], frames_[depth].phi, keys[i]);
    for (const Taken& taken : keys_[depth].taken)
      if (children[taken.child].open()) children[taken.child].set(taken.view);
    visit();
    std::copy(real_.begin(), real_.end(), children.begin());
  }

  // The frames, from the root on, that found(key) is true for first; the number of frames if none.
  template <class Found>
  std::size_t first_shared(Found&& found) const {
    for (std::size_t i = 0; i < shared_; ++i)
      if (found(frames_[i].key)) return i;
    return frames_.size();
  }

  // What others should take a frame for.
  void show(std::size_t depth, Bounds view) {
    team_->presence.show(place(depth), frames_[depth].key, view);
  }

  // There was nothing to do below the child that was chosen at the frame on top.
  void note_taken(Bounds view) {
    keys_[frames_.size() - 1].taken.push_back({frames_.top().chosen, view});
  }

  void forget_taken() {
    for (Keys& keys : keys_) keys.taken.clear();
  }

  std::size_t count() const { return shared_; }

  std::size_t bytes() const {
    return bytes_ + keys_.capacity() * sizeof(Keys) + real_.capacity() * sizeof(FrameChild);
  }

 private:
  std::uint64_t least_work() const {
    return by_jobs() ? VirtualWins::kLeastWork : VirtualNumbers::kLeastWork;
  }

  struct Taken {
    std::size_t child;
    Bounds view;
  };

  struct Keys {
    Key of{};
    std::vector<Key> all;
    std::vector<std::uint32_t> departures;  // of each, when it was last looked up
    std::vector<Taken> taken;               // few

    std::size_t bytes() const {
      return all.capacity() * sizeof(Key) + departures.capacity() * sizeof(std::uint32_t);
    }
  };

  bool has_keys(std::size_t depth) {
    return depth < keys_.size() && keys_[depth].of == frames_[depth].key &&
           keys_[depth].all.size() == frames_.children(depth).size();
  }

  template <class Visit, class Skips>
  void each_changed_at(std::size_t depth, Visit&& visit, Skips&& skips) {
    Keys& keys = keys_[depth];
    for (std::size_t i = 0; i < keys.all.size(); ++i) {
      if (skips(i)) continue;
      const std::uint32_t now = team_->presence.departures(team_->presence.of(keys.all[i]));
      if (std::exchange(keys.departures[i], now) != now) visit(i, keys.all[i]);
    }
  }

  void see(FrameChild& child, unsigned phi, Key key) const {
    const Presence& presence = team_->presence;
    if (by_jobs())
      VirtualWins::see(child, key, presence);
    else
      VirtualNumbers::see(child, phi, key, presence);
  }

  std::uint32_t below(std::size_t depth) const { return team_->presence.below(place(depth)); }
  bool others_below(std::size_t depth) const { return below(depth) > 1; }

  void enter() {
    team_->presence.enter(place(counted_), seat_);
    frames_[counted_++].counted = true;
  }

  void share() { frames_[shared_++].shared = true; }

  Presence::Place place(std::size_t depth) const {
    return depth == 0 ? team_->presence.root() : team_->presence.of(frames_[depth].key);
  }

  Frames& frames_;
  Team* const team_;
  const Presence::Seat seat_;
  std::size_t shared_ = 0;
  std::size_t counted_ = 0;
  std::vector<Keys> keys_;
  std::size_t bytes_ = 0;  // of what they hold
  std::vector<FrameChild> real_;
};

}  // namespace andorra
