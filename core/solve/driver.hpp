// One solve call: search, then the main line, then the certificate, then a shorter line if asked
// for, under one set of limits.
// The search itself, and how the memory is divided: solve/search_run.hpp.
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
#include "solve/naming.hpp"
#include "solve/rules_by_text.hpp"
#include "solve/search_run.hpp"

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
        naming_(make_naming(game, request.tracer)),
        monitor_(request.limits, naming_.get(), request.interrupted),
        search_(problem_, monitor_, request_, report_) {}

  Report run() {
    const double start = cpu_seconds();
    report_.position = problem_.game().format();
    check_options();
    until_interrupted([&] { search_.run(); });
    if (report_.bounds.solved()) monitor_.lift_node_limit();
    report_.limit = monitor_.reached();
    if (report_.bounds.solved() && !report_.unsound) until_interrupted([&] { explain(); });
    if (report_.bounds.solved()) report_.certificate_limit = monitor_.reached();
    if (wants_short_line()) until_interrupted([&] { shorten(); });
    finish(start);
    leave_to_series();
    return report_;
  }

 private:
  static std::unique_ptr<Naming<G>> make_naming(const G& game, Tracer* tracer) {
    return tracer == nullptr ? nullptr : std::make_unique<Naming<G>>(game, *tracer);
  }

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

  // The line and the certificate. The verdict stands, whatever ends this.
  void explain() {
    Gaps<G> gaps = make_gaps();
    if (report_.bounds.proven())
      explain_proof(gaps);
    else
      explain_disproof(gaps);
  }

  Gaps<G> make_gaps() {
    return Gaps<G>(problem_, search_.solved(), search_.table(), search_.side(), monitor_,
                   report_.stats, request_.options, room_for_extraction());
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
    const std::string_view which = request_.options.text("proof");
    CheapProof<G> cheap(gaps, which == "small" ? Measure::size : Measure::plies,
                        request_.options.natural("proof_nodes"));
    if (certified() && which != "found") cheap.find();
    ProofExtraction<G> proof(gaps, sink, &cheap);
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
    const std::size_t taken = memory_ / 16 + search_.side_memory() + 2 * search_.table().bytes();
    return std::max(memory_ / 8, memory_ - std::min(memory_, taken));
  }

  void finish(double start) {
    Stats& stats = report_.stats;
    stats.cpu_seconds += cpu_seconds() - start;
    stats.wall_seconds = monitor_.seconds();
    const Table& table = search_.table();
    stats.collections += table.collections() - search_.collections_before();
    stats.table_entries = table.capacity();
    stats.table_used = table.used();
    stats.memory = table.bytes() + search_.side_memory();
  }

  Request request_;
  const std::size_t memory_;
  Problem<G> problem_;
  const std::unique_ptr<Naming<G>> naming_;
  Monitor monitor_;
  Report report_;
  SearchRun<G> search_;
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
  static_assert(HasPass<G> == is_named_for("lambda", G::kName), "see the row in options.hpp");
  static_assert(HasThreats<G> == is_named_for("threat", G::kName), "see the row in options.hpp");
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
