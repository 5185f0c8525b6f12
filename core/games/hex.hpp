// Hex on N x N cells without the swap rule: x joins top and bottom, o left and right
// (docs/games.md). Cell (row, column) is number row*N + column and touches its row and column
// neighbours, (row+1, column-1) and (row-1, column+1).
//
// Idea: each side knows which of its stones are joined to its one edge and which to its other. A
// new stone that touches (or lies on) both wins; if it touches one, the stones that it newly joins
// are found by a flood fill, each stone at most once on the way down. play() saves the two sets, so
// undo() just puts them back.
// Invariant: joined[e] is exactly the set of the side's stones joined to its edge e, in every
// position that is no end; only the side that just moved can have won.
// Keys are Zobrist's with 128 bits, 56 of them secret; the side to move follows from the stones,
// unless sides have passed, which only a search does.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "game.hpp"
#include "games/board_text.hpp"
#include "games/cell_set.hpp"
#include "games/legal_move.hpp"
#include "games/stones.hpp"
#include "games/text_reader.hpp"
#include "secret.hpp"

namespace andorra {

class Hex {
 public:
  static constexpr std::string_view kName = "hex";

  // 5x5 after a1: 3.3M visits, 3.3 CPU s; with plain sums none in 20M visits, 20 s.
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 1> kDefaults{{
      {"backup", "weighted"},
  }};

  explicit Hex(std::string_view parameters) {
    TextReader reader(parameters.empty() ? "5" : parameters);
    size_ = reader.number(1, kMostRows, "the size of the board");
    reader.expect_end();
    for (int row = 0; row < size_; ++row)
      for (int column = 0; column < size_; ++column) lay_out(column, row);
  }

  std::string parameters() const { return std::to_string(size_); }

  Side side_to_move() const { return static_cast<Side>(plies_ & 1); }

  Outcome outcome() const { return won_ ? win_for(other(side_to_move())) : Outcome::ongoing; }

  void moves(MoveList& list) const {
    if (won_) return;
    for (CellSet empty = board_ - stones_[0].all - stones_[1].all; empty.any();)
      list.push_back(empty.pop());
  }

  void play(Move move) {
    const int side = plies_++ & 1;
    Stones& own = stones_[side];
    key_ = combined(key_, kStoneKeys[stone(side, move)]);
    history_.push_back(own.joined);
    own.all = own.all | CellSet::of(move);
    const bool low = reaches(side, 0, move);
    const bool high = reaches(side, 1, move);
    won_ = low && high;
    if (low != high) join(own.joined[high], CellSet::of(move), own.all);
  }

  void undo(Move move) {
    const int side = --plies_ & 1;
    Stones& own = stones_[side];
    key_ = combined(key_, kStoneKeys[stone(side, move)]);
    own.all = own.all - CellSet::of(move);
    own.joined = history_.back();
    history_.pop_back();
    won_ = false;
  }

  // A stone more never hurts: only it can be part of its side's way.
  void pass() { change_side(1); }
  void undo_pass() { change_side(-1); }

  Key key() const { return key_; }

  void parse(std::string_view text) {
    Hex read = *this;
    read.clear();
    TextReader reader(text);
    read_board(reader, size_, size_, [&](int column, int row, char c) {
      if (c != '.') read.put(c == 'o', cell(column, row));
    });
    reader.expect_end();
    read.settle(text);
    *this = std::move(read);
  }

  std::string format() const {
    return write_board(size_, size_, [&](int column, int row) {
      const Move here = cell(column, row);
      return stone_character(stones_[0].all.has(here), stones_[1].all.has(here));
    });
  }

  Move parse_move(std::string_view text) const { return legal_move(*this, text); }

  std::string format_move(Move move) const {
    const int index = static_cast<int>(move);
    return cell_name(index % size_, index / size_);
  }

  bool acyclic() const { return true; }
  bool can_draw() const { return false; }

  // A single-player relaxation (survey 7.1): the stones that a side needs if the other one passes.
  Guess guess(Side prover) const {
    return {stones_to_join(static_cast<int>(prover)),
            stones_to_join(static_cast<int>(other(prover)))};
  }

 private:
  static constexpr int kMostRows = 11;
  static constexpr std::size_t kMostCells = kMostRows * kMostRows;
  static inline const auto kStoneKeys = zobrist_keys<2 * kMostCells>(0x686578);
  static inline const Key kPassKey = zobrist_keys<1>(0x70617373)[0];

