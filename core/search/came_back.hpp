// A promise that is broken: positions come again in a game that says they cannot.
//
// Idea: the rules of built-in games keep this promise; those that users write may not. Then nodes
// that equal positions share lead to each other in circles, though no line has repeated yet: ways
// down and updates would go round for ever. Who goes down sees a node of its own path again; an
// update that takes long looks for a circle in the whole graph.
// Invariant: a graph without a circle is never accused.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "errors.hpp"
#include "question.hpp"
#include "search/proof_graph.hpp"

namespace andorra {

// The position from which the move leads back is on the problem.
template <Game G>
[[noreturn]] void came_back(Problem<G>& problem, Move move) {
  G& game = problem.game();
  std::string subject;
  if constexpr (requires { game.spec(); }) subject = game.spec() + ": ";
  throw RuleError(subject +
                  "the rule 'play' came back to a position of the same line, which the game says "
                  "cannot happen ('acyclic'), by move " +
                  game.format_move(move) + " in position '" + game.format() + "'");
}

// The moves from the root to a circle and once around it; none if no circle can be reached.
inline std::vector<Move> way_round(const ProofGraph& graph) {
  enum : std::uint8_t { kNew, kOnWay, kDone };
  struct Place {
    NodeId node;
    EdgeId next;
  };
  std::vector<std::uint8_t> state(graph.slots(), kNew);
  std::vector<Place> way{{kRoot, graph[kRoot].first}};
  state[kRoot] = kOnWay;
  while (!way.empty()) {
    Place& place = way.back();
    const ProofNode& node = graph[place.node];
    if (!node.expanded() || place.next == node.first + node.count) {
      state[place.node] = kDone;
      way.pop_back();
      continue;
    }
    const NodeId child = graph.edge(place.next++).child;
    if (state[child] == kOnWay) break;
    if (state[child] == kDone) continue;
    state[child] = kOnWay;
    way.push_back({child, graph[child].first});
  }
  std::vector<Move> moves;
  for (const Place& place : way) moves.push_back(graph.edge(place.next - 1).move);
  return moves;
}

}  // namespace andorra
