// The rules that a graph file describes, as arrays, and their canonical text (docs/games.md).
//
// Invariant: every number in `successors` and `root` is that of a node; a node has successors
// exactly if it is no end.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "game.hpp"
#include "games/graph_lines.hpp"

namespace andorra {

struct GraphNode {
  std::string name;
  Side side = Side::first;             // who moves; Side::first at an end
  Outcome outcome = Outcome::ongoing;  // ongoing exactly if the node has successors
  std::int32_t score = 0;              // of an end; its sign is that of the outcome
  std::uint32_t first_successor = 0;   // into GraphRules::successors
  std::uint32_t successor_count = 0;
};

struct GraphRules {
  std::vector<GraphNode> nodes;
  std::vector<std::uint32_t> successors;
  std::unordered_map<std::string, std::uint32_t> numbers;  // of the nodes, by name
  std::vector<std::uint32_t> components;                   // strongly connected, by node
  std::uint32_t root = 0;
  bool acyclic = false;
  bool can_draw = false;
  Scores scores;  // the least and the most of all ends

  std::span<const std::uint32_t> successors_of(std::uint32_t node) const {
    return std::span(successors).subspan(nodes[node].first_successor, nodes[node].successor_count);
  }

  // The node that a line of the file names.
  std::uint32_t named(const GraphLine& line, const GraphWord& name) const {
    const auto found = numbers.find(std::string(name.text));
    if (found == numbers.end()) line.fail(name.place, "this node is not defined");
    return found->second;
  }
};

inline std::string kind_name(const GraphNode& node) {
  if (node.score < -1 || node.score > 1) return "score " + std::to_string(node.score);
  switch (node.outcome) {
    case Outcome::first_wins:
      return "win";
    case Outcome::second_wins:
      return "loss";
    case Outcome::draw:
      return "draw";
    case Outcome::ongoing:
      break;
  }
  return node.side == Side::first ? "or" : "and";
}

// The canonical text; every line ends with a line feed.
inline std::string write_graph(const GraphRules& rules) {
  std::string text = "root " + rules.nodes[rules.root].name + "\n";
  for (const GraphNode& node : rules.nodes) {
    text += node.name + ": " + kind_name(node);
    for (std::uint32_t i = 0; i < node.successor_count; ++i)
      text += " " + rules.nodes[rules.successors[node.first_successor + i]].name;
    text += "\n";
  }
  return text;
}

}  // namespace andorra
