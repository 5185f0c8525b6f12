// What tests of teams share: a graph asked with some settings, as in a solve call.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "graph_driver.hpp"

namespace andorra {

using Settings = std::vector<std::pair<std::string, std::string>>;

inline const Settings kTeams{
    {"threads", "2"}, {"threads", "4"}, {"agents", "1"}, {"agents", "3"}, {"agents", "16"}};

inline Request request_for(const std::string& algorithm, const Settings& settings) {
  Request request;
  request.algorithm = algorithm;
  request.limits.memory = std::size_t{8} << 20;  // enough for 16 agents
  request.limits.nodes = 300'000;
  for (const auto& [name, value] : settings) request.options.set(name, value);
  return request;
}

inline Report ask(const std::string& graph, const std::string& algorithm,
                  const Settings& settings = {}) {
  return graph_driver(graph)->solve(request_for(algorithm, settings));
}

inline std::string text(const Settings& settings) {
  std::string all;
  for (const auto& [name, value] : settings) all += " " + name + "=" + value;
  return all;
}

}  // namespace andorra
