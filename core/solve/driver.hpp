// One solve call: search, then the main line, then the certificate, then a shorter line if asked
// for, under one set of limits.
//
// The memory asked for is divided once, here:
//   dfpn      3/4 table, 1/16 frames (whose buffers may double), 1/8 extraction, and from what is
//             left 1/64 for each of the three side tables
//   pns       1/8 table, 5/8 graph, 1/16 line, 1/8 extraction
//   fixpoint  5/8 graph (whose buffers may double), 1/8 table for extraction, 1/8 extraction
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "certificate/disproof.hpp"
#include "certificate/line.hpp"
#include "certificate/proof.hpp"
#include "certificate/short_line.hpp"
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
    return report_;
  }

 private:
  void check_options() {
    set_defaults<G>(request_.options);
    request_.options.check_conflicts();
    const std::string unsafe = request_.options.unsafe_setting();
    if (unsafe.empty() || problem_.acyclic()) return;
    if (!request_.options.flag("unsafe"))
      throw OptionError(unsafe + " may be wrong or never end where positions repeat; expected " +
                        "another value, or unsafe=true as well");
    report_.unsound = true;
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
    make_table(memory_ / 4 * 3);
    DfPn<G> dfpn(problem_, *table_, *side_, monitor_, report_.stats, request_.options,
                 memory_ / 16);
    report_.bounds = dfpn.search().bounds;
    side_memory_ = dfpn.bytes() + side_->bytes();
  }

  void run_pns() {
    make_table(memory_ / 8);
    constexpr std::size_t kMostNodes = 2'000'000'000;  // an EdgeId has 32 bits
    const std::size_t room = std::min(memory_ / 8 * 5 / ProofGraph::kNodeBytes, kMostNodes);
    Pns<G> pns(problem_, *table_, monitor_, report_.stats, request_.options,
               size("tree_nodes", room), memory_ / 16);
    report_.bounds = pns.search();
    side_memory_ = pns.bytes();
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
    table_ = std::make_unique<Table>(size("table_entries", Table::cells_in(bytes)),
                                     request_.options.real("gc_fraction"), forgetting());
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
    stats.cpu_seconds = cpu_seconds() - start;
    stats.collections += table_->collections();
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
  std::unique_ptr<Table> table_;
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
