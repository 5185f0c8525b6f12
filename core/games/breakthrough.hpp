// Breakthrough on R rows and C columns (docs/games.md).
//
// Idea: cell (column, row) is bit row*C + column, row 0 at the bottom; x moves up, o down. For each
// of the three ways to step, shifts give the pieces that can take it, all at once.
// A move is from | to << 6 | capture << 12, so that undo() knows whether to put a piece back.
// Invariant: no cell has two pieces; not both sides are on their far rows.
// Keys are exact: with o to move both sets are complemented. Complements of disjoint sets cover all
// 64 bits, and the sets themselves do so only on a full 8x8 board; there the two that would share a
// key have colours exchanged, and one of them has both sides on their far rows.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "game.hpp"
#include "games/board_text.hpp"
#include "games/legal_move.hpp"
#include "games/stones.hpp"
#include "games/text_reader.hpp"
#include "mix.hpp"

namespace andorra {

class Breakthrough {
 public:
  static constexpr std::string_view kName = "breakthrough";

  // 5x5 with one row each: 2.8M visits, 1.6 CPU s; with unit numbers 7.8M, 5.0 s.
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 1> kDefaults{{
      {"initial", "game"},
  }};

  explicit Breakthrough(std::string_view parameters) {
    read_parameters(parameters.empty() ? "5x4" : parameters);
    const int cells = rows_ * columns_;
    board_ = kAll >> (kMostCells - cells);
    bottom_ = kAll >> (kMostCells - columns_);
    top_ = bottom_ << (cells - columns_);
    for (int row = 0; row < rows_; ++row) leftmost_ |= bit(cell(0, row));
    rightmost_ = leftmost_ << (columns_ - 1);
    pieces_[0] = kAll >> (kMostCells - home_rows_ * columns_);
    pieces_[1] = pieces_[0] << (cells - home_rows_ * columns_);
  }

  std::string parameters() const {
    const std::string size = std::to_string(rows_) + "x" + std::to_string(columns_);
    return home_rows_ == kUsualHomeRows ? size : size + "x" + std::to_string(home_rows_);
  }

  Side side_to_move() const { return side_; }

  // That a side without a move loses needs no test: a foremost piece short of the far row has a
  // cell diagonally ahead, as there are two columns at least, and no piece of its own can be there.
  Outcome outcome() const {
    if (pieces_[0] & top_) return Outcome::first_wins;
    if (pieces_[1] & bottom_) return Outcome::second_wins;
    if (pieces_[0] == 0) return Outcome::second_wins;
    if (pieces_[1] == 0) return Outcome::first_wins;
    return Outcome::ongoing;
  }

  void moves(MoveList& list) const {
    if (outcome() != Outcome::ongoing) return;
    const Movers can = movers();
    const Move ahead = static_cast<Move>(columns_);
    for (std::uint64_t left = can.left | can.straight | can.right; left != 0; left &= left - 1) {
      const Move from = static_cast<Move>(std::countr_zero(left));
      const Move straight = side_ == Side::first ? from + ahead : from - ahead;
      if (can.left & bit(from)) list.push_back(move_of(from, straight - 1));
      if (can.straight & bit(from)) list.push_back(move_of(from, straight));
      if (can.right & bit(from)) list.push_back(move_of(from, straight + 1));
    }
  }

  void play(Move move) {
    shift_piece(static_cast<int>(side_), move);
    side_ = other(side_);
  }

  void undo(Move move) {
    side_ = other(side_);
    shift_piece(static_cast<int>(side_), move);
  }

  Key key() const {
    const std::uint64_t turn = side_ == Side::first ? 0 : kAll;
    return exact_key(pieces_[0] ^ turn, pieces_[1] ^ turn);
  }

  void parse(std::string_view text) {
    std::array<std::uint64_t, 2> pieces{};
    TextReader reader(text);
    read_board(reader, columns_, rows_, [&](int column, int row, char c) {
      if (c != '.') pieces[c == 'o'] |= bit(cell(column, rows_ - 1 - row));
    });
    reader.expect(' ');
    const Side side = reader.one_of("xo") == 'x' ? Side::first : Side::second;
    reader.expect_end();
    if ((pieces[0] | pieces[1]) == 0) reject_position(text, "expected at least one piece");
    if ((pieces[0] & top_) && (pieces[1] & bottom_))
      reject_position(text, "both sides have reached their far rows");
    pieces_ = pieces;
    side_ = side;
  }

