// The event stream: the terminal's progress line, a viewer or a log subscribe to it. The search
// only says what happened; it never prints. Moves get their names on the way (solve/naming.hpp).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bounds.hpp"
#include "game.hpp"
#include "stats.hpp"

namespace andorra {

struct Event {
  enum class Kind { search, extract };
  Kind kind = Kind::search;
  Bounds root;
  Stats stats;
  std::size_t depth = 0;
  double table_fill = 0;
  double seconds = 0;

  struct Child {
    Move move;
    Bounds bounds;
    std::string name = {};  // of the move
  };
  static constexpr std::size_t kMostPlies = 100;

  std::vector<Move> line;  // that the search is on: the first plies, from the root
  std::vector<std::string> line_names;
  std::vector<Child> children;  // of the root
};

class Tracer {
 public:
  virtual ~Tracer() = default;
  virtual void on_event(const Event& event) = 0;
};

}  // namespace andorra
