// One solve call: search, then the main line, then the certificate, then a shorter line if asked
// for, under one set of limits.
//
// The memory asked for is divided once, here:
//   dfpn      3/4 table, 1/16 frames (whose buffers may double), 1/8 extraction, and from what is
//             left 1/64 for each of the three side tables
//             with a tree above the table (scheduler=pn-dfpn) 5/8 table, 1/8 tree
//   pns       1/8 table, 5/8 graph, 1/16 line, 1/8 extraction
//   fixpoint  5/8 graph (whose buffers may double), 1/8 table for extraction, 1/8 extraction
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "certificate/disproof.hpp"
#include "certificate/line.hpp"
#include "certificate/proof.hpp"
#include "certificate/short_line.hpp"
#include "parallel/dfpn_agent.hpp"
#include "parallel/pn_dfpn.hpp"
#include "parallel/rp_pns.hpp"
#include "parallel/team_search.hpp"
#include "parallel/tree_agent.hpp"
#include "search/dfpn.hpp"
#include "search/fixpoint.hpp"
#include "search/pns.hpp"
#include "solve/rules_by_text.hpp"

namespace andorra {

// Adds the game's own defaults to what the user asks for. Returns those that hold.
template <Game G>
std::vector<std::pair<std::string, std::string>> set_defaults(Options& asked) {
  std::vector<std::pair<std::string, std::string>> added;
  if constexpr (HasDefaults<G>)
    for (const auto& [name, value] : G::kDefaults)
      if (asked.set_default(name, value)) added.emplace_back(name, value);
  return added;
}

template <Game G>
class Solve {
 public:
  Solve(G& game, const Request& request)
      : request_(request),
        memory_(request.limits.memory),
        problem_(game, request.question),
        monitor_(request.limits, request.tracer, request.interrupted) {}

  Report run() {
    const double start = cpu_seconds();
    report_.position = problem_.game().format();
    check_options();
    until_interrupted([&] { search(); });
    report_.limit = monitor_.reached();
    if (report_.bounds.solved() && !report_.unsound) until_interrupted([&] { explain(); });
    if (report_.bounds.solved()) report_.certificate_limit = monitor_.reached();
    if (wants_short_line()) until_interrupted([&] { shorten(); });
    finish(start);
    leave_to_series();
    return report_;
  }

 private:
  void check_options() {
    set_defaults<G>(request_.options);
    request_.options.check_conflicts();
    if (request_.table != nullptr) check_suits_shared_table();
    const std::string unsafe = request_.options.unsafe_setting();
    if (unsafe.empty() || problem_.acyclic()) return;
    if (!request_.options.flag("unsafe"))
      throw OptionError(unsafe + " may be wrong or never end where positions repeat; expected " +
                        "another value, or unsafe=true as well");
    report_.unsound = true;
  }

  // Others believe what is in it, and its size is given.
  void check_suits_shared_table() const {
    for (const std::string_view name : {"table_entries", "gc", "gc_fraction"})
      if (request_.options.is_set(name))
        throw OptionError("option " + std::string(name) + ": a table that was given is as it is");
    if (request_.options.flag("unsafe"))
      throw OptionError(
          "unsafe=true: what is found may be wrong, and other searches on the same "
          "table would believe it");
  }

  void leave_to_series() {
    if (request_.series == nullptr) return;
    request_.series->learn(report_.bounds);
    if (report_.unsound) request_.series->forget();
  }

  template <class Work>
  void until_interrupted(Work&& work) {
    try {
      work();
    } catch (const Interrupted&) {
      monitor_.end(Limit::interrupted);
    }
  }

  void search() {
    if (request_.algorithm == "dfpn") return run_dfpn();
    if (request_.algorithm == "pns") return run_pns();
    if (request_.algorithm == "fixpoint") return run_fixpoint();
    throw OptionError("unknown algorithm '" + request_.algorithm + "'");
  }

  void run_dfpn() {
    const bool team = asks_for_team();
    if (team && request_.options.text("scheduler") == "pn-dfpn") return run_pn_dfpn();
    make_table(memory_ / 4 * 3);
    if (team) return run_dfpn_team();
    DfPn<G> dfpn(problem_, *table_, *side_, monitor_, report_.stats, request_.options,
                 memory_ / 16);
    report_.bounds = dfpn.search().bounds;
    side_memory_ = dfpn.bytes() + side_->bytes();
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
    Team team(scheduler_of(request_.options), takes_turns(), team_size());
    run_team<DfPnAgent<G>>([&](std::size_t i) {
      return std::make_unique<DfPnAgent<G>>(problem_, *table_, monitor_, request_.options, team, i,
                                            team_size(), memory_ / 16);
    });
  }

  void run_pn_dfpn() {
    make_table(memory_ / 8 * 5);
    JobTree tree(request_.options, form_of_job_tree(problem_, request_.options), problem_.acyclic(),
                 memory_ / 8);
    run_tree_team<PnDfPn<G>>(tree, memory_ / 16);
    side_memory_ += tree.bytes();
  }

  // make(i) makes agent i.
  template <class Agent, class Make>
  void run_team(Make&& make) {
    table_->share();
    TeamSearch<Agent> search(monitor_, team_size(), make);
    report_.bounds = takes_turns() ? search.run_in_turns(request_.options.natural("seed"))
                                   : search.run_in_threads();
    report_.agents = search.stats();
    for (const Stats& agent : report_.agents) report_.stats.add(agent);
    report_.stats.cpu_seconds -= report_.agents.front().cpu_seconds;  // this thread's: see finish()
    side_memory_ += search.bytes();
  }

