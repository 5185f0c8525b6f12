// Names for the moves of events: searches know moves as numbers, and whoever watches wants words.
//
// Invariant: a position of its own follows the line, so the search's stays where it is.
#pragma once

#include <utility>

#include "game.hpp"
#include "tracer.hpp"

namespace andorra {

template <Game G>
class Naming : public Tracer {
 public:
  Naming(const G& root, Tracer& next) : game_(root), next_(next) {}

  void on_event(const Event& event) override {
    Event named = event;
    for (Event::Child& child : named.children) child.name = game_.format_move(child.move);
    for (const Move move : named.line) {
      named.line_names.push_back(game_.format_move(move));
      game_.play(move);
    }
    for (auto move = named.line.rbegin(); move != named.line.rend(); ++move) game_.undo(*move);
    next_.on_event(named);
  }

 private:
  G game_;
  Tracer& next_;
};

}  // namespace andorra
