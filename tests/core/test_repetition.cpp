// The line, and what disproofs rest upon.
#include "check.hpp"
#include "rules/repetition.hpp"

namespace andorra {
namespace {

TEST(the_line_knows_its_positions) {
  Line line;
  for (std::uint64_t i = 0; i < 1000; ++i) line.push({i << 7, i});
  CHECK(line.size() == 1000);
  CHECK(line.find({500 << 7, 500}) == 500);
  CHECK(line.find({500 << 7, 501}) == kRestsOnNothing);
  for (int i = 0; i < 600; ++i) line.pop();
  CHECK(line.find({500 << 7, 500}) == kRestsOnNothing);
  CHECK(line.find({399 << 7, 399}) == 399);
  line.clear();
  CHECK(line.size() == 0 && line.find({0, 0}) == kRestsOnNothing);
}

struct Child {
  Number numbers[2];
  Depth rests_on;
};

Depth rests_on(std::vector<Child> children, bool or_node, std::size_t depth, std::size_t& best) {
  return solution_rests_on(std::span<const Child>(children), or_node ? kPn : kDn, depth, best);
}

TEST(an_or_node_rests_on_the_highest_of_all_children) {
  std::size_t best = 0;
  CHECK(rests_on({{{kInfinite, 0}, 7}, {{kInfinite, 0}, 3}}, true, 5, best) == 3);
  CHECK(rests_on({{{kInfinite, 0}, 7}, {{kInfinite, 0}, 5}}, true, 5, best) == kRestsOnNothing);
}

TEST(an_and_node_rests_on_its_best_disproven_child) {
  std::size_t best = 0;
  CHECK(rests_on({{{kInfinite, 0}, 2}, {{1, 1}, kRestsOnNothing}, {{kInfinite, 0}, 4}}, false, 5,
                 best) == 4);
  CHECK(best == 2);
  best = 0;
  CHECK(rests_on({{{kInfinite, 0}, 2}, {{kInfinite, 0}, kRestsOnNothing}}, false, 5, best) ==
        kRestsOnNothing);
  CHECK(best == 1);
}

}  // namespace
}  // namespace andorra
