// Pieces, squares and hands of shogi.
//
// A square is file * 9 + rank, both from 0: 1a is 0, 1i is 8, 9i is 80; black moves towards rank a.
// A kind is a piece without its colour; the kind of a promoted piece is its own plus kPromoted.
// A hand is packed, one field a kind with a spare bit above it, so that two hands compare field by
// field with one subtraction.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace andorra::shogi {

using Square = int;
inline constexpr int kSquares = 81;
inline constexpr int kSide = 9;

constexpr Square square(int file, int rank) {
  return file * kSide + rank;
}
constexpr int file_of(Square square) {
  return square / kSide;
}
constexpr int rank_of(Square square) {
  return square % kSide;
}

enum Colour : std::uint8_t { kBlack = 0, kWhite = 1 };

constexpr Colour other(Colour colour) {
  return colour == kBlack ? kWhite : kBlack;
}

// The rank as the colour counts it: 0 is the farthest.
constexpr int rank_for(Colour colour, Square square) {
  return colour == kBlack ? rank_of(square) : kSide - 1 - rank_of(square);
}

using Kind = std::uint8_t;
inline constexpr Kind kNone = 0, kPawn = 1, kLance = 2, kKnight = 3, kSilver = 4, kGold = 5,
                      kBishop = 6, kRook = 7, kKing = 8, kPromoted = 8, kKinds = 16;
inline constexpr Kind kHorse = kBishop + kPromoted, kDragon = kRook + kPromoted;
inline constexpr std::string_view kLetters = " PLNSGBRK";

constexpr bool can_promote(Kind kind) {
  return kind >= kPawn && kind <= kRook && kind != kGold;
}
constexpr Kind promoted(Kind kind) {
  return kind | kPromoted;
}
constexpr Kind unpromoted(Kind kind) {
  return kind & 7;
}

// Whether a piece of the kind could never move again from the square.
constexpr bool is_dead(Colour colour, Kind kind, Square square) {
  const int rank = rank_for(colour, square);
  return kind == kKnight ? rank < 2 : (kind == kPawn || kind == kLance) && rank < 1;
}
constexpr bool in_zone(Colour colour, Square square) {
  return rank_for(colour, square) < 3;
}

using Hand = std::uint32_t;
inline constexpr std::array<int, 8> kHandShift = {0, 0, 6, 10, 14, 18, 22, 25};
inline constexpr std::array<Hand, 8> kHandMask = {0, 31, 7, 7, 7, 7, 3, 3};
inline constexpr std::array<int, 9> kMostOfKind = {0, 18, 4, 4, 4, 4, 2, 2, 2};
inline constexpr Hand kHandSpare =
    1u << 5 | 1u << 9 | 1u << 13 | 1u << 17 | 1u << 21 | 1u << 24 | 1u << 27;

constexpr Hand one(Kind kind) {
  return Hand{1} << kHandShift[kind];
}
constexpr int count(Hand hand, Kind kind) {
  return static_cast<int>(hand >> kHandShift[kind] & kHandMask[kind]);
}
// Of each kind at least as many.
constexpr bool at_least(Hand hand, Hand least) {
  return (((hand | kHandSpare) - least) & kHandSpare) == kHandSpare;
}

// Of each kind the larger number, or the smaller one.
constexpr Hand most(Hand a, Hand b) {
  if (at_least(a, b)) return a;
  Hand most = 0;
  for (Kind kind = kPawn; kind <= kRook; ++kind) {
    const Hand field = kHandMask[kind] << kHandShift[kind];
    most |= std::max(a & field, b & field);
  }
  return most;
}
constexpr Hand least(Hand a, Hand b) {
  return a + b - most(a, b);
}

}  // namespace andorra::shogi
