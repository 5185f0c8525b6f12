// An agent of a team (parallel/team_search.hpp) that is a whole df-pn search of the root.
#pragma once

#include <cstddef>

#include "limits.hpp"
#include "options.hpp"
#include "question.hpp"
#include "search/dfpn.hpp"
#include "search/side_tables.hpp"
#include "search/team.hpp"
#include "stats.hpp"
#include "table/table.hpp"

namespace andorra {

inline Scheduler scheduler_of(const Options& options) {
  return options.text("scheduler") == "jobs" ? Scheduler::by_jobs : Scheduler::by_virtual_numbers;
}

template <Game G>
class DfPnAgent {
 public:
  // `memory` is for all agents, who are so many.
  DfPnAgent(const Problem<G>& its, Table& table, Monitor& chief, const Options& options, Team& team,
            std::size_t number, std::size_t agents, std::size_t memory)
      : monitor(chief, number == 0, agents),
        team_(team),
        game_(its.game()),
        problem_(game_, its.question()),
        side_(problem_, options, memory / 4 / agents),
        dfpn_(problem_, table, side_, monitor, stats, options, memory / agents, &team) {}

  void begin() { dfpn_.begin(); }
  bool advance() { return dfpn_.advance(); }
  void search() { dfpn_.search(); }
  void end() { team_.end(); }
  Bounds result() const { return dfpn_.result().bounds; }
  std::size_t bytes() const { return dfpn_.bytes() + side_.bytes(); }

  Monitor monitor;
  Stats stats;

 private:
  Team& team_;
  G game_;
  Problem<G> problem_;
  SideTables<G> side_;
  DfPn<G> dfpn_;
};

}  // namespace andorra
