// Several agents on one graph: rp-pns and pn-dfpn. The thread sanitizer runs them, too.
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"
#include "random_graph.hpp"
#include "team_kit.hpp"

namespace andorra {
namespace {

// Asks about random graphs with every team, and returns how often there was an answer.
std::size_t count_answers(int graphs, const std::string& algorithm,
                          const std::vector<Settings>& all_settings) {
  std::mt19937_64 random(3);
  std::size_t answered = 0;
  for (int i = 0; i < graphs; ++i) {
    const std::string graph = random_graph(random, i % 2 == 0);
    const Bounds truth = ask(graph, "fixpoint").bounds;
    for (Settings settings : all_settings) {
      for (const auto& team : kTeams) {
        settings.push_back(team);
        const Bounds bounds = ask(graph, algorithm, settings).bounds;
        answered += bounds.solved();
        CHECK_FOR(!bounds.solved() || bounds == truth, graph + text(settings));
        settings.pop_back();
      }
    }
  }
  return answered;
}

TEST(agents_on_one_graph_agree_with_the_fixpoint) {
  const std::vector<Settings> settings{
      {{"form", "tree"}}, {{"form", "dag"}}, {{"form", "dag"}, {"tree_nodes", "64"}}};
  CHECK(count_answers(40, "pns", settings) == 40 * settings.size() * kTeams.size());
}

// Small jobs, so that a graph of 30 positions has a tree above them.
TEST(jobs_below_a_tree_agree_with_the_fixpoint) {
  std::vector<Settings> settings;
  for (const char* cells : {"64", "4096"})
    for (const char* visits : {"2", "20", "1000"})
      settings.push_back({{"scheduler", "pn-dfpn"},
                          {"table_entries", cells},
                          {"job_nodes", visits},
                          {"guard", "20000"}});
  CHECK(count_answers(30, "dfpn", settings) > 30 * settings.size() * kTeams.size() * 9 / 10);
}

TEST(agents_on_one_graph_repeat_themselves) {
  std::mt19937_64 random(5);
  const Settings jobs{{"scheduler", "pn-dfpn"}, {"job_nodes", "5"}, {"agents", "5"}};
  for (int i = 0; i < 10; ++i) {
    const std::string graph = random_graph(random, true);
    for (const auto& [algorithm, settings] :
         {std::pair{"pns", Settings{{"agents", "5"}}}, std::pair{"dfpn", jobs}}) {
      const Report one = ask(graph, algorithm, settings);
      const Report two = ask(graph, algorithm, settings);
      CHECK_FOR(one.stats.nodes == two.stats.nodes && one.stats.moves == two.stats.moves, graph);
    }
  }
}

TEST(the_agent_of_the_most_proving_node_alone_is_pns) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20; ++i) {
    const std::string graph = random_graph(random, i % 2 == 0);
    for (const char* form : {"tree", "dag"}) {
      const Report alone = ask(graph, "pns", {{"form", form}});
      const Report team = ask(graph, "pns", {{"form", form}, {"agents", "1"}});
      CHECK_FOR(alone.stats.nodes == team.stats.nodes, graph);
      CHECK_FOR(alone.stats.moves == team.stats.moves, graph);
    }
  }
}

TEST(several_agents_cannot_mark_one_path) {
  const std::string cycle = "a: or b\nb: and a c\nc: win\n";
  CHECK_THROWS(ask(cycle, "pns", {{"form", "base-twin"}, {"agents", "2"}}), OptionError);
  CHECK_THROWS(ask(cycle, "dfpn", {{"scheduler", "pn-dfpn"}, {"agents", "2"}, {"refine", "1"}}),
               OptionError);
  CHECK(ask("a: or b\nb: win\n", "pns", {{"form", "base-twin"}, {"agents", "2"}}).bounds.proven());
}

// What jobs solve on their line only is not in the table, and must be found again.
TEST(certificates_come_from_what_jobs_have_stored) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 40; ++i) {
    const std::string graph = random_graph(random, true);
    Request request =
        request_for("dfpn", {{"scheduler", "pn-dfpn"}, {"job_nodes", "3"}, {"agents", "4"}});
    request.certificate = [](std::string_view) {};
    const Report report = graph_driver(graph)->solve(request);
    CHECK_FOR(report.bounds.solved() && report.certificate_limit == Limit::none, graph);
  }
}

}  // namespace
}  // namespace andorra
