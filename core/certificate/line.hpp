// The main line of a solved position: the holder's strategy against a stubborn opponent.
//
// Idea: a guide (guides.hpp) chooses the moves of both sides; here they are played until the game,
// or what the question is about, is over. The line of a disproof may go round for ever, which its
// repetition shows.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "certificate/guides.hpp"

namespace andorra {

struct MainLine {
  std::vector<std::string> moves;
  std::string end = "incomplete";  // or: win, loss, draw (for the first player), limit,
                                   // decided, repetition

  bool complete() const { return end != "incomplete"; }
};

template <Game G, class Guide>
class LineExtraction {
 public:
  LineExtraction(Problem<G>& problem, Guide& guide, bool proven)
      : problem_(problem), guide_(guide), proven_(proven) {}

  MainLine run() {
    while (!result_.complete() && step()) {
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
    const std::uint16_t index = holder ? guide_.solving_move() : guide_.resisting_move(moves);
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
        // The question's bound on the plies, or a score that is certain or out of reach.
        return problem_.question().scored ? "decided" : "limit";
    }
  }

  Problem<G>& problem_;
  Guide& guide_;
  const bool proven_;
  MainLine result_;
  MoveList played_;
  Line line_;
};

}  // namespace andorra
