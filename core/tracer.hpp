// The event stream: the terminal's progress line, a viewer or a log subscribe to it. The search
// only says what happened; it never prints.
#pragma once

#include <cstddef>

#include "bounds.hpp"
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
};

class Tracer {
 public:
  virtual ~Tracer() = default;
  virtual void on_event(const Event& event) = 0;
};

}  // namespace andorra
