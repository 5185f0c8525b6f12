// Random explicit graphs, as text.
#pragma once

#include <random>
#include <set>
#include <sstream>
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

// One that takes a search a while: from a root, the sides go by turns through layers of so many
// nodes, and if it is cyclic, now and then back.
inline std::string random_layers(std::mt19937_64& random, int layers, int width, bool cyclic) {
  const auto any = [&](int first, int count) { return first + static_cast<int>(random() % count); };
  const unsigned won = 2 + random() % 2;  // ends of five
  std::string text;
  for (int node = 0; node <= layers * width; ++node) {
    const int layer = (node + width - 1) / width;
    std::set<int> children;
    while (layer < layers && children.size() < 2) children.insert(any(layer * width + 1, width));
    if (cyclic && node > 0 && layer < layers && random() % 4 == 0)
      children.insert(any(0, node + 1));
    text += "n" + std::to_string(node) + ":";
    if (layer == layers) text += random() % 5 < won ? " win" : " loss";
    if (layer < layers) text += layer % 2 == 0 ? " or" : " and";
    for (int child : children) text += " n" + std::to_string(child);
    text += "\n";
  }
  return text;
}

// A graph with hints: guesses at nodes with moves, costs of moves, and moves that are alike.
inline std::string with_hints(std::mt19937_64& random, const std::string& graph) {
  std::string hints;
  std::istringstream lines(graph);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string node, mover;
    std::vector<std::string> moves;
    words >> node >> mover;
    node.pop_back();
    for (std::string move; words >> move;) moves.push_back(move);
    const auto number = [&](int least) { return " " + std::to_string(least + random() % 9); };
    if (moves.empty()) continue;
    hints += "guess " + node + number(1) + number(1) + "\n";
    hints += "cost " + node + " " + moves[0] + number(0) + number(0) + "\n";
    if (moves.size() > 1) hints += "alike " + node + " " + moves[0] + " " + moves[1] + "\n";
  }
  return graph + hints;
}

// Of such a graph, all nodes.
inline std::vector<std::string> names_in(const std::string& graph) {
  std::vector<std::string> names;
  for (char c : graph)
    if (c == '\n') names.push_back("n" + std::to_string(names.size()));
  return names;
}

}  // namespace andorra
