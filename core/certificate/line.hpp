// The main line of a solved position: the holder's strategy against a stubborn opponent.
//
// Idea: the holder plays its solving move; the other side plays the move that cost the search the
// most work, which is its best resistance as far as the search knows.
#pragma once

#include <string>
#include <vector>

#include "certificate/gaps.hpp"

namespace andorra {

struct MainLine {
  std::vector<std::string> moves;
  std::string end = "incomplete";  // or: win, loss, draw (for the first player), limit, repetition
};

template <Game G>
class LineExtraction {
 public:
  LineExtraction(Gaps<G>& gaps, bool proven)
      : gaps_(gaps), problem_(gaps.problem()), proven_(proven) {}

  MainLine run() {
    while (result_.end == "incomplete" && step()) {
    }
    for (; !played_.empty(); played_.pop_back()) problem_.undo(played_.back());
    return result_;
  }

 private:
  bool step() {
    if (problem_.status() != Status::open) return finish(end_name());
    if (line_.find(problem_.key()) != kRestsOnNothing)
      return proven_ ? false : finish("repetition");
    line_.push(problem_.key());
    MoveList moves;
    problem_.moves(moves);
    const bool holder = problem_.or_node() == proven_;
    const std::uint16_t index = holder ? gaps_.solving_move(proven_) : most_work(moves);
    if (index == kNoMove) return false;
    result_.moves.push_back(problem_.game().format_move(moves[index]));
    problem_.play(moves[index]);
    played_.push_back(moves[index]);
    return true;
  }

  bool finish(std::string end) {
    result_.end = std::move(end);
    return false;
  }

  std::string end_name() const {
    switch (problem_.game().outcome()) {
      case Outcome::first_wins:
        return "win";
      case Outcome::second_wins:
        return "loss";
      case Outcome::draw:
        return "draw";
      default:
        return "limit";  // the question's bound on the plies
    }
  }

  std::uint16_t most_work(const MoveList& moves) {
    std::uint16_t best = 0;
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      problem_.play(moves[i]);
      const std::uint64_t work = problem_.status() == Status::open ? gaps_.work() + 1ull : 0;
      problem_.undo(moves[i]);
      if (work <= most) continue;
      most = work;
      best = static_cast<std::uint16_t>(i);
    }
    return best;
  }

  Gaps<G>& gaps_;
  Problem<G>& problem_;
  const bool proven_;
  MainLine result_;
  MoveList played_;
  Line line_;
};

}  // namespace andorra
