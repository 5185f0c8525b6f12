// What positions may be set up: problems leave pieces out, but never have too many of them.
#pragma once

#include <array>
#include <string>

#include "games/shogi/board.hpp"
#include "games/shogi/sfen.hpp"

namespace andorra::shogi {

// How many pieces of each kind are in play, promoted ones and both hands included.
inline std::array<int, 9> counts(const Board& board) {
  std::array<int, 9> counts{};
  for (Square square = 0; square < kSquares; ++square) {
    const Kind kind = board.kind_at(square);
    if (kind != kNone) ++counts[kind > kKing ? unpromoted(kind) : kind];
  }
  for (Kind kind = kPawn; kind <= kRook; ++kind)
    counts[kind] += count(board.hand(kBlack), kind) + count(board.hand(kWhite), kind);
  return counts;
}

// Gives a colour all that neither the board nor the other side has.
inline void give_rest(Board& board, Colour colour) {
  board.set_hand(colour, 0);
  const std::array<int, 9> used = counts(board);
  Hand hand = 0;
  for (Kind kind = kPawn; kind <= kRook; ++kind)
    if (used[kind] < kMostOfKind[kind])
      hand += static_cast<Hand>(kMostOfKind[kind] - used[kind]) * one(kind);
  board.set_hand(colour, hand);
}

inline std::string fault_of_side(const Board& board, Colour colour) {
  const std::string name = colour == kBlack ? "black" : "white";
  for (int file = 0; file < kSide; ++file)
    if (size(board.pieces(colour, kPawn) & kAttacks.file(square(file, 0))) > 1)
      return name + " has two pawns on file " + std::to_string(file + 1);
  for (Bits left = board.pieces(colour); left != 0;) {
    const Square square = take_lowest(left);
    if (is_dead(colour, board.kind_at(square), square))
      return "the piece on " + square_text(square) + " could never move";
  }
  return "";
}

// Why a position cannot be set up; empty if it can.
inline std::string fault_of(const Board& board) {
  const std::array<int, 9> used = counts(board);
  for (Kind kind = kPawn; kind <= kRook; ++kind)
    if (used[kind] > kMostOfKind[kind])
      return "there are " + std::to_string(used[kind]) + " pieces " + kLetters[kind] + ", not " +
             std::to_string(kMostOfKind[kind]);
  for (Colour colour : {kBlack, kWhite})
    if (std::string fault = fault_of_side(board, colour); !fault.empty()) return fault;
  return board.in_check(other(board.to_move())) ? "the side not to move is in check" : "";
}

}  // namespace andorra::shogi
