// A short line: the quickest win among what is known to be proven, against the longest defence.
//
// Idea: distances (distances.hpp) tell the shortest win that the search has proven, on its way to
// any. That is rarely the shortest there is, but it is close, and what it lacks are moves of the
// prover's that were never examined because another had won. So follow the line, search the other
// moves at each of the prover's positions for a few visits, and find the distances again, as long
// as that helps; then the same with more visits.
// Source: post-search as in solvers of shogi problems, which first find any mate; the distances are
// retrograde analysis.
// Invariant: a line has as many plies as the root's distance. So the prover can win within its
// length against every defence, and no win is shorter than the shortest. Not more: others may be
// shorter, which only a question about the shortest win finds out; and the line by work, whose
// defence is no better than a guess, may be shorter, too.
// With resources, distances are exact along a line only where its positions, and all that one move
// leads to, stay as they are in the graph; lines are followed again until that is so.
#pragma once

#include <cstdint>
#include <utility>

#include "certificate/line.hpp"

namespace andorra {

// Goes by distance and searches other moves of the prover's on its way.
template <Game G>
class Explorer : public GuideByDistance<G> {
 public:
  // `kept` learns the positions that the line comes by; each search takes `visits` at most.
  Explorer(Gaps<G>& gaps, const Distances<G>& distances, Attempts<G>& attempts, Keys& kept,
           std::uint64_t visits)
      : GuideByDistance<G>(gaps.problem(), distances),
        gaps_(gaps),
        attempts_(attempts),
        kept_(kept),
        visits_(visits) {}

  std::uint16_t solving_move() {
    MoveList moves;
    this->problem_.moves(moves);
    keep(moves);
    for (const Move move : moves) attempts_.prove_after(move, visits_);
    return GuideByDistance<G>::solving_move();
  }

  std::uint16_t resisting_move(const MoveList& moves) {
    keep(moves);
    return GuideByDistance<G>::resisting_move(moves);
  }

 private:
  void keep(const MoveList& moves) {
    if (!gaps_.dominates()) return;
    kept_.insert(this->problem_.key());
    this->problem_.each_key(moves, [&](std::size_t, Move, Key key) { kept_.insert(key); });
  }

  Gaps<G>& gaps_;
  Attempts<G>& attempts_;
  Keys& kept_;
  const std::uint64_t visits_;
};

template <Game G>
class ShortLine {
 public:
  // `visits` are for all searches together.
  ShortLine(Gaps<G>& gaps, std::uint64_t visits) : gaps_(gaps), attempts_(gaps, visits) {}

  // From the problem's current position, which is proven; incomplete if there is no such line.
  MainLine run() {
    while (visits_ <= kMostVisits && round()) {
    }
    return std::move(best_);
  }

 private:
  static constexpr std::uint64_t kFirstVisits = 100;
  static constexpr std::uint64_t kMostVisits = 6400;
  static constexpr std::uint64_t kGrowth = 4;

  // False if no further round can help.
  bool round() {
    const bool last = attempts_.left() == 0;
    const std::size_t kept = kept_.size();
    Distances<G> distances(gaps_, attempts_, kept_);
    if (!distances.find()) return false;
    Explorer<G> explorer(gaps_, distances, attempts_, kept_, visits_);
    MainLine line = LineExtraction<G, Explorer<G>>(gaps_.problem(), explorer, true).run();
    if (!line.complete()) return false;
    if (line.moves.size() != distances.plies()) return kept_.size() > kept;
    if (!take(std::move(line))) visits_ *= kGrowth;
    return !last;
  }

  // Entries that came later may stand for positions with a larger distance, so lengths can grow.
  bool take(MainLine line) {
    if (best_.complete() && line.moves.size() >= best_.moves.size()) return false;
    best_ = std::move(line);
    return true;
  }

  Gaps<G>& gaps_;
  Attempts<G> attempts_;
  Keys kept_;
  MainLine best_;
  std::uint64_t visits_ = kFirstVisits;
};

}  // namespace andorra
