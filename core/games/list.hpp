// The one list of built-in games. A row is X(class, "stem"): the class andorra::Class is defined in
// games/stem.hpp, and the stem is the game's name. Whatever exists once a game (instantiations,
// bindings, the names that the command line knows) is derived from this list.
//
// Only declarations here, so that naming the games does not compile them.
#pragma once

namespace andorra {

class Graph;
class Mnk;
class Connect4;
class Hex;
class Breakthrough;
class Toll;
class Cops;
class Loa;
class Dots;
class Rolit;
class Tsume;

}  // namespace andorra

#define ANDORRA_GAMES(X)          \
  X(Graph, "graph")               \
  X(Mnk, "mnk")                   \
  X(Connect4, "connect4")         \
  X(Hex, "hex")                   \
  X(Breakthrough, "breakthrough") \
  X(Toll, "toll")                 \
  X(Cops, "cops")                 \
  X(Loa, "loa")                   \
  X(Dots, "dots")                 \
  X(Rolit, "rolit")               \
  X(Tsume, "tsume")
