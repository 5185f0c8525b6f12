// Thresholds: how long df-pn stays below the best child.
//
// Idea: until the child is no longer the best one (its number passes the second best), or until the
// parent itself has to be left. Passing by more than 1 saves re-expansions where numbers are large
// or the table is small:
//  - increment: by a constant (Nagai 1999), or by the average initial value of the node's children
//    (Kishimoto & Müller 2005)
//  - epsilon: up to the second best times 1+epsilon, rounded up (Pawlewicz & Lew 2007)
// Source: survey section 4 and figure 5, lines 27 and 28; survey 7.3.
// Invariant: both thresholds are above the child's numbers, so the search below the child always
// has something to do.
// Rising: where lines transpose, numbers are counted more than once and may grow exponentially, and
// a search that follows them by steps of one goes round and round among positions it knows. So the
// step doubles with every `rise` visits that expand nothing new, and halves with every expansion
// (Nagai 2010, in survey 6.3, only says that thresholds rise; the rest is our reconstruction). In
// the end the search is depth first, which solves every finite graph without cycles.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "bounds.hpp"
#include "options.hpp"
#include "rules/backup.hpp"

namespace andorra {

struct Thresholds {
  Wide of[2] = {kUnlimited, kUnlimited};  // by kPn, kDn

  // One of them, or both if that is asked for.
  bool reached(Number pn, Number dn, bool both) const {
    return both ? pn >= of[kPn] && dn >= of[kDn] : pn >= of[kPn] || dn >= of[kDn];
  }

  // So that there is something to do below a node with these numbers.
  void raise_above(const Number (&numbers)[2]) {
    of[kPn] = std::max(of[kPn], Wide{numbers[kPn]} + 1);
    of[kDn] = std::max(of[kDn], Wide{numbers[kDn]} + 1);
  }
};

// By how much the child's number may pass the second best.
class ThresholdRule {
 public:
  explicit ThresholdRule(const Options& options)
      : rise_(options.text("loops") == "off" ? UINT64_MAX : options.natural("rise")),
        increment_(options.natural("increment")),
        epsilon_(options.real("epsilon")) {}

  bool by_average() const { return increment_ == 0; }
  Wide increment() const { return increment_; }

  // `increment` is the node's own where it goes by the average.
  Wide after(Number second, Wide increment, std::uint64_t visits) {
    Wide passed = Wide{second} + (increment << doublings(visits));
    if (epsilon_ > 0)
      passed = std::max(passed, static_cast<Wide>(std::ceil((1 + epsilon_) * second)));
    return passed;
  }

  void expanded(std::uint64_t visits) {
    since_ = visits;
    if (doublings_ > 0) --doublings_;
  }

 private:
  static constexpr unsigned kMostDoublings = 40;  // beyond every number

  unsigned doublings(std::uint64_t visits) {
    if (visits - since_ >= rise_) {
      since_ = visits;
      if (doublings_ < kMostDoublings) ++doublings_;
    }
    return doublings_;
  }

  std::uint64_t rise_;
  Wide increment_;
  double epsilon_;
  std::uint64_t since_ = 0;
  unsigned doublings_ = 0;
};

// `passed` comes from ThresholdRule::after(). What other agents show (search/virtual_wins.hpp) may
// add up to more than the threshold of the node, which its real numbers do not reach: then nothing
// is left for the child.
inline Thresholds child_thresholds(const Thresholds& mine, const Backup& backup, unsigned phi,
                                   Wide passed) {
  Thresholds child;
  child.of[phi] = std::min(mine.of[phi], passed);
  const Wide room = mine.of[phi ^ 1] + backup.share;
  child.of[phi ^ 1] = room - std::min(room, Wide{backup.delta()});
  return child;
}

}  // namespace andorra
