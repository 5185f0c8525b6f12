// Proofs whose stored moves lead back to the line: what extraction decides then, and how.
#include <string>
#include <string_view>

#include "certificate/proof.hpp"
#include "check.hpp"
#include "left.hpp"

namespace andorra {
namespace {

// Entries as "position move rank", by lines; what ended extraction, if a limit did.
std::string entries(Left& left) {
  std::string text;
  Sink sink([&](std::string_view lines) { text += lines; });
  ProofExtraction<Graph> proof(left.gaps(), sink);
  if (!proof.decide() || !proof.write()) return std::string(name(left.reached()));
  sink.flush();
  return text;
}

// Two ways to go on at D: F leads back to A, G wins.
constexpr std::string_view kTwoWays =
    "A: or B\nB: and D E\nD: or F G\nF: and A\nG: and H\nE: win\nH: win\n";
constexpr std::string_view kWithoutCircle = "=\tA\tB\t2\n=\tD\tG\t1\n";

void store_the_circle(Left& left) {
  left.proven("A", 0);
  left.proven("D", 0);
  for (std::string_view node : {"B", "F"}) left.proven(node);
}

}  // namespace

TEST(a_proof_that_leads_back_goes_on_by_another_proven_move) {
  Left left(kTwoWays);
  store_the_circle(left);
  left.proven("G");
  CHECK(entries(left) == kWithoutCircle);
  CHECK(left.searches() == 0);
}

TEST(a_proof_that_leads_back_searches_moves_of_which_nothing_is_known) {
  Left left(kTwoWays);
  store_the_circle(left);
  CHECK(entries(left) == kWithoutCircle);
  CHECK(left.searches() == 1);
}

// X is left undecided below P, and P is then decided by its other move.
TEST(what_was_left_undecided_is_tried_again) {
  Left left("R: and P X\nP: or Q W\nQ: and X\nX: or Y\nY: and P\nW: and V\nV: win\n");
  for (std::string_view node : {"R", "Q", "Y", "W"}) left.proven(node);
  left.proven("P", 0);
  left.proven("X", 0);
  CHECK(entries(left) == "=\tP\tW\t1\n=\tX\tY\t2\n");
  CHECK(left.searches() == 0);
}

TEST(a_limit_that_ends_the_extraction_of_a_proof_is_named) {
  Left left(kTwoWays);
  store_the_circle(left);
  left.end(Limit::seconds);
  CHECK(entries(left) == "seconds");
}

TEST(a_table_that_is_wrong_is_found_out) {
  Left left("A: or B C\nB: and A\nC: loss\n");
  left.proven("A", 0);
  CHECK_THROWS(entries(left), ExtractionError);
}

}  // namespace andorra
