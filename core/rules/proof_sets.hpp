// Proof sets: which leaves would prove a node, instead of how many.
//
// Idea: where lines meet again, a leaf is counted once for every line that leads to it. A set has
// it once: an OR node takes the smallest of its children's proof sets, an AND node their union;
// disproof sets are the reverse.
// Source: Müller 2003 (proof-set search); survey 6.2. Sets are truncated to `set_size` leaves, as
// he proposes.
// Invariant: it steers only; solved is what the proof and disproof numbers say. A set that is full
// may stand for a larger one.
// Deviation: a leaf is named by its place in the graph, and a set may name some that have been
// expanded or freed since, where an update has stopped early.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "bounds.hpp"
#include "options.hpp"

namespace andorra {

class ProofSets {
 public:
  using Leaves = std::vector<std::uint32_t>;  // in order

  struct Value {
    Leaves proof;
    Leaves disproof;
    bool provable = true;
    bool disprovable = true;

    friend bool operator==(const Value&, const Value&) = default;
  };

  explicit ProofSets(const Options& options) : most_(options.natural("set_size")) {}

  static std::size_t bytes_a_node(const Options& options) {
    constexpr std::size_t kAllocations = 2 * 16;
    return sizeof(Value) + kAllocations + 2 * options.natural("set_size") * sizeof(std::uint32_t);
  }

  static Value leaf(std::uint32_t id) { return {{id}, {id}}; }
  static Value solved(bool proven) { return {{}, {}, proven, !proven}; }

  template <class Child>
  Value combine(std::size_t count, bool or_node, Child&& child) {
    std::size_t smallest = 0;
    joined_.clear();
    bool all = true;
    for (std::size_t i = 0; i < count; ++i) {
      if (better(child(i), child(smallest), or_node)) smallest = i;
      join(or_node ? child(i).disproof : child(i).proof);
      all = all && (or_node ? child(i).disprovable : child(i).provable);
    }
    const Value& best = child(smallest);
    if (or_node) return {best.proof, joined_, best.provable, all};
    return {joined_, best.disproof, all, best.disprovable};
  }

  static bool better(const Value& a, const Value& b, bool or_node) {
    const bool can = or_node ? a.provable : a.disprovable;
    const bool other_can = or_node ? b.provable : b.disprovable;
    if (can != other_can) return can;
    return or_node ? a.proof.size() < b.proof.size() : a.disproof.size() < b.disproof.size();
  }

 private:
  void join(const Leaves& more) {
    if (joined_.size() == most_) return;
    union_.clear();
    std::set_union(joined_.begin(), joined_.end(), more.begin(), more.end(),
                   std::back_inserter(union_));
    if (union_.size() > most_) union_.resize(most_);
    joined_.swap(union_);
  }

  const std::size_t most_;
  Leaves joined_;
  Leaves union_;
};

}  // namespace andorra
