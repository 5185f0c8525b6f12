// Thresholds: how long df-pn stays below the best child.
//
// Idea: until the child is no longer the best one (its number passes the second best), or until the
// parent itself has to be left.
// Source: survey section 4 and figure 5, lines 27 and 28.
// Invariant: both thresholds are above the child's numbers, so the search below the child always
// has something to do.
// Rising: where lines transpose, numbers are counted more than once and may grow exponentially, and
// a search that follows them by steps of one goes round and round among positions it knows. So the
// step doubles with every `rise` visits that expand nothing new, and halves with every expansion
// (Nagai 2010, in survey 6.3, only says that thresholds rise; the rest is our reconstruction). In
// the end the search is depth first, which solves every finite graph without cycles.
#pragma once

#include <algorithm>
#include <cstdint>

#include "bounds.hpp"
#include "rules/backup.hpp"

namespace andorra {

struct Thresholds {
  Wide of[2] = {kUnlimited, kUnlimited};  // by kPn, kDn

  bool reached(Number pn, Number dn) const { return pn >= of[kPn] || dn >= of[kDn]; }
};

// The step by which the child's number may pass the second best; 1 while the search makes progress.
class ThresholdStep {
 public:
  explicit ThresholdStep(std::uint64_t rise) : rise_(rise) {}

  Wide now(std::uint64_t visits) {
    if (visits - since_ >= rise_) {
      since_ = visits;
      if (doublings_ < 60) ++doublings_;
    }
    return Wide{1} << doublings_;
  }

  void expanded(std::uint64_t visits) {
    since_ = visits;
    if (doublings_ > 0) --doublings_;
  }

 private:
  std::uint64_t rise_;
  std::uint64_t since_ = 0;
  unsigned doublings_ = 0;
};

inline Thresholds child_thresholds(const Thresholds& mine, const Backup& backup, unsigned phi,
                                   Number child_delta, Wide step) {
  Thresholds child;
  child.of[phi] = std::min(mine.of[phi], Wide{backup.second} + step);
  child.of[phi ^ 1] = mine.of[phi ^ 1] - backup.delta() + child_delta;
  return child;
}

}  // namespace andorra
