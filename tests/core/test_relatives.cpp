// The rules of df-pn's and pns's relatives, each by hand, and the searches that use them against
// the fixpoint.
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "graph_driver.hpp"
#include "random_graph.hpp"
#include "rules/expected_work.hpp"
#include "rules/pds.hpp"
#include "rules/pn_star.hpp"
#include "rules/product_propagation.hpp"
#include "rules/proof_sets.hpp"
#include "search/growth.hpp"

namespace andorra {
namespace {

Wide one_more(Number number) {
  return Wide{number} + 1;
}

// Of an OR node: its smallest pn, the sum of its dn, and the child's own numbers.
Thresholds of_pds(Thresholds mine, Number pn, Wide dn, Number child_pn, Number child_dn) {
  const Backup backup{.smallest = pn, .second = kInfinite, .sum = dn, .share = child_dn};
  const Number child[2] = {child_pn, child_dn};
  return pds_thresholds(mine, backup, kPn, child, one_more);
}

TEST(pds_lets_the_smaller_number_grow) {
  const Thresholds proof_like = of_pds({{5, 9}}, 2, 4, 2, 3);
  CHECK(proof_like.of[kPn] == 3 && proof_like.of[kDn] == 3);
  const Thresholds disproof_like = of_pds({{5, 9}}, 3, 4, 3, 2);
  CHECK(disproof_like.of[kPn] == 3 && disproof_like.of[kDn] == 3);
}

TEST(pds_goes_by_the_threshold_that_is_left) {
  const Thresholds no_dn = of_pds({{5, 4}}, 3, 4, 3, 2);
  CHECK(no_dn.of[kPn] == 4 && no_dn.of[kDn] == 2);
  const Thresholds no_pn = of_pds({{2, 9}}, 2, 4, 2, 3);
  CHECK(no_pn.of[kPn] == 2 && no_pn.of[kDn] == 4);
}

TEST(pds_starts_with_the_roots_smaller_number) {
  const Thresholds equal = pds_root({3, 3}, one_more);
  CHECK(equal.of[kPn] == 4 && equal.of[kDn] == 3);
  const Thresholds disproof = pds_root({7, 3}, one_more);
  CHECK(disproof.of[kPn] == 7 && disproof.of[kDn] == 4);
  CHECK(!disproof.reached(9, 3, true));
  CHECK(disproof.reached(9, 3, false));
}

TEST(pn_star_deepens_at_or_nodes_and_ignores_disproof_numbers) {
  const Backup backup{.smallest = 2, .second = 9, .sum = 12, .share = 5};
  const Thresholds at_or = pn_star_thresholds({{20, kUnlimited}}, backup, kPn, one_more);
  CHECK(at_or.of[kPn] == 3 && at_or.of[kDn] == kUnlimited);
  const Thresholds at_and = pn_star_thresholds({{20, kUnlimited}}, backup, kDn, one_more);
  CHECK(at_and.of[kPn] == 13 && at_and.of[kDn] == kUnlimited);
}

TEST(the_second_level_grows_with_the_first) {
  Options options;
  options.set("growth_a", "1000");
  options.set("growth_b", "100");
  const Growth growth(options, 10'000);
  CHECK(growth.second_level(0) == 1);
  CHECK(growth.second_level(1'000) == 500);
  CHECK(growth.second_level(4'000) == 3'999);
  CHECK(growth.second_level(9'000) == 1'000);
  CHECK(growth.second_level(10'000) == 1);
}

template <class Measure>
typename Measure::Value combined(Measure measure, bool or_node,
                                 const std::vector<typename Measure::Value>& children) {
  return measure.combine(children.size(), or_node,
                         [&](std::size_t i) -> const auto& { return children[i]; });
}

TEST(chances_are_multiplied) {
  const ProductPropagation measure{Options{}};
  const auto both = combined(measure, false, {{0.5, 0.5}, {0.25, 0.75}});
  CHECK(both.proof == 0.125 && both.disproof == 0.875);
  const auto either = combined(measure, true, {{0.5, 0.5}, {0.25, 0.75}});
  CHECK(either.disproof == 0.375 && either.proof == 0.625);
  CHECK(measure.better({0.5, 0.5}, {0.25, 0.75}, true));
  CHECK(measure.better({0.25, 0.75}, {0.5, 0.5}, false));
}

TEST(moves_are_tried_by_work_and_chance) {
  const ExpectedWork measure{Options{}};
  const ExpectedWork::Value cheap{{0.5, 0.5}, 4, 3};
  const ExpectedWork::Value sure{{0.75, 0.25}, 3, 8};
  const auto node = combined(measure, true, {cheap, sure});
  CHECK(node.proof == 3 + 0.25 * 4);
  CHECK(node.disproof == 3 + 8);
  CHECK(measure.better(sure, cheap, true));
  CHECK(measure.better(cheap, sure, false));
}

TEST(a_leaf_that_two_lines_reach_is_in_a_set_once) {
  Options options;
  options.set("set_size", "3");
  const ProofSets measure{options};
  const ProofSets::Value left{{1, 2}, {1}};
  const ProofSets::Value right{{2, 3}, {2}};
  const auto both = combined(measure, false, {left, right});
  CHECK((both.proof == ProofSets::Leaves{1, 2, 3}));
  CHECK((both.disproof == ProofSets::Leaves{1}));
  const auto truncated = combined(measure, false, {both, measure.leaf(4)});
  CHECK(truncated.proof.size() == 3);
  const auto won = combined(measure, true, {ProofSets::solved(false), left});
  CHECK((won.proof == ProofSets::Leaves{1, 2} && won.provable));
}

TEST(relatives_agree_with_the_fixpoint) {
  std::mt19937_64 random(11);
  std::size_t answered = 0;
  for (int i = 0; i < 60; ++i) {
    const std::string graph = random_graph(random, i % 2 == 0);
    const auto ask = [&](std::string_view algorithm) {
      Request request;
      request.algorithm = algorithm;
      request.limits.memory = std::size_t{4} << 20;
      request.limits.nodes = 300'000;
      return graph_driver(graph)->solve(request).bounds;
    };
    const Bounds truth = ask("fixpoint");
    for (const AlgorithmRow& row : kAlgorithms) {
      if (!row.games.empty()) continue;
      const Bounds found = ask(row.name);
      if (!found.solved()) continue;
      ++answered;
      CHECK_FOR(found == truth, graph + std::string(row.name));
    }
  }
  CHECK(answered > 55 * (kAlgorithms.size() - 2));
}

}  // namespace
}  // namespace andorra
