// Distances: how many plies the win takes at most, by what is known to be proven.
//
// Idea: from a proven position on, take at a prover's position all moves to positions that are
// known to be proven, at a refuter's position all moves. On this graph retrograde analysis
// (search/reachable.hpp) finds the plies of every position: 0 at ends, one more than the least at
// the prover's, one more than the largest at the refuter's. A refuter's move to a position of which
// nothing is known any more is searched again, as long as there are visits for it; without an
// answer the refuter's position has no distance.
// With resources, positions are known to be proven through dominance, with everything that a line
// has gathered; there can be millions of them where the table has thousands of entries. So the
// entry stands for them all, and the graph is no larger than the table. What is found so is an
// upper bound for the positions that have more; those that a caller wants to know exactly, with
// their neighbours, it names, and they stay as they are.
// Invariant: the prover can win within its distance, from every position that has one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_set>

#include "certificate/gaps.hpp"
#include "search/reachable.hpp"

namespace andorra {

// Searches that share a number of visits.
template <Game G>
class Attempts {
 public:
  Attempts(Gaps<G>& gaps, std::uint64_t visits) : gaps_(gaps), left_(visits) {}

  std::uint64_t left() const { return left_; }

  // Whether the current position is proven, as far as that many visits tell.
  bool prove(std::uint64_t most) {
    if (left_ == 0 || gaps_.monitor().reached() != Limit::none) return false;
    const std::uint64_t before = gaps_.stats().nodes;
    const bool proven = gaps_.can_prove(std::min(most, left_));
    left_ -= std::min(left_, gaps_.stats().nodes - before);
    return proven;
  }

  // Whether a move leads to a position of which nothing was known, and which is now proven.
  bool prove_after(Move move, std::uint64_t most) {
    Problem<G>& problem = gaps_.problem();
    problem.play(move);
    const bool unknown =
        problem.status() == Status::open && !gaps_.known(true) && !gaps_.known(false);
    const bool proven = unknown && prove(most);
    problem.undo(move);
    return proven;
  }

 private:
  Gaps<G>& gaps_;
  std::uint64_t left_;
};

// What a proof costs: the plies of its longest line, or its positions as a tree.
enum class Measure : std::uint8_t { plies, size };

struct KeyHash {
  std::size_t operator()(const Key& key) const { return key.board ^ key.rest; }
};
using Keys = std::unordered_set<Key, KeyHash>;

template <Game G>
class Distances {
 public:
  static constexpr std::uint32_t kNone = Reachable<G>::kNoPlies;

  // `kept` are the positions that stay as they are. By size, a distance is a place in the order of
  // sizes, which says what is smaller but not by how much.
  Distances(Gaps<G>& gaps, Attempts<G>& attempts, const Keys& kept,
            Measure measure = Measure::plies)
      : gaps_(gaps),
        problem_(gaps.problem()),
        attempts_(attempts),
        kept_(kept),
        measure_(measure),
        graph_(problem_, gaps.monitor(), gaps.stats(), room(gaps, measure), gaps.dominates()) {}

  // From the problem's current position, which is proven. False if it has no distance: a limit was
  // reached, the graph is too large, or too much has been forgotten.
  bool find() {
    const std::uint64_t expansions = gaps_.stats().expansions;
    const bool complete = graph_.enumerate(Classify{*this});
    gaps_.stats().expansions = expansions;  // these were expanded before
    if (complete && measure_ == Measure::plies) graph_.prove();
    if (complete && measure_ == Measure::size) graph_.prove_by_size();
    return complete && plies() != kNone;
  }

  // Of the problem's current position; kNone if it has no distance.
  std::uint32_t plies() const {
    const Status status = problem_.status();
    if (status != Status::open) return status == Status::proven ? 0 : kNone;
    return graph_.plies(problem_.key());
  }

  std::size_t bytes() const { return graph_.bytes(); }

 private:
  // Sizes need more room than the graph; no node of it takes fewer than 100 bytes.
  static std::size_t room(const Gaps<G>& gaps, Measure measure) {
    static_assert(Reachable<G>::kBySize <= 50);
    return measure == Measure::plies ? gaps.memory() / 2 : gaps.memory() / 3;
  }

  struct Classify {
    Distances& of;
    Mark operator()() { return of.classify(); }
    void settle(bool by_prover) { of.settle(by_prover); }
  };

  // What the refuter can go to from a proven position is proven, known or not.
  void settle(bool by_prover) {
    needed_ = !by_prover;
    if (gaps_.dominates() && !kept_.contains(problem_.key())) gaps_.take_solution(true);
  }

  Mark classify() {
    const Status status = problem_.status();
    if (status != Status::open) return status == Status::proven ? Mark::proven : Mark::outside;
    if (gaps_.known(true)) return Mark::none;
    return needed_ && proven_again() ? Mark::none : Mark::outside;
  }

  bool proven_again() {
    if (attempts_.left() == 0) return false;
    ++gaps_.stats().searched_again;
    return attempts_.prove(attempts_.left());
  }

  Gaps<G>& gaps_;
  Problem<G>& problem_;
  Attempts<G>& attempts_;
  const Keys& kept_;
  const Measure measure_;
  Reachable<G> graph_;
  bool needed_ = true;  // the position in hand
};

}  // namespace andorra
