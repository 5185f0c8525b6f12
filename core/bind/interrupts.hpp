// Ctrl-C in searches: a KeyboardInterrupt that arrives while Python runs ends the search.
//
// Idea: searches take it for a limit that was reached, as they take a `stop` that says true.
// Whoever would rather have the KeyboardInterrupt compares the count before and after a search. All
// of Python's signal handlers run in the thread that called the search, so the count is a thread's
// own.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

#include "errors.hpp"

namespace andorra {

inline thread_local std::uint64_t interrupts = 0;

// In a handler: ends the search if the error is a KeyboardInterrupt, else lets it pass. The caller
// holds the GIL.
[[noreturn]] inline void end_or_rethrow(const nanobind::python_error& error) {
  if (!error.matches(PyExc_KeyboardInterrupt)) throw;
  ++interrupts;
  throw Interrupted();
}

}  // namespace andorra
