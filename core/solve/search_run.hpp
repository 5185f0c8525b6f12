// The search of a solve call: which algorithm, with what memory, alone or as a team.
//
// The memory asked for is divided once, here:
//   depth first  3/4 table, 1/16 frames (whose buffers may double), 1/8 extraction, and from what
//                is left 1/64 for each of the two side tables; a team has its own from
//                what is left, and a part of the frames' to see each other by
//                with a tree above the table (scheduler=pn-dfpn) 5/8 table, 1/8 tree
//                with a second level (dfpn-pn, pds-pn) 1/2 table, 1/4 second level
//   best first   1/8 table (mopns: two), 5/8 graph, 1/16 line, 1/8 extraction
//   lambda, threat  1/2 table, 1/4 table of the selective search and 1/16 its frames, 1/16 frames,
//                1/8 extraction
//   alphabeta    3/4 table, 1/16 frames, 1/8 extraction
//   fixpoint     5/8 graph (whose buffers may double), 1/8 table for extraction, 1/8 extraction
// Invariant: afterwards the table, or the graph of fixpoint, has what solved the root.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "parallel/dfpn_agent.hpp"
#include "parallel/pn_dfpn.hpp"
#include "parallel/rp_pns.hpp"
#include "parallel/team_search.hpp"
#include "parallel/tree_agent.hpp"
#include "rules/expected_work.hpp"
#include "rules/product_propagation.hpp"
#include "rules/proof_sets.hpp"
#include "search/alphabeta.hpp"
#include "search/attackers.hpp"
#include "search/dfpn.hpp"
#include "search/fixpoint.hpp"
#include "search/mcpns.hpp"
#include "search/mcts_solver.hpp"
#include "search/measured_pns.hpp"
#include "search/mopns.hpp"
#include "search/pn2.hpp"
#include "search/pns.hpp"
#include "search/second_level.hpp"
#include "solve/any_game.hpp"

namespace andorra {

template <Game G>
class SearchRun {
 public:
  // The request's options are checked; `report` gets bounds and statistics.
  SearchRun(Problem<G>& problem, Monitor& monitor, Request& request, Report& report)
      : problem_(problem),
        monitor_(monitor),
        request_(request),
        report_(report),
        memory_(request.limits.memory) {}

  void run() {
    const std::string& algorithm = request_.algorithm;
    if (algorithm == "dfpn") return run_dfpn();
    if (algorithm == "pds") return run_variant({Family::pds});
    if (algorithm == "pn*") return run_variant({Family::pn_star});
    if (algorithm == "dfpn-pn") return run_two_levels(Family::dfpn);
    if (algorithm == "pds-pn") return run_two_levels(Family::pds);
    if (algorithm == "pns") return run_pns();
    if (algorithm == "pn2") return run_best_first<Pn2<G>>();
    if (algorithm == "pss") return run_measured<ProofSets>();
    if (algorithm == "pp") return run_measured<ProductPropagation>();
    if (algorithm == "ews") return run_measured<ExpectedWork>();
    if (algorithm == "mcts-solver") return run_best_first<MctsSolver<G>>(MctsSolver<G>::kMoreBytes);
    if (algorithm == "mcpns") return run_best_first<McPns<G>>();
    if (algorithm == "mopns") return run_mopns();
    if (algorithm == "alphabeta") return run_alphabeta();
    if (algorithm == "fixpoint") return run_fixpoint();
    if constexpr (HasPass<G>)
      if (algorithm == "lambda")
        return run_selective([](Attackers<G>& both) { return both.search_by_lambda(); });
    if constexpr (HasThreats<G>)
      if (algorithm == "threat")
        return run_selective([](Attackers<G>& both) { return both.search_by_threats(); });
    reject_algorithm();
  }

  Table& table() const { return *table_; }
  Solved& solved() { return *solved_; }
  SideTables<G>& side() { return *side_; }
  std::size_t side_memory() const { return side_memory_; }
  std::uint64_t collections_before() const { return collections_before_; }

 private:
  [[noreturn]] void reject_algorithm() const {
    const AlgorithmRow& row = algorithm_row(request_.algorithm);
    throw OptionError("the algorithm " + request_.algorithm + " needs a game with " +
                      std::string(row.needs) + ", of which there are: " + std::string(row.games));
  }

  void run_dfpn() {
    const bool team = asks_for_team();
    if (team && request_.options.text("scheduler") == "pn-dfpn") return run_pn_dfpn();
    if (!team) return run_variant({});
    make_table(memory_ / 4 * 3);
    run_dfpn_team();
  }

  void run_variant(Variant variant) {
    if (table_ == nullptr) make_table(memory_ / 4 * 3);
    DfPn<G> dfpn(problem_, *table_, *side_, monitor_, report_.stats, request_.options, memory_ / 16,
                 nullptr, variant);
    report_.bounds = dfpn.search().bounds;
    side_memory_ += dfpn.bytes() + side_->bytes();
  }

