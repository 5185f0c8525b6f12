// m,n,k: m columns, n rows, who first has k stones in an unbroken line wins (docs/games.md).
//
// Idea: cell (column, row) is bit row*m + column, row 0 at the top. A line of k cells in one
// direction is found by AND-ing the stones with shifted copies of themselves, doubling the length
// each time; that also finds "lines" that wrap around the edge, and a mask of the cells at which a
// line of k fits on the board drops them.
// Invariant: only the side that just moved can have a line. Keys are exact for every board; where
// sides have passed, which only a search does, their two halves no longer go together.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "game.hpp"
#include "games/board_text.hpp"
#include "games/legal_move.hpp"
#include "games/line_threats.hpp"
#include "games/open_lines.hpp"
#include "games/stones.hpp"
#include "games/text_reader.hpp"
#include "mix.hpp"

namespace andorra {

class Mnk {
 public:
  static constexpr std::string_view kName = "mnk";

  explicit Mnk(std::string_view parameters) {
    read_parameters(parameters.empty() ? "3,3,3" : parameters);
    for (const auto& [columns, rows] : {Step{1, 0}, Step{0, 1}, Step{1, 1}, Step{-1, 1}})
      add_direction(columns, rows);
    for (int d = 0; d < direction_count_; ++d) add_lines(directions_[d]);
  }

  std::string parameters() const {
    return std::to_string(columns_) + "," + std::to_string(rows_) + "," + std::to_string(length_);
  }

  Side side_to_move() const { return static_cast<Side>(plies_ & 1); }

  Outcome outcome() const {
    const Side last = other(side_to_move());
    if (has_line(stones_[static_cast<int>(last)])) return win_for(last);
    return (stones_[0] | stones_[1]) == board_ ? Outcome::draw : Outcome::ongoing;
  }

  void moves(MoveList& list) const {
    if (outcome() == Outcome::ongoing) append(list, empty());
  }

  void play(Move move) { stones_[plies_++ & 1] ^= bit(move); }
  void undo(Move move) { stones_[--plies_ & 1] ^= bit(move); }

  // Wins, fours and threes; only wins if there are any.
  void threats(MoveList& list) const {
    const LineThreats own = threats_of(side_to_move());
    append(list, own.wins() != 0 ? own.wins() : own.fours() | own.threes());
  }

  // Wins; the cell that a four lacks, if it is one; what spoils a three, and fours.
  void answers(MoveList& list) const {
    const LineThreats own = threats_of(side_to_move());
    if (own.wins() != 0) return append(list, own.wins());
    const LineThreats others = threats_of(other(side_to_move()));
    if (others.wins() == 0)
      return append(list, empty() & (others.answers_to_threes() | own.fours()));
    if (std::has_single_bit(others.wins())) append(list, others.wins());
  }

  // A stone more never hurts: it can only add to its side's lines, and be in the way of others.
  void pass() { change_side(1); }
  void undo_pass() { change_side(-1); }

  Key key() const {
    Key key = exact_key(stones_[0], stones_[1]);
    key.rest ^= passed_;
    return key;
  }

  void parse(std::string_view text) {
    std::array<std::uint64_t, 2> stones{};
    TextReader reader(text);
    read_board(reader, columns_, rows_, [&](int column, int row, char c) {
      if (c != '.') stones[c == 'o'] |= bit(cell(column, row));
    });
    reader.expect_end();
    check(text, stones);
    stones_ = stones;
    passed_ = 0;
    plies_ = std::popcount(stones[0]) + std::popcount(stones[1]);
  }

  std::string format() const {
    return write_board(columns_, rows_, [&](int column, int row) {
      const std::uint64_t here = bit(cell(column, row));
      return stone_character(stones_[0] & here, stones_[1] & here);
    });
  }

  Move parse_move(std::string_view text) const { return legal_move(*this, text); }

  std::string format_move(Move move) const {
    const int index = static_cast<int>(move);
    return cell_name(index % columns_, index / columns_);
  }

  bool acyclic() const { return true; }
  bool can_draw() const { return true; }

  // The stones that the prover's easiest line lacks; the number of its lines still open.
  Guess guess(Side prover) const {
    const std::uint64_t enemies = stones_[static_cast<int>(other(prover))];
    OpenLines lines(stones_[static_cast<int>(prover)], board_ & ~enemies);
    for (int d = 0; d < direction_count_; ++d)
      lines.add(directions_[d].starts, directions_[d].step, length_);
    return lines.guess(2 * cells());
  }

