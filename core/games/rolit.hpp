// Rolit for two to four players, one of whom is asked about, against all others (docs/games.md).
//
// Idea: the paranoid reduction. The player asked about is the first one of the contract, and all
// others are the second, who moves several times in a row. So a proof is what that player can force
// whatever the others do, together or not; and any search for two sides will do.
// Source: Saito & Winands 2010 (Paranoid Proof-Number Search), from its abstract.
// A move is a cell. Cells are bits row by row from the top; each colour has a set of them. What a
// move turns over is kept for undo().
// Invariant: the sets are disjoint, and one of them is not empty, so there is a move unless the
// board is full.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "game.hpp"
#include "games/board_text.hpp"
#include "games/legal_move.hpp"
#include "games/state_key.hpp"
#include "games/text_reader.hpp"

namespace andorra {

class Rolit {
 public:
  static constexpr std::string_view kName = "rolit";

  explicit Rolit(std::string_view parameters) {
    read_parameters(parameters);
    all_ = ~std::uint64_t{0} >> (kMostCells - columns_ * rows_);
    const int column = (columns_ - 2) / 2, row = (rows_ - 2) / 2;
    balls_[0] = bit(cell(column, row));
    balls_[1] = bit(cell(column + 1, row));
    balls_[2] = bit(cell(column + 1, row + 1));
    balls_[3] = bit(cell(column, row + 1));
  }

  std::string parameters() const {
    return std::to_string(columns_) + "x" + std::to_string(rows_) + "," + std::to_string(players_) +
           "," + std::to_string(asked_ + 1);
  }

  Side side_to_move() const { return mover_ == asked_ ? Side::first : Side::second; }

  Outcome outcome() const {
    if (taken() != all_) return Outcome::ongoing;
    int best = 0;
    for (int player = 0; player < players_; ++player)
      if (player != asked_) best = std::max(best, count(player));
    if (count(asked_) == best) return Outcome::draw;
    return count(asked_) > best ? Outcome::first_wins : Outcome::second_wins;
  }

  // The balls of the player asked about. As long as a cell is empty, all of them may be turned
  // over.
  Scores scores() const {
    if (taken() != all_) return {0, columns_ * rows_};
    return {count(asked_), count(asked_)};
  }

  void moves(MoveList& list) const {
    std::uint64_t capturing = 0;
    const std::uint64_t empty = all_ & ~taken();
    for (std::uint64_t left = empty; left != 0; left &= left - 1)
      if (turned(std::countr_zero(left)) != 0) capturing |= left & -left;
    for (std::uint64_t left = capturing != 0 ? capturing : beside_balls(empty); left != 0;
         left &= left - 1)
      list.push_back(static_cast<Move>(std::countr_zero(left)));
  }

  void play(Move move) {
    history_.push_back(balls_);
    const std::uint64_t mine = turned(static_cast<int>(move)) | bit(static_cast<int>(move));
    for (std::uint64_t& balls : balls_) balls &= ~mine;
    balls_[mover()] |= mine;
    mover_ = mover_ + 1 == players_ ? 0 : mover_ + 1;
  }

  void undo(Move) {
    balls_ = history_.back();
    history_.pop_back();
    mover_ = mover_ == 0 ? players_ - 1 : mover_ - 1;
  }

  Key key() const {
    const std::array<std::uint64_t, kColours + 1> state{balls_[0], balls_[1], balls_[2], balls_[3],
                                                        mover()};
    return state_key(reinterpret_cast<const std::uint8_t*>(state.data()), sizeof state);
  }

  void parse(std::string_view text) {
    TextReader reader(text);
    std::array<std::uint64_t, kColours> balls{};
    for (int row = 0; row < rows_; ++row) {
      if (row > 0) reader.expect('/');
      for (int column = 0; column < columns_; ++column)
        if (const char c = reader.one_of(".1234"); c != '.')
          balls[static_cast<std::size_t>(c - '1')] |= bit(cell(column, row));
    }
    reader.expect(' ');
    const int mover = reader.number(1, players_, "the player to move") - 1;
    reader.expect_end();
    if ((balls[0] | balls[1] | balls[2] | balls[3]) == 0)
      throw PositionError(text, 0, "expected at least one ball");
    balls_ = balls;
    mover_ = mover;
    history_.clear();
  }

