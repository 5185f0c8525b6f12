// Playouts: games that both sides finish with moves by chance.
//
// Idea: the share of random games that the prover wins says how promising a position is, without
// any knowledge of the game.
// Invariant: the position is what it was before. A game that is not over after `playout_plies` is
// one that the prover has not won, as endless play is none. Which games are played depends on the
// seed and on the order of the calls, so a search is repeatable. Whatever they say, they never
// decide a position.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "limits.hpp"
#include "options.hpp"
#include "question.hpp"
#include "stats.hpp"

namespace andorra {

template <Game G>
class Playouts {
 public:
  Playouts(Problem<G>& problem, Monitor& monitor, Stats& stats, const Options& options)
      : problem_(problem),
        monitor_(monitor),
        stats_(stats),
        most_plies_(options.natural("playout_plies")),
        random_(options.natural("playout_seed")) {}

  // Whether the prover wins a game from the problem's current position on.
  bool won() {
    played_.clear();
    Status status = problem_.status();
    while (status == Status::open && played_.size() < most_plies_ && !stop()) {
      play_any();
      status = problem_.status();
    }
    stats_.moves += played_.size();
    take_back();
    return status == Status::proven;
  }

  // Of so many games.
  std::uint64_t wins(std::uint64_t games) {
    std::uint64_t count = 0;
    for (std::uint64_t i = 0; i < games; ++i) count += won();
    return count;
  }

  std::size_t bytes() const { return (moves_.capacity() + played_.capacity()) * sizeof(Move); }

 private:
  void play_any() {
    const std::size_t count = problem_.count_children(moves_);
    const std::size_t chosen = random_() % count;
    const Move move = HasChildren<G> ? static_cast<Move>(chosen) : moves_[chosen];
    problem_.play(move);
    played_.push_back(move);
  }

  void take_back() {
    for (; !played_.empty(); played_.pop_back()) problem_.undo(played_.back());
  }

  // Searches look at clocks once in many visits, which is too rare where each takes a long game.
  bool stop() {
    if (++plies_ % Monitor::kPollInterval == 0) monitor_.watch();
    return monitor_.reached() != Limit::none;
  }

  Problem<G>& problem_;
  Monitor& monitor_;
  Stats& stats_;
  const std::uint64_t most_plies_;
  std::mt19937_64 random_;
  std::uint64_t plies_ = 0;  // of all games
  MoveList moves_;
  std::vector<Move> played_;
};

}  // namespace andorra
