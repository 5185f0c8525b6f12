// All searches of explicit graphs, compiled once for all tests that ask them: with sanitizers that
// takes the compiler a minute.
#pragma once

#include <memory>
#include <string>

#include "solve/any_game.hpp"

namespace andorra {

std::unique_ptr<AnyGame> graph_driver(const std::string& graph);

}  // namespace andorra
