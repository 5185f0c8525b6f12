// Graph files: reading them into arrays (docs/games.md).
//
// Idea: first all lines are taken apart into words, then nodes are numbered in the order of their
// definitions, then successors are looked up, since they may be defined further down, and last
// hints, which may be anywhere.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "game.hpp"
#include "games/components.hpp"
#include "games/graph_hints.hpp"
#include "games/graph_lines.hpp"
#include "games/graph_rules.hpp"
#include "games/utf8.hpp"
#include "games/whole_number.hpp"

namespace andorra {

struct GraphFile {
  GraphRules rules;
  GraphHints hints;
};

class GraphReader {
 public:
  static GraphFile read(std::string_view text) {
    GraphReader reader;
    reader.read_lines(text);
    reader.link_nodes();
    reader.choose_root();
    reader.classify();
    GraphHints hints = reader.hints_.link(reader.rules_);
    return {std::move(reader.rules_), std::move(hints)};
  }

 private:
  static constexpr std::size_t kLongestName = 64;
  static constexpr std::size_t kMostSuccessors = 65'535;

  struct Definition {
    GraphLine line;
    std::vector<GraphWord> successors;
  };

  struct RootLine {
    GraphLine line;
    GraphWord name;
  };

  void read_lines(std::string_view text) {
    // A successor takes two characters at least, so all numbers fit into 32 bits.
    if (text.size() > std::numeric_limits<std::uint32_t>::max())
      throw PositionError("the graph is too long: expected at most 4,294,967,295 bytes");
    for (std::size_t number = 1, from = 0; from < text.size(); ++number) {
      const std::size_t end = std::min(text.find('\n', from), text.size());
      std::string_view line = text.substr(from, end - from);
      if (line.ends_with('\r')) line.remove_suffix(1);
      read_line({line, number});
      from = end + 1;
    }
  }

  void read_line(const GraphLine& line) {
    check_characters(line);
    const std::string_view content = line.content();
    const std::size_t colon = content.find(':');
    if (colon != std::string_view::npos)
      read_definition(line, content, colon);
    else if (const std::vector<GraphWord> words = split_words(content); !words.empty())
      if (!hints_.read(line, words)) read_root(line, words);
  }

  void read_root(const GraphLine& line, const std::vector<GraphWord>& words) {
    if (words[0].text != "root")
      line.fail(words[0].place,
                "expected 'NAME: or ...', 'NAME: and ...', 'NAME: win', "
                "'NAME: loss', 'NAME: draw', 'NAME: score N', 'root NAME', 'guess ...', "
                "'cost ...' or 'alike ...'");
    if (root_) line.fail(words[0].place, "expected one root line at most");
    if (!definitions_.empty()) line.fail(words[0].place, "expected the root line before any node");
    if (words.size() < 2) line.fail(line.text.size(), "expected the name of the root");
    if (words.size() > 2) line.fail(words[2].place, "expected one name");
    root_ = RootLine{line, words[1]};
  }

  void read_definition(const GraphLine& line, std::string_view content, std::size_t colon) {
    if (const std::size_t next = content.find(':', colon + 1); next != std::string_view::npos)
      line.fail(next, "expected one ':' in a line");
    const std::vector<GraphWord> names = split_words(content.substr(0, colon));
    if (names.empty()) line.fail(colon, "expected a name before ':'");
    if (names.size() > 1) line.fail(names[1].place, "expected one name before ':'");
    std::vector<GraphWord> words = split_words(content, colon + 1);
    if (words.empty()) line.fail(content.size(), kKinds);
    add_node(line, names[0], words);
    words.erase(words.begin());
    check_successors(line, words);
    definitions_.push_back({line, std::move(words)});
  }

  // Of `words`, the kind and, in the end, the successors stay.
  void add_node(const GraphLine& line, const GraphWord& name, std::vector<GraphWord>& words) {
    check_length(line, name);
    GraphNode node;
    node.name = std::string(name.text);
    if (words[0].text == "score")
      set_score(line, node, words);
    else
      set_kind(line, node, words[0]);
    const auto number = static_cast<std::uint32_t>(rules_.nodes.size());
    if (!rules_.numbers.emplace(node.name, number).second)
      line.fail(name.place, "this node is defined twice");
    rules_.nodes.push_back(std::move(node));
  }

