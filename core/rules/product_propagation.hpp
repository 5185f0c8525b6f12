// Product propagation: how likely is a node proven, if its leaves are by chance?
//
// Idea: a leaf is proven with a chance of one half. An OR node is proven if one child is, an AND
// node if all are; as if they were independent. The search goes to the child that is the most
// likely to decide a node for its mover.
// Source: Slagle & Bursky 1968; Saffidine & Cazenave 2014; the chapter on game solvers. OR
// 1 - prod(1-p), AND prod(p); to the largest at OR, to the smallest at AND.
// Invariant: it steers only; solved is what the proof and disproof numbers say.
// Deviation: the chances of an OR node are kept as those of its disproof, as they come: a number
// near 1 has no digits left to tell it from 1.
#pragma once

#include <algorithm>
#include <cstddef>

#include "bounds.hpp"
#include "options.hpp"

namespace andorra {

class ProductPropagation {
 public:
  struct Value {
    double proof = 0.5;     // the chance of it
    double disproof = 0.5;  // the same, subtracted from 1

    friend bool operator==(const Value&, const Value&) = default;
  };

  explicit ProductPropagation(const Options&) {}

  static std::size_t bytes_a_node(const Options&) { return sizeof(Value); }

  static Value leaf(std::uint32_t) { return {}; }
  static Value solved(bool proven) { return proven ? Value{1, 0} : Value{0, 1}; }

  // child(i) is the value of child i of `count`.
  template <class Child>
  static Value combine(std::size_t count, bool or_node, Child&& child) {
    double product = 1;
    for (std::size_t i = 0; i < count; ++i) product *= or_node ? child(i).disproof : child(i).proof;
    product = std::max(product, kLeast);
    return or_node ? Value{1 - product, product} : Value{product, 1 - product};
  }

  // Whether the mover of a node should rather look at the first of two children.
  static bool better(const Value& a, const Value& b, bool or_node) {
    return or_node ? a.disproof < b.disproof || (a.disproof == b.disproof && a.proof > b.proof)
                   : a.proof < b.proof || (a.proof == b.proof && a.disproof > b.disproof);
  }

 private:
  static constexpr double kLeast = 1e-300;  // of what is open
};

}  // namespace andorra
