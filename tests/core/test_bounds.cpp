// Bounds, back-up and thresholds, with the numbers that the survey's prose states.
#include <vector>

#include "bounds.hpp"
#include "check.hpp"
#include "rules/backup.hpp"
#include "rules/threshold.hpp"

namespace andorra {
namespace {

struct Child {
  Number numbers[2];
};

Backup of(std::vector<Child> children, bool or_node) {
  return back_up(std::span<const Child>(children), or_node ? kPn : kDn);
}

TEST(sums_are_capped_and_never_solve) {
  CHECK(capped(0) == 0);
  CHECK(capped(kLargest) == kLargest);
  CHECK(capped(Wide{kLargest} + 1) == kLargest);
  CHECK(capped(~Wide{0}) == kLargest);
  const Backup backup = of({{kLargest, kLargest}, {kLargest, kLargest}}, true);
  CHECK(backup.phi() == kLargest);
  CHECK(backup.delta() == kLargest);
  CHECK(!backup.won() && !backup.lost());
}

TEST(view_converts_both_ways) {
  for (const bool or_node : {true, false})
    CHECK(from_view(view({3, 7}, or_node), or_node) == (Bounds{3, 7}));
  CHECK(view({3, 7}, true).phi == 3);
  CHECK(view({3, 7}, false).phi == 7);
}

TEST(solved_children_solve) {
  CHECK(of({{2, 3}, {0, kInfinite}}, true).won());
  CHECK(of({{2, 3}, {0, kInfinite}}, true).delta() == kInfinite);
  CHECK(of({{kInfinite, 0}, {kInfinite, 0}}, true).lost());
  CHECK(of({{kInfinite, 0}, {kInfinite, 0}}, true).phi() == kInfinite);
  CHECK(of({{kInfinite, 0}, {2, 3}}, false).won());
  CHECK(of({{0, kInfinite}, {0, kInfinite}}, false).lost());
}

// Survey figure 4: A (OR) has children B and C = (3, 1); B (AND) has children E = (1, 2), D = (1,
// 1).
TEST(survey_figure_4) {
  const Backup b = of({{1, 1}, {1, 2}}, false);
  const Bounds b_bounds = from_view({b.phi(), b.delta()}, false);
  CHECK(b_bounds == (Bounds{2, 1}));
  const Backup a = of({{b_bounds.pn, b_bounds.dn}, {3, 1}}, true);
  CHECK(a.best == 0);
  const Thresholds at_b = child_thresholds(Thresholds{}, a, kPn, b_bounds.dn, 1);
  CHECK(at_b.of[kPn] == 4);
  CHECK(at_b.of[kDn] == kUnlimited - 1);
  const Thresholds at_d = child_thresholds(at_b, b, kDn, 1, 1);
  CHECK(at_d.of[kPn] == 3);
  CHECK(at_d.of[kDn] == 3);
}

TEST(thresholds_leave_room_at_the_cap) {
  const Backup backup = of({{kLargest, kLargest}, {kLargest, kLargest}}, true);
  const Thresholds child = child_thresholds(Thresholds{}, backup, kPn, kLargest, 1);
  CHECK(!child.reached(kLargest, kLargest));
}

TEST(thresholds_rise_without_progress) {
  ThresholdStep step(100);
  CHECK(step.now(99) == 1);
  CHECK(step.now(100) == 2);
  CHECK(step.now(199) == 2);
  CHECK(step.now(200) == 4);
  step.expanded(250);
  CHECK(step.now(349) == 2);
  CHECK(step.now(350) == 4);
  for (std::uint64_t visits = 350; visits < 20'000; ++visits) step.now(visits);
  CHECK(step.now(20'000) == Wide{1} << 60);
}

}  // namespace
}  // namespace andorra
