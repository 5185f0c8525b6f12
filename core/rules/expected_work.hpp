// Expected work: how much is there still to do, if moves are tried in the best order?
//
// Idea: every node has the chance of being proven, the work of a proof if it is, and that of a
// disproof if it is not. An OR node is proven by trying its moves one after the other, until one
// works; the order that costs least goes by the work divided by the chance. It is disproven by
// disproving them all. AND nodes are the reverse. The search goes to the first move of the order.
// Source: Randall, Müller, Wei & Hayward 2024 (Expected Work Search).
// Invariant: it steers only; solved is what the proof and disproof numbers say.
// Deviations: in the prover's view instead of the mover's, so that sides may move twice. There the
// chances come from playouts; here from the leaves' one half, as in product propagation, which is
// the assumption that the formula for the work makes as well.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "bounds.hpp"
#include "options.hpp"
#include "rules/product_propagation.hpp"

namespace andorra {

class ExpectedWork {
 public:
  struct Value {
    ProductPropagation::Value chance;
    double proof = 1;     // work
    double disproof = 1;  // work

    friend bool operator==(const Value&, const Value&) = default;
  };

  explicit ExpectedWork(const Options&) {}

  static std::size_t bytes_a_node(const Options&) { return sizeof(Value); }

  static Value leaf(std::uint32_t) { return {}; }
  static Value solved(bool proven) { return {ProductPropagation::solved(proven), 0, 0}; }

  template <class Child>
  Value combine(std::size_t count, bool or_node, Child&& child) {
    Value value;
    value.chance =
        ProductPropagation::combine(count, or_node, [&](std::size_t i) { return child(i).chance; });
    order_.clear();
    double all = 0;
    for (std::size_t i = 0; i < count; ++i) {
      all += or_node ? child(i).disproof : child(i).proof;
      order_.push_back(attempt(child(i), or_node));
    }
    (or_node ? value.disproof : value.proof) = std::min(all, kMost);
    (or_node ? value.proof : value.disproof) = std::min(until_one_works(), kMost);
    return value;
  }

  static bool better(const Value& a, const Value& b, bool or_node) {
    return attempt(a, or_node).price() < attempt(b, or_node).price();
  }

 private:
  static constexpr double kMost = 1e300;

  // To solve a node by one of its moves.
  struct Attempt {
    double work;
    double works;  // the chance that it does
    double fails;

    double price() const { return works > 0 ? work / works : kMost; }
  };

  static Attempt attempt(const Value& child, bool or_node) {
    if (or_node) return {child.proof, child.chance.proof, child.chance.disproof};
    return {child.disproof, child.chance.disproof, child.chance.proof};
  }

  double until_one_works() {
    std::sort(order_.begin(), order_.end(),
              [](const Attempt& a, const Attempt& b) { return a.price() < b.price(); });
    double work = 0;
    double reached = 1;
    for (const Attempt& each : order_) {
      work += each.work * reached;
      reached *= each.fails;
    }
    return work;
  }

  std::vector<Attempt> order_;
};

}  // namespace andorra
