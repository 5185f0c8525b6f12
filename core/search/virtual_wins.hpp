// Virtual wins and losses: agents spread by jobs of bounded work.
//
// Idea: who works on a node shows it to all others as won or lost, whatever is more likely, so
// that they go where it would matter next. Above jobs, each node shows the numbers that follow from
// what its children show; a node that is won or lost in this view has nothing left to do.
// Source: SPDFPN, Pawlewicz & Hayward 2013: jobs are the first nodes of a line with little work
// below them, and end after some visits. Deviations: there is no lock of all jobs; views are words
// beside the table, and may be older than it. A view lasts while somebody is below the node, so an
// agent that finds nothing to do below a node keeps that in mind until it has found a job
// elsewhere: those at work may have come there by another way.
#pragma once

#include <cstdint>

#include "bounds.hpp"
#include "search/frames.hpp"
#include "search/presence.hpp"

namespace andorra {

struct VirtualWins {
  static constexpr std::uint64_t kLeastWork = 500;  // of a node that is no job
  static constexpr std::uint64_t kJob = 1000;       // visits

  static void see(FrameChild& child, Key key, const Presence& presence) {
    const Presence::Place its = presence.of(key);
    Bounds view;
    if (presence.below(its) > 0 && presence.look(its, key, view)) child.set(view);
  }

  static Bounds view_of_job(const FrameChild& child) {
    return child.numbers[kPn] <= child.numbers[kDn] ? kProven : kDisproven;
  }
};

}  // namespace andorra
