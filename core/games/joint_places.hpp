// Where several pieces that are alike can go together, each to a place of its own set.
//
// Idea: depth first over the places in increasing order. A piece is not bound to a place before its
// time: a prefix of places keeps the sets of pieces that can stand on it (`Family`, with a bit for
// each set of pieces), and a set stays only while every piece outside it still has a place left
// that is not below the last one. So each multiset of places comes once, in lexicographic order,
// no branch ends without one, and nothing is stored but the prefix.
// Invariant: a family holds sets of as many pieces as the prefix has places.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace andorra {

inline constexpr int kMostPieces = 4;

using PlaceSet = std::uint64_t;                       // a bit a place
using PlaceSets = std::array<PlaceSet, kMostPieces>;  // a set a piece
using Places = std::array<int, kMostPieces>;          // in increasing order

template <class Visit>
class JointPlaces {
 public:
  JointPlaces(const PlaceSets& sets, int pieces, Visit visit)
      : sets_(sets), pieces_(pieces), visit_(visit) {
    for (int piece = 0; piece < pieces; ++piece) all_ |= sets[piece];
  }

  // Calls visit(places); those beyond the number of pieces are 0.
  void run() { extend(0, all_, kNobody); }

 private:
  using PieceSet = unsigned;  // a bit a piece
  using Family = std::uint16_t;
  static_assert(1 << kMostPieces <= 16, "a family has a bit for each set of pieces");
  static constexpr Family kNobody = 1;

  void extend(int count, PlaceSet candidates, Family family) {
    if (count == pieces_) return visit_(places_);
    for (PlaceSet left = candidates; left != 0; left &= left - 1) {
      const int place = std::countr_zero(left);
      const Family next = grown(family, place);
      if (next == 0) continue;
      places_[count] = place;
      extend(count + 1, left, next);
    }
  }

  // The sets of `family` with one more piece, which takes `place`.
  Family grown(Family family, int place) const {
    PieceSet takers = 0;
    PieceSet late = 0;  // they have no place here or further up
    for (int piece = 0; piece < pieces_; ++piece) {
      takers |= static_cast<PieceSet>(sets_[piece] >> place & 1) << piece;
      late |= static_cast<PieceSet>(sets_[piece] >> place == 0) << piece;
    }
    Family next = 0;
    for (unsigned left = family; left != 0; left &= left - 1) {
      const PieceSet used = static_cast<PieceSet>(std::countr_zero(left));
      for (PieceSet more = takers & ~used; more != 0; more &= more - 1) {
        const PieceSet set = used | (more & -more);
        if ((late & ~set) == 0) next |= static_cast<Family>(1u << set);
      }
    }
    return next;
  }

  const PlaceSets& sets_;
  int pieces_;
  Visit visit_;
  PlaceSet all_ = 0;
  Places places_{};
};

template <class Visit>
void each_joint_place(const PlaceSets& sets, int pieces, Visit visit) {
  JointPlaces<Visit>(sets, pieces, visit).run();
}

}  // namespace andorra
