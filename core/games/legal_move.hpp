// Reading a move: the legal move whose text is the one given. Slower than taking the text apart,
// but right for every game by construction.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "errors.hpp"
#include "game.hpp"

namespace andorra {

template <class G>
std::string legal_moves_text(const G& position, const MoveList& moves) {
  constexpr std::size_t kShown = 40;
  std::string list;
  for (std::size_t i = 0; i < std::min(moves.size(), kShown); ++i)
    list += " " + position.format_move(moves[i]);
  if (moves.size() > kShown) list += " and " + std::to_string(moves.size() - kShown) + " more";
  return moves.empty() ? " none, the game is over" : list;
}

template <class G>
Move legal_move(const G& position, std::string_view text) {
  MoveList moves;
  position.moves(moves);
  for (Move move : moves)
    if (position.format_move(move) == text) return move;
  throw PositionError(text, 0, "no legal move; legal:" + legal_moves_text(position, moves));
}

}  // namespace andorra
