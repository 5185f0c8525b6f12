// Presence: how many agents are at work below a node, and what others should take it for.
//
// Idea: agents that choose a child look whether others are below it, so they spread: by their
// number (virtual numbers), or by a view that one of them has left there (virtual wins and losses).
// Nodes are found by their key's hash.
// Source: Kaneko 2010, figure 3, where the count T is part of the table's entry; Pawlewicz &
// Hayward 2013 for views. Deviation: beside the table, which need not keep nodes that somebody is
// below. Two nodes may share a place: then agents count those below the other one, too, which costs
// a little and changes no result. A view is believed of the node only that it was left for: agents
// would wait for each other, or for themselves, where nobody works. Few agents have a count each at
// every place, which nobody else writes to: adding to a common one is dear, because it waits until
// all that was written before has reached the cache.
// Invariant: the root has a place of its own. Agents with nothing to do wait there: if a child of
// it had the same place, they would take each other for somebody at work below the child, and wait
// for ever.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bounds.hpp"
#include "game.hpp"

namespace andorra {

class Presence {
 public:
  using Place = std::size_t;
  using Seat = std::size_t;  // an agent's number

  // `memory` in bytes; of little, fewer places are made.
  Presence(std::size_t agents, bool has_views, std::size_t memory)
      : lanes_(agents <= kMostLanes && !has_views ? agents : 1),
        own_lanes_(lanes_ == agents),
        hashed_(
            places(agents, memory / (lanes_ * sizeof(Count) + (has_views ? sizeof(Shown) : 0)))),
        counts_((hashed_ + 1) * lanes_),
        views_(has_views ? hashed_ + 1 : 0) {}

  std::size_t bytes() const {
    return counts_.size() * sizeof(Count) + views_.size() * sizeof(Shown);
  }

  Place root() const { return hashed_; }
  Place of(Key key) const { return (place_bits(key.board) ^ key.rest) & (hashed_ - 1); }

  void enter(Place at, Seat agent) { add(at, agent, kEntered); }

  void leave(Place at, Seat agent) {
    const std::uint64_t before = add(at, agent, kLeft);
    if (!views_.empty() && agents_in(before) == 1)
      views_[at].view.store(kNoView, std::memory_order_relaxed);
  }

  // The node's numbers have changed, though nobody has left it: counts as going and coming back.
  void announce(Place at, Seat agent) { add(at, agent, kEntered + kLeft); }

  std::uint32_t below(Place at) const { return agents_in(count(at)); }

  // How often somebody has left or announced; the node's numbers change with that.
  std::uint32_t departures(Place at) const { return static_cast<std::uint32_t>(count(at) >> 32); }

  void show(Place at, Key of, Bounds view) {
    const std::uint64_t both = std::uint64_t{view.pn} << 32 | view.dn;
    views_[at].view.store(both, std::memory_order_relaxed);
    views_[at].of.store(tag(of), std::memory_order_relaxed);
  }

  // False without a view of this node.
  bool look(Place at, Key of, Bounds& view) const {
    const std::uint64_t both = views_[at].view.load(std::memory_order_relaxed);
    view = {static_cast<Number>(both >> 32), static_cast<Number>(both)};
    return both != kNoView && views_[at].of.load(std::memory_order_relaxed) == tag(of);
  }

 private:
  // An agent has some tens of shared nodes; places for few agents fit into a core's own cache.
  static constexpr std::size_t kPlacesByAgent = std::size_t{1} << 12;
  static constexpr std::size_t kMostPlaces = std::size_t{1} << 16;
  static constexpr std::size_t kMostLanes = 8;
  static constexpr std::uint64_t kNoView = 0;

  using Count = std::atomic<std::uint64_t>;

  // Departures are counted in the upper half, agents in the lower one.
  static constexpr std::uint64_t kEntered = 1;
  static constexpr std::uint64_t kLeft = (std::uint64_t{1} << 32) - 1;

  struct Shown {
    std::atomic<std::uint64_t> view{kNoView};
    std::atomic<std::uint64_t> of{0};  // the view
  };

  // By keys, with room for so many in all; the root's is one more.
  static std::size_t places(std::size_t agents, std::size_t room) {
    const std::size_t wanted = std::min(std::bit_ceil(agents) * kPlacesByAgent, kMostPlaces);
    return std::bit_floor(std::clamp<std::size_t>(room, 2, wanted + 1) - 1);
  }

  static std::uint64_t tag(Key key) { return key.board ^ key.rest; }

  static std::uint32_t agents_in(std::uint64_t counts) {
    return static_cast<std::uint32_t>(counts);
  }

  // Returns what the count was.
  std::uint64_t add(Place at, Seat agent, std::uint64_t change) {
    Count& lane = counts_[at * lanes_ + (own_lanes_ ? agent : 0)];
    if (!own_lanes_) return lane.fetch_add(change, std::memory_order_relaxed);
    const std::uint64_t before = lane.load(std::memory_order_relaxed);
    lane.store(before + change, std::memory_order_relaxed);
    return before;
  }

  std::uint64_t count(Place at) const {
    std::uint64_t all = 0;
    for (std::size_t i = at * lanes_, end = i + lanes_; i < end; ++i)
      all += counts_[i].load(std::memory_order_relaxed);
    return all;
  }

  std::size_t lanes_;   // counts at a place
  bool own_lanes_;      // one an agent
  std::size_t hashed_;  // places, a power of two
  std::vector<Count> counts_;
  std::vector<Shown> views_;
};

}  // namespace andorra
