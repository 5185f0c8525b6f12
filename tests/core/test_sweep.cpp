// Threads that store while another sweeps the table, in an order that the test decides.
#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>

#include "check.hpp"
#include "table/table.hpp"
#include "table/test_point.hpp"

namespace andorra {

namespace {

using Visitor = std::function<void(TestPoint, std::size_t)>;

thread_local Visitor at_test_point;

}  // namespace

void test_point(TestPoint point, std::size_t cell) {
  if (at_test_point) at_test_point(point, cell);
}

namespace {

// Threads take turns by waiting for a number.
class Turn {
 public:
  bool is(int number) const { return now_ == number; }
  void wait_for(int number) const {
    while (now_ < number) std::this_thread::yield();
  }
  void set(int number) { now_ = number; }

 private:
  std::atomic<int> now_{0};
};

// A table of 64 cells, and keys by the cell where they would like to be.
constexpr std::size_t kFirst = 1, kEnd = 50;
constexpr std::size_t kHome = 2;

Key key_of(std::size_t home, std::uint64_t id) {
  return {std::uint64_t{home} << 58 | id << 20 | id, id};
}

Entry entry_of(std::uint32_t work) {
  return {Bounds{3, 3}, work};
}

// Full but for one; cell 7 is empty, and the next sweep will empty cells 1, 2 and 4 before it.
void fill(Table& table) {
  constexpr std::uint32_t kGoes = 8, kStays = 100'000;
  for (std::size_t cell = kFirst; cell < kEnd; ++cell) {
    const bool stays = cell == 3 || cell == 5 || cell == 6 || cell >= 33;
    const std::uint32_t work = cell == 4 ? 0 : stays ? kStays : kGoes;
    if (cell != 7) table.store(key_of(cell, cell), entry_of(work));
  }
}

// One thread has found cells 2 to 6 full and takes cell 7. While it looks at them again, a sweep
// that had passed cell 7 before ends by emptying cell 2 and freeing cell 4, and 4 is filled again.
TEST(a_key_is_found_that_was_stored_while_a_sweep_ended) {
  Table table(Table::kSmallest, 0.3);
  table.share();
  fill(table);
  Turn turn;
  const Key late = key_of(kHome, 900);
  std::thread writer([&] {
    at_test_point = [&](TestPoint point, std::size_t cell) {
      if (point == TestPoint::cell_chosen && turn.is(0)) {
        CHECK(cell == 7);
        turn.set(1);
        turn.wait_for(2);
      } else if (point == TestPoint::way_seen && cell == kHome && turn.is(2)) {
        turn.set(3);
        turn.wait_for(4);
      }
    };
    table.store(late, entry_of(4'000'000'000));
  });
  turn.wait_for(1);
  at_test_point = [&](TestPoint point, std::size_t cell) {
    if (point != TestPoint::sweep_goes_on || cell + 1 != Table::kSmallest || !turn.is(1)) return;
    at_test_point = nullptr;  // once; so that the last stretch is of the first cells
    table.store(key_of(1, 801), entry_of(100'000));
    table.store(key_of(0, 802), entry_of(100'000));
    turn.set(2);
    turn.wait_for(3);
  };
  table.store(key_of(52, 700), entry_of(100'000));  // the table is full
  table.store(key_of(4, 701), entry_of(100'000));   // in the cell that the sweep has freed
  CHECK(turn.is(3));
  turn.set(4);
  writer.join();
  CHECK(table.holds(late));
}

}  // namespace
}  // namespace andorra
