// Random explicit graphs, as text.
#pragma once

#include <random>
#include <set>
#include <string>
#include <vector>

namespace andorra {

// A graph whose nodes may lead anywhere (cyclic) or only forwards; sides move in any order.
inline std::string random_graph(std::mt19937_64& random, bool cyclic) {
  const int nodes = 2 + static_cast<int>(random() % 30);
  std::string text;
  for (int node = 0; node < nodes; ++node) {
    std::set<int> children;
    const int wanted = node == 0 ? 2 : static_cast<int>(random() % 4);
    for (int i = 0; i < wanted; ++i) {
      const int child =
          cyclic ? static_cast<int>(random() % nodes) : node + 1 + static_cast<int>(random() % 6);
      if (child < nodes) children.insert(child);
    }
    text += "n" + std::to_string(node) + ":";
    if (children.empty())
      text += random() % 3 == 0 ? " win" : " loss";
    else
      text += random() % 2 == 0 ? " or" : " and";
    for (int child : children) text += " n" + std::to_string(child);
    text += "\n";
  }
  return text;
}

// Of such a graph, all nodes.
inline std::vector<std::string> names_in(const std::string& graph) {
  std::vector<std::string> names;
  for (char c : graph)
    if (c == '\n') names.push_back("n" + std::to_string(names.size()));
  return names;
}

}  // namespace andorra
