// Progress: does a search still find something new, and what to do if not?
//
// Idea: where positions repeat, or where the table is too small, df-pn may visit the same positions
// for ever. Three stages: its
// thresholds rise (rules/threshold.hpp); after as many idle visits as the table has entries it
// should put together what it knows (search/closure.hpp); after `guard` idle visits it gives up.
// Invariant: a search on a finite graph makes progress, closes its table ever more rarely, or ends.
// Where the table forgets and old positions look new, a sketch of all positions tells
// (search/novelty.hpp).
#pragma once

#include <algorithm>
#include <cstdint>

#include "search/novelty.hpp"

namespace andorra {

class Progress {
 public:
  Progress(std::uint64_t guard, bool acyclic) : guard_(guard), acyclic_(acyclic) {}

  void start(std::uint64_t visits) {
    first_ = expanded_ = novel_ = closed_ = visits;
    patience_ = kLeastPatience;
  }

  void expanded(Key key, std::uint64_t visits) {
    expanded_ = visits;
    if (novelty_.add(key)) novel_ = visits;
  }

  // A closure of the table solved so many positions.
  void closed(std::size_t solved, std::uint64_t visits) {
    closed_ = visits;
    patience_ *= solved == 0 ? 4 : 2;
  }

  // Nothing new for so long that looking at all that is known is cheap beside it.
  bool is_circling(std::uint64_t visits, std::size_t known) const {
    return visits - std::max(expanded_, closed_) > std::max<std::uint64_t>(patience_, known);
  }

  // No expansion for `guard` visits; or, where the table forgets, no sign of a new position for
  // `guard` visits and as long again as the search took to find the last. Without cycles df-pn gets
  // on unless the table forgets as fast as it learns, so there it has more time.
  bool is_stuck(std::uint64_t visits) const {
    if (acyclic_) return visits - novel_ > guard_ + kPatienceWithoutCycles * (novel_ - first_);
    return visits - expanded_ > guard_ || visits - novel_ > guard_ + (novel_ - first_);
  }

 private:
  static constexpr std::uint64_t kLeastPatience = 1000;
  static constexpr std::uint64_t kPatienceWithoutCycles = 31;

  const std::uint64_t guard_;
  const bool acyclic_;
  std::uint64_t first_ = 0;
  std::uint64_t expanded_ = 0;
  std::uint64_t novel_ = 0;
  std::uint64_t closed_ = 0;
  std::uint64_t patience_ = kLeastPatience;
  Novelty novelty_;
};

}  // namespace andorra
