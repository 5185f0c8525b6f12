// Rules of df-pn in teams of every scheduler, which are to find what the fixpoint says. The thread
// sanitizer runs them, too.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "random_graph.hpp"
#include "team_kit.hpp"

namespace andorra {
namespace {

const std::vector<Settings> kRules{
    {},
    {{"ghi", "base-twin"}},
    {{"ghi", "discard"}},
    {{"double_count", "snda"}},
    {{"double_count", "nagai"}},
    {{"costs", "true"}},
    {{"groups", "largest"}},
    {{"groups", "in-turn"}},
    {{"gc", "replace"}},
    {{"gc", "both"}},
    {{"backup", "weighted"}, {"initial", "game"}},
    {{"simulation", "siblings"}},
    {{"simulation", "killer"}},
    {{"loops", "df-pn(r)"}},
    {{"closure", "false"}},
    {{"initial", "dfpn"}, {"leaf_nodes", "7"}},
    {{"refine", "2"}},
};

// Small jobs, so that a graph of 30 positions has a tree above them.
const std::vector<Settings> kSchedulers{
    {{"scheduler", "virtual"}},
    {{"scheduler", "virtual"}, {"exchange", "1"}},
    {{"scheduler", "jobs"}},
    {{"scheduler", "pn-dfpn"}, {"job_nodes", "3"}},
};

Settings all_of(Settings rule, const Settings& scheduler, const Settings::value_type& team,
                const char* cells) {
  rule.insert(rule.end(), scheduler.begin(), scheduler.end());
  rule.insert(rule.end(), {team, {"table_entries", cells}, {"guard", "20000"}});
  return rule;
}

// Each rule with each scheduler once a graph, and every time with another team in other room: ten
// graphs show all combinations of five teams, four those of two.
std::vector<Settings> settings_for(std::size_t turn, const Settings& teams,
                                   const std::vector<const char*>& rooms) {
  std::vector<Settings> all;
  for (const Settings& rule : kRules)
    for (const Settings& scheduler : kSchedulers) {
      const auto& team = teams[turn % teams.size()];
      const char* cells = rooms[turn++ / teams.size() % rooms.size()];
      const Settings both = all_of(rule, scheduler, team, cells);
      if (request_for("dfpn", both).options.conflict().empty()) all.push_back(both);
    }
  return all;
}

struct Answers {
  std::size_t asked = 0;
  std::size_t given = 0;
  std::size_t by_several = 0;  // several agents had a part in the search
};

void compare(const std::string& graph, const std::vector<Settings>& all, Answers& answers) {
  const Bounds truth = ask(graph, "fixpoint").bounds;
  for (const Settings& settings : all) {
    Request request = request_for("dfpn", settings);
    request.limits.nodes = 20'000;
    request.certificate = [](std::string_view) {};
    const Report report = graph_driver(graph)->solve(request);
    ++answers.asked;
    const auto busy = [](const Stats& agent) { return agent.expansions > 1; };
    answers.by_several += std::count_if(report.agents.begin(), report.agents.end(), busy) > 1;
    if (!report.bounds.solved()) continue;
    ++answers.given;
    CHECK_FOR(report.bounds == truth, graph + text(settings));
    CHECK_FOR(report.certificate_limit == Limit::none, graph + text(settings));
  }
}

TEST(rules_in_teams_agree_with_the_fixpoint) {
  std::mt19937_64 random(13);
  Answers answers;
  for (std::size_t i = 0; i < 20; ++i) {
    const std::string graph = with_hints(random, random_graph(random, i % 4 != 0));
    compare(graph, settings_for(i, kTeams, {"64", "4096"}), answers);
  }
  CHECK(answers.given > answers.asked * 9 / 10);
}

// A small graph is solved before the second thread has started.
TEST(rules_in_threads_agree_with_the_fixpoint_of_larger_graphs) {
  std::mt19937_64 random(17);
  Answers answers;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string graph = with_hints(random, random_layers(random, 12, 20, i % 4 != 0));
    compare(graph, settings_for(i, {{"threads", "2"}, {"threads", "4"}}, {"128", "4096"}), answers);
  }
  CHECK(answers.given > answers.asked * 3 / 4);
  CHECK(answers.by_several > 0);
}

}  // namespace
}  // namespace andorra
