// What the games share in which the sides place stones in turn and whoever makes a shape first wins
// (mnk, connect4, hex): which positions are possible, and who has won.
//
// Invariant: in a position that passed these checks only the side that just moved can have won, so
// outcome() looks at that side alone.
#pragma once

#include <string>
#include <string_view>

#include "errors.hpp"
#include "game.hpp"

namespace andorra {

constexpr Outcome win_for(Side side) {
  return side == Side::first ? Outcome::first_wins : Outcome::second_wins;
}

// The error of a position that can be read but cannot be, so no single place is wrong.
[[noreturn]] inline void reject_position(std::string_view text, const std::string& what) {
  throw PositionError(what + "\n  " + std::string(text));
}

inline void check_counts(std::string_view text, int first, int second) {
  if (first == second || first == second + 1) return;
  reject_position(text, "x has " + std::to_string(first) + " and o has " + std::to_string(second) +
                            " stones; expected as many, or one more for x");
}

inline void check_wins(std::string_view text, bool first_won, bool second_won, Side to_move) {
  if (first_won && second_won) reject_position(text, "both sides have won");
  if (to_move == Side::first ? first_won : second_won)
    reject_position(text, std::string(to_move == Side::first ? "x" : "o") +
                              " has won, but the other side moved last");
}

}  // namespace andorra
