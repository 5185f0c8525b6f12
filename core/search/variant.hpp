// Variants of depth-first proof-number search: what they do differently from df-pn.
//
// Idea: all go down and up by the one step of search/dfpn.hpp. They differ in the thresholds that a
// child gets (df-pn's own, rules/pds.hpp, rules/pn_star.hpp), and in what a visit of a new position
// does: expand it, or have a second search develop it first (search/second_level.hpp).
#pragma once

#include <cstddef>
#include <functional>

#include "bounds.hpp"
#include "tracer.hpp"

namespace andorra {

// Develops the current position, a leaf of a larger search.
class LeafSearch {
 public:
  virtual ~LeafSearch() = default;

  // Says in an event what the larger search is at.
  using Show = std::function<void(Event&)>;

  // `nodes`: how many the larger search holds.
  virtual Bounds develop(std::size_t nodes, const Show& show) = 0;
  virtual std::size_t bytes() const = 0;
};

enum class Family { dfpn, pds, pn_star };

struct Variant {
  Family family = Family::dfpn;
  LeafSearch* second_level = nullptr;

  // The root may be left before it is solved, and is visited again.
  bool returns() const { return family != Family::dfpn || second_level != nullptr; }
};

}  // namespace andorra