  using Joined = std::array<CellSet, 2>;

  struct Stones {
    CellSet all;
    Joined joined;
  };

  void change_side(int by) {
    plies_ += by;
    key_ = combined(key_, kPassKey);
  }

  static constexpr std::size_t stone(int side, Move move) {
    return static_cast<std::size_t>(side) * kMostCells + move;
  }

  Move cell(int column, int row) const { return static_cast<Move>(row * size_ + column); }

  void lay_out(int column, int row) {
    const CellSet here = CellSet::of(cell(column, row));
    board_ = board_ | here;
    for (const auto& [right, down] : {std::pair{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}})
      if (on_board(column + right) && on_board(row + down))
        touching_[cell(column, row)] =
            touching_[cell(column, row)] | CellSet::of(cell(column + right, row + down));
    if (row == 0) edges_[0][0] = edges_[0][0] | here;
    if (row == size_ - 1) edges_[0][1] = edges_[0][1] | here;
    if (column == 0) edges_[1][0] = edges_[1][0] | here;
    if (column == size_ - 1) edges_[1][1] = edges_[1][1] | here;
  }

  bool on_board(int coordinate) const { return coordinate >= 0 && coordinate < size_; }

  bool reaches(int side, int edge, Move move) const {
    return edges_[side][edge].has(move) || (touching_[move] & stones_[side].joined[edge]).any();
  }

  // Adds `fresh` and all stones it is connected with through stones that were not yet joined.
  void join(CellSet& joined, CellSet fresh, CellSet stones) const {
    while (fresh.any()) {
      const unsigned cell = fresh.pop();
      joined = joined | CellSet::of(cell);
      fresh = fresh | ((touching_[cell] & stones) - joined);
    }
  }

  // The empty cells of the shortest way between the side's edges, ring by ring: each ring has the
  // empty cells that one stone more than before can reach. Without an end of the game there is a
  // way; at an end, where nobody asks, the count is at least 1 too.
  std::uint32_t stones_to_join(int side) const {
    const Stones& own = stones_[side];
    const CellSet empty = board_ - stones_[0].all - stones_[1].all;
    const CellSet goal = edges_[side][1] | around(own.joined[1]);
    CellSet met = own.joined[0];
    CellSet ring = (edges_[side][0] | around(met)) & empty;
    std::uint32_t count = 1;
    for (; ring.any() && !(ring & goal).any(); ++count) ring = next_ring(ring, met, own.all, empty);
    return count;
  }

  CellSet around(CellSet cells) const {
    CellSet all;
    while (cells.any()) all = all | touching_[cells.pop()];
    return all;
  }

  // From `ring` through stones to the empty cells behind; what is passed is added to `met`.
  CellSet next_ring(CellSet ring, CellSet& met, CellSet stones, CellSet empty) const {
    CellSet next;
    while (ring.any()) {
      const unsigned cell = ring.pop();
      met = met | CellSet::of(cell);
      ring = ring | ((touching_[cell] & stones) - met);
      next = next | (touching_[cell] & empty);
    }
    return next - met;
  }

  void clear() {
    stones_ = {};
    history_.clear();
    key_ = {};
    plies_ = 0;
    won_ = false;
  }

  void put(int side, Move move) {
    stones_[side].all = stones_[side].all | CellSet::of(move);
    key_ = combined(key_, kStoneKeys[stone(side, move)]);
    ++plies_;
  }

  // After all stones were put: works out who is joined to what, and rejects what cannot be.
  void settle(std::string_view text) {
    check_counts(text, stones_[0].all.count(), stones_[1].all.count());
    for (int side : {0, 1})
      for (int edge : {0, 1})
        join(stones_[side].joined[edge], edges_[side][edge] & stones_[side].all, stones_[side].all);
    const bool first_won = (stones_[0].joined[0] & edges_[0][1]).any();
    const bool second_won = (stones_[1].joined[0] & edges_[1][1]).any();
    check_wins(text, first_won, second_won, side_to_move());
    won_ = first_won || second_won;
  }

  int size_ = 0;
  CellSet board_;
  std::array<CellSet, kMostCells> touching_{};
  std::array<std::array<CellSet, 2>, 2> edges_{};  // [side][edge]
  std::array<Stones, 2> stones_{};
  std::vector<Joined> history_;
  Key key_;
  int plies_ = 0;  // passes included
  bool won_ = false;
};

static_assert(HasGuess<Hex> && HasPass<Hex>);

}  // namespace andorra
