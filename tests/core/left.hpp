// A graph, and what a search left of it in its table: for tests of what is made of that.
#pragma once

#include <cstdint>
#include <string_view>

#include "certificate/gaps.hpp"
#include "games/graph.hpp"

namespace andorra {

class Left {
 public:
  explicit Left(std::string_view graph) : game_("", graph) {}

  void proven(std::string_view node, std::uint16_t move = kNoMove, std::uint32_t work = 1) {
    Graph other = game_;
    other.parse(node);
    table_.store(other.key(), {kProven, work, move});
  }

  Problem<Graph>& problem() { return problem_; }
  Gaps<Graph>& gaps() { return gaps_; }
  std::uint64_t searches() const { return stats_.searched_again; }
  Limit reached() const { return monitor_.reached(); }
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

}  // namespace andorra