  std::string format() const {
    const std::string board = write_board(columns_, rows_, [&](int column, int row) {
      const std::uint64_t here = bit(cell(column, rows_ - 1 - row));
      return stone_character(pieces_[0] & here, pieces_[1] & here);
    });
    return board + (side_ == Side::first ? " x" : " o");
  }

  Move parse_move(std::string_view text) const { return legal_move(*this, text); }

  std::string format_move(Move move) const { return name_of(from_of(move)) + name_of(to_of(move)); }

  bool acyclic() const { return true; }
  bool can_draw() const { return false; }

  // A single-player relaxation (survey 7.1): the moves that a side needs if the other one passes.
  Guess guess(Side prover) const {
    const std::array<std::uint32_t, 2> needed = {moves_to_top(), moves_to_bottom()};
    const int own = static_cast<int>(prover);
    return {needed[own], needed[1 - own]};
  }

 private:
  static constexpr int kMostCells = 64;
  static constexpr int kMostRows = 8;
  static constexpr int kUsualHomeRows = 2;
  static constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();
  static constexpr Move kCellMask = 63;
  static constexpr int kToShift = 6;
  static constexpr int kCaptureShift = 12;

  // The pieces of the side to move that can step to the left, straight on, to the right, where left
  // is towards column a for both sides.
  struct Movers {
    std::uint64_t left;
    std::uint64_t straight;
    std::uint64_t right;
  };

  static constexpr std::uint64_t bit(Move cell) { return std::uint64_t{1} << cell; }
  static constexpr Move from_of(Move move) { return move & kCellMask; }
  static constexpr Move to_of(Move move) { return move >> kToShift & kCellMask; }
  Move cell(int column, int row) const { return static_cast<Move>(row * columns_ + column); }

  std::string name_of(Move cell) const {
    const int index = static_cast<int>(cell);
    return cell_name(index % columns_, index / columns_);
  }

  void read_parameters(std::string_view text) {
    TextReader reader(text);
    rows_ = reader.number(2, kMostRows, "the number of rows");
    reader.expect('x');
    columns_ = reader.number(2, kMostRows, "the number of columns");
    home_rows_ = kUsualHomeRows;
    if (reader.skip('x'))
      home_rows_ = reader.number(1, rows_ / 2, "the rows of pieces of each side");
    reader.expect_end();
    if (rows_ < 2 * home_rows_)
      reader.fail("expected at least 4 rows, or 'x' and the rows of pieces of each side");
  }

  Movers movers() const {
    const std::uint64_t own = pieces_[static_cast<int>(side_)];
    const std::uint64_t open = board_ & ~own;
    const std::uint64_t empty = board_ & ~(pieces_[0] | pieces_[1]);
    const std::uint64_t left = own & ~leftmost_;
    const std::uint64_t right = own & ~rightmost_;
    const int c = columns_;
    if (side_ == Side::first)
      return {left & open >> (c - 1), own & empty >> c, right & open >> (c + 1)};
    return {left & open << (c + 1), own & empty << c, right & open << (c - 1)};
  }

  Move move_of(Move from, Move to) const {
    const std::uint64_t enemies = pieces_[static_cast<int>(other(side_))];
    const Move capture = static_cast<Move>(enemies >> to & 1);
    return from | to << kToShift | capture << kCaptureShift;
  }

  // For the foremost piece of x; at ends, where nobody asks, still at least 1.
  std::uint32_t moves_to_top() const {
    const int row = (std::bit_width(pieces_[0] | 1) - 1) / columns_;
    return static_cast<std::uint32_t>(std::max(rows_ - 1 - row, 1));
  }

  std::uint32_t moves_to_bottom() const {
    const int row = std::countr_zero(pieces_[1] | top_) / columns_;
    return static_cast<std::uint32_t>(std::max(row, 1));
  }

  // Its own inverse, so it serves play and undo alike.
  void shift_piece(int side, Move move) {
    const Move to = to_of(move);
    pieces_[side] ^= bit(from_of(move)) | bit(to);
    pieces_[1 - side] ^= std::uint64_t{move >> kCaptureShift} << to;
  }

  int rows_ = 0;
  int columns_ = 0;
  int home_rows_ = 0;
  std::uint64_t board_ = 0;
  std::uint64_t bottom_ = 0;
  std::uint64_t top_ = 0;
  std::uint64_t leftmost_ = 0;
  std::uint64_t rightmost_ = 0;
  std::array<std::uint64_t, 2> pieces_{};
  Side side_ = Side::first;
};

static_assert(HasGuess<Breakthrough>);

}  // namespace andorra