  void run_pns() {
    make_table(memory_ / 8);
    const bool team = asks_for_team();
    if (team) check_form();
    SharedGraph shared(request_.options, form_of(request_.options.text("form")), problem_.acyclic(),
                       size("tree_nodes", room_for_nodes()), team && team_size() > 1);
    if (team) {
      run_tree_team<RpPns<G>>(shared, memory_ / 16);
    } else {
      Pns<G> pns(problem_, *table_, monitor_, report_.stats, request_.options, shared,
                 memory_ / 16);
      report_.bounds = pns.search();
      side_memory_ = pns.bytes();
    }
    side_memory_ += shared.graph.bytes();
  }

  std::size_t room_for_nodes() const {
    constexpr std::size_t kMostNodes = 2'000'000'000;  // an EdgeId has 32 bits
    return std::min(memory_ / 8 * 5 / ProofGraph::kNodeBytes, kMostNodes);
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

  // The line and the certificate. The verdict stands, whatever ends this.
  void explain() {
    monitor_.lift_node_limit();
    Gaps<G> gaps = make_gaps();
    if (report_.bounds.proven())
      explain_proof(gaps);
    else
      explain_disproof(gaps);
  }

  Gaps<G> make_gaps() {
    return Gaps<G>(problem_, *solved_, *table_, *side_, monitor_, report_.stats, request_.options,
                   room_for_extraction());
  }

  void explain_disproof(Gaps<G>& gaps) {
    follow(GuideByWork<G>(gaps, false));
    if (!certified()) return;
    Sink sink(request_.certificate);
    DisproofExtraction<G>(gaps, sink).run();
    close(sink);
  }

  void explain_proof(Gaps<G>& gaps) {
    const bool bounded = request_.question.bounded;
    if (request_.length_step != 0 && bounded)
      follow(GuideByLength<G>(gaps, request_.length_step));
    else
      follow(GuideByWork<G>(gaps, true));
    const bool came_back = report_.line_end == "incomplete" && monitor_.reached() == Limit::none;
    if (certified() || came_back || (request_.length_step != 0 && !bounded))
      walk_proof(gaps, came_back);
  }

  // One walk of the strategy serves whoever needs it.
  void walk_proof(Gaps<G>& gaps, bool came_back) {
    Sink sink(request_.certificate ? request_.certificate : [](std::string_view) {});
    ProofExtraction<G> proof(gaps, sink);
    if (!proof.decide()) return;
    report_.longest = proof.longest();
    if (came_back) follow(GuideByRank<G>(gaps, proof));
    if (certified() && proof.write()) close(sink);
  }

  template <class Guide>
  void follow(Guide guide) {
    show(LineExtraction<G, Guide>(problem_, guide, report_.bounds.proven()).run());
  }

  void show(MainLine line) {
    report_.line = std::move(line.moves);
    report_.line_end = std::move(line.end);
  }

  // Not where lengths matter: the questions about the shortest win have a better one.
  bool wants_short_line() const {
    return request_.options.text("line") == "short" && request_.length_step == 0 &&
           report_.bounds.proven() && !report_.unsound && monitor_.reached() == Limit::none;
  }

  void shorten() {
    Gaps<G> gaps = make_gaps();
    MainLine line = ShortLine<G>(gaps, request_.options.natural("line_nodes")).run();
    if (line.complete()) show(std::move(line));
  }

  bool certified() const { return request_.certificate && monitor_.reached() == Limit::none; }

  void close(Sink& sink) {
    sink.flush();
    report_.entries = sink.count();
  }

  // What the search left, if the table may still double; an eighth of all at least.
  std::size_t room_for_extraction() const {
    const std::size_t taken = memory_ / 16 + side_memory_ + 2 * table_->bytes();
    return std::max(memory_ / 8, memory_ - std::min(memory_, taken));
  }

  void finish(double start) {
    Stats& stats = report_.stats;
    stats.cpu_seconds += cpu_seconds() - start;
    stats.wall_seconds = monitor_.seconds();
    stats.collections += table_->collections() - collections_before_;
    stats.table_entries = table_->capacity();
    stats.table_used = table_->used();
    stats.memory = table_->bytes() + side_memory_;
  }

  Request request_;
  const std::size_t memory_;
  Problem<G> problem_;
  Monitor monitor_;
  Report report_;
  std::size_t side_memory_ = 0;
  std::uint64_t collections_before_ = 0;
  std::unique_ptr<Table> own_table_;
  Table* table_ = nullptr;
  std::unique_ptr<Solved> solved_;
  std::unique_ptr<SideTables<G>> side_;
};

template <Game G>
class Driver : public RulesByText<G> {
 public:
  using RulesByText<G>::RulesByText;

  Report solve(const Request& request) override {
    const std::string position = request.position.empty() ? this->initial() : request.position;
    return Solve<G>(this->at(position), request).run();
  }

  std::vector<std::pair<std::string, std::string>> defaults(Options asked) const override {
    return set_defaults<G>(asked);
  }
};

// For a built-in game; only games whose rules are data take any.
template <Game G>
std::unique_ptr<AnyGame> make_driver(std::string_view parameters, std::string_view data) {
  const auto wrap = [](G game) -> std::unique_ptr<AnyGame> {
    std::string spec(G::kName);
    if (!game.parameters().empty()) spec += ":" + game.parameters();
    return std::make_unique<Driver<G>>(std::move(game), std::move(spec));
  };
  if constexpr (HasData<G>) {
    return wrap(G(parameters, data));
  } else {
    if (!data.empty()) throw PositionError("the game " + std::string(G::kName) + " takes no data");
    return wrap(G(parameters));
  }
}

}  // namespace andorra
