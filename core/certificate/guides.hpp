// Guides: ways to choose the moves of a main line; a fourth is in guide_by_distance.hpp.
//
// By work: the holder plays its solving move; the other side plays the move that cost the search
// the most work, which is its best resistance as far as the search knows. This is cheap, but in a
// proof stored moves may lead back to the line: entries were evicted and proved again another way,
// or were found through dominance, for fewer resources than the line has.
// By rank: the moves of a proof whose positions are all decided. Ranks fall, so the line ends; but
// all of the strategy has to be walked through first.
// By length: in a question whose bound is as small as can be, the other side plays a move after
// which the win is not possible sooner: in a ply less, or in two where the lengths of all wins are
// odd or all are even. Invariant: the win takes all plies that are left, so the line has as many
// plies as the bound. Where the bound has slack, it falls back to the work.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "certificate/guide_by_distance.hpp"
#include "certificate/proof.hpp"

namespace andorra {

template <Game G>
class GuideByWork {
 public:
  GuideByWork(Gaps<G>& gaps, bool proven)
      : gaps_(gaps), problem_(gaps.problem()), proven_(proven) {}

  std::uint16_t solving_move() { return gaps_.solving_move(proven_); }

  std::uint16_t resisting_move(const MoveList& moves) { return by_work(moves).front(); }

 protected:
  // All moves, the one with the most work below it first; ends come last, and in a disproof what is
  // known to lose, so that the line of a drawn game is one in which nobody blunders knowingly.
  std::vector<std::uint16_t> by_work(const MoveList& moves) {
    std::vector<std::pair<std::uint64_t, std::uint16_t>> works;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      problem_.play(moves[i]);
      const bool poor = problem_.status() != Status::open || (!proven_ && gaps_.refuter_wins());
      const std::uint64_t work = poor ? 0 : gaps_.work() + 1ull;
      problem_.undo(moves[i]);
      works.emplace_back(work, static_cast<std::uint16_t>(i));
    }
    std::stable_sort(works.begin(), works.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<std::uint16_t> order;
    for (const auto& [work, index] : works) order.push_back(index);
    return order;
  }

  Gaps<G>& gaps_;
  Problem<G>& problem_;
  const bool proven_;
};

template <Game G>
class GuideByRank {
 public:
  GuideByRank(Gaps<G>& gaps, const ProofExtraction<G>& proof)
      : gaps_(gaps), problem_(gaps.problem()), proof_(proof) {}

  std::uint16_t solving_move() {
    Resources solution;
    const Decision* decision = proof_.decision(solution);
    return decision == nullptr ? kNoMove : gaps_.index_here(decision->move, solution);
  }

  std::uint16_t resisting_move(const MoveList& moves) {
    std::uint16_t best = 0;
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      problem_.play(moves[i]);
      const std::uint64_t plies = problem_.status() == Status::open ? plies_here() + 1ull : 0;
      problem_.undo(moves[i]);
      if (plies <= most) continue;
      most = plies;
      best = static_cast<std::uint16_t>(i);
    }
    return best;
  }

 private:
  std::uint32_t plies_here() const {
    Resources solution;
    const Decision* decision = proof_.decision(solution);
    return decision == nullptr ? 0 : decision->plies;
  }

  Gaps<G>& gaps_;
  Problem<G>& problem_;
  const ProofExtraction<G>& proof_;
};

template <Game G>
class GuideByLength : public GuideByWork<G> {
 public:
  GuideByLength(Gaps<G>& gaps, std::uint32_t step) : GuideByWork<G>(gaps, true), step_(step) {}

  std::uint16_t resisting_move(const MoveList& moves) {
    const std::vector<std::uint16_t> order = this->by_work(moves);
    for (const std::uint16_t index : order) {
      this->problem_.play(moves[index]);
      const Status sooner = won_sooner();
      this->problem_.undo(moves[index]);
      if (sooner == Status::disproven) return index;
      if (sooner == Status::open) return kNoMove;
    }
    return order.front();
  }

 private:
  // Whether the win is possible with fewer plies; open if a limit ended the search.
  Status won_sooner() {
    const std::uint32_t left = this->problem_.plies_left();
    if (left < step_) return Status::disproven;
    this->problem_.set_plies_left(left - step_);
    const Status sooner = this->gaps_.verdict();
    this->problem_.set_plies_left(left);
    return sooner;
  }

  const std::uint32_t step_;
};

}  // namespace andorra
