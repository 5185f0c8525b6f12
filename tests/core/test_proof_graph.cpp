// The graph of best-first search where nodes lead to each other in circles: what is freed, what is
// disproven on a path, and what no leaf can prove.
#include <vector>

#include "check.hpp"
#include "search/came_back.hpp"
#include "search/graph_closure.hpp"
#include "search/path_marks.hpp"
#include "search/path_view.hpp"

namespace andorra {
namespace {

// Nodes 0 to `or_nodes.size()` - 1, all open and findable.
struct Kit {
  ProofGraph graph{64};

  explicit Kit(const std::vector<bool>& or_nodes) {
    for (std::size_t i = 0; i < or_nodes.size(); ++i) {
      ProofNode node;
      node.key = {i, i};
      node.or_node = or_nodes[i];
      node.shared = true;
      graph.add(node);
    }
  }

  void connect(NodeId from, const std::vector<NodeId>& to) {
    std::vector<ProofEdge> edges;
    for (NodeId child : to) edges.push_back({.child = child, .move = 10 * from + child});
    graph.connect(from, edges);
  }
};

TEST(circles_are_collected_and_the_root_is_kept) {
  Kit kit({true, false, true, false});
  kit.connect(0, {1});
  kit.connect(1, {2});
  kit.connect(2, {1, 0, 3});
  CHECK(kit.graph.prune(0) == 0);  // 1 and 2 keep each other
  CHECK(kit.graph.collect() == 3);
  CHECK(kit.graph.nodes() == 1 && kit.graph[kRoot].in_use && !kit.graph[kRoot].expanded());
  CHECK(kit.graph.find({0, 0}) == kRoot && kit.graph.find({2, 2}) == kNoNode);
  CHECK(kit.graph[kRoot].parents == kNoEdge);
  CHECK(kit.graph.collect() == 0);
}

TEST(a_way_round_leads_from_the_root_once_around) {
  Kit kit({true, false, true, false, true});
  kit.connect(0, {4, 1});
  kit.connect(1, {3, 2});
  kit.connect(2, {3, 4});
  CHECK(way_round(kit.graph).empty());  // 3 and 4 are met twice, which is no circle
  kit.connect(3, {1});
  CHECK((way_round(kit.graph) == std::vector<Move>{1, 13, 31}));
}

TEST(a_way_round_that_the_root_does_not_reach_is_none) {
  Kit kit({true, false, true});
  kit.connect(1, {2});
  kit.connect(2, {1});
  CHECK(way_round(kit.graph).empty());
  CHECK(kit.graph.collect() == 2);
}

TEST(the_root_outlives_its_last_parent) {
  Kit kit({true, false});
  kit.connect(0, {1});
  kit.connect(1, {0});
  CHECK(kit.graph.prune(0) == 1);
  CHECK(kit.graph.nodes() == 1 && kit.graph.find({0, 0}) == kRoot);
}

TEST(an_edge_can_lead_elsewhere) {
  Kit kit({true, false, true});
  kit.connect(0, {1});
  kit.connect(1, {0, 2});
  const EdgeId back = kit.graph[1].first;
  kit.graph.redirect(back, 2);
  CHECK(kit.graph.edge(back).child == 2 && kit.graph[0].parents == kNoEdge);
  CHECK(kit.graph[2].parents == back && kit.graph.edge(back).next == back + 1);
  CHECK(kit.graph.prune(1) == 1);
}

TEST(marks_go_with_the_position_they_rest_on) {
  Kit kit({true, true, true, true, true});
  PathMarks marks(kit.graph);
  ProofGraph& graph = kit.graph;
  for (NodeId id : {0u, 1u, 2u}) {
    graph[id].agents = 1;
    marks.enter(id);
  }
  marks.add(3, 0, 0);
  marks.add(4, 0, 1);
  CHECK(PathMarks::lost(graph[2], graph[1]) && !PathMarks::lost(graph[1], graph[2]));
  CHECK(PathMarks::lost(graph[2], graph[3]) && PathMarks::lost(graph[1], graph[4]));
  CHECK(PathMarks::lost(graph[0], graph[3]) && !PathMarks::lost(graph[0], graph[4]));
  CHECK(!PathMarks::lost(graph[4], graph[3]));  // not on the path
  for (NodeId id : {2u, 1u}) {
    CHECK(graph[4].rests_on == 0);
    graph[id].agents = 0;
    marks.leave(id);
    CHECK(graph[id].rests_on == kRestsOnNothing && graph[3].rests_on == 0);
  }
  CHECK(graph[4].rests_on == kRestsOnNothing);
  marks.leave(0);
  CHECK(graph[3].rests_on == kRestsOnNothing);
}

// 0 -> 1 -> 2 -> {0, 1}; 2 is the refuter's or the prover's.
TEST(a_view_says_what_a_disproof_rests_on) {
  for (const bool or_node : {false, true}) {
    Kit kit({true, true, or_node});
    kit.connect(0, {1});
    kit.connect(1, {2});
    kit.connect(2, {0, 1});
    PathMarks marks(kit.graph);
    const PathView view(kit.graph, false, true);
    const ProofNode& last = kit.graph[2];
    CHECK(!view.back_up_of(last).won() && !view.back_up_of(last).lost());
    for (NodeId id : {0u, 1u, 2u}) {
      kit.graph[id].agents = 1;
      marks.enter(id);
    }
    CHECK(or_node ? view.back_up_of(last).lost() : view.back_up_of(last).won());
    const Reason reason = view.reason_of(last);
    CHECK(reason.rests_on == (or_node ? 0 : 1) && reason.until == 1);
    CHECK(!view.plain(last).won() && !view.plain(last).lost());
  }
}

TEST(what_no_leaf_can_prove_is_dead) {
  Kit kit({true, false, true, false, true, true});
  kit.connect(0, {1, 3});
  kit.connect(1, {2, 5});  // needs 2, which leads back only
  kit.connect(2, {1});
  kit.connect(3, {4, 5});
  kit.connect(4, {0, 5});
  const GraphClosure closure(kit.graph);
  CHECK((closure.dead() == std::vector<NodeId>{1, 2}));
  CHECK(closure.alive(0) && !closure.alive(1) && closure.alive(5));
  CHECK(closure.earlier(5, 4) && closure.earlier(4, 3) && closure.earlier(3, 0));
}

}  // namespace
}  // namespace andorra
