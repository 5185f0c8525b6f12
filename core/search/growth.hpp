// The growth function of two-level searches: how large the second search may be.
//
// Idea: while the first search is small, so is the second: a long look at each leaf would be
// wasted. Later it pays, because it needs no memory for long. Between the two lies a smooth step.
// Source: Breuker 1998, in survey 5.2, whose formula is garbled; it is f(x) = 1/(1+e^((a-x)/b)) for
// a first search of x nodes, and the second may have x f(x) nodes, as far as there is room for
// them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "options.hpp"

namespace andorra {

class Growth {
 public:
  // `room`: for the nodes of both.
  Growth(const Options& options, std::size_t room)
      : a_(options.real("growth_a")), b_(options.real("growth_b")), room_(room) {}

  // At least one, so that a leaf is expanded.
  std::size_t second_level(std::size_t first_level) const {
    const auto x = static_cast<double>(first_level);
    const auto wanted = static_cast<std::size_t>(x / (1 + std::exp((a_ - x) / b_)));
    const std::size_t left = room_ - std::min(room_, first_level);
    return std::max<std::size_t>(1, std::min(wanted, left));
  }

 private:
  const double a_;
  const double b_;
  const std::size_t room_;
};

}  // namespace andorra
