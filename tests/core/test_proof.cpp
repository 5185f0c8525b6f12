// Proofs whose stored moves lead back to the line: what extraction decides then, and how.
#include <string>
#include <string_view>

#include "certificate/proof.hpp"
#include "check.hpp"
#include "games/graph.hpp"

namespace andorra {
namespace {

// A graph, and what a search left in its table.
class Left {
 public:
  explicit Left(std::string_view graph) : game_("", graph) {}

  void proven(std::string_view node, std::uint16_t move) {
    Graph other = game_;
    other.parse(node);
    table_.store(other.key(), {kProven, 1, move});
  }

  // Entries as "position move rank", by lines; what ended extraction, if a limit did.
  std::string entries() {
    std::string text;
    Sink sink([&](std::string_view lines) { text += lines; });
    ProofExtraction<Graph> proof(gaps_, sink);
    if (!proof.decide() || !proof.write()) return std::string(name(monitor_.reached()));
    sink.flush();
    return text;
  }

  std::uint64_t searches() const { return stats_.searched_again; }
  void end(Limit limit) { monitor_.end(limit); }

 private:
  Graph game_;
  Problem<Graph> problem_{game_, Question{}};
  Options options_;
  Table table_{64};
  SolvedInTable solved_{table_};
  SideTables<Graph> side_{problem_, options_, 1 << 10};
  Monitor monitor_{Limits{}, nullptr, {}};
  Stats stats_;
  Gaps<Graph> gaps_{problem_, solved_, table_, side_, monitor_, stats_, options_, 1 << 20};
};

// Two ways to go on at D: F leads back to A, G wins.
constexpr std::string_view kTwoWays =
    "A: or B\nB: and D E\nD: or F G\nF: and A\nG: and H\nE: win\nH: win\n";
constexpr std::string_view kWithoutCircle = "=\tA\tB\t2\n=\tD\tG\t1\n";

void store_the_circle(Left& left) {
  left.proven("A", 0);
  left.proven("D", 0);
  for (std::string_view node : {"B", "F"}) left.proven(node, kNoMove);
}

}  // namespace

TEST(a_proof_that_leads_back_goes_on_by_another_proven_move) {
  Left left(kTwoWays);
  store_the_circle(left);
  left.proven("G", kNoMove);
  CHECK(left.entries() == kWithoutCircle);
  CHECK(left.searches() == 0);
}

TEST(a_proof_that_leads_back_searches_moves_of_which_nothing_is_known) {
  Left left(kTwoWays);
  store_the_circle(left);
  CHECK(left.entries() == kWithoutCircle);
  CHECK(left.searches() == 1);
}

// X is left undecided below P, and P is then decided by its other move.
TEST(what_was_left_undecided_is_tried_again) {
  Left left("R: and P X\nP: or Q W\nQ: and X\nX: or Y\nY: and P\nW: and V\nV: win\n");
  for (std::string_view node : {"R", "Q", "Y", "W"}) left.proven(node, kNoMove);
  left.proven("P", 0);
  left.proven("X", 0);
  CHECK(left.entries() == "=\tP\tW\t1\n=\tX\tY\t2\n");
  CHECK(left.searches() == 0);
}

TEST(a_limit_that_ends_the_extraction_of_a_proof_is_named) {
  Left left(kTwoWays);
  store_the_circle(left);
  left.end(Limit::seconds);
  CHECK(left.entries() == "seconds");
}

TEST(a_table_that_is_wrong_is_found_out) {
  Left left("A: or B C\nB: and A\nC: loss\n");
  left.proven("A", 0);
  CHECK_THROWS(left.entries(), ExtractionError);
}

}  // namespace andorra
