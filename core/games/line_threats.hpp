// Threats of a side that wins by k stones in a line, and what the other side can do about them.
//
// Idea: a line that the other side has no stone on is open, and lacks some cells. With one cell
// lacking, its side wins with the next move. A four is a move after which some line lacks one cell
// only: the other side must take it. A three is a move after which another could make two fours at
// once that lack different cells, of which only one can be taken. (The names are those of k = 5.)
// Source: Allis, Huntjens & van den Herik 1996 (threats, their gain and cost squares) for k = 5;
// with any k, and with lines instead of named patterns, it is ours. Pairs: once a line lacks two
// cells, a stone on one makes a four on the other, so a cell with two different partners makes two
// fours.
// Invariant: without an answer, the side wins within five plies, unless the other side has a four
// of its own. Searches check that, they do not believe it (search/selective.hpp).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace andorra {

class LineThreats {
 public:
  // `lines` are all lines of the board, as sets of cells.
  LineThreats(std::span<const std::uint64_t> lines, std::uint64_t own, std::uint64_t others) {
    for (const std::uint64_t line : lines)
      if ((line & others) == 0) add(line & ~own);
  }

  // Cells with which a line is complete.
  std::uint64_t wins() const { return wins_; }

  // Moves that win or make a four.
  std::uint64_t fours() const { return wins_ | in_pairs_; }

  // Moves that make a three, fours among them.
  std::uint64_t threes() const {
    std::uint64_t found = 0;
    for (std::uint64_t left = in_triples_; left != 0; left &= left - 1) {
      const std::uint64_t cell = left & (~left + 1);
      if (makes_three(cell)) found |= cell;
    }
    return found;
  }

  // Cells that meet all threats to make two fours at once; all cells if there is no such threat. If
  // no cell meets them all, those that meet one: so a search sees what becomes of it.
  std::uint64_t answers_to_threes() const {
    std::uint64_t to_all = ~std::uint64_t{0};
    std::uint64_t to_last = to_all;
    for (std::uint64_t left = in_pairs_; left != 0; left &= left - 1) {
      const std::uint64_t partners = partners_[static_cast<std::size_t>(std::countr_zero(left))];
      const int count = std::popcount(partners);
      if (count < 2) continue;
      to_last = (left & (~left + 1)) | (count == 2 ? partners : 0);
      to_all &= to_last;
    }
    return to_all != 0 ? to_all : to_last;
  }

 private:
  static constexpr std::size_t kMostCells = 64;
  static constexpr std::size_t kMostLines = 4 * kMostCells;

  void add(std::uint64_t lacking) {
    switch (std::popcount(lacking)) {
      case 1:
        wins_ |= lacking;
        return;
      case 2:
        in_pairs_ |= lacking;
        pair(partners_, lacking);
        return;
      case 3:
        in_triples_ |= lacking;
        triples_[triple_count_++] = lacking;
        return;
      default:
        return;
    }
  }

  using Partners = std::array<std::uint64_t, kMostCells>;

  static void pair(Partners& partners, std::uint64_t two) {
    const std::uint64_t low = two & (~two + 1);
    partners[static_cast<std::size_t>(std::countr_zero(low))] |= two ^ low;
    partners[static_cast<std::size_t>(std::countr_zero(two ^ low))] |= low;
  }

  // A stone on the cell turns triples into pairs.
  bool makes_three(std::uint64_t cell) const {
    Partners partners = partners_;
    std::uint64_t changed = 0;
    for (std::size_t i = 0; i < triple_count_; ++i) {
      if ((triples_[i] & cell) == 0) continue;
      changed |= triples_[i] ^ cell;
      pair(partners, triples_[i] ^ cell);
    }
    for (; changed != 0; changed &= changed - 1)
      if (std::popcount(partners[static_cast<std::size_t>(std::countr_zero(changed))] & ~cell) >= 2)
        return true;
    return false;
  }

  std::uint64_t wins_ = 0;
  std::uint64_t in_pairs_ = 0;    // cells of lines that lack two
  std::uint64_t in_triples_ = 0;  // and three
  Partners partners_{};
  std::array<std::uint64_t, kMostLines> triples_;
  std::size_t triple_count_ = 0;
};

}  // namespace andorra