  // The second level has memory of its own, which the table cannot use up.
  void run_two_levels(Family family) {
    make_table(memory_ / 2);
    SecondLevel<G> second(problem_, *table_, monitor_, report_.stats, request_.options, SIZE_MAX,
                          memory_ / 4 / ProofGraph::kNodeBytes, memory_ / 32);
    run_variant({family, &second});
    side_memory_ += second.bytes();
  }

  // search(both) lets both sides attack; what that does not answer, df-pn does.
  template <class Search>
  void run_selective(Search&& search) {
    make_table(memory_ / 2);
    Attackers<G> both(problem_, *table_, monitor_, report_.stats, request_.options, memory_ / 4);
    report_.bounds = search(both);
    side_memory_ = both.bytes();
    const bool over = monitor_.reached() != Limit::none ||
                      monitor_.stop(report_.stats.nodes, [] { return Event{}; });
    if (!report_.bounds.solved() && !over) run_variant({});
  }

  bool asks_for_team() const { return takes_turns() || threads() != 1; }

  std::uint64_t threads() const {
    const std::uint64_t asked = request_.options.natural("threads");
    if (asked > 1 && !runs_in_parallel(problem_.game()))
      throw OptionError("threads=" + std::to_string(asked) +
                        ": Python runs rules that are a Python class one call at a time, so more "
                        "threads gain nothing; expected threads=1, or rules that are compiled, "
                        "with Numba or in C");
    return asked;
  }

  bool takes_turns() const { return request_.options.natural("agents") != 0; }

  std::size_t team_size() const {
    return request_.options.natural(takes_turns() ? "agents" : "threads");
  }

  void run_dfpn_team() {
    Team team(scheduler_of(request_.options), takes_turns(), team_size(), memory_ / 64);
    const std::size_t memory = memory_ / 16 - team.presence.bytes();
    run_team<DfPnAgent<G>>([&](std::size_t i) {
      return std::make_unique<DfPnAgent<G>>(problem_, *table_, monitor_, request_.options, team, i,
                                            team_size(), memory);
    });
    side_memory_ += team.presence.bytes();
  }

  void run_pn_dfpn() {
    make_table(memory_ / 8 * 5);
    JobTree tree(request_.options, form_of_job_tree(problem_, request_.options), problem_.acyclic(),
                 memory_ / 8);
    run_tree_team<PnDfPn<G>>(tree, memory_ / 16);
    side_memory_ += tree.bytes();
  }

  // What an agent needs beside its share of all that counts. For few it is nothing; thousands could
  // pass the limit on memory.
  static constexpr std::size_t bytes_of_agent() {
    constexpr std::size_t kSearch = std::size_t{16} << 10;
    if constexpr (requires { G::kBytesOfCopy; })
      return kSearch + G::kBytesOfCopy;
    else
      return kSearch;
  }

  void check_that_agents_fit() const {
    constexpr std::size_t kAlwaysFit = 8;
    const std::size_t most = std::max(kAlwaysFit, memory_ / 32 / bytes_of_agent());
    if (team_size() <= most) return;
    throw OptionError((takes_turns() ? "agents=" : "threads=") + std::to_string(team_size()) +
                      ": in the memory of this search there is room for " + std::to_string(most) +
                      "; expected fewer, or more memory");
  }

  // make(i) makes agent i.
  template <class Agent, class Make>
  void run_team(Make&& make) {
    check_that_agents_fit();
    table_->share();
    const double start = monitor_.seconds();
    TeamSearch<Agent> search(monitor_, team_size(), make);
    report_.bounds = takes_turns() ? search.run_in_turns(request_.options.natural("seed"))
                                   : search.run_in_threads();
    report_.agents = search.stats();
    for (Stats& agent : report_.agents) agent.wall_seconds = monitor_.seconds() - start;
    for (const Stats& agent : report_.agents) report_.stats.add(agent);
    report_.stats.cpu_seconds -= report_.agents.front().cpu_seconds;  // this thread's: see finish()
    side_memory_ += search.bytes();
  }

  void run_pns() {
    if (!asks_for_team()) return run_best_first<Pns<G>>();
    make_table(memory_ / 8);
    check_form();
    SharedGraph shared = make_graph(0, team_size() > 1);
    run_tree_team<RpPns<G>>(shared, memory_ / 16);
    side_memory_ += shared.graph.bytes();
  }

  template <class Measure>
  void run_measured() {
    run_best_first<MeasuredPns<G, Measure>>(Measure::bytes_a_node(request_.options));
  }

  // `more`: bytes that the search keeps for each node of its own.
  template <class Search>
  void run_best_first(std::size_t more = 0) {
    make_table(memory_ / 8);
    SharedGraph shared = make_graph(more, false);
    Search search(problem_, *table_, monitor_, report_.stats, request_.options, shared,
                  memory_ / 16);
    report_.bounds = search.search();
    side_memory_ = search.bytes() + shared.graph.bytes();
  }