 private:
  static constexpr int kMostCells = 64;
  static constexpr int kMostShifts = 7;  // 1, 2, 4, 8, 16 and 32 cells, and a remainder

  struct Step {
    int columns;
    int rows;
  };

  struct Direction {
    std::uint64_t starts = 0;  // cells at which a line of k fits on the board
    int step = 0;              // bits from a cell to the next one
    std::array<std::uint8_t, kMostShifts> shifts{};
  };

  void change_side(int by) {
    plies_ += by;
    passed_ ^= kGoldenGamma;
  }

  std::uint64_t empty() const { return board_ & ~(stones_[0] | stones_[1]); }

  static void append(MoveList& list, std::uint64_t cells) {
    for (; cells != 0; cells &= cells - 1)
      list.push_back(static_cast<Move>(std::countr_zero(cells)));
  }

  LineThreats threats_of(Side side) const {
    return LineThreats(lines_, stones_[static_cast<int>(side)],
                       stones_[static_cast<int>(other(side))]);
  }

  static constexpr std::uint64_t bit(Move move) { return std::uint64_t{1} << move; }
  int cells() const { return columns_ * rows_; }
  Move cell(int column, int row) const { return static_cast<Move>(row * columns_ + column); }

  void read_parameters(std::string_view text) {
    constexpr int kLongest = 999'999'999;
    TextReader reader(text);
    columns_ = reader.number(1, kMostCells, "the number of columns");
    reader.expect(',');
    rows_ = reader.number(1, kMostCells / columns_, "the number of rows (at most 64 cells in all)");
    reader.expect(',');
    length_ = reader.number(1, kLongest, "the length of a winning line");
    reader.expect_end();
    board_ = std::numeric_limits<std::uint64_t>::max() >> (kMostCells - cells());
  }

  // Directions in which no line fits are left out, so every shift below is less than 64.
  void add_direction(int columns, int rows) {
    Direction direction;
    direction.starts = starts_of_lines(columns, rows);
    if (direction.starts == 0) return;
    direction.step = rows * columns_ + columns;
    shifts_ = 0;
    for (int have = 1; have < length_; ++shifts_) {
      const int more = have < length_ - have ? have : length_ - have;
      direction.shifts[shifts_] = static_cast<std::uint8_t>(more * direction.step);
      have += more;
    }
    directions_[direction_count_++] = direction;
  }

  void add_lines(const Direction& direction) {
    std::uint64_t line = 0;
    for (int i = 0; i < length_; ++i) line |= std::uint64_t{1} << i * direction.step;
    for (std::uint64_t starts = direction.starts; starts != 0; starts &= starts - 1)
      lines_.push_back(line << std::countr_zero(starts));
  }

  std::uint64_t starts_of_lines(int columns, int rows) const {
    std::uint64_t starts = 0;
    for (int row = 0; row < rows_; ++row)
      for (int column = 0; column < columns_; ++column)
        if (line_fits(column, columns, columns_) && line_fits(row, rows, rows_))
          starts |= bit(cell(column, row));
    return starts;
  }

  bool line_fits(int from, int step, int size) const {
    const std::int64_t last = from + std::int64_t{step} * (length_ - 1);
    return last >= 0 && last < size;
  }

  bool has_line(std::uint64_t stones) const {
    for (int d = 0; d < direction_count_; ++d) {
      std::uint64_t run = stones;
      for (int i = 0; i < shifts_; ++i) run &= run >> directions_[d].shifts[i];
      if (run & directions_[d].starts) return true;
    }
    return false;
  }

  void check(std::string_view text, const std::array<std::uint64_t, 2>& stones) const {
    const int first = std::popcount(stones[0]);
    const int second = std::popcount(stones[1]);
    check_counts(text, first, second);
    const Side to_move = first == second ? Side::first : Side::second;
    check_wins(text, has_line(stones[0]), has_line(stones[1]), to_move);
  }

  int columns_ = 0;
  int rows_ = 0;
  int length_ = 0;
  int shifts_ = 0;
  int direction_count_ = 0;
  std::array<Direction, 4> directions_{};
  std::vector<std::uint64_t> lines_;  // all of them, as sets of cells
  std::uint64_t board_ = 0;
  std::array<std::uint64_t, 2> stones_{};
  int plies_ = 0;             // passes included
  std::uint64_t passed_ = 0;  // not 0 if the other side than by the stones is to move
};

static_assert(HasGuess<Mnk> && HasPass<Mnk> && HasThreats<Mnk>);

}  // namespace andorra
