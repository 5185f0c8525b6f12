// Which rules a df-pn search follows: the options, read once, as plain flags for its loop.
#pragma once

#include <cstdint>
#include <string>

#include "errors.hpp"
#include "options.hpp"
#include "question.hpp"
#include "search/side_tables.hpp"

namespace andorra {

template <Game G>
struct DfPnRules {
  DfPnRules(const Problem<G>& problem, const SideTables<G>& side, const Options& options)
      : refine(options.natural("refine")),
        acyclic(problem.acyclic()),
        doubles(side.doubles != nullptr),
        line(!acyclic || refine != 0 || doubles),
        taints(!acyclic || refine != 0),
        trusts_repetitions(options.text("ghi") == "off"),
        twins(side.twins != nullptr),
        simulates_twins(options.text("ghi") == "base-twin"),
        closure(!acyclic && options.flag("closure")),
        tca(!acyclic && options.text("loops") == "tca"),
        distances(tca || (!acyclic && options.text("loops") == "df-pn(r)")),
        snda(options.text("double_count") == "snda"),
        groups(options.text("groups") != "off"),
        in_turn(options.text("groups") == "in-turn"),
        dominance(HasPackedResources<G> && options.flag("dominance")),
        extras(groups || doubles || dominance),
        costs(options.flag("costs")),
        weighted(options.text("backup") == "weighted"),
        siblings(options.text("simulation") == "siblings"),
        killers(options.text("simulation") == "killer"),
        care(!acyclic || refine != 0 || extras || weighted || killers ||
             options.natural("increment") == 0) {
    demand(costs, HasCosts<G>, "costs=true: this game has no costs of moves");
    demand(groups, HasGroups<G>, "groups: this game has no groups of moves");
    demand(weighted, HasGuess<G>, "backup=weighted: this game makes no guesses");
    demand(refine != 0, HasGuess<G>, "refine: this game makes no guesses");
  }

  const std::uint64_t refine;  // 0, or how clear a guess must be at first
  const bool acyclic;
  const bool doubles;             // double counts are looked for
  const bool line;                // the positions of the line are needed
  const bool taints;              // a solution may hold on one line only
  const bool trusts_repetitions;  // unsound: it is taken to hold everywhere
  const bool twins;
  const bool simulates_twins;
  const bool closure;
  const bool tca;
  const bool distances;
  const bool snda;
  const bool groups;
  const bool in_turn;
  const bool dominance;
  const bool extras;  // something is kept beside each child
  const bool costs;
  const bool weighted;
  const bool siblings;
  const bool killers;
  const bool care;  // something is kept beside each frame

 private:
  static void demand(bool asked, bool has, const char* what) {
    if (asked && !has) throw OptionError(std::string(what) + "; expected another value");
  }
};

}  // namespace andorra
