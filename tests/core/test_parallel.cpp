// Several agents on one table: what the thread sanitizer runs.
#include <atomic>
#include <barrier>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "check.hpp"
#include "random_graph.hpp"
#include "search/presence.hpp"
#include "search/shared_frames.hpp"
#include "table/table.hpp"
#include "team_kit.hpp"

namespace andorra {
namespace {

// Keys and what is stored for them follow from a number, so whatever is found can be checked.
Key key_of(std::uint64_t id) {
  return {id * 0x9e3779b97f4a7c15ULL, id * 0xbf58476d1ce4e5b9ULL};
}

bool is_solved(std::uint64_t id) {
  return id % 3 == 0;
}

Entry entry_of(std::uint64_t id, std::uint32_t work) {
  const Bounds bounds = is_solved(id) ? kProven : Bounds{static_cast<Number>(1 + id % 100), 7};
  return {bounds, work, static_cast<std::uint16_t>(id % 1000)};
}

// Stores, or finds and compares, as chance will have it. Returns how many entries were found wrong.
std::size_t use(Table& table, std::uint64_t seed, std::uint64_t keys, int times) {
  std::mt19937_64 random(seed);
  std::size_t wrong = 0;
  for (int i = 0; i < times; ++i) {
    const std::uint64_t id = random() % keys;
    if (random() % 2 == 0) {
      table.store(key_of(id), entry_of(id, 1 + random() % 50));
      continue;
    }
    Entry found;
    if (!table.find(key_of(id), found)) continue;
    const Entry expected = entry_of(id, found.work);
    wrong += found.bounds != expected.bounds || found.move != expected.move;
  }
  return wrong;
}

std::size_t use_in_threads(Table& table, std::uint64_t keys, int times, std::uint64_t count = 4) {
  table.share();
  std::atomic<std::size_t> wrong = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t seed = 0; seed < count; ++seed)
    threads.emplace_back([&, seed] { wrong += use(table, seed, keys, times); });
  for (std::thread& thread : threads) thread.join();
  return wrong;
}

TEST(threads_that_grow_a_table_lose_nothing) {
  constexpr std::uint64_t kKeys = 100'000;
  Table table(1 << 18);  // so large that several threads have something to move
  CHECK(use_in_threads(table, kKeys, 200'000) == 0);
  CHECK(table.collections() == 0);
  std::size_t found = 0;
  for (std::uint64_t id = 0; id < kKeys; ++id) found += table.holds(key_of(id));
  CHECK(found == table.used());
  CHECK(found > kKeys * 9 / 10);
}

TEST(threads_that_make_a_table_forget_find_no_wrong_entry) {
  for (const auto forgetting : {Forgetting::small_tree, Forgetting::replace, Forgetting::both}) {
    Table table(256, 0.3, forgetting);
    CHECK(use_in_threads(table, 2'000, 30'000) == 0);
    CHECK(table.collections() > 0);
    CHECK(table.used() <= table.capacity());
  }
}

// Each could fill a cell before any counts it: then there would be no empty one to end at.
TEST(more_threads_than_a_table_has_empty_cells_do_not_fill_it) {
  for (const auto forgetting : {Forgetting::small_tree, Forgetting::replace, Forgetting::both}) {
    Table table(Table::kSmallest, 0.05, forgetting);
    CHECK(use_in_threads(table, 2'000, 2'000, 32) == 0);
    CHECK(table.used() < table.capacity());
    std::size_t found = 0;
    for (std::uint64_t id = 0; id < 2'000; ++id) found += table.holds(key_of(id));
    CHECK(found == table.used());
  }
}

// So large a table is one whose cells threads count in purses of their own, if there are enough.
void fill_and_count() {
  constexpr std::uint64_t kKeys = 187'500;
  Table table(1 << 17);
  for (std::uint64_t id = 0; id < 93'750; ++id) table.store(key_of(id), entry_of(id, 1));
  CHECK(table.collections() == 0);
  CHECK(use_in_threads(table, kKeys, 10'000, 40) == 0);
  CHECK(table.capacity() == 1 << 17);
  CHECK(table.collections() > 0);
  std::size_t found = 0;
  for (std::uint64_t id = 0; id < kKeys; ++id) found += table.holds(key_of(id));
  CHECK(found == table.used());
  CHECK(found < table.capacity());
}

// Several times: while one thread forgot, two others could store the same key twice, in every tenth
// round with a sanitizer and in every hundredth without.
TEST(threads_that_fill_a_large_table_count_its_cells) {
  for (int round = 0; round < 12; ++round) fill_and_count();
}

std::size_t cells_with(const Table& table, Key key) {
  std::size_t cells = 0;
  table.each_alike(key, [&](const Snapshot&, Key its) {
    cells += its == key;
    return false;
  });
  return cells;
}

// All store the same keys, one after the other. One that replaces and one that fills an empty cell,
// or two that replace, once chose two cells.
TEST(threads_that_replace_store_no_key_twice) {
  constexpr int kThreads = 3;
  for (const Forgetting forgetting : {Forgetting::replace, Forgetting::both}) {
    Table table(256, 0.3, forgetting);
    table.share();
    std::size_t twice = 0;
    std::barrier all_here(kThreads);
    const auto store_all = [&](int thread) {
      for (std::uint64_t id = 0; id < 20'000; ++id) {
        all_here.arrive_and_wait();
        table.store(key_of(id), entry_of(id, 1));
        all_here.arrive_and_wait();
        if (thread == 0) twice += cells_with(table, key_of(id)) > 1;
      }
    };
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) threads.emplace_back(store_all, t);
    for (std::thread& thread : threads) thread.join();
    CHECK(twice == 0);
  }
}

TEST(an_entry_is_found_while_others_write_to_it) {
  constexpr std::uint64_t kId = 1;
  Table table(Table::kSmallest);
  table.share();
  table.store(key_of(kId), entry_of(kId, 1));
  std::atomic<bool> done = false;
  std::thread writer([&] {
    for (std::uint32_t work = 1; work <= 500'000; ++work)
      table.store(key_of(kId), entry_of(kId, work));
    done = true;
  });
  int looks = 0, missed = 0;
  Entry entry;
  for (bool found = true; !done; ++looks) {
    const bool found_before = found;
    found = table.find_though_written(key_of(kId), entry);
    missed += found_before && !found;  // once, if the writer has lost its core at a wrong moment
  }
  writer.join();
  CHECK(missed <= looks / 200);
}

TEST(an_open_entry_never_takes_the_place_of_a_solved_one) {
  Table table(1 << 12);
  table.share();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (std::uint64_t id = 0; id < 1'000; ++id)
        table.store(key_of(id), {t == static_cast<int>(id % 4) ? kProven : Bounds{2, 3}, 1});
    });
  for (std::thread& thread : threads) thread.join();
  std::size_t proven = 0;
  Entry entry;
  for (std::uint64_t id = 0; id < 1'000; ++id)
    proven += table.find(key_of(id), entry) && entry.bounds.proven();
  CHECK(proven == 1'000);
}

TEST(agents_agree_with_the_fixpoint) {
  std::mt19937_64 random(3);
  const std::vector<Settings> rooms{
      {{"table_entries", "64"}, {"guard", "20000"}},
      {{"table_entries", "64"}, {"guard", "20000"}, {"exchange", "1"}},
      {{"table_entries", "4096"}, {"guard", "20000"}, {"exchange", "1"}}};
  std::size_t answered = 0;
  for (int i = 0; i < 60; ++i) {
    const std::string graph = random_graph(random, i % 2 == 0);
    const Report truth = ask(graph, "fixpoint");
    for (const auto& team : kTeams) {
      for (Settings settings : rooms) {
        settings.push_back(team);
        const Report report = ask(graph, "dfpn", settings);
        if (!report.bounds.solved()) continue;
        ++answered;
        CHECK_FOR(report.bounds == truth.bounds, graph + text(settings));
      }
    }
  }
  CHECK(answered > 750);
}

// Of every node of the graph, by searches in four threads that share a table; how many agree with
// the fixpoint, and how many are open.
struct Shared {
  std::atomic<std::size_t> right = 0;
  std::atomic<std::size_t> open = 0;
};

void search_from_all_nodes(const std::string& graph, std::size_t cells, Shared& shared) {
  const std::vector<std::string> nodes = names_in(graph);
  Table table(cells);
  table.share();
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (std::size_t i = t; i < nodes.size(); i += 4) {
        Request request;
        request.position = nodes[i];
        request.limits.memory = std::size_t{4} << 20;
        request.limits.nodes = 100'000;
        request.options.set("guard", "20000");
        const auto game = graph_driver(graph);
        request.algorithm = "fixpoint";
        const Bounds truth = game->solve(request).bounds;
        request.algorithm = "dfpn";
        request.table = &table;
        const Bounds found = game->solve(request).bounds;
        shared.right += found == truth;
        shared.open += !found.solved();
      }
    });
  for (std::thread& thread : threads) thread.join();
}

// Each agent enters twice and leaves once, in a thread of its own.
void enter_in_threads(Presence& presence, Presence::Place place, std::size_t agents) {
  std::vector<std::thread> threads;
  for (std::size_t agent = 0; agent < agents; ++agent)
    threads.emplace_back([&, agent] {
      presence.enter(place, agent);
      presence.enter(place, agent);
      presence.leave(place, agent);
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(few_agents_and_many_are_counted_alike) {
  for (const bool has_views : {false, true}) {
    for (const std::size_t agents : {1, 2, 8, 9, 20}) {
      Presence presence(agents, has_views, 1 << 24);
      const Presence::Place place = presence.of(Key{12345, 0});
      enter_in_threads(presence, place, agents);
      CHECK(presence.below(place) == agents);
      CHECK(presence.departures(place) == agents);
      CHECK(presence.below(presence.root()) == 0);
      presence.announce(place, agents - 1);
      CHECK(presence.below(place) == agents);
      CHECK(presence.departures(place) == agents + 1);
      for (std::size_t agent = 0; agent < agents; ++agent) presence.leave(place, agent);
      CHECK(presence.below(place) == 0);
      CHECK(presence.departures(place) == 2 * agents + 1);
    }
  }
}

TEST(agents_see_each_other_by_little_memory_as_well) {
  for (const bool has_views : {false, true})
    for (const std::size_t agents : {1, 2, 8, 9, 4096})
      for (const std::size_t memory : {1 << 10, 1 << 14, 1 << 18}) {
        Presence presence(agents, has_views, memory);
        CHECK(presence.bytes() <= memory);
        CHECK(presence.of({UINT64_MAX, 0}) < presence.root());
      }
}

TEST(a_view_is_of_the_node_that_it_was_left_for) {
  Presence presence(1, true, 1 << 24);
  const Key shown{12345, 0};
  const Key neighbour{shown.board + (std::uint64_t{1} << 40), 0};
  const Presence::Place place = presence.of(shown);
  CHECK(presence.of(neighbour) == place);
  presence.enter(place, 0);
  presence.show(place, shown, kProven);
  Bounds seen;
  CHECK(presence.look(place, shown, seen) && seen == kProven);
  CHECK(!presence.look(place, neighbour, seen));
  presence.leave(place, 0);
  CHECK(!presence.look(place, shown, seen));
}

TEST(numbers_of_a_line_are_for_those_who_are_not_on_it) {
  Team team(Scheduler::by_virtual_numbers, true, 2, 1 << 20);
  Frames mine, theirs;
  SharedFrames me(mine, &team), other(theirs, &team);
  const auto open = [](Frames& frames, SharedFrames& shared, std::uint64_t id) {
    frames.open().key = key_of(id);
    shared.opened(VirtualNumbers::kLeastWork);
  };
  for (const std::uint64_t id : {1, 2, 3}) open(mine, me, id);
  CHECK(!me.has_onlookers(1) && !me.has_onlookers(2));
  open(theirs, other, 1);
  CHECK(me.has_onlookers(1) && !me.has_onlookers(2));
  open(theirs, other, 2);
  CHECK(!me.has_onlookers(1) && me.has_onlookers(2));
}

TEST(searches_of_different_roots_share_a_table) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 10; ++i) {
    const std::string graph = random_graph(random, i % 2 == 0);
    Shared ample, scarce;
    search_from_all_nodes(graph, 4096, ample);
    search_from_all_nodes(graph, 64, scarce);
    const std::size_t nodes = names_in(graph).size();
    CHECK_FOR(ample.right == nodes, graph);
    CHECK_FOR(scarce.right + scarce.open == nodes, graph);
  }
}

Settings few_cells(const std::string& agents) {
  return {{"table_entries", "64"}, {"guard", "20000"}, {"agents", agents}};
}

TEST(agents_that_take_turns_repeat_themselves) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 10; ++i) {
    const std::string graph = random_graph(random, true);
    const Report one = ask(graph, "dfpn", few_cells("5"));
    const Report two = ask(graph, "dfpn", few_cells("5"));
    CHECK(one.stats.nodes == two.stats.nodes && one.stats.moves == two.stats.moves);
  }
}

TEST(one_agent_alone_searches_as_without_a_team) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20; ++i) {
    const std::string graph = random_graph(random, i % 2 == 0);
    const Report alone = ask(graph, "dfpn", few_cells("0"));
    const Report team = ask(graph, "dfpn", few_cells("1"));
    CHECK_FOR(alone.stats.nodes == team.stats.nodes, graph);
  }
}

}  // namespace
}  // namespace andorra
