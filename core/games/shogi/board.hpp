// A shogi position: pieces, hands, side to move; who attacks what; playing and taking back moves.
//
// A move's code sorts as moves are listed: board moves by from, to and promotion first, then drops
// by kind and square. Below that it says what moves and what is captured, so that undoing needs no
// memory.
// Invariant: the hash is that of the pieces and the side to move; hands are not in it.
#pragma once

#include <array>
#include <cstdint>

#include "game.hpp"
#include "games/shogi/attacks.hpp"
#include "secret.hpp"

namespace andorra::shogi {

inline constexpr Move kDrop = 1u << 23;

constexpr Move board_move(Square from, Square to, bool promotes, Kind moved, Kind captured) {
  return static_cast<Move>(from) << 16 | static_cast<Move>(to) << 9 |
         static_cast<Move>(!promotes) << 8 | static_cast<Move>(captured) << 4 | moved;
}
constexpr Move drop_move(Kind kind, Square to) {
  return kDrop | static_cast<Move>(kind) << 16 | static_cast<Move>(to) << 9;
}
constexpr bool is_drop(Move move) {
  return (move & kDrop) != 0;
}
constexpr Square from_of(Move move) {
  return static_cast<Square>(move >> 16 & 127);
}
constexpr Square to_of(Move move) {
  return static_cast<Square>(move >> 9 & 127);
}
constexpr bool promotes(Move move) {
  return !is_drop(move) && (move >> 8 & 1) == 0;
}
constexpr Kind captured_by(Move move) {
  return move >> 4 & 15;
}
constexpr Kind moved_by(Move move) {
  return is_drop(move) ? move >> 16 & 7 : move & 15;
}

struct Piece {
  Colour colour;
  Kind kind;
};

class Board {
 public:
  static constexpr Square kNowhere = -1;

  Colour to_move() const { return to_move_; }
  Bits occupied() const { return colours_[kBlack] | colours_[kWhite]; }
  Bits pieces(Colour colour) const { return colours_[colour]; }
  Bits pieces(Colour colour, Kind kind) const { return kinds_[colour][kind]; }
  Square king(Colour colour) const { return kings_[colour]; }
  bool has_king(Colour colour) const { return kings_[colour] != kNowhere; }
  Hand hand(Colour colour) const { return hands_[colour]; }
  Piece at(Square square) const {
    return {static_cast<Colour>(squares_[square] >> 4), static_cast<Kind>(squares_[square] & 15)};
  }
  Kind kind_at(Square square) const { return squares_[square] & 15; }
  Key hash() const { return hash_; }

  void put(Colour colour, Kind kind, Square square) {
    squares_[square] = static_cast<std::uint8_t>(colour << 4 | kind);
    colours_[colour] |= bit(square);
    kinds_[colour][kind] |= bit(square);
    if (kind == kKing) kings_[colour] = square;
    mix_in(colour, kind, square);
  }

  void remove(Colour colour, Kind kind, Square square) {
    squares_[square] = kNone;
    colours_[colour] &= ~bit(square);
    kinds_[colour][kind] &= ~bit(square);
    if (kind == kKing) kings_[colour] = kNowhere;
    mix_in(colour, kind, square);
  }

  void set_hand(Colour colour, Hand hand) { hands_[colour] = hand; }
  void set_to_move(Colour colour) {
    if (colour != to_move_) pass();
  }

  void play(Move move) {
    const Colour mover = to_move_;
    const Square to = to_of(move);
    const Kind kind = moved_by(move);
    if (is_drop(move)) {
      hands_[mover] -= one(kind);
      put(mover, kind, to);
    } else {
      remove(mover, kind, from_of(move));
      if (const Kind captured = captured_by(move)) {
        remove(other(mover), captured, to);
        hands_[mover] += one(unpromoted(captured));
      }
      put(mover, promotes(move) ? promoted(kind) : kind, to);
    }
    pass();
  }

  void undo(Move move) {
    pass();
    const Colour mover = to_move_;
    const Square to = to_of(move);
    const Kind kind = moved_by(move);
    if (is_drop(move)) {
      remove(mover, kind, to);
      hands_[mover] += one(kind);
    } else {
      remove(mover, promotes(move) ? promoted(kind) : kind, to);
      if (const Kind captured = captured_by(move)) {
        put(other(mover), captured, to);
        hands_[mover] -= one(unpromoted(captured));
      }
      put(mover, kind, from_of(move));
    }
  }

  // The hash after a move, without playing it.
  Key hash_after(Move move) const {
    const Colour mover = to_move_;
    const Square to = to_of(move);
    const Kind kind = moved_by(move);
    Key hash = hash_;
    mix_into(hash, random(2 * kKinds * kSquares));
    mix_into(hash, random_of(mover, promotes(move) ? promoted(kind) : kind, to));
    if (is_drop(move)) return hash;
    mix_into(hash, random_of(mover, kind, from_of(move)));
    if (const Kind captured = captured_by(move))
      mix_into(hash, random_of(other(mover), captured, to));
    return hash;
  }

  // The mover's hand after a move.
  Hand hand_after(Move move) const {
    const Hand hand = hands_[to_move_];
    if (is_drop(move)) return hand - one(moved_by(move));
    const Kind captured = captured_by(move);
    return captured == kNone ? hand : hand + one(unpromoted(captured));
  }

