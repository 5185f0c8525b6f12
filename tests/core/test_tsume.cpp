// Shogi problems searched whole, alone and by teams: the sanitizers see the search step on the game
// that asks most of it (groups, guesses, dominance, repetitions, looks ahead).
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "certified.hpp"
#include "check.hpp"
#include "games/tsume.hpp"
#include "parallel/dfpn_agent.hpp"
#include "parallel/pn_dfpn.hpp"
#include "parallel/team_search.hpp"
#include "parallel/tree_agent.hpp"

namespace andorra {
namespace {

struct Case {
  const char* position;
  bool mate;
};

// From the random problems of tests/random_tsume.py. The verdicts are those of this search, with
// certificates that the trusted checker accepts.
constexpr Case kProblems[] = {
    {"9/9/9/9/9/2r6/2+s6/SL7/KL7 w BPb4gnl 1", true},
    {"5nk2/9/6G2/2B6/9/9/9/9/9 w 2RS 1 attacker=b", true},
    {"9/8k/9/9/9/8+L/9/9/9 b R2BNp 1", true},
    {"5kp2/4s1s+S1/4nnl2/4R4/9/9/9/9/9 b SN2Pgl 1", false},
    {"9/6+L1k/9/9/9/9/9/9/9 b GSNPg 1", false},
};

TEST(problems_with_and_without_a_mate_are_told_apart) {
  for (const auto& [position, mate] : kProblems) {
    for (const std::size_t cells : {512, 100'000}) {
      Tsume game("");
      game.parse(position);
      const Certified found = search_and_certify(game, Side::first, cells);
      CHECK_FOR(found.bounds.solved(), position);
      CHECK_FOR(found.bounds.proven() == mate, position);
      CHECK_FOR(found.entries > 0, position);
    }
  }
}

constexpr std::size_t kThreads = 3;

// make(i) makes agent i.
template <class Agent, class Make>
Bounds in_threads(Table& table, Monitor& monitor, Make&& make) {
  table.share();
  return TeamSearch<Agent>(monitor, kThreads, make).run_in_threads();
}

Certified by_agents(Tsume& game, std::size_t cells, Scheduler scheduler) {
  const auto search = [&](auto& problem, Table& table, auto&, Monitor& monitor, Options& options,
                          std::size_t memory) {
    options.set("exchange", "1");
    Team team(scheduler, false, kThreads, memory);
    return in_threads<DfPnAgent<Tsume>>(table, monitor, [&](std::size_t i) {
      return std::make_unique<DfPnAgent<Tsume>>(problem, table, monitor, options, team, i, kThreads,
                                                memory);
    });
  };
  return certified(game, Side::first, cells, search);
}

Certified by_jobs_below_a_tree(Tsume& game, std::size_t cells) {
  using Agent = TreeAgent<Tsume, PnDfPn<Tsume>>;
  const auto search = [](auto& problem, Table& table, auto&, Monitor& monitor, Options& options,
                         std::size_t memory) {
    options.set("job_nodes", "20");
    JobTree tree(options, form_of_job_tree(problem, options), problem.acyclic(), memory);
    std::mutex mutex;
    return in_threads<Agent>(table, monitor, [&](std::size_t i) {
      const auto make = [&](auto& its, Monitor& its_monitor, Stats& stats) {
        return PnDfPn<Tsume>(its, table, its_monitor, stats, options, tree, memory, i);
      };
      return std::make_unique<Agent>(problem, monitor, mutex, i, kThreads, false, make);
    });
  };
  return certified(game, Side::first, cells, search);
}

TEST(threads_tell_problems_with_and_without_a_mate_apart) {
  constexpr std::size_t kCells = 1024;  // so few that the table forgets
  for (const auto& [position, mate] : kProblems) {
    Tsume game("");
    game.parse(position);
    for (const Certified& found :
         {by_agents(game, kCells, Scheduler::by_virtual_numbers),
          by_agents(game, kCells, Scheduler::by_jobs), by_jobs_below_a_tree(game, kCells)}) {
      CHECK_FOR(found.bounds == (mate ? kProven : kDisproven), position);
      CHECK_FOR(found.entries > 0, position);
    }
  }
}

DfPn<Tsume>::Result searched(Tsume& game, Table& table) {
  constexpr std::size_t kMemory = std::size_t{1} << 20;
  Options options;
  for (const auto& [name, value] : Tsume::kDefaults) options.set_default(name, value);
  Problem<Tsume> problem(game, Question{});
  SideTables<Tsume> side(problem, options, kMemory);
  Monitor monitor(Limits{}, nullptr, {});
  Stats stats;
  return DfPn<Tsume>(problem, table, side, monitor, stats, options, kMemory).search();
}

// Whether the move of this index leaves a mate, by a search that knows of nothing else.
bool mates_after(Tsume game, std::uint16_t index) {
  MoveList moves;
  game.moves(moves);
  if (index >= moves.size()) return false;
  game.play(moves[index]);
  Table table(4096);
  return searched(game, table).bounds.proven();
}

struct Hands {
  const char* few;
  const char* more;  // the same, but for what the defender held and the attacker has now
};

// With more pieces there are more drops, so the stored move has another index.
constexpr Hands kHands[] = {
    {"6lk1/6R2/6p2/6lll/7+R1/9/9/9/9 b Gp 1", "6lk1/6R2/6p2/6lll/7+R1/9/9/9/9 b GP 1"},
    {"4kl3/4ps3/2N+S5/9/9/9/9/9/9 b Rgn 1", "4kl3/4ps3/2N+S5/9/9/9/9/9/9 b RNg 1"},
    {"1G7/kBb6/9/9/9/4L4/9/9/9 b 2G2s 1", "1G7/kBb6/9/9/9/4L4/9/9/9 b 2GSs 1"},
    {"9/9/9/9/9/9/9/9/5+b2K w SP2gn 1", "9/9/9/9/9/9/9/9/5+b2K w S2gnp 1"},
};

TEST(a_root_that_is_known_by_fewer_pieces_has_a_move_of_its_own) {
  for (const auto& [few, more] : kHands) {
    Tsume game("");
    game.parse(few);
    Table table(4096);
    CHECK_FOR(searched(game, table).bounds.proven(), few);
    game.parse(more);
    Snapshot known;
    CHECK_FOR(Dominance<Tsume>(Side::first).find(table, game.key(), known), more);
    CHECK_FOR(known.bounds().proven() && known.entry().move != kNoMove, more);
    CHECK_FOR(!mates_after(game, known.entry().move), more);
    CHECK_FOR(mates_after(game, searched(game, table).move), more);
  }
}

}  // namespace
}  // namespace andorra
