// Short lines: what is made of the positions that a search has proven, and of others beside them.
#include <cstdint>
#include <string>
#include <string_view>

#include "certificate/short_line.hpp"
#include "check.hpp"
#include "left.hpp"

namespace andorra {
namespace {

std::string text(const MainLine& line) {
  std::string moves;
  for (const std::string& move : line.moves) moves += move + " ";
  return moves + line.end;
}

std::string by_work(Left& left) {
  GuideByWork<Graph> guide(left.gaps(), true);
  return text(LineExtraction<Graph, GuideByWork<Graph>>(left.problem(), guide, true).run());
}

std::string short_line(Left& left, std::uint64_t visits) {
  return text(ShortLine<Graph>(left.gaps(), visits).run());
}

// B is a detour: C wins at once.
constexpr std::string_view kDetour =
    "A: or B C\nB: and D\nD: or E\nE: and F\nF: win\nC: and G\nG: win\n";

void store_the_detour(Left& left) {
  left.proven("A", 0);
  left.proven("B");
  left.proven("D", 0);
  left.proven("E");
}

}  // namespace

TEST(a_short_line_leaves_out_the_detour_that_is_stored) {
  Left left(kDetour);
  store_the_detour(left);
  left.proven("C");
  CHECK(by_work(left) == "B D E F win");
  CHECK(short_line(left, 0) == "C G win");
  CHECK(left.searches() == 0);
}

TEST(a_short_line_needs_visits_for_moves_of_which_nothing_is_known) {
  Left left(kDetour);
  store_the_detour(left);
  CHECK(short_line(left, 0) == "B D E F win");
  CHECK(short_line(left, 100) == "C G win");
}

// C cost more work, B holds out longer.
TEST(on_a_short_line_the_defence_is_the_longest) {
  Left left("A: and B C\nB: or D\nD: and E\nE: win\nC: or F\nF: win\n");
  left.proven("A");
  left.proven("B", 0, 1);
  left.proven("D");
  left.proven("C", 0, 9);
  CHECK(by_work(left) == "C F win");
  CHECK(short_line(left, 0) == "B D E win");
}

// F is the stored move of D and leads back; G, which wins, is known too.
TEST(a_short_line_does_not_go_round_in_circles) {
  Left left("A: or B\nB: and D\nD: or F G\nF: and A\nG: and H\nH: win\n");
  left.proven("A", 0);
  left.proven("D", 0);
  for (std::string_view node : {"B", "F", "G"}) left.proven(node);
  CHECK(by_work(left) == "B D F A incomplete");
  CHECK(short_line(left, 0) == "B D G H win");
}

TEST(a_short_line_searches_again_what_was_forgotten_of_the_defence) {
  Left left("A: and B C\nB: or D\nD: win\nC: or E\nE: and F\nF: win\n");
  left.proven("A");
  left.proven("B", 0);
  CHECK(short_line(left, 0) == "incomplete");
  CHECK(short_line(left, 100) == "C E F win");
  CHECK(left.searches() == 1);
}

TEST(a_limit_ends_the_search_for_a_short_line) {
  Left left(kDetour);
  store_the_detour(left);
  left.end(Limit::seconds);
  CHECK(short_line(left, 100) == "incomplete");
}

}  // namespace andorra
