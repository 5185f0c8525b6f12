// The rules of df-pn, each by hand: sums, thresholds, old children, twins, sources, dominance.
#include <random>
#include <utility>
#include <vector>

#include "check.hpp"
#include "games/graph.hpp"
#include "games/toll.hpp"
#include "games/tsume.hpp"
#include "rules/costs.hpp"
#include "rules/dominance.hpp"
#include "rules/double_count.hpp"
#include "rules/initialise.hpp"
#include "rules/old_children.hpp"
#include "rules/refine.hpp"
#include "rules/simulation.hpp"
#include "rules/summation.hpp"
#include "rules/threshold.hpp"
#include "rules/twins.hpp"

namespace andorra {
namespace {

struct Child {
  Number numbers[2];
  unsigned flags = 0;
};

using Pairs = std::vector<std::pair<std::string, std::string>>;

Options options(const Pairs& pairs) {
  Options result;
  for (const auto& [name, value] : pairs) result.set(name, value);
  return result;
}

// Of a node with these children; groups by position, 0 for those that are missing.
Backup backup_of(unsigned phi, const Pairs& pairs, const std::vector<Child>& children,
                 const std::vector<std::uint32_t>& groups = {}, Number weight = 1) {
  const Options chosen = options(pairs);
  Summation summation(chosen);
  const auto group = [&](std::size_t i) { return i < groups.size() ? groups[i] : 0; };
  return summation.back_up(std::span<const Child>(children), phi, group, weight);
}

// Of an OR node.
Backup backup(const Pairs& pairs, const std::vector<Child>& children,
              const std::vector<std::uint32_t>& groups = {}, Number weight = 1) {
  return backup_of(kPn, pairs, children, groups, weight);
}

// Of an AND node, whose children have the numbers of an OR node's, pn and dn exchanged.
Backup and_backup(const Pairs& pairs, std::vector<Child> children,
                  const std::vector<std::uint32_t>& groups = {}) {
  for (Child& child : children) std::swap(child.numbers[kPn], child.numbers[kDn]);
  return backup_of(kDn, pairs, children, groups);
}

const std::vector<Child> kThree{{{2, 3}}, {{1, 5}}, {{4, 7}}};

TEST(the_plain_sum_counts_all) {
  CHECK(Summation(Options{}).plain());
  const Backup plain = backup({}, kThree);
  CHECK(plain.phi() == 1 && plain.delta() == 15 && plain.best == 1 && plain.share == 5);
  CHECK(plain.second == 2);
}

TEST(weak_sums_count_the_largest_and_the_number_of_the_others) {
  const Backup weak = backup({{"backup", "weak"}}, kThree);
  CHECK(weak.phi() == 1 && weak.delta() == 9);
  CHECK(weak.share == 7);  // the best child may grow to 7 before the sum does
  CHECK(backup({{"backup", "weighted"}}, kThree, {}, 4).delta() == 15);
  // Only open children count.
  CHECK(backup({{"backup", "weak"}}, {{{2, 3}}, {{kInfinite, 0}}, {{1, 5}}}).delta() == 6);
}

// What a random node comes to by a shortcut, and in the general way, which a large `widening` asks
// for without leaving a child out.
TEST(shortcuts_come_to_what_the_general_way_comes_to) {
  std::mt19937 random(1);
  const auto below = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
  for (int round = 0; round < 20000; ++round) {
    std::vector<Child> children(1 + below(6));
    std::vector<std::uint32_t> groups;
    for (Child& child : children) {
      const Number numbers[2] = {below(8) == 0 ? kInfinite : 1 + below(5), 1 + below(5)};
      child = {{numbers[0], numbers[0] == kInfinite ? 0 : numbers[1]}, below(2) * kDoubleCounted};
      groups.push_back(below(3));
    }
    Pairs pairs{{"backup", below(2) == 0 ? "sum" : "weak-dn"},
                {"groups", below(2) == 0 ? "off" : "in-turn"},
                {"double_count", below(2) == 0 ? "off" : "nagai"}};
    const unsigned phi = below(2) == 0 ? kPn : kDn;
    if (phi == kDn)
      for (Child& child : children) std::swap(child.numbers[kPn], child.numbers[kDn]);
    const Backup quick = backup_of(phi, pairs, children, groups, 2);
    pairs.emplace_back("widening", "1000");
    const Backup slow = backup_of(phi, pairs, children, groups, 2);
    CHECK(quick.sum == slow.sum && quick.share == slow.share && quick.best == slow.best);
  }
}

TEST(costs_are_for_open_children_only) {
  Number open[2] = {2, 3}, proven[2] = {0, kInfinite}, disproven[2] = {kInfinite, 0};
  for (auto* numbers : {&open, &proven, &disproven}) add_cost(*numbers, {5, 1});
  CHECK(open[kPn] == 7 && open[kDn] == 4);
  CHECK(proven[kPn] == 0 && proven[kDn] == kInfinite);
  CHECK(disproven[kPn] == kInfinite && disproven[kDn] == 0);
  Number large[2] = {kLargest, 1};
  add_cost(large, {5, 1});
  CHECK(large[kPn] == kLargest && large[kDn] == 2);
}

TEST(thresholds_are_for_numbers_without_costs) {
  const Number numbers[2] = {7, kLargest};
  Thresholds thresholds;
  thresholds.of[kPn] = 10;
  thresholds.of[kDn] = 3;
  take_off_cost(thresholds, numbers, {5, 5});
  CHECK(thresholds.of[kPn] == 5);
  CHECK(thresholds.of[kDn] == Wide{kLargest} + 1);  // still above what it has
  const Number small[2] = {1, 1};
  thresholds.of[kPn] = 4;
  take_off_cost(thresholds, small, {9, 0});
  CHECK(thresholds.of[kPn] == 1);
}

TEST(guesses_decide_if_they_are_clear) {
  CHECK(decided_by({1, 4}, 3).proven() && decided_by({4, 1}, 3).disproven());
  CHECK(!decided_by({1, 3}, 3).solved() && !decided_by({3, 1}, 3).solved());
  CHECK(!decided_by({2, 2}, 1).solved());
}

TEST(doubts_grow_until_no_guess_is_taken) {
  CHECK(next_doubt(3) == 6 && next_doubt(0) == 0);
  std::uint64_t doubt = 1;
  int searches = 1;
  for (; doubt != 0; doubt = next_doubt(doubt)) ++searches;
  CHECK(searches < 40);
}

TEST(weak_dn_leaves_proof_numbers_alone) {
  CHECK(backup({{"backup", "weak-dn"}}, kThree).delta() == 9);
  CHECK(and_backup({{"backup", "weak-dn"}}, kThree).delta() == 15);
  CHECK(and_backup({{"backup", "weak"}}, kThree).delta() == 9);
}

TEST(widening_counts_the_best_only) {
  CHECK(backup({{"widening", "1"}}, kThree).delta() == 5);
  CHECK(backup({{"widening", "2"}}, kThree).delta() == 8);
  CHECK(backup({{"widening", "3"}}, kThree).delta() == 15);
  // When the best are solved, others come in: nothing is lost before all are.
  CHECK(backup({{"widening", "1"}}, {{{kInfinite, 0}}, {{9, 4}}}).delta() == 4);
  CHECK(backup({{"widening", "1"}}, {{{kInfinite, 0}}, {{kInfinite, 0}}}).lost());
}

TEST(groups_count_their_largest) {
  const Pairs on{{"groups", "largest"}};
  CHECK(backup(on, kThree, {1, 1, 0}).delta() == 12);
  CHECK(backup(on, kThree, {1, 1, 2}).delta() == 12);
  CHECK(backup(on, kThree, {5, 5, 5}).delta() == 7);
  CHECK(backup(on, kThree, {1, 1, 0}).share == 5);
  CHECK(backup(on, kThree, {0, 2, 2}).share == 7);
  CHECK(backup(on, kThree).delta() == 15);
}

TEST(groups_of_the_refuter_are_examined_in_turn) {
  const Pairs on{{"groups", "in-turn"}};
  const Backup all = and_backup(on, kThree);
  const Backup turn = and_backup(on, kThree, {1, 1, 0});
  CHECK(all.delta() == 15 && all.best == 1);
  CHECK(turn.delta() == 10 && turn.best == 0);  // the second child waits
  // When the first is solved it is the second one's turn; a winning child never waits.
  CHECK(and_backup(on, {{{kInfinite, 0}}, {{1, 5}}, {{4, 7}}}, {1, 1, 0}).delta() == 12);
  CHECK(and_backup(on, {{{2, 3}}, {{0, kInfinite}}, {{4, 7}}}, {1, 1, 0}).won());
}

TEST(groups_of_the_prover_do_not_wait) {
  const Backup turn = backup({{"groups", "in-turn"}}, kThree, {1, 1, 0});
  CHECK(turn.delta() == 12 && turn.best == 1);
}

TEST(marked_children_count_once) {
  const std::vector<Child> marked{{{2, 3}, kDoubleCounted}, {{1, 5}, kDoubleCounted}, {{4, 7}}};
  CHECK(backup({{"double_count", "snda"}}, marked).delta() == 12);
  CHECK(backup({}, marked).delta() == 15);
}

TEST(df_pn_r_ignores_old_children_while_a_normal_one_is_open) {
  const Pairs on{{"loops", "df-pn(r)"}};
  CHECK(backup(on, {{{2, 3}, kOldChild}, {{1, 5}}, {{4, 7}}}).delta() == 12);
  CHECK(backup(on, {{{2, 3}, kOldChild}, {{1, 5}, kOldChild}}).delta() == 5);
  CHECK(backup(on, {{{2, 3}, kOldChild}, {{kInfinite, 0}}}).delta() == 3);
}

TEST(no_rule_fakes_a_solution) {
  for (const Pairs& pairs :
       {Pairs{{"backup", "weak"}}, Pairs{{"backup", "weak-dn"}}, Pairs{{"widening", "1"}},
        Pairs{{"groups", "largest"}}, Pairs{{"groups", "in-turn"}}, Pairs{{"double_count", "snda"}},
        Pairs{{"loops", "df-pn(r)"}}}) {
    const std::vector<Child> one_open{
        {{kInfinite, 0}}, {{1, 1}, kOldChild | kDoubleCounted}, {{kInfinite, 0}}};
    const Backup open = backup(pairs, one_open, {1, 1, 1});
    CHECK(!open.won() && !open.lost() && open.delta() == 1);
    CHECK(backup(pairs, {{{kInfinite, 0}}, {{kInfinite, 0}}}).lost());
    CHECK(backup(pairs, {{{kInfinite, 0}}, {{0, kInfinite}}}).won());
  }
}

TEST(a_child_may_pass_the_second_best) {
  ThresholdRule plain{options({{"epsilon", "0"}})};
  CHECK(plain.after(10, 1, 0) == 11);
  ThresholdRule epsilon{options({{"epsilon", "0.25"}})};
  CHECK(epsilon.after(10, 1, 0) == 13);  // 12.5, rounded up
  CHECK(epsilon.after(1, 1, 0) == 2);
  ThresholdRule fixed{options({{"increment", "5"}, {"epsilon", "0"}})};
  CHECK(fixed.after(10, fixed.increment(), 0) == 15);
  CHECK(ThresholdRule(options({{"increment", "0"}})).by_average());
}

TEST(thresholds_rise_when_nothing_is_expanded) {
  ThresholdRule rule{options({{"rise", "100"}, {"epsilon", "0"}})};
  rule.expanded(1000);
  CHECK(rule.after(10, 1, 1099) == 11);
  CHECK(rule.after(10, 1, 1100) == 12);
  CHECK(rule.after(10, 1, 1200) == 14);
  rule.expanded(1201);
  CHECK(rule.after(10, 1, 1201) == 12);
  for (std::uint64_t visits = 1201; visits < 20'000; ++visits) rule.after(10, 1, visits);
  CHECK(rule.after(10, 1, 20'000) == 10 + (Wide{1} << 40));  // and no further
  ThresholdRule never{options({{"loops", "off"}, {"rise", "1"}, {"epsilon", "0"}})};
  CHECK(never.after(10, 1, 1'000'000) == 11);
  ThresholdRule late{options({{"rise", "1000000000000"}, {"epsilon", "0"}})};
  CHECK(late.after(5, 1, 1'000'000) == 6);
}

TEST(tca_raises_thresholds_above_the_numbers) {
  Thresholds thresholds{{3, 100}};
  Backup backup;
  backup.smallest = 7;
  backup.sum = 8;
  raise_above(thresholds, backup, kPn);
  CHECK(thresholds.of[kPn] == 8 && thresholds.of[kDn] == 100);
  CHECK(is_old(3, 3) && is_old(2, 3) && !is_old(4, 3));
  CHECK(distance_of(5) == 5 && distance_of(1'000'000) == kFarthest);
}

TEST(twins_are_for_one_path) {
  Twins twins(1 << 16);
  const Key position{1, 2};
  const PathCode one = with_position(with_position({}, {7, 7}, 0), {8, 8}, 1);
  const PathCode other = with_position(with_position({}, {8, 8}, 0), {7, 7}, 1);
  CHECK(one != other);  // the order counts
  CHECK(with_position(one, {8, 8}, 1) == with_position({}, {7, 7}, 0));
  twins.add(position, one, 1);
  CHECK(twins.find(position, one) == 1);
  CHECK(twins.find(position, other) == kRestsOnNothing);
  CHECK(twins.find({1, 3}, one) == kRestsOnNothing);
  CHECK(twins.find({2, 2}, one) == kRestsOnNothing);
}

TEST(a_full_set_of_twins_forgets_the_one_not_used_for_longest) {
  Twins twins(1);  // one set of four
  const PathCode path{5, 5};
  for (std::uint64_t i = 0; i < 4; ++i) twins.add({i, i}, path, static_cast<Depth>(i));
  CHECK(twins.find({0, 0}, path) == 0);
  twins.add({9, 9}, path, 9);
  CHECK(twins.find({0, 0}, path) == 0 && twins.find({9, 9}, path) == 9);
  CHECK(twins.find({1, 1}, path) == kRestsOnNothing);
}

TEST(sources_are_found_by_parent_pointers) {
  // The line: 1 - 2 - 4. The pointers: 4 - 3 - 1.
  Table table(64);
  const Entry four{{100, 100}, 1, 0, 0, 0, 3};
  table.store({3, 3}, {{100, 100}, 1, 0, 0, 0, 1});
  const auto on_line = [](std::uint64_t board) {
    return board == 1 ? Depth{0} : board == 2 ? Depth{1} : kRestsOnNothing;
  };
  const Source source = SourceDetection::find(table, 4, four, on_line);
  CHECK(source.depth == 0 && source.child == 3);
  // Where the numbers of a node on the way are smaller, the position is not counted in it.
  table.store({3, 3}, {{99, 99}, 1, 0, 0, 0, 1});
  CHECK(SourceDetection::find(table, 4, four, on_line).depth == kRestsOnNothing);
  // Without an entry the way ends.
  const Entry lost{{100, 100}, 1, 0, 0, 0, 77};
  CHECK(SourceDetection::find(table, 4, lost, on_line).depth == kRestsOnNothing);
}

TEST(marks_of_double_counts_are_kept_by_position) {
  DoubleCounts doubles(1 << 12);
  CHECK(doubles.find({5, 5}) == 0);
  doubles.set({5, 5}, 6);
  CHECK(doubles.find({5, 5}) == 6);
}

TEST(dominance_goes_one_way) {
  Toll game("3");
  Table table(64);
  const Dominance<Toll> dominance(Side::first);
  const auto key = [&](const char* text) { return game.parse(text), game.key(); };
  const auto find = [&](const char* text) {
    Snapshot copy;
    return dominance.find(table, key(text), copy) ? copy.bounds() : Bounds{};
  };
  table.store(key("1 - 2 1 3 k"), {kProven, 1, 0});
  for (const char* better : {"1 - 2 1 3 k", "1 - 3 1 3 k", "1 - 2 2 3 k", "1 - 2 1 2 k"})
    CHECK_FOR(find(better).proven(), better);
  for (const char* unclear : {"1 - 1 1 3 k", "1 - 9 1 4 k", "2 - 2 1 3 k", "1 1 2 1 3 t"})
    CHECK_FOR(!find(unclear).solved(), unclear);
  table.store(key("2 - 5 1 5 k"), {kDisproven, 1, kNoMove});
  CHECK(find("2 - 4 1 6 k").disproven());
}

// Proof and disproof hands of a mate in one by dropping a gold.
TEST(a_solution_takes_what_its_moves_take) {
  Tsume game("");
  game.parse("4k4/9/4P4/9/9/9/9/9/9 b G2Pr 1");
  Problem<Tsume> problem(game, Question{});
  const Dominance<Tsume> dominance(Side::first);
  const Resources needed = dominance.solution_by(problem, game.parse_move("G*5b"));
  CHECK(needed == shogi::one(shogi::kGold));
  CHECK(Tsume::at_least(resources_in(game.key()), needed));
  CHECK(!Tsume::at_least(2 * shogi::one(shogi::kPawn), needed));
  // What the defender lacks and could put in between, the attacker has to keep.
  game.parse("4k4/9/9/9/4R4/9/9/9/9 w 2PGp 1 attacker=b");
  CHECK(game.without_new_moves(Side::first) == shogi::one(shogi::kGold));
}

TEST(a_mate_by_wasted_drops_takes_what_keeps_it_one) {
  Tsume game("muda");
  game.parse("R7k/7pp/8N/9/9/9/9/9/9 w 2GPgp 1 attacker=b");
  CHECK(game.outcome() == Outcome::first_wins);
  CHECK(game.without_new_moves(Side::first) == 0);
  // Next to the king only a pawn cannot be dropped.
  game.parse("R7k/7pp/9/9/9/9/9/9/9 w GLPp 1 attacker=b");
  CHECK(game.outcome() == Outcome::first_wins);
  CHECK(game.without_new_moves(Side::first) ==
        shogi::one(shogi::kGold) + shogi::one(shogi::kLance));
  // Without the gold the defender would be mated, whatever follows the pawn.
  game.parse("R7k/7pp/9/9/9/9/9/9/9 w gp 1 attacker=b");
  CHECK(game.outcome() == Outcome::ongoing);
  const Resources gold = shogi::one(shogi::kGold), pawn = shogi::one(shogi::kPawn);
  CHECK(game.before(game.parse_move("P*5a"), gold, Side::second) == 0);
  CHECK(game.before(game.parse_move("G*2a"), pawn, Side::second) == pawn);
}

constexpr const char* kHinted =
    "a: or b c\nb: and d e f\nc: and a\nd: win\ne: loss\nf: or g\ng: and h\nh: win\n"
    "guess b 3 8\n";

Bounds initial(const char* kind, const char* node) {
  Graph game("", kHinted);
  game.parse(node);
  Problem<Graph> problem(game, Question{});
  const Options chosen = options({{"initial", kind}, {"deep_base", "2"}, {"deep_depth", "5"}});
  return Initialise<Graph>(problem, chosen).bounds(2);
}

TEST(initial_values) {
  CHECK((initial("unit", "b") == Bounds{1, 1}));
  CHECK((initial("mobility", "b") == Bounds{3, 1}));
  CHECK((initial("mobility", "a") == Bounds{1, 2}));
  CHECK((initial("game", "b") == Bounds{3, 8}));
  CHECK((initial("game", "a") == Bounds{1, 1}));
  CHECK((initial("deep", "a") == Bounds{8, 8}));
  CHECK(initial("search-1", "b").disproven());
  CHECK((initial("search-1", "f") == Bounds{1, 1}));
  CHECK(initial("search-3", "f").proven());
}

TEST(a_disproof_of_one_path_is_tried_on_another) {
  Graph game("", "a: or b\nb: and c d\nc: or b a\nd: win\n");
  Problem<Graph> problem(game, Question{});
  Table table(64);
  Line line;
  game.parse("c");
  const Key c = problem.key();
  game.parse("b");
  Simulation<Graph> simulation(problem, table, line);
  CHECK(simulation.disproof() == Simulation<Graph>::kFailed);  // nothing is known of it
  table.store(problem.key(), {{1, 1}, 1, 0, 0, kHasTwin, 0});
  table.store(c, {{1, 1}, 1, kNoMove, 0, 0, 0});
  game.parse("a");
  line.push(problem.key());
  game.parse("b");
  CHECK(simulation.disproof() == 0);  // c goes back to b or to a, which is on the line
  CHECK(line.size() == 1);
}

}  // namespace
}  // namespace andorra
