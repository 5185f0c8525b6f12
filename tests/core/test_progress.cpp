// What a search does when it finds nothing new: stages of patience, and the closure of its table.
#include <string>

#include "check.hpp"
#include "games/graph.hpp"
#include "search/closure.hpp"
#include "search/progress.hpp"

namespace andorra {
namespace {

TEST(circling_begins_after_as_many_visits_as_positions_are_known) {
  Progress progress(1'000'000, false);
  progress.start(100);
  CHECK(!progress.is_circling(1100, 10) && progress.is_circling(1101, 10));
  CHECK(!progress.is_circling(5100, 5000) && progress.is_circling(5101, 5000));
  progress.expanded({1, 1}, 4000);
  CHECK(!progress.is_circling(5000, 10));
  progress.closed(3, 5000);
  CHECK(!progress.is_circling(7000, 10) && progress.is_circling(7001, 10));
  progress.closed(0, 7001);  // nothing came of it: wait four times as long
  CHECK(!progress.is_circling(15'001, 10) && progress.is_circling(15'002, 10));
}

TEST(a_search_gives_up_after_guard_visits_without_an_expansion) {
  Progress progress(5000, false);
  progress.start(0);
  progress.expanded({1, 1}, 100);
  CHECK(!progress.is_stuck(5100) && progress.is_stuck(5101));
  // Expansions of a position that was seen before do not count for ever.
  for (std::uint64_t visits = 200; visits < 5400; visits += 100) progress.expanded({1, 1}, visits);
  CHECK(progress.is_stuck(5400));
}

TEST(without_cycles_a_search_has_more_time) {
  Progress progress(1000, true);
  progress.start(0);
  progress.expanded({1, 1}, 100);
  CHECK(!progress.is_stuck(1000 + 32 * 100) && progress.is_stuck(1001 + 32 * 100));
}

// A table in which the named nodes of the graph have been expanded, and nothing is solved.
struct Closed {
  Closed(const std::string& text, const std::string& expanded)
      : game("", text),
        problem(game, Question{}),
        table(1024),
        monitor(Limits{}, nullptr, nullptr) {
    for (char node : expanded) {
      game.parse(std::string(1, node));
      table.store(problem.key(), {{1, 1}, 1, 0});
    }
    game.parse("a");
    solved = Closure<Graph>(problem, table, monitor, stats).run(1 << 20);
  }

  Bounds of(const char* node) {
    game.parse(node);
    Entry entry;
    return table.find(problem.key(), entry) ? entry.bounds : Bounds{};
  }

  Graph game;
  Problem<Graph> problem;
  Table table;
  Monitor monitor;
  Stats stats;
  std::size_t solved = 0;
};

TEST(a_closed_set_is_a_disproof) {
  Closed closed("a: or b c\nb: and a d\nc: and b e\nd: win\ne: win\n", "abc");
  CHECK(closed.solved == 3);
  for (const char* node : {"a", "b", "c"}) CHECK_FOR(closed.of(node).disproven(), node);
  Entry entry;
  closed.game.parse("b");
  CHECK(closed.table.find(closed.problem.key(), entry) && entry.move == 0);  // back to a
}

TEST(unknown_leaves_decide_nothing_before_they_are_expanded) {
  Closed closed("a: or b c\nb: and a d\nc: and b\nd: or e\ne: win\n", "ab");
  CHECK(closed.solved == 4);  // c was not expanded, and might be proven: so the closure expands it
  CHECK(closed.of("a").disproven() && closed.of("c").disproven() && closed.of("d").proven());
}

TEST(a_closure_goes_on_below_leaves) {
  std::string text = "a: or n0";
  for (int i = 0; i < 60; ++i)
    text += "\nn" + std::to_string(i) + ": and n" + std::to_string(i + 1);
  Closed closed(text + "\nn60: and a\n", "a");
  CHECK(closed.solved == 62 && closed.of("a").disproven());
}

TEST(a_closure_expands_no_more_leaves_than_half_the_positions_it_knows) {
  std::string text = "a: or a";
  for (int i = 0; i < 500; ++i) text += " n" + std::to_string(i);
  for (int i = 0; i < 500; ++i) text += "\nn" + std::to_string(i) + ": and a";
  Closed closed(text + "\n", "a");
  CHECK(closed.solved == 0 && closed.table.used() == 1 + 501 / 2);
}

TEST(proofs_are_put_together_too) {
  Closed closed("a: or b f\nb: and c d\nc: or e\nd: or e a\ne: win\nf: loss\n", "abcd");
  CHECK(closed.solved == 4);
  for (const char* node : {"a", "b", "c", "d"}) CHECK_FOR(closed.of(node).proven(), node);
}

TEST(a_graph_that_does_not_fit_is_left_alone) {
  std::string text;
  for (int i = 0; i < 5000; ++i)
    text += "n" + std::to_string(i) + ": or n" + std::to_string((i + 1) % 5000) + "\n";
  Graph game("", text);
  Problem<Graph> problem(game, Question{});
  Table table(1 << 14);
  for (int i = 0; i < 5000; ++i) {
    game.parse("n" + std::to_string(i));
    table.store(problem.key(), {{1, 1}, 1, 0});
  }
  Monitor monitor(Limits{}, nullptr, nullptr);
  Stats stats;
  game.parse("n0");
  Closure<Graph> closure(problem, table, monitor, stats);
  CHECK(closure.run(1 << 14) == 0 && monitor.reached() == Limit::none);
  CHECK(game.format() == "n0");
  CHECK(closure.run(1 << 24) == 5000);
}

}  // namespace
}  // namespace andorra
