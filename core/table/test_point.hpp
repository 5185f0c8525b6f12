// Test points: where the table lets a test decide which thread goes on next.
//
// Idea: some interleavings need two threads to lose their cores within a few instructions of each
// other. No stress test finds them, so a test names the places and waits there
// (tests/core/test_sweep.cpp).
// Invariant: nothing at all unless ANDORRA_TEST_POINTS is defined.
#pragma once

#include <cstddef>
#include <cstdint>

namespace andorra {

enum class TestPoint : std::uint8_t {
  cell_chosen,    // for a new result; it is locked next
  way_seen,       // one cell of those before it, after that
  sweep_goes_on,  // from an empty cell, which the sweep holds
};

#ifdef ANDORRA_TEST_POINTS
void test_point(TestPoint point, std::size_t cell);
#else
inline void test_point(TestPoint, std::size_t) {}
#endif

}  // namespace andorra
