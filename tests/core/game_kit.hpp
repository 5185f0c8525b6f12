// What tests of games share: one call for every built-in game in several sizes, random playouts and
// a few explicit graphs. A game that is in the list but not here fails the test
// "every_game_is_tested".
#pragma once

#include <random>
#include <string>
#include <vector>

#include "game.hpp"
#include "games/breakthrough.hpp"
#include "games/connect4.hpp"
#include "games/cops.hpp"
#include "games/dots.hpp"
#include "games/graph.hpp"
#include "games/hex.hpp"
#include "games/loa.hpp"
#include "games/mnk.hpp"
#include "games/rolit.hpp"
#include "games/toll.hpp"
#include "games/tsume.hpp"

namespace andorra {

inline constexpr const char* kCyclicGraph =
    "root A            # where it starts\n"
    "A: or B C\n"
    "\n"
    "B: and D E\n"
    "C:\tand  A D F\r\n"
    "D: win\n"
    "E: loss\n"
    "F: or A C G\n"
    "G: draw";

inline constexpr const char* kAcyclicGraph =
    "or: and win root\n"
    "win: or root loss\n"
    "root: loss\n"
    "loss: win\n";

inline constexpr const char* kSizes[][2] = {
    {"mnk", ""},
    {"mnk", "4,3,3"},
    {"mnk", "3,5,4"},
    {"mnk", "8,8,5"},
    {"mnk", "1,1,1"},
    {"mnk", "1,9,2"},
    {"mnk", "64,1,3"},
    {"mnk", "2,2,9"},
    {"mnk", "6,6,6"},
    {"connect4", ""},
    {"connect4", "5x5"},
    {"connect4", "4x4"},
    {"connect4", "1x63"},
    {"connect4", "32x1"},
    {"connect4", "3x20"},
    {"connect4", "8x7"},
    {"connect4", "1x1"},
    {"connect4", "10x4"},
    {"hex", ""},
    {"hex", "1"},
    {"hex", "3"},
    {"hex", "8"},
    {"hex", "11"},
    {"breakthrough", ""},
    {"breakthrough", "2x2x1"},
    {"breakthrough", "8x8"},
    {"breakthrough", "8x8x4"},
    {"breakthrough", "6x2"},
    {"breakthrough", "3x8x1"},
    {"toll", ""},
    {"toll", "1"},
    {"toll", "9"},
    {"cops", ""},
    {"cops", "2"},
    {"cops", "3"},
    {"tsume", ""},
    {"tsume", "attacker=w"},
    {"tsume", "attacker=b,rest"},
    {"tsume", "attacker=b,rest,muda"},
    {"loa", ""},
    {"loa", "3"},
    {"loa", "4"},
    {"loa", "5"},
    {"loa", "7"},
    {"dots", "2x2"},
    {"rolit", "4x4,3,1"},
};

// Calls visit(game) for every built-in game and size.
template <class Visit>
void for_each_game(Visit visit) {
  for (const auto& [name, size] : kSizes) {
    if (name == Mnk::kName) visit(Mnk(size));
    if (name == Connect4::kName) visit(Connect4(size));
    if (name == Hex::kName) visit(Hex(size));
    if (name == Breakthrough::kName) visit(Breakthrough(size));
    if (name == Toll::kName) visit(Toll(size));
    if (name == Cops::kName) visit(Cops(size));
    if (name == Loa::kName) visit(Loa(size));
    if (name == Tsume::kName) visit(Tsume(size));
    if (name == Dots::kName) visit(Dots(size));
    if (name == Rolit::kName) visit(Rolit(size));
  }
  visit(Graph("", kCyclicGraph));
  visit(Graph("", kAcyclicGraph));
}

template <class G>
MoveList moves_of(G& game) {
  MoveList moves;
  game.moves(moves);
  return moves;
}

template <class G>
std::string name_of(const G& game) {
  return std::string(G::kName) + ":" + game.parameters() + " " + game.format();
}

// Plays random moves from `game`, at most `plies`, and calls visit(position) before each and at the
// end. Gives the moves, so that they can be taken back.
template <class G, class Visit>
MoveList random_playout(G& game, std::mt19937& random, int plies, Visit visit) {
  MoveList line;
  for (int ply = 0;; ++ply) {
    visit(game);
    const MoveList moves = moves_of(game);
    if (moves.empty() || ply == plies) return line;
    line.push_back(moves[random() % moves.size()]);
    game.play(line.back());
  }
}

}  // namespace andorra
