// A cheap proof: of all strategies among what is known to be proven, one of least cost.
//
// Idea: costs are found on the graph of positions known to be proven (distances.hpp), from the ends
// upwards; a strategy that follows the least of them is the cheapest there is in that graph. What
// the graph lacks are moves that were never examined because another had won. So walk through the
// strategy, search the other moves of the prover's for a few visits, and find the costs again, some
// rounds at most.
// The cost is the number of plies of the longest line, or the number of positions, ends included,
// of the strategy as a tree: a position that lines share counts once for each of them. (The least
// number of different positions, which is what a certificate lists, is NP-hard to find.)
// Source: Knuth 1977 for the costs. Minimal proof search (Saffidine 2012) searches for the cheapest
// proof from the start and promises that it is; this is a bounded form of the idea, after the
// search: the cheapest among what is known, not the cheapest that there is. All is known after
// `fixpoint`.
// Invariant: costs fall along the moves chosen, so a strategy never leads back to a line. With
// resources a table entry stands for all positions that it serves, and costs are upper bounds.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "certificate/guide_by_distance.hpp"

namespace andorra {

template <Game G>
class CheapProof {
 public:
  // `visits` are for all searches of other moves together.
  CheapProof(Gaps<G>& gaps, Measure measure, std::uint64_t visits)
      : gaps_(gaps), problem_(gaps.problem()), measure_(measure), attempts_(gaps, visits) {}

  // From the problem's current position, which is proven. Without success, because a limit was
  // reached or the graph is too large, no move is known.
  void find() {
    for (int i = 0; i < kMostRounds && round(); ++i) {
    }
  }

  // Of the prover's at the problem's current position; kNoMove if none is known.
  std::uint16_t move() {
    return costs_ == nullptr ? kNoMove : GuideByDistance<G>(problem_, *costs_).solving_move();
  }

  std::size_t bytes() const { return costs_ == nullptr ? 0 : costs_->bytes(); }

 private:
  static constexpr int kMostRounds = 8;
  static constexpr std::uint64_t kFirstVisits = 100;
  static constexpr std::uint64_t kMostVisits = 6400;
  static constexpr std::uint64_t kGrowth = 4;
  static constexpr std::size_t kMostPositions = 100'000;  // of a strategy, that are looked at

  struct Frame {
    Move move = 0;   // that led here
    MoveList moves;  // to follow
    std::size_t next = 0;
  };

  // False if no further round can help.
  bool round() {
    costs_.reset();
    auto costs = std::make_unique<Distances<G>>(gaps_, attempts_, kept_, measure_);
    if (!costs->find()) return false;
    costs_ = std::move(costs);
    for (; visits_ <= kMostVisits && attempts_.left() > 0; visits_ *= kGrowth)
      if (explore()) return true;
    return false;
  }

  // Searches other moves along the strategy. Whether one more is proven then.
  bool explore() {
    bool found = false;
    Keys seen;
    open(0, found);
    while (!frames_.empty()) {
      Frame& top = frames_.back();
      const bool ends = attempts_.left() == 0 || gaps_.monitor().reached() != Limit::none;
      if (ends || top.next == top.moves.size()) {
        close();
      } else {
        follow(top.moves[top.next++], seen, found);
      }
    }
    return found;
  }

  void follow(Move move, Keys& seen, bool& found) {
    problem_.play(move);
    const bool fresh = problem_.status() == Status::open && seen.insert(problem_.key()).second;
    if (fresh && seen.size() < kMostPositions)
      open(move, found);
    else
      problem_.undo(move);
  }

  void open(Move move, bool& found) {
    Frame frame{move, {}, 0};
    problem_.moves(frame.moves);
    if (problem_.or_node()) {
      for (const Move other : frame.moves) found |= attempts_.prove_after(other, visits_);
      const std::uint16_t best = this->move();
      frame.moves = best == kNoMove ? MoveList{} : MoveList{frame.moves[best]};
    }
    frames_.push_back(std::move(frame));
  }

  void close() {
    const Move move = frames_.back().move;
    frames_.pop_back();
    if (!frames_.empty()) problem_.undo(move);
  }

  Gaps<G>& gaps_;
  Problem<G>& problem_;
  const Measure measure_;
  Attempts<G> attempts_;
  const Keys kept_;
  std::unique_ptr<Distances<G>> costs_;
  std::vector<Frame> frames_;
  std::uint64_t visits_ = kFirstVisits;
};

}  // namespace andorra
