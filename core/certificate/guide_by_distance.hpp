// A guide by distance: the holder of a proof plays to the least distance that is known
// (distances.hpp), the other side to the largest.
#pragma once

#include <cstdint>

#include "certificate/distances.hpp"

namespace andorra {

template <Game G>
class GuideByDistance {
 public:
  GuideByDistance(Problem<G>& problem, const Distances<G>& distances)
      : problem_(problem), distances_(distances) {}

  std::uint16_t solving_move() {
    MoveList moves;
    problem_.moves(moves);
    return best(moves, [](std::uint32_t plies, std::uint32_t than) { return plies < than; });
  }

  std::uint16_t resisting_move(const MoveList& moves) {
    return best(moves, [](std::uint32_t plies, std::uint32_t than) { return plies > than; });
  }

 protected:
  Problem<G>& problem_;

 private:
  // Among the moves to positions that have a distance; kNoMove without one.
  template <class Better>
  std::uint16_t best(const MoveList& moves, Better&& better) {
    std::uint16_t found = kNoMove;
    std::uint32_t its = 0;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const std::uint32_t plies = plies_after(moves[i]);
      if (plies == Distances<G>::kNone || (found != kNoMove && !better(plies, its))) continue;
      found = static_cast<std::uint16_t>(i);
      its = plies;
    }
    return found;
  }

  std::uint32_t plies_after(Move move) {
    problem_.play(move);
    const std::uint32_t plies = distances_.plies();
    problem_.undo(move);
    return plies;
  }

  const Distances<G>& distances_;
};

}  // namespace andorra
