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

TEST(thresholds_leave_room_at_the_cap) {
  const Backup backup = of({{kLargest, kLargest}, {kLargest, kLargest}}, true);
  const Thresholds child = child_thresholds(Thresholds{}, backup, kPn, Wide{backup.second} + 1);
  CHECK(!child.reached(kLargest, kLargest, false));
}

TEST(what_agents_show_leaves_a_child_no_threshold_below_zero) {
  Backup seen;  // dn 1, and 11 of siblings that others are below
  seen.smallest = seen.share = 1;
  seen.second = 4;
  seen.sum = 12;
  Thresholds mine;
  mine.of[kPn] = mine.of[kDn] = 10;
  CHECK(child_thresholds(mine, seen, kPn, 5).of[kDn] == 0);
  mine.of[kDn] = 20;
  CHECK(child_thresholds(mine, seen, kPn, 5).of[kDn] == 9);
}

}  // namespace
}  // namespace andorra
