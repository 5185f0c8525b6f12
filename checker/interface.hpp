// What the program and the games' translation units (made from game.cpp.in, one for each row of
// core/games/list.hpp) agree upon. This header compiles no game.
#pragma once

#include "format.hpp"

namespace andorra::checker {

struct Verified {
  bool from_start = false;  // the root is the game's initial position
};

// Returns if the certificate, which is one of game G, shows what it claims; else throws Rejection,
// or an Error of the game's about text that it cannot read. Defined in verify.hpp.
template <class G>
Verified verify(const Certificate& certificate);

}  // namespace andorra::checker
