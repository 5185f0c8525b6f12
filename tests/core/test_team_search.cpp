// Turns of simulated agents, with agents that only count: when they end, and what is made of that.
#include <cstddef>
#include <cstdint>
#include <memory>

#include "check.hpp"
#include "limits.hpp"
#include "parallel/team_search.hpp"
#include "stats.hpp"

namespace andorra {
namespace {

// Visits until it is told to end, or gives up.
class Counter {
 public:
  Counter(Monitor& chief, bool first, std::uint64_t patience, Bounds its)
      : monitor(chief, first, 1), patience_(patience), bounds_(its) {}

  void begin() {}
  void search() {
    while (advance()) continue;
  }

  bool advance() {
    if (ended_) return false;
    if (stats.nodes == patience_) monitor.end(Limit::memory);
    if (monitor.reached() != Limit::none) return false;
    ++stats.nodes;
    return true;
  }

  void end() { ended_ = true; }
  Bounds result() const { return bounds_; }
  std::size_t bytes() const { return 0; }

  Monitor monitor;
  Stats stats;

 private:
  const std::uint64_t patience_;
  const Bounds bounds_;
  bool ended_ = false;
};

constexpr std::uint64_t kForLong = 20'000;

// What agents visit that are interrupted when somebody has looked `looks` times; the first of them
// has little patience.
std::uint64_t visits_until_interrupted(std::size_t agents, int looks, std::uint64_t patience) {
  int looked = 0;
  Monitor monitor({}, nullptr, [&] { return ++looked >= looks; });
  TeamSearch<Counter> team(monitor, agents, [&](std::size_t i) {
    return std::make_unique<Counter>(monitor, i == 0, i == 0 ? patience : kForLong, Bounds{});
  });
  team.run_in_turns(1);
  CHECK(monitor.reached() == Limit::interrupted);
  std::uint64_t visits = 0;
  for (const Stats& stats : team.stats()) visits += stats.nodes;
  return visits;
}

TEST(somebody_looks_around_when_the_first_agent_has_given_up) {
  CHECK(visits_until_interrupted(2, 3, 10) < 4 * Monitor::kPollInterval);
}

TEST(many_agents_are_interrupted_as_soon_as_one) {
  CHECK(visits_until_interrupted(4'096, 3, kForLong) < 4 * Monitor::kPollInterval);
}

TEST(agents_at_long_work_look_around) {
  int looked = 0;
  Monitor chief({}, nullptr, [&] { return ++looked >= 1; });
  Monitor first(chief, true, 2), second(chief, false, 2);
  second.watch();
  CHECK(looked == 0 && second.reached() == Limit::none);
  first.watch();
  CHECK(looked == 1 && first.reached() == Limit::interrupted);
  second.watch();
  CHECK(second.reached() == Limit::interrupted);
}

TEST(any_agent_sees_that_the_time_is_up) {
  Limits limits;
  limits.seconds = 0;
  Monitor chief(limits, nullptr, nullptr);
  Monitor second(chief, false, 2);
  second.watch();
  CHECK(second.reached() == Limit::seconds && chief.reached() == Limit::seconds);
}

TEST(an_agent_that_goes_on_knows_more_than_one_that_gave_up) {
  Monitor monitor({}, nullptr, nullptr);
  TeamSearch<Counter> team(monitor, 2, [&](std::size_t i) {
    const Bounds its = i == 0 ? Bounds{1, 1} : Bounds{30, 4};
    return std::make_unique<Counter>(monitor, i == 0, i == 0 ? 10 : 500, its);
  });
  CHECK(team.run_in_turns(1) == (Bounds{30, 4}));
  CHECK(monitor.reached() == Limit::memory);
}

}  // namespace
}  // namespace andorra
