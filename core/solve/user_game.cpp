// Every search, compiled once for all games that users write.
#include "games/user_game.hpp"

#include <utility>

#include "solve/driver.hpp"
#include "solve/games.hpp"

namespace andorra {

std::unique_ptr<AnyGame> make_user_game(std::unique_ptr<Backend> backend) {
  std::string spec = backend->spec();
  return std::make_unique<Driver<UserGame>>(UserGame(std::move(backend)), std::move(spec));
}

}  // namespace andorra
