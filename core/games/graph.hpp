// An explicit AND/OR graph as a game: or-nodes are the first player's, and-nodes the second's
// (docs/games.md). Its rules are data, which graph_text.hpp reads, with hints for the search.
//
// A move is the index of a successor in the node's list. Rules and hints are immutable and shared
// by all copies; each copy has its own node and its own way back.
// Invariant: node_ and everything in history_ are numbers of nodes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "errors.hpp"
#include "game.hpp"
#include "games/graph_text.hpp"
#include "games/legal_move.hpp"
#include "mix.hpp"

namespace andorra {

class Graph {
 public:
  static constexpr std::string_view kName = "graph";

  Graph(std::string_view parameters, std::string_view data) {
    if (!parameters.empty())
      throw PositionError(parameters, 0, "expected no parameters: a graph is given by its file");
    file_ = std::make_shared<const GraphFile>(GraphReader::read(data));
    node_ = rules().root;
  }

  std::string parameters() const { return ""; }
  std::string data() const { return write_graph(rules()); }

  Side side_to_move() const { return here().side; }
  Outcome outcome() const { return here().outcome; }
  Scores scores() const {
    if (here().outcome == Outcome::ongoing) return rules().scores;
    return {here().score, here().score};
  }

  void moves(MoveList& list) const {
    for (Move move = 0; move < here().successor_count; ++move) list.push_back(move);
  }

  void play(Move move) {
    history_.push_back(node_);
    node_ = successor(move);
  }

  void undo(Move) {
    node_ = history_.back();
    history_.pop_back();
  }

  Key key() const { return exact_key(node_); }

  void parse(std::string_view text) {
    const auto found = rules().numbers.find(std::string(text));
    if (found == rules().numbers.end())
      throw PositionError(text, 0, "expected the name of a node of the graph");
    node_ = found->second;
    history_.clear();
  }

  std::string format() const { return here().name; }

  Move parse_move(std::string_view text) const { return legal_move(*this, text); }
  std::string format_move(Move move) const { return rules().nodes[successor(move)].name; }

  bool acyclic() const { return rules().acyclic; }
  bool converts(Move move) const {
    return rules().components[node_] != rules().components[successor(move)];
  }
  bool can_draw() const { return rules().can_draw; }

  Guess guess(Side prover) const { return file_->hints.guess(node_, prover); }
  Guess cost(Move move, Side prover) const { return file_->hints.cost(edge(move), prover); }
  std::uint32_t group(Move move) const { return file_->hints.group(edge(move)); }

 private:
  const GraphRules& rules() const { return file_->rules; }
  const GraphNode& here() const { return rules().nodes[node_]; }
  std::uint32_t edge(Move move) const { return here().first_successor + move; }
  std::uint32_t successor(Move move) const { return rules().successors[edge(move)]; }

  std::shared_ptr<const GraphFile> file_;
  std::uint32_t node_ = 0;
  std::vector<std::uint32_t> history_;
};

static_assert(HasData<Graph> && HasConversions<Graph> && HasScore<Graph>);
static_assert(HasGuess<Graph> && HasCosts<Graph> && HasGroups<Graph>);

}  // namespace andorra
