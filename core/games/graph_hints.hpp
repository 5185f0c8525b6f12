// Hints in graph files (docs/games.md): first numbers of nodes, prices of moves and moves that most
// likely end alike. They steer the order of a search and are no rules: the canonical text is
// without them.
//
//   guess NAME PN DN       cost FROM TO PN DN       alike FROM TO TO ...
//
// Idea: lines are checked for their shape and numbers when they are met, and for the nodes they
// name when all nodes are known, since they may be anywhere in the file.
// Invariant: a list of hints is empty or has an element for each node (guesses) or each move (costs
// and groups, in the order of GraphRules::successors). Numbers are as the first player sees them as
// the prover.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "game.hpp"
#include "games/graph_lines.hpp"
#include "games/graph_rules.hpp"

namespace andorra {

struct GraphHints {
  std::vector<Guess> guesses;
  std::vector<Guess> costs;
  std::vector<std::uint32_t> groups;  // from 1; 0 for a move on its own

  Guess guess(std::uint32_t node, Side prover) const {
    return seen_by(prover, guesses.empty() ? Guess{1, 1} : guesses[node]);
  }
  Guess cost(std::uint32_t edge, Side prover) const {
    return seen_by(prover, costs.empty() ? Guess{0, 0} : costs[edge]);
  }
  std::uint32_t group(std::uint32_t edge) const { return groups.empty() ? 0 : groups[edge]; }

 private:
  // What proves the first player's win disproves the second's.
  static Guess seen_by(Side prover, Guess numbers) {
    if (prover == Side::second) std::swap(numbers.pn, numbers.dn);
    return numbers;
  }
};

class GraphHintReader {
 public:
  // Whether the line was one of hints, which is checked as far as it can be by itself.
  bool read(const GraphLine& line, const std::vector<GraphWord>& words) {
    if (words[0].text == "guess")
      guesses_.push_back(with_numbers(line, words, {1, kLeastGuess, "guess NAME PN DN"}));
    else if (words[0].text == "cost")
      costs_.push_back(with_numbers(line, words, {2, kLeastCost, "cost FROM TO PN DN"}));
    else if (words[0].text == "alike")
      groups_.push_back(group_line(line, words));
    else
      return false;
    return true;
  }

  // For the whole file, once its nodes and moves are known.
  GraphHints link(const GraphRules& rules) const {
    GraphHints hints;
    const Moves moves = costs_.empty() && groups_.empty() ? Moves{} : all_moves(rules);
    if (!guesses_.empty()) link_guesses(rules, hints);
    if (!costs_.empty()) link_costs(rules, moves, hints);
    if (!groups_.empty()) link_groups(rules, moves, hints);
    return hints;
  }

 private:
  static constexpr std::uint32_t kLeastGuess = 1;
  static constexpr std::uint32_t kLeastCost = 0;
  static constexpr std::uint32_t kMost = 1'000'000;

  struct Hint {
    GraphLine line;
    std::vector<GraphWord> names;
    Guess numbers;
  };

  // Names, then two numbers.
  struct Shape {
    std::size_t names;
    std::uint32_t least;
    std::string_view text;
  };

  using Moves = std::unordered_map<std::uint64_t, std::uint32_t>;  // from << 32 | to: which edge

  static std::uint64_t move_between(std::uint32_t from, std::uint32_t to) {
    return std::uint64_t{from} << 32 | to;
  }

  static Hint with_numbers(const GraphLine& line, const std::vector<GraphWord>& words,
                           const Shape& shape) {
    const std::size_t numbers = 1 + shape.names;
    const std::string expected = "expected '" + std::string(shape.text) + "'";
    if (words.size() < numbers + 2) line.fail(words.back().end(), expected);
    if (words.size() > numbers + 2) line.fail(words[numbers + 2].place, expected);
    const std::uint32_t pn = number(line, words[numbers], shape.least);
    const std::uint32_t dn = number(line, words[numbers + 1], shape.least);
    return {line, {words.begin() + 1, words.end() - 2}, {pn, dn}};
  }

  static Hint group_line(const GraphLine& line, const std::vector<GraphWord>& words) {
    constexpr std::size_t kFewestWords = 4;
    if (words.size() < kFewestWords)
      line.fail(words.back().end(), "expected 'alike FROM TO TO ...', at least two moves");
    return {line, {words.begin() + 1, words.end()}, {}};
  }

  // Each number has one spelling, so that all readers agree: what it is written as again.
  static std::uint32_t number(const GraphLine& line, const GraphWord& word, std::uint32_t least) {
    std::uint32_t value = 0;
    std::from_chars(word.text.data(), word.text.data() + word.text.size(), value);
    if (std::to_string(value) != word.text || value < least || value > kMost)
      line.fail(word.place, "expected a number from " + std::to_string(least) + " to 1000000");
    return value;
  }

  static Moves all_moves(const GraphRules& rules) {
    Moves moves;
    for (std::uint32_t node = 0; node < rules.nodes.size(); ++node)
      for (std::uint32_t i = 0; i < rules.nodes[node].successor_count; ++i) {
        const std::uint32_t edge = rules.nodes[node].first_successor + i;
        moves.emplace(move_between(node, rules.successors[edge]), edge);
      }
    return moves;
  }

  static std::uint32_t edge(const GraphRules& rules, const Moves& moves, const Hint& hint,
                            const GraphWord& to) {
    const std::uint32_t from = rules.named(hint.line, hint.names[0]);
    const auto found = moves.find(move_between(from, rules.named(hint.line, to)));
    if (found == moves.end())
      hint.line.fail(to.place, "expected a successor of '" + std::string(hint.names[0].text) + "'");
    return found->second;
  }

  void link_guesses(const GraphRules& rules, GraphHints& hints) const {
    hints.guesses.assign(rules.nodes.size(), Guess{1, 1});
    std::vector<bool> guessed(rules.nodes.size());
    for (const Hint& hint : guesses_) {
      const GraphWord& name = hint.names[0];
      const std::uint32_t node = rules.named(hint.line, name);
      if (rules.nodes[node].outcome != Outcome::ongoing)
        hint.line.fail(name.place, "expected a node that is no end");
      if (guessed[node]) hint.line.fail(name.place, "this node has a guess already");
      guessed[node] = true;
      hints.guesses[node] = hint.numbers;
    }
  }

  void link_costs(const GraphRules& rules, const Moves& moves, GraphHints& hints) const {
    hints.costs.assign(rules.successors.size(), Guess{0, 0});
    std::vector<bool> priced(rules.successors.size());
    for (const Hint& hint : costs_) {
      const std::uint32_t move = edge(rules, moves, hint, hint.names[1]);
      if (priced[move]) hint.line.fail(hint.names[1].place, "this move has a cost already");
      priced[move] = true;
      hints.costs[move] = hint.numbers;
    }
  }

  void link_groups(const GraphRules& rules, const Moves& moves, GraphHints& hints) const {
    hints.groups.assign(rules.successors.size(), 0);
    std::uint32_t group = 0;
    for (const Hint& hint : groups_) {
      ++group;
      for (std::size_t i = 1; i < hint.names.size(); ++i) {
        const std::uint32_t move = edge(rules, moves, hint, hint.names[i]);
        if (std::exchange(hints.groups[move], group) != 0)
          hint.line.fail(hint.names[i].place, "this move is in a group already");
      }
    }
  }

  std::vector<Hint> guesses_;
  std::vector<Hint> costs_;
  std::vector<Hint> groups_;
};

}  // namespace andorra
