// Lines of Action on N x N cells (docs/games.md).
//
// Idea: cell (column, row) is bit row*8 + column on every size of board, row 0 at the bottom, so
// that the lines are constants (board_lines.hpp). How far a piece goes is the population count of
// its line; the enemies in between are those on the part of the line that a mask cuts out. A move
// is from | to << 6 | capture << 12, so that undo() knows whether to put a piece back. A pass goes
// from a1 to a1, which no other move does. Invariant: no cell has two pieces, and each side has one
// at least: a capture that leaves one piece ends the game. Keys are exact: with x to move they hold
// the sets of x and of o, which have no cell in common; with o to move all pieces and those of o,
// which do.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "game.hpp"
#include "games/board_lines.hpp"
#include "games/board_text.hpp"
#include "games/legal_move.hpp"
#include "games/stones.hpp"
#include "games/text_reader.hpp"
#include "mix.hpp"

namespace andorra {

class Loa {
 public:
  static constexpr std::string_view kName = "loa";

  explicit Loa(std::string_view parameters) {
    TextReader reader(parameters.empty() ? "8" : parameters);
    size_ = reader.number(3, kSide, "the size of the board");
    reader.expect_end();
    for (int i = 0; i < size_; ++i)
      for (int j = 0; j < size_; ++j) board_ |= bit(cell(i, j));
    for (int i = 1; i < size_ - 1; ++i) {
      pieces_[0] |= bit(cell(i, 0)) | bit(cell(i, size_ - 1));
      pieces_[1] |= bit(cell(0, i)) | bit(cell(size_ - 1, i));
    }
  }

  std::string parameters() const { return std::to_string(size_); }

  Side side_to_move() const { return side_; }

  Outcome outcome() const {
    const Side just_moved = other(side_);
    if (joined(pieces_of(just_moved))) return win_for(just_moved);
    return joined(pieces_of(side_)) ? win_for(side_) : Outcome::ongoing;
  }

  void moves(MoveList& list) const {
    if (outcome() != Outcome::ongoing) return;
    const std::uint64_t enemies = pieces_of(other(side_));
    const std::size_t before = list.size();
    for (std::uint64_t left = pieces_of(side_); left != 0; left &= left - 1) {
      const Move from = lowest(left);
      for (std::uint64_t to = goals(from); to != 0; to &= to - 1)
        list.push_back(move_of(from, lowest(to), enemies));
    }
    if (list.size() == before) list.push_back(kPass);
  }

  void play(Move move) {
    shift_piece(move);
    side_ = other(side_);
  }

  void undo(Move move) {
    side_ = other(side_);
    shift_piece(move);
  }

  Key key() const {
    return exact_key(side_ == Side::first ? pieces_[0] : pieces_[0] | pieces_[1], pieces_[1]);
  }

  void parse(std::string_view text) {
    std::array<std::uint64_t, 2> pieces{};
    TextReader reader(text);
    read_board(reader, size_, size_, [&](int column, int row, char c) {
      if (c != '.') pieces[c == 'o'] |= bit(cell(column, size_ - 1 - row));
    });
    reader.expect(' ');
    const Side side = reader.one_of("xo") == 'x' ? Side::first : Side::second;
    reader.expect_end();
    if (pieces[0] == 0) reject_position(text, "expected at least one x");
    if (pieces[1] == 0) reject_position(text, "expected at least one o");
    pieces_ = pieces;
    side_ = side;
  }

  std::string format() const {
    const std::string board = write_board(size_, size_, [&](int column, int row) {
      const std::uint64_t here = bit(cell(column, size_ - 1 - row));
      return stone_character(pieces_[0] & here, pieces_[1] & here);
    });
    return board + (side_ == Side::first ? " x" : " o");
  }

  Move parse_move(std::string_view text) const { return legal_move(*this, text); }

  std::string format_move(Move move) const {
    return move == kPass ? "pass" : name_of(from_of(move)) + name_of(to_of(move));
  }

  bool acyclic() const { return false; }
  bool can_draw() const { return true; }  // by play without end

 private:
  static constexpr int kSide = kBoardSide;
  static constexpr std::uint64_t kLeftmost = 0x0101010101010101;
  static constexpr std::uint64_t kRightmost = kLeftmost << (kSide - 1);
  static constexpr Move kPass = 0;
  static constexpr Move kCellMask = 63;
  static constexpr int kToShift = 6;
  static constexpr int kCaptureShift = 12;

  static constexpr std::uint64_t bit(Move cell) { return std::uint64_t{1} << cell; }
  static constexpr Move cell(int column, int row) {
    return static_cast<Move>(row * kSide + column);
  }
  static constexpr Move from_of(Move move) { return move & kCellMask; }
  static constexpr Move to_of(Move move) { return move >> kToShift & kCellMask; }
  static Move lowest(std::uint64_t set) { return static_cast<Move>(std::countr_zero(set)); }

  static std::string name_of(Move cell) {
    const int index = static_cast<int>(cell);
    return cell_name(index % kSide, index / kSide);
  }

  static Move move_of(Move from, Move to, std::uint64_t enemies) {
    return from | to << kToShift | static_cast<Move>(enemies >> to & 1) << kCaptureShift;
  }

  std::uint64_t pieces_of(Side side) const { return pieces_[static_cast<int>(side)]; }

  // Grows the group of the lowest piece, one ring of neighbours at a time.
  static bool joined(std::uint64_t pieces) {
    std::uint64_t group = pieces & -pieces;
    for (std::uint64_t grown = 0; grown != group;) {
      grown = group;
      const std::uint64_t row = group | (group & ~kRightmost) << 1 | (group & ~kLeftmost) >> 1;
      group = (row | row << kSide | row >> kSide) & pieces;
    }
    return group == pieces;
  }

  // Where a piece can go; cells that only the 8 x 8 board has drop out at the end.
  std::uint64_t goals(Move from) const {
    const std::uint64_t own = pieces_of(side_);
    const std::uint64_t enemies = pieces_of(other(side_));
    std::uint64_t found = 0;
    for (const BoardLine& line : kBoardLines[from]) {
      const int distance = std::popcount(line.whole & (own | enemies));
      const Move way = static_cast<Move>(distance * line.step);
      if (distance <= line.length_above) {
        const std::uint64_t goal = bit(from + way);
        if ((line.above & (goal - 1) & enemies) == 0) found |= goal;
      }
      if (distance <= line.length_below) {
        const std::uint64_t goal = bit(from - way);
        if ((line.below & ~(goal | (goal - 1)) & enemies) == 0) found |= goal;
      }
    }
    return found & board_ & ~own;
  }

  // Its own inverse, so it serves play and undo alike.
  void shift_piece(Move move) {
    const int side = static_cast<int>(side_);
    const Move to = to_of(move);
    pieces_[side] ^= bit(from_of(move)) ^ bit(to);
    pieces_[1 - side] ^= std::uint64_t{move >> kCaptureShift} << to;
  }

  int size_ = 0;
  std::uint64_t board_ = 0;
  std::array<std::uint64_t, 2> pieces_{};
  Side side_ = Side::first;
};

static_assert(Game<Loa>);

}  // namespace andorra
