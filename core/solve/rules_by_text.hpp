// The rules of a game, asked position by position in text: the part of AnyGame that does not
// search.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "game.hpp"
#include "solve/any_game.hpp"

namespace andorra {

// Whether copies of the game gain by threads of their own.
template <Game G>
bool runs_in_parallel(const G& game) {
  if constexpr (requires { game.in_parallel(); }) return game.in_parallel();
  return true;
}

template <Game G>
class RulesByText : public AnyGame {
 public:
  RulesByText(G game, std::string spec)
      : game_(std::move(game)), initial_(game_.format()), spec_(std::move(spec)) {}

  std::string spec() const override { return spec_; }
  std::string initial() override { return initial_; }
  std::string canonical(std::string_view position) override { return at(position).format(); }
  Side side_to_move(std::string_view position) override { return at(position).side_to_move(); }
  Outcome outcome(std::string_view position) override { return at(position).outcome(); }
  Key key(std::string_view position) override { return at(position).key(); }
  Scores scores(std::string_view position) override { return scores_in(at(position)); }
  bool acyclic() override { return game_.acyclic(); }
  bool in_parallel() override { return runs_in_parallel(game_); }
  bool can_draw() override { return game_.can_draw(); }

  std::vector<std::string> moves(std::string_view position) override {
    G& game = at(position);
    std::vector<std::string> names;
    for (Move move : moves_of(game)) names.push_back(game.format_move(move));
    return names;
  }

  std::string play(std::string_view position, std::string_view move) override {
    G& game = at(position);
    game.play(game.parse_move(move));
    return game.format();
  }

  std::uint64_t perft(std::string_view position, unsigned depth) override {
    return lines(at(position), depth);
  }

  std::vector<std::pair<std::string, std::uint64_t>> divide(std::string_view position,
                                                            unsigned depth) override {
    std::vector<std::pair<std::string, std::uint64_t>> counts;
    G& game = at(position);
    for (Move move : moves_of(game)) {
      const std::string name = game.format_move(move);
      game.play(move);
      counts.emplace_back(name, depth == 0 ? 0 : lines(game, depth - 1));
      game.undo(move);
    }
    return counts;
  }

  std::vector<std::pair<std::string, Key>> replay(std::string_view position,
                                                  const std::vector<std::string>& moves) override {
    std::vector<std::pair<std::string, Key>> seen;
    MoveList played;
    G& game = at(position);
    for (const std::string& name : moves) {
      played.push_back(game.parse_move(name));
      game.play(played.back());
      seen.emplace_back(game.format(), game.key());
    }
    for (; !played.empty(); played.pop_back()) {
      game.undo(played.back());
      seen.emplace_back(game.format(), game.key());
    }
    return seen;
  }

  std::vector<int> resources(std::string_view position) override {
    if constexpr (HasResources<G>) return at(position).resources();
    at(position);
    return {};
  }

  std::optional<Key> board_key(std::string_view position) override {
    if constexpr (HasResources<G>) return at(position).board_key();
    at(position);
    return std::nullopt;
  }

 protected:
  G& at(std::string_view position) {
    game_.parse(position);
    return game_;
  }

 private:
  static MoveList moves_of(G& game) {
    MoveList moves;
    game.moves(moves);
    return moves;
  }

  static std::uint64_t lines(G& game, unsigned depth) {
    if (depth == 0) return 1;
    std::uint64_t count = 0;
    for (Move move : moves_of(game)) {
      game.play(move);
      count += lines(game, depth - 1);
      game.undo(move);
    }
    return count;
  }

  G game_;
  std::string initial_;
  std::string spec_;
};

}  // namespace andorra
