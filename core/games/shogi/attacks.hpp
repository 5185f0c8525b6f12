// Which squares a piece attacks.
//
// Idea: steps come from a table; what a slider attacks is its ray up to the first piece on it, the
// lowest or the highest bit of the pieces there.
// Invariant: directions 0 to 3 lead to higher squares, and the opposite of a direction is it ^ 4.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>

#include "games/shogi/bitboard.hpp"

namespace andorra::shogi {

inline constexpr int kDirections = 8;
inline constexpr int kDown = 0, kUp = 4;  // along a file: black's pieces go up

class Attacks {
 public:
  Attacks() {
    for (Square from = 0; from < kSquares; ++from) {
      fill_rays(from);
      fill_sets(from);
      for (Colour colour : {kBlack, kWhite}) fill_steps(colour, from);
    }
    for (Square target = 0; target < kSquares; ++target)
      for (Colour colour : {kBlack, kWhite}) fill_near(colour, target);
  }

  Bits ray(int direction, Square from, Bits occupied) const {
    const Bits all = rays_[direction][from];
    const Bits pieces = all & occupied;
    if (pieces == 0) return all;
    return all & ~rays_[direction][direction < 4 ? lowest(pieces) : highest(pieces)];
  }

  Bits rook(Square from, Bits occupied) const {
    return ray(0, from, occupied) | ray(1, from, occupied) | ray(4, from, occupied) |
           ray(5, from, occupied);
  }

  Bits bishop(Square from, Bits occupied) const {
    return ray(2, from, occupied) | ray(3, from, occupied) | ray(6, from, occupied) |
           ray(7, from, occupied);
  }

  Bits lance(Colour colour, Square from, Bits occupied) const {
    return ray(colour == kBlack ? kUp : kDown, from, occupied);
  }

  Bits of(Colour colour, Kind kind, Square from, Bits occupied) const {
    const Bits steps = steps_[colour][kind][from];
    switch (kind) {
      case kLance:
        return lance(colour, from, occupied);
      case kBishop:
      case kHorse:
        return steps | bishop(from, occupied);
      case kRook:
      case kDragon:
        return steps | rook(from, occupied);
      default:
        return steps;
    }
  }

  // What nothing can block: nothing of a slider, but the steps of a horse and a dragon.
  Bits steps(Colour colour, Kind kind, Square from) const { return steps_[colour][kind][from]; }
  Bits king(Square from) const { return steps_[kBlack][kKing][from]; }

  // From where a step, a knight's too, may lead next to a square.
  Bits around(Square of) const { return around_[of]; }

  // On an empty board.
  Bits straight(Square from) const { return straight_[from]; }
  Bits diagonal(Square from) const { return diagonal_[from]; }
  Bits ahead(Colour colour, Square from) const {
    return rays_[colour == kBlack ? kUp : kDown][from];
  }

  // Squares strictly between two that share a line; none for others.
  Bits between(Square a, Square b) const {
    const unsigned direction = directions_[a][b];
    return direction == kDirections ? Bits{0}
                                    : rays_[direction][a] & ~rays_[direction][b] & ~bit(b);
  }

  // All squares that lie from `a` in the direction of `b`, which shares a line with it.
  Bits towards(Square a, Square b) const { return rays_[directions_[a][b]][a]; }

  Bits file(Square of) const { return files_[file_of(of)]; }
  Bits zone(Colour colour) const { return zones_[colour]; }
  // Where a kind would not be dead.
  Bits alive(Colour colour, Kind kind) const { return alive_[colour][kind]; }
  // From where a piece that only steps may move, promoted or not, so as to attack the target.
  Bits near(Colour colour, Kind kind, Square target) const { return near_[colour][kind][target]; }
  // The same for pieces of any such kind.
  Bits near(Colour colour, Square target) const { return near_[colour][kNone][target]; }

 private:
  struct Step {
    int files;
    int forward;
  };

  static bool on_board(int file, int rank) {
    return file >= 0 && file < kSide && rank >= 0 && rank < kSide;
  }

