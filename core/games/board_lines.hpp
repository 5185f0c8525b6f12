// The row, the column and the two diagonals through each cell of a board of 8 x 8, as sets of bits;
// cell (column, row) is bit row*8 + column. Smaller boards use the corner around bit 0.
//
// Invariant: along each line the cells above a cell have higher numbers, those below lower ones, so
// masks of low bits cut a line anywhere.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace andorra {

inline constexpr int kBoardSide = 8;

struct BoardLine {
  int step = 0;             // from a cell to the next one above
  std::uint64_t above = 0;  // the cells above, to the edge
  std::uint64_t below = 0;  // the cells below
  std::uint64_t whole = 0;  // all of these and the cell itself
  int length_above = 0;     // how many cells are above
  int length_below = 0;
};

using BoardLines = std::array<BoardLine, 4>;

// The cells ahead of a cell in one direction.
constexpr std::uint64_t cells_ahead(int cell, int right, int up) {
  constexpr auto inside = [](int coordinate) { return coordinate >= 0 && coordinate < kBoardSide; };
  std::uint64_t cells = 0;
  int column = cell % kBoardSide + right;
  int row = cell / kBoardSide + up;
  for (; inside(column) && inside(row); column += right, row += up)
    cells |= std::uint64_t{1} << (row * kBoardSide + column);
  return cells;
}

constexpr BoardLine board_line(int cell, int right, int up) {
  BoardLine line;
  line.step = up * kBoardSide + right;
  line.above = cells_ahead(cell, right, up);
  line.below = cells_ahead(cell, -right, -up);
  line.whole = line.above | line.below | std::uint64_t{1} << cell;
  line.length_above = std::popcount(line.above);
  line.length_below = std::popcount(line.below);
  return line;
}

inline constexpr auto kBoardLines = [] {
  std::array<BoardLines, kBoardSide * kBoardSide> lines{};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const int cell = static_cast<int>(i);
    lines[i] = {board_line(cell, 1, 0), board_line(cell, -1, 1), board_line(cell, 0, 1),
                board_line(cell, 1, 1)};
  }
  return lines;
}();

}  // namespace andorra