  SharedGraph make_graph(std::size_t more, bool by_agents) {
    return SharedGraph(request_.options, form_of(request_.options.text("form")), problem_.acyclic(),
                       nodes_in_memory(more), by_agents);
  }

  std::size_t nodes_in_memory(std::size_t more) const {
    constexpr std::size_t kMostNodes = 2'000'000'000;  // an EdgeId has 32 bits
    const std::size_t room = memory_ / 8 * 5 / (ProofGraph::kNodeBytes + more);
    return size("tree_nodes", std::min(room, kMostNodes));
  }

  // Where all paths share nodes, one path at a time can be marked in them.
  void check_form() {
    request_.options.set_default("form", "dag");
    const std::string form(request_.options.text("form"));
    if (!problem_.acyclic() && form_of(form) >= Form::merge)
      throw OptionError("form=" + form + " is for one agent where positions repeat; expected " +
                        "form=tree or form=dag, or no threads and agents");
  }

  // Agents that are each a `Search` on one graph.
  template <class Search, class Shared>
  void run_tree_team(Shared& shared, std::size_t memory) {
    using Agent = TreeAgent<G, Search>;
    std::mutex mutex;
    run_team<Agent>([&](std::size_t i) {
      const auto make = [&](Problem<G>& problem, Monitor& monitor, Stats& stats) {
        return Search(problem, *table_, monitor, stats, request_.options, shared,
                      memory / team_size(), i);
      };
      return std::make_unique<Agent>(problem_, monitor_, mutex, i, team_size(), takes_turns(),
                                     make);
    });
  }

  // It finds the value, so it fills the tables of both questions; a series keeps the other's. With
  // two outcomes it is pns, to which games with cycles are left as well.
  void run_mopns() {
    const Question& question = problem_.question();
    if (question.bounded || question.scored || !problem_.game().acyclic())
      return run_best_first<Pns<G>>();
    make_table(memory_ / 16);
    auto others = std::make_unique<Table>(Table::cells_in(memory_ / 16));
    const bool first = question.prover == Side::first;
    Mopns<G> search(problem_.game(), first ? *table_ : *others, first ? *others : *table_, monitor_,
                    report_.stats, nodes_in_memory(Mopns<G>::kMoreBytes));
    search.search(question.prover);
    report_.bounds = search.answer(question.prover);
    side_memory_ = search.bytes() + others->bytes();
    if (request_.series != nullptr)
      request_.series->keep(other(question.prover), std::move(others));
  }

  void run_alphabeta() {
    make_table(memory_ / 4 * 3);
    AlphaBeta<G> search(problem_, *table_, monitor_, report_.stats, request_.options, memory_ / 16);
    report_.bounds = search.search();
    side_memory_ = search.bytes();
  }

  void run_fixpoint() {
    make_table(memory_ / 8);
    auto fixpoint =
        std::make_unique<Fixpoint<G>>(problem_, monitor_, report_.stats, memory_ / 8 * 5);
    report_.bounds = fixpoint->search();
    side_memory_ = fixpoint->bytes();
    if (report_.bounds.solved()) solved_ = std::move(fixpoint);
  }

  void make_table(std::size_t bytes) {
    const auto make = [&] {
      return std::make_unique<Table>(size("table_entries", Table::cells_in(bytes)),
                                     request_.options.real("gc_fraction"), forgetting());
    };
    if (request_.table != nullptr)
      table_ = request_.table;
    else if (request_.series != nullptr)
      table_ = &request_.series->table_for(request_.question, make);
    else
      table_ = (own_table_ = make()).get();
    collections_before_ = table_->collections();
    solved_ = std::make_unique<SolvedInTable>(*table_);
    side_ = std::make_unique<SideTables<G>>(problem_, request_.options, memory_ / 64);
  }

  Forgetting forgetting() const {
    const std::string_view gc = request_.options.text("gc");
    if (gc == "replace") return Forgetting::replace;
    return gc == "both" ? Forgetting::both : Forgetting::small_tree;
  }

  // A size asked for by an option, or all that there is room for.
  std::size_t size(std::string_view option, std::size_t room) const {
    const std::uint64_t asked = request_.options.natural(option);
    if (asked == 0) return room;
    const std::string text = std::string(option) + "=" + std::to_string(asked);
    if (asked < Table::kSmallest) throw OptionError(text + ": expected 0 or at least 64");
    if (asked > room)
      throw OptionError(text + ": the memory limit has room for " + std::to_string(room));
    return asked;
  }

  Problem<G>& problem_;
  Monitor& monitor_;
  Request& request_;
  Report& report_;
  const std::size_t memory_;
  std::size_t side_memory_ = 0;
  std::uint64_t collections_before_ = 0;  // of a table that was there
  std::unique_ptr<Table> own_table_;
  Table* table_ = nullptr;
  std::unique_ptr<Solved> solved_;
  std::unique_ptr<SideTables<G>> side_;
};

}  // namespace andorra