  static void check_length(const GraphLine& line, const GraphWord& name) {
    std::size_t characters = 0;
    for (std::size_t place = 0; place < name.text.size(); ++characters)
      next_code_point(name.text, place);
    if (characters > kLongestName)
      line.fail(name.place, "expected a name of at most 64 characters");
  }

  static void set_kind(const GraphLine& line, GraphNode& node, const GraphWord& kind) {
    if (kind.text == "and")
      node.side = Side::second;
    else if (kind.text == "win" || kind.text == "proven")
      node.outcome = Outcome::first_wins;
    else if (kind.text == "loss" || kind.text == "disproven")
      node.outcome = Outcome::second_wins;
    else if (kind.text == "draw")
      node.outcome = Outcome::draw;
    else if (kind.text != "or")
      line.fail(kind.place, kKinds);
    if (node.outcome != Outcome::ongoing) node.score = scores_of(node.outcome).least;
  }

  static void set_score(const GraphLine& line, GraphNode& node, std::vector<GraphWord>& words) {
    if (words.size() == 1) line.fail(words[0].end(), "expected a score");
    const std::optional<std::int32_t> score = whole_number(words[1].text);
    if (!score) line.fail(words[1].place, "expected a score, a whole number of at most 9 digits");
    node.score = *score;
    node.outcome = *score > 0   ? Outcome::first_wins
                   : *score < 0 ? Outcome::second_wins
                                : Outcome::draw;
    words.erase(words.begin() + 1);
  }

  void check_successors(const GraphLine& line, const std::vector<GraphWord>& words) const {
    const bool end = rules_.nodes.back().outcome != Outcome::ongoing;
    if (end && !words.empty()) line.fail(words[0].place, "expected no successor of an end");
    if (!end && words.empty()) line.fail(line.text.size(), "expected a successor");
    if (words.size() > kMostSuccessors)
      line.fail(words[kMostSuccessors].place, "expected at most 65535 successors");
  }

  void link_nodes() {
    // The last node that names each node: one seen again for the same node is there twice.
    std::vector<std::size_t> named_by(rules_.nodes.size(), rules_.nodes.size());
    for (std::size_t i = 0; i < rules_.nodes.size(); ++i) {
      GraphNode& node = rules_.nodes[i];
      node.first_successor = static_cast<std::uint32_t>(rules_.successors.size());
      node.successor_count = static_cast<std::uint32_t>(definitions_[i].successors.size());
      for (const GraphWord& word : definitions_[i].successors) {
        const std::uint32_t successor = rules_.named(definitions_[i].line, word);
        if (std::exchange(named_by[successor], i) == i)
          definitions_[i].line.fail(word.place, "this successor is there twice");
        rules_.successors.push_back(successor);
      }
    }
  }

  void choose_root() {
    if (rules_.nodes.empty()) throw PositionError("expected a graph with at least one node");
    if (root_) rules_.root = rules_.named(root_->line, root_->name);
  }

  void classify() {
    const auto nodes = static_cast<std::uint32_t>(rules_.nodes.size());
    rules_.components =
        Components::of(nodes, [&](std::uint32_t node) { return rules_.successors_of(node); });
    rules_.acyclic = !has_cycle(rules_);
    rules_.can_draw = !rules_.acyclic;  // endless play is nobody's win
    for (const GraphNode& node : rules_.nodes) rules_.can_draw |= node.outcome == Outcome::draw;
    find_scores();
  }

  // Without an end there is no score; any bounds do then.
  void find_scores() {
    std::vector<std::int32_t> all;
    for (const GraphNode& node : rules_.nodes)
      if (node.outcome != Outcome::ongoing) all.push_back(node.score);
    if (all.empty()) return;
    const auto [least, most] = std::minmax_element(all.begin(), all.end());
    rules_.scores = {*least, *most};
  }

  static bool has_cycle(const GraphRules& rules) {
    std::vector<bool> met(rules.nodes.size());
    for (std::uint32_t component : rules.components) {
      if (met[component]) return true;
      met[component] = true;
    }
    for (std::uint32_t node = 0; node < rules.nodes.size(); ++node)
      for (std::uint32_t successor : rules.successors_of(node))
        if (successor == node) return true;
    return false;
  }

  static constexpr const char* kKinds = "expected 'or', 'and', 'win', 'loss', 'draw' or 'score N'";

  GraphRules rules_;
  std::vector<Definition> definitions_;  // one a node, in the same order
  std::optional<RootLine> root_;
  GraphHintReader hints_;
};

}  // namespace andorra
