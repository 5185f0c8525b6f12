#include "graph_driver.hpp"

#include "games/graph.hpp"
#include "solve/driver.hpp"

namespace andorra {

std::unique_ptr<AnyGame> graph_driver(const std::string& graph) {
  return make_driver<Graph>("", graph);
}

}  // namespace andorra
