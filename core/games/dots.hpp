// Dots and Boxes on W columns and H rows of boxes (docs/games.md).
//
// Idea: the edges are numbered row by row as the text has them, rows of W horizontal edges and of
// W + 1 vertical ones in turn. An edge closes the boxes beside it whose other edges are drawn; as
// all of a box that is complete was drawn, undo() sees from the board alone what a move has closed.
// Invariant: boxes_[0] + boxes_[1] is the number of boxes that are closed.
// Keys are exact: 60 edges at most, and with them the first player's boxes and the side tell all.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "game.hpp"
#include "games/board_text.hpp"
#include "games/legal_move.hpp"
#include "games/text_reader.hpp"
#include "mix.hpp"

namespace andorra {

class Dots {
 public:
  static constexpr std::string_view kName = "dots";

  explicit Dots(std::string_view parameters) {
    TextReader reader(parameters.empty() ? "2x2" : parameters);
    columns_ = reader.number(1, kMostInLine, "the number of columns of boxes");
    reader.expect('x');
    rows_ = reader.number(1, kMostInLine, "the number of rows of boxes");
    reader.expect_end();
    number_edges();
    if (names_.size() > kMostEdges)
      throw PositionError(parameters, 0, "expected boxes with at most 60 edges");
    all_ = (std::uint64_t{1} << names_.size()) - 1;
    find_boxes();
  }

  std::string parameters() const { return std::to_string(columns_) + "x" + std::to_string(rows_); }

  Side side_to_move() const { return side_; }

  Outcome outcome() const {
    if (drawn_ != all_) return Outcome::ongoing;
    if (boxes_[0] == boxes_[1]) return Outcome::draw;
    return boxes_[0] > boxes_[1] ? Outcome::first_wins : Outcome::second_wins;
  }

  // The first player's boxes less the second's; whoever may get those that are open.
  Scores scores() const {
    const int lead = boxes_[0] - boxes_[1];
    const int open = columns_ * rows_ - boxes_[0] - boxes_[1];
    return {lead - open, lead + open};
  }

  void moves(MoveList& list) const {
    for (std::uint64_t left = all_ & ~drawn_; left != 0; left &= left - 1)
      list.push_back(static_cast<Move>(std::countr_zero(left)));
  }

  void play(Move move) {
    drawn_ |= bit(move);
    const int closed = closed_beside(move);
    boxes_[static_cast<int>(side_)] += closed;
    if (closed == 0) side_ = other(side_);
  }

  void undo(Move move) {
    const int closed = closed_beside(move);
    if (closed == 0) side_ = other(side_);
    boxes_[static_cast<int>(side_)] -= closed;
    drawn_ &= ~bit(move);
  }

  Key key() const {
    return exact_key(drawn_,
                     static_cast<std::uint64_t>(boxes_[0]) << 1 | static_cast<unsigned>(side_));
  }

  void parse(std::string_view text) {
    Dots read(*this);
    TextReader reader(text);
    read.drawn_ = read_edges(reader);
    for (int& boxes : read.boxes_) {
      reader.expect(' ');
      boxes = reader.number(0, columns_ * rows_, "a number of boxes");
    }
    reader.expect(' ');
    read.side_ = reader.one_of("xo") == 'x' ? Side::first : Side::second;
    reader.expect_end();
    const int closed = read.closed();
    if (read.boxes_[0] + read.boxes_[1] != closed)
      throw PositionError(text, text.find(' ') + 1,
                          "expected the boxes of x and of o, together " + std::to_string(closed));
    *this = read;
  }

  std::string format() const {
    std::string text;
    Move edge = 0;
    for (int row = 0; row <= 2 * rows_; ++row) {
      if (row > 0) text += '/';
      for (int i = 0; i < width(row); ++i)
        text += (drawn_ & bit(edge++)) == 0 ? '.' : row % 2 == 0 ? '-' : '|';
    }
    text += " " + std::to_string(boxes_[0]) + " " + std::to_string(boxes_[1]);
    return text + (side_ == Side::first ? " x" : " o");
  }

  Move parse_move(std::string_view text) const { return legal_move(*this, text); }
  std::string format_move(Move move) const { return names_[move]; }

  bool acyclic() const { return true; }
  bool can_draw() const { return columns_ * rows_ % 2 == 0; }

 private:
  static constexpr int kMostInLine = 19;
  static constexpr std::size_t kMostEdges = 60;

  static constexpr std::uint64_t bit(Move edge) { return std::uint64_t{1} << edge; }

  // Of a row of edges, as the text has them.
  int width(int row) const { return row % 2 == 0 ? columns_ : columns_ + 1; }

  void number_edges() {
    for (int row = 0; row <= 2 * rows_; ++row)
      for (int column = 0; column < width(row); ++column) names_.push_back(cell_name(column, row));
  }

  void find_boxes() {
    beside_.resize(names_.size());
    const int between = 2 * columns_ + 1;  // an edge and the next one in its direction
    for (int row = 0; row < rows_; ++row)
      for (int column = 0; column < columns_; ++column) {
        const int top = row * between + column;
        const int left = top + columns_;
        const std::array<int, 4> edges{top, left, left + 1, top + between};
        std::uint64_t box = 0;
        for (const int edge : edges) box |= bit(static_cast<Move>(edge));
        for (const int edge : edges) beside_[static_cast<std::size_t>(edge)].add(box);
        all_boxes_.push_back(box);
      }
  }

  std::uint64_t read_edges(TextReader& reader) const {
    std::uint64_t drawn = 0;
    Move edge = 0;
    for (int row = 0; row <= 2 * rows_; ++row) {
      if (row > 0) reader.expect('/');
      for (int i = 0; i < width(row); ++i, ++edge)
        if (reader.one_of(row % 2 == 0 ? "-." : "|.") != '.') drawn |= bit(edge);
    }
    return drawn;
  }

  bool is_closed(std::uint64_t box) const { return (box & ~drawn_) == 0; }

  int closed() const {
    int count = 0;
    for (const std::uint64_t box : all_boxes_) count += is_closed(box);
    return count;
  }

  int closed_beside(Move edge) const {
    const Beside& boxes = beside_[edge];
    return is_closed(boxes.one) + is_closed(boxes.two);
  }

  // The boxes on both sides of an edge; all edges, which no box has, where there is none.
  struct Beside {
    std::uint64_t one = ~std::uint64_t{0};
    std::uint64_t two = ~std::uint64_t{0};
    void add(std::uint64_t box) { (~one == 0 ? one : two) = box; }
  };

  int columns_ = 0;
  int rows_ = 0;
  std::vector<std::string> names_;
  std::vector<Beside> beside_;
  std::vector<std::uint64_t> all_boxes_;
  std::uint64_t all_ = 0;
  std::uint64_t drawn_ = 0;
  std::array<int, 2> boxes_{};
  Side side_ = Side::first;
};

static_assert(HasScore<Dots>);

}  // namespace andorra
