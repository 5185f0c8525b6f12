// Makes any game: the built-in ones by name, users' games from a backend. Each function is defined
// in a translation unit of its own (CMakeLists.txt writes one for every row of games/list.hpp), so
// that the searches are compiled game by game.
#pragma once

#include <memory>
#include <string_view>

#include "games/list.hpp"
#include "solve/any_game.hpp"

namespace andorra {

class Backend;

#define ANDORRA_DECLARE(Class, stem) \
  std::unique_ptr<AnyGame> make_##Class(std::string_view parameters, std::string_view data);
ANDORRA_GAMES(ANDORRA_DECLARE)
#undef ANDORRA_DECLARE

std::unique_ptr<AnyGame> make_user_game(std::unique_ptr<Backend> backend);

// From "name" or "name:parameters"; the names are those of games/list.hpp.
inline std::unique_ptr<AnyGame> make_game(std::string_view spec, std::string_view data) {
  const std::size_t colon = spec.find(':');
  const std::string_view name = spec.substr(0, colon);
  const std::string_view parameters =
      colon == std::string_view::npos ? std::string_view() : spec.substr(colon + 1);
  if (spec.ends_with(':')) throw PositionError(spec, colon, "expected parameters after ':'");
#define ANDORRA_MAKE(Class, stem) \
  if (name == stem) return make_##Class(parameters, data);
  ANDORRA_GAMES(ANDORRA_MAKE)
#undef ANDORRA_MAKE
  throw PositionError(spec, 0, "expected the name of a game");
}

}  // namespace andorra
