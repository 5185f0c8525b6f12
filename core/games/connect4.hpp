// Connect Four on W columns and H rows (docs/games.md).
//
// Idea: a column is H+1 bits, lowest row first; the topmost bit of each stays empty, so that shifts
// cannot carry a line from one column into the next. A move is the bit of the cell it fills.
// Source: the layout, the test for four and the packed key follow John Tromp's Fhourstones.
// Invariant: mask_ holds all stones, mover_ those of the side to move; only the other side, which
// just moved, can have four. mover_ | (mask_ + bottom_) is different for different positions: in
// each column the highest bit set tells the height, and the bits below it the stones.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "game.hpp"
#include "games/board_text.hpp"
#include "games/legal_move.hpp"
#include "games/open_lines.hpp"
#include "games/stones.hpp"
#include "games/text_reader.hpp"
#include "mix.hpp"

namespace andorra {

class Connect4 {
 public:
  static constexpr std::string_view kName = "connect4";

  explicit Connect4(std::string_view parameters) {
    read_parameters(parameters.empty() ? "7x6" : parameters);
    for (int column = 0; column < width_; ++column) bottom_ |= bit(cell(column, 0));
    board_ = bottom_ * (bit(height()) - 1);
    order_columns();
  }

  std::string parameters() const { return std::to_string(width_) + "x" + std::to_string(height_); }

  Side side_to_move() const { return static_cast<Side>(plies_ & 1); }

  Outcome outcome() const {
    if (has_four(mask_ ^ mover_)) return win_for(other(side_to_move()));
    return mask_ == board_ ? Outcome::draw : Outcome::ongoing;
  }

  void moves(MoveList& list) const {
    if (outcome() != Outcome::ongoing) return;
    const std::uint64_t landing = (mask_ + bottom_) & board_;
    for (int i = 0; i < width_; ++i)
      if (const std::uint64_t cell = landing & columns_[i])
        list.push_back(static_cast<Move>(std::countr_zero(cell)));
  }

  void play(Move move) {
    mover_ ^= mask_;
    mask_ ^= bit(move);
    ++plies_;
  }

  void undo(Move move) {
    mask_ ^= bit(move);
    mover_ ^= mask_;
    --plies_;
  }

  Key key() const { return exact_key(mover_ | (mask_ + bottom_)); }

  void parse(std::string_view text) {
    Connect4 read = *this;
    read.mask_ = read.mover_ = 0;
    read.plies_ = 0;
    TextReader reader(text);
    if (width_ <= kMostDigitColumns && reader.at_digit())
      read.read_columns(reader);
    else
      read.read_stones(reader);
    *this = read;
  }

  std::string format() const {
    const std::uint64_t first = side_to_move() == Side::first ? mover_ : mask_ ^ mover_;
    return write_board(width_, height_, [&](int column, int row) {
      const std::uint64_t here = bit(cell(column, height_ - 1 - row));
      return stone_character(first & here, mask_ & here);
    });
  }

  Move parse_move(std::string_view text) const { return legal_move(*this, text); }

  std::string format_move(Move move) const { return std::to_string(move / (height() + 1) + 1); }

  bool acyclic() const { return true; }
  bool can_draw() const { return true; }

  // The stones that the prover's easiest four lacks; the number of its fours still open. Empty
  // cells below a four are not counted, since either side may fill them.
  Guess guess(Side prover) const {
    const std::uint64_t own = side_to_move() == prover ? mover_ : mask_ ^ mover_;
    OpenLines fours(own, board_ & ~(mask_ ^ own));
    fours.add(board_, 1, 4);
    if (width_ >= 4)
      for (int step : {height_, height_ + 1, height_ + 2}) fours.add(board_, step, 4);
    return fours.guess(2 * width_ * height_);
  }

 private:
  static constexpr int kMostBits = 64;
  static constexpr int kMostColumns = kMostBits / 2;
  static constexpr int kMostDigitColumns = 9;

  static constexpr std::uint64_t bit(Move move) { return std::uint64_t{1} << move; }
  Move height() const { return static_cast<Move>(height_); }
  std::size_t width() const { return static_cast<std::size_t>(width_); }
  Move cell(int column, int row) const { return static_cast<Move>(column * (height_ + 1) + row); }

  void read_parameters(std::string_view text) {
    TextReader reader(text);
    width_ = reader.number(1, kMostColumns, "the number of columns");
    reader.expect('x');
    height_ = reader.number(1, kMostBits / width_ - 1, "the number of rows for these columns");
    reader.expect_end();
  }

  // From the centre outwards, the left one first. The masks are of whole columns.
  void order_columns() {
    const std::uint64_t leftmost = bit(height()) - 1;
    int count = 0;
    for (int distance = 0; distance <= width_; ++distance)
      for (int column = 0; column < width_; ++column)
        if (const int offset = 2 * column - (width_ - 1); offset == distance || -offset == distance)
          columns_[count++] = leftmost << cell(column, 0);
  }

  bool four(std::uint64_t stones, int shift) const {
    const std::uint64_t pairs = stones & (stones >> shift);
    return (pairs & (pairs >> 2 * shift)) != 0;
  }

  // On less than four columns only upright lines fit, and the other shifts might exceed 63.
  bool has_four(std::uint64_t stones) const {
    if (four(stones, 1)) return true;
    if (width_ < 4) return false;
    return four(stones, height_) || four(stones, height_ + 1) || four(stones, height_ + 2);
  }

  void read_columns(TextReader& reader) {
    while (!reader.at_end()) {
      const std::size_t place = reader.place();
      if (outcome() != Outcome::ongoing) reader.fail("the game is over before this move");
      const int column = reader.one_of(std::string_view("123456789").substr(0, width())) - '1';
      const std::uint64_t landing = (mask_ + bottom_) & (bit(height()) - 1) << cell(column, 0);
      if (landing == 0) reader.fail_at(place, "this column is full");
      play(static_cast<Move>(std::countr_zero(landing)));
    }
  }

  void read_stones(TextReader& reader) {
    std::array<std::uint64_t, 2> stones{};
    read_board(reader, width_, height_, [&](int column, int row, char c) {
      const Move here = cell(column, height_ - 1 - row);
      if (c != '.')
        stones[c == 'o'] |= bit(here);
      else if ((stones[0] | stones[1]) & bit(here + 1))
        reader.fail_at(reader.place() - 2 - width(), "this stone floats: the cell below is empty");
    });
    reader.expect_end();
    check(reader.text(), stones);
    mask_ = stones[0] | stones[1];
    plies_ = std::popcount(mask_);
    mover_ = stones[plies_ & 1];
  }

  void check(std::string_view text, const std::array<std::uint64_t, 2>& stones) const {
    const int first = std::popcount(stones[0]);
    const int second = std::popcount(stones[1]);
    check_counts(text, first, second);
    const Side to_move = first == second ? Side::first : Side::second;
    check_wins(text, has_four(stones[0]), has_four(stones[1]), to_move);
  }

  int width_ = 0;
  int height_ = 0;
  std::uint64_t bottom_ = 0;
  std::uint64_t board_ = 0;
  std::array<std::uint64_t, kMostColumns> columns_{};  // in the order of moves
  std::uint64_t mask_ = 0;
  std::uint64_t mover_ = 0;
  int plies_ = 0;
};

static_assert(HasGuess<Connect4>);

}  // namespace andorra
