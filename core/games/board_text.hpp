// Boards as text: rows from the top, separated by '/', 'x' for the first player, 'o' for the
// second, '.' for empty; and the names of cells and columns (docs/games.md).
#pragma once

#include <string>
#include <string_view>

#include "games/text_reader.hpp"

namespace andorra {

// Calls visit(column, row, character) for every cell, row 0 being the top one. While it runs, the
// reader stands behind the cell's character.
template <class Visit>
void read_board(TextReader& reader, int columns, int rows, Visit visit) {
  for (int row = 0; row < rows; ++row) {
    if (row > 0) reader.expect('/');
    for (int column = 0; column < columns; ++column) visit(column, row, reader.one_of("xo."));
  }
}

// The opposite: look(column, row) gives the character of a cell.
template <class Look>
std::string write_board(int columns, int rows, Look look) {
  std::string text;
  for (int row = 0; row < rows; ++row) {
    if (row > 0) text += '/';
    for (int column = 0; column < columns; ++column) text += look(column, row);
  }
  return text;
}

constexpr char stone_character(bool first, bool second) {
  return first ? 'x' : second ? 'o' : '.';
}

// a, b, ..., z, aa, ab, ...: a board of one row may have 64 columns.
inline std::string column_name(int column) {
  constexpr int kLetters = 26;
  const std::string last(1, static_cast<char>('a' + column % kLetters));
  return column < kLetters ? last : column_name(column / kLetters - 1) + last;
}

// `row` counts from 0 at the edge where the game's notation has row 1.
inline std::string cell_name(int column, int row) {
  return column_name(column) + std::to_string(row + 1);
}

}  // namespace andorra
