// Presence: how many agents are at work below a node, and what others should take it for.
//
// Idea: agents that choose a child look whether others are below it, so they spread: by their
// number (virtual numbers), or by a view that one of them has left there (virtual wins and losses).
// Nodes are found by their key's hash.
// Source: Kaneko 2010, figure 3, where the count T is part of the table's entry; Pawlewicz &
// Hayward 2013 for views. Deviation: beside the table, which need not keep nodes that somebody is
// below. Two nodes may share a place: then agents count those below the other one, too, which costs
// a little and changes no result. A view is believed of the node only that it was left for: agents
// would wait for each other, or for themselves, where nobody works.
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

  explicit Presence(std::size_t agents)
      : hashed_(std::min(std::bit_ceil(agents) * kPlacesByAgent, kMostPlaces)),
        places_(hashed_ + 1) {}

  Place root() const { return hashed_; }
  Place of(Key key) const { return tag(key) & (hashed_ - 1); }

  void enter(Place at) { places_[at].counts.fetch_add(kEntered, std::memory_order_relaxed); }

  void leave(Place at) {
    Shown& place = places_[at];
    const std::uint64_t before = place.counts.fetch_add(kLeft, std::memory_order_relaxed);
    if (agents_in(before) == 1) place.view.store(kNoView, std::memory_order_relaxed);
  }

  std::uint32_t below(Place at) const {
    return agents_in(places_[at].counts.load(std::memory_order_relaxed));
  }

  // How often somebody has left; the node's numbers change with that.
  std::uint32_t departures(Place at) const {
    return static_cast<std::uint32_t>(places_[at].counts.load(std::memory_order_relaxed) >> 32);
  }

  void show(Place at, Key of, Bounds view) {
    const std::uint64_t both = std::uint64_t{view.pn} << 32 | view.dn;
    places_[at].view.store(both, std::memory_order_relaxed);
    places_[at].of.store(tag(of), std::memory_order_relaxed);
  }

  // False without a view of this node.
  bool look(Place at, Key of, Bounds& view) const {
    const std::uint64_t both = places_[at].view.load(std::memory_order_relaxed);
    view = {static_cast<Number>(both >> 32), static_cast<Number>(both)};
    return both != kNoView && places_[at].of.load(std::memory_order_relaxed) == tag(of);
  }

 private:
  // An agent has some tens of shared nodes; places for few agents fit into a core's own cache.
  static constexpr std::size_t kPlacesByAgent = std::size_t{1} << 12;
  static constexpr std::size_t kMostPlaces = std::size_t{1} << 16;
  static constexpr std::uint64_t kNoView = 0;

  // Departures are counted in the upper half, agents in the lower one.
  static constexpr std::uint64_t kEntered = 1;
  static constexpr std::uint64_t kLeft = (std::uint64_t{1} << 32) - 1;

  struct Shown {
    std::atomic<std::uint64_t> view{kNoView};
    std::atomic<std::uint64_t> of{0};  // the view
    std::atomic<std::uint64_t> counts{0};
  };

  static std::uint64_t tag(Key key) { return key.board ^ key.rest; }

  static std::uint32_t agents_in(std::uint64_t counts) {
    return static_cast<std::uint32_t>(counts);
  }

  std::size_t hashed_;
  std::vector<Shown> places_;
};

}  // namespace andorra