  void fill_rays(Square from) {
    static constexpr std::array<std::array<int, 2>, kDirections> kDeltas = {
        {{0, 1}, {1, 0}, {1, 1}, {1, -1}, {0, -1}, {-1, 0}, {-1, -1}, {-1, 1}}};
    directions_[from].fill(kDirections);
    for (unsigned d = 0; d < kDirections; ++d) {
      const auto [files, ranks] = kDeltas[d];
      int file = file_of(from) + files;
      for (int rank = rank_of(from) + ranks; on_board(file, rank); file += files, rank += ranks) {
        rays_[d][from] |= bit(square(file, rank));
        directions_[from][square(file, rank)] = static_cast<std::uint8_t>(d);
      }
    }
  }

  void fill_sets(Square from) {
    for (int d : {0, 1, 4, 5}) straight_[from] |= rays_[d][from];
    for (int d : {2, 3, 6, 7}) diagonal_[from] |= rays_[d][from];
    for (Square to = 0; to < kSquares; ++to)
      if (std::abs(file_of(to) - file_of(from)) <= 2 && std::abs(rank_of(to) - rank_of(from)) <= 3)
        around_[from] |= bit(to);
    files_[file_of(from)] |= bit(from);
    for (Colour colour : {kBlack, kWhite}) {
      if (in_zone(colour, from)) zones_[colour] |= bit(from);
      for (Kind kind = 0; kind < kKinds; ++kind)
        if (!is_dead(colour, kind, from)) alive_[colour][kind] |= bit(from);
    }
  }

  void add(Colour colour, Kind kind, Square from, Step step) {
    const int file = file_of(from) + step.files;
    const int rank = rank_of(from) + (colour == kBlack ? -step.forward : step.forward);
    if (on_board(file, rank)) steps_[colour][kind][from] |= bit(square(file, rank));
  }

  void fill_steps(Colour colour, Square from) {
    const auto fill = [&](Kind kind, std::initializer_list<Step> steps) {
      for (Step step : steps) add(colour, kind, from, step);
    };
    fill(kPawn, {{0, 1}});
    fill(kKnight, {{-1, 2}, {1, 2}});
    fill(kSilver, {{-1, 1}, {0, 1}, {1, 1}, {-1, -1}, {1, -1}});
    for (Kind gold :
         {kGold, promoted(kPawn), promoted(kLance), promoted(kKnight), promoted(kSilver)})
      fill(gold, {{-1, 1}, {0, 1}, {1, 1}, {-1, 0}, {1, 0}, {0, -1}});
    fill(kHorse, {{0, 1}, {0, -1}, {-1, 0}, {1, 0}});
    fill(kDragon, {{-1, 1}, {1, 1}, {-1, -1}, {1, -1}});
    fill(kKing, {{-1, 1}, {0, 1}, {1, 1}, {-1, 0}, {1, 0}, {-1, -1}, {0, -1}, {1, -1}});
  }

  void fill_near(Colour colour, Square target) {
    const Colour back = other(colour);
    for (Kind kind = kPawn; kind < kKinds; ++kind) {
      Bits& near = near_[colour][kind][target];
      const Bits plain = steps_[back][kind][target];
      const Bits promoting = can_promote(kind) ? steps_[back][promoted(kind)][target] : Bits{0};
      for (Square from = 0; from < kSquares; ++from) {
        const Bits to = steps_[colour][kind][from];
        const Bits there = has(zones_[colour], from) ? to : to & zones_[colour];
        if ((to & plain) != 0 || (there & promoting) != 0) near |= bit(from);
      }
      near_[colour][kNone][target] |= near;
    }
  }

  Bits rays_[kDirections][kSquares]{};
  Bits steps_[2][kKinds][kSquares]{};
  Bits around_[kSquares]{};
  Bits straight_[kSquares]{};
  Bits diagonal_[kSquares]{};
  Bits files_[kSide]{};
  Bits zones_[2]{};
  Bits alive_[2][kKinds]{};
  Bits near_[2][kKinds][kSquares]{};
  std::array<std::array<std::uint8_t, kSquares>, kSquares> directions_{};
};

inline const Attacks kAttacks;

}  // namespace andorra::shogi