  std::string format() const {
    const std::string board = write_board(columns_, rows_, [&](int column, int row) {
      for (std::size_t colour = 0; colour < kColours; ++colour)
        if (balls_[colour] & bit(cell(column, row))) return static_cast<char>('1' + colour);
      return '.';
    });
    return board + " " + std::to_string(mover_ + 1);
  }

  Move parse_move(std::string_view text) const { return legal_move(*this, text); }
  std::string format_move(Move move) const {
    const int index = static_cast<int>(move);
    return cell_name(index % columns_, index / columns_);
  }

  bool acyclic() const { return true; }
  bool can_draw() const { return true; }

 private:
  static constexpr int kMostCells = 64;
  static constexpr int kLongest = 8;
  static constexpr std::size_t kColours = 4;

  static constexpr std::uint64_t bit(int index) { return std::uint64_t{1} << index; }

  void read_parameters(std::string_view parameters) {
    TextReader reader(parameters.empty() ? "4x4" : parameters);
    columns_ = reader.number(2, kLongest, "the number of columns");
    reader.expect('x');
    rows_ = reader.number(2, kLongest, "the number of rows");
    if (reader.skip(',')) players_ = reader.number(2, kColours, "the number of players");
    if (!reader.at_end()) {
      reader.expect(',');
      asked_ = reader.number(1, players_, "the player asked about") - 1;
    }
    reader.expect_end();
  }

  int cell(int column, int row) const { return row * columns_ + column; }
  std::size_t mover() const { return static_cast<std::size_t>(mover_); }
  std::uint64_t taken() const { return balls_[0] | balls_[1] | balls_[2] | balls_[3]; }
  int count(int player) const { return std::popcount(balls_[static_cast<std::size_t>(player)]); }

  bool holds(int column, int row) const {
    return column >= 0 && column < columns_ && row >= 0 && row < rows_;
  }

  // Calls visit(right, down) for the eight directions.
  template <class Visit>
  static void each_direction(Visit&& visit) {
    for (int down = -1; down <= 1; ++down)
      for (int right = -1; right <= 1; ++right)
        if (right != 0 || down != 0) visit(right, down);
  }

  // The balls that the mover would turn over by one on this cell.
  std::uint64_t turned(int index) const {
    std::uint64_t all = 0;
    each_direction([&](int right, int down) { all |= flanked(index, right, down); });
    return all;
  }

  std::uint64_t flanked(int index, int right, int down) const {
    const std::uint64_t mine = balls_[mover()], others = taken() & ~mine;
    std::uint64_t run = 0;
    int column = index % columns_ + right, row = index / columns_ + down;
    for (; holds(column, row) && (others & bit(cell(column, row))); column += right, row += down)
      run |= bit(cell(column, row));
    return holds(column, row) && (mine & bit(cell(column, row))) ? run : 0;
  }

  std::uint64_t beside_balls(std::uint64_t empty) const {
    std::uint64_t found = 0;
    for (std::uint64_t left = empty; left != 0; left &= left - 1) {
      const int index = std::countr_zero(left);
      each_direction([&](int right, int down) {
        const int column = index % columns_ + right, row = index / columns_ + down;
        if (holds(column, row) && (taken() & bit(cell(column, row)))) found |= bit(index);
      });
    }
    return found;
  }

  int columns_ = 0;
  int rows_ = 0;
  int players_ = static_cast<int>(kColours);
  int asked_ = 0;
  int mover_ = 0;
  std::uint64_t all_ = 0;
  std::array<std::uint64_t, kColours> balls_{};
  std::vector<std::array<std::uint64_t, kColours>> history_;
};

static_assert(HasScore<Rolit>);

}  // namespace andorra