  // Pieces of a colour that attack the square, with these squares occupied.
  Bits attackers(Square square, Colour by, Bits occupied) const {
    return steppers(square, by) | sliders(square, by, occupied);
  }

  bool is_attacked(Square square, Colour by, Bits occupied) const {
    return steppers(square, by) != 0 || sliders(square, by, occupied) != 0;
  }

  // The squares next to a square that a colour attacks, with these squares occupied, and some
  // others.
  Bits attacked_around(Square square, Colour by, Bits occupied) const {
    const auto& kinds = kinds_[by];
    Bits attacked = 0;
    for (Bits left = colours_[by] & kAttacks.around(square); left != 0;) {
      const Square from = take_lowest(left);
      attacked |= kAttacks.steps(by, kind_at(from), from);
    }
    for (Bits left = kinds[kRook] | kinds[kDragon]; left != 0;)
      attacked |= kAttacks.rook(take_lowest(left), occupied);
    for (Bits left = kinds[kBishop] | kinds[kHorse]; left != 0;)
      attacked |= kAttacks.bishop(take_lowest(left), occupied);
    for (Bits left = kinds[kLance]; left != 0;)
      attacked |= kAttacks.lance(by, take_lowest(left), occupied);
    return attacked;
  }

  bool in_check(Colour colour) const {
    return has_king(colour) && is_attacked(kings_[colour], other(colour), occupied());
  }

  bool slides_to(Square square, Colour by, Bits occupied) const {
    return sliders(square, by, occupied) != 0;
  }

  // The only pieces, of either colour, between a square and a slider that would attack it.
  Bits screens(Square square, Colour slider, Bits occupied) const {
    Bits screens = 0;
    for (Bits left = lined_up(square, slider); left != 0;) {
      const Bits between = kAttacks.between(square, take_lowest(left)) & occupied;
      if (is_single(between)) screens |= between;
    }
    return screens;
  }

  Bits sliders(Colour colour) const {
    const auto& kinds = kinds_[colour];
    return kinds[kLance] | kinds[kBishop] | kinds[kRook] | kinds[kHorse] | kinds[kDragon];
  }
  Bits steppers(Colour colour) const { return colours_[colour] & ~sliders(colour); }

  Bits golds(Colour colour) const {
    const auto& kinds = kinds_[colour];
    return kinds[kGold] | kinds[promoted(kPawn)] | kinds[promoted(kLance)] |
           kinds[promoted(kKnight)] | kinds[promoted(kSilver)];
  }

 private:
  static constexpr std::uint64_t kUpperHalf = 0xffffffff00000000;

  // One of each colour, kind and square, and the last for white to move.
  static inline const auto kRandom = zobrist_keys<2 * kKinds * kSquares + 1>(0x7365);

  static const Key& random(std::size_t i) { return kRandom[i]; }

  static const Key& random_of(Colour colour, Kind kind, Square square) {
    return random(static_cast<std::size_t>((colour * kKinds + kind) * kSquares + square));
  }
  static void mix_into(Key& hash, const Key& random) {
    hash.board ^= random.board;
    hash.rest ^= random.rest & kUpperHalf;
  }
  void mix_in(Colour colour, Kind kind, Square square) {
    mix_into(hash_, random_of(colour, kind, square));
  }
  void pass() {
    to_move_ = other(to_move_);
    mix_into(hash_, random(2 * kKinds * kSquares));
  }

  Bits steppers(Square square, Colour by) const {
    const Colour back = other(by);
    const auto& kinds = kinds_[by];
    return (kAttacks.steps(back, kPawn, square) & kinds[kPawn]) |
           (kAttacks.steps(back, kKnight, square) & kinds[kKnight]) |
           (kAttacks.steps(back, kSilver, square) & kinds[kSilver]) |
           (kAttacks.steps(back, kGold, square) & golds(by)) |
           (kAttacks.king(square) & (kinds[kKing] | kinds[kHorse] | kinds[kDragon]));
  }

  Bits sliders(Square square, Colour by, Bits occupied) const {
    Bits sliders = 0;
    for (Bits left = lined_up(square, by); left != 0;) {
      const Square from = take_lowest(left);
      if ((kAttacks.between(square, from) & occupied) == 0) sliders |= bit(from);
    }
    return sliders;
  }

  // Sliders that would attack the square on an empty board.
  Bits lined_up(Square square, Colour by) const {
    const auto& kinds = kinds_[by];
    return (kAttacks.straight(square) & (kinds[kRook] | kinds[kDragon])) |
           (kAttacks.diagonal(square) & (kinds[kBishop] | kinds[kHorse])) |
           (kAttacks.ahead(other(by), square) & kinds[kLance]);
  }

  std::array<std::uint8_t, kSquares> squares_{};
  std::array<Bits, 2> colours_{};
  std::array<std::array<Bits, kKinds>, 2> kinds_{};
  std::array<Square, 2> kings_ = {kNowhere, kNowhere};
  std::array<Hand, 2> hands_{};
  Colour to_move_ = kBlack;
  Key hash_;
};

}  // namespace andorra::shogi
