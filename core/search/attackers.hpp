// The selective searches that come before df-pn: each side attacks, the prover first.
//
// Idea: if the prover wins by threats, the question is proven; if the refuter does, it is
// disproven, because the prover then cannot win. The visits are shared: what the prover leaves, and
// half of them at least, is the refuter's. Invariant: a search that ends for a reason of its own
// (memory, no progress) ends here, and df-pn goes on; a limit of the user's ends all. A bounded
// question leaves the refuter out: its win may take longer than the bound.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "search/lambda.hpp"
#include "search/selective.hpp"
#include "search/threat_space.hpp"

namespace andorra {

template <Game G>
class Attackers {
 public:
  // Results go to `table`; the selective search has another one, of `memory` bytes.
  Attackers(Problem<G>& problem, Table& table, Monitor& monitor, Stats& stats,
            const Options& options, std::size_t memory)
      : problem_(problem),
        table_(table),
        chief_(monitor),
        monitor_(monitor, true, 1),
        stats_(stats),
        options_(options),
        memory_(memory),
        left_(options.natural("selective_nodes")) {}

  Bounds search_by_lambda()
    requires HasPass<G>
  {
    const auto order = static_cast<unsigned>(options_.natural("lambda_order"));
    return search([&](Problem<G>& attack) { return LambdaRules<G>(attack, order); });
  }

  Bounds search_by_threats()
    requires HasThreats<G>
  {
    return search([](Problem<G>& attack) { return ThreatRules<G>(attack); });
  }

  // The most that was in use.
  std::size_t bytes() const { return bytes_; }

 private:
  // make(problem) makes the rules by which the problem's prover attacks.
  template <class Make>
  Bounds search(Make&& make) {
    if (problem_.status() != Status::open) return {};
    const Question asked = problem_.question();
    if (attack(problem_, kProven, left_ - left_ / 2, make)) return kProven;
    Problem<G> refutation(problem_.game(), Question{other(asked.prover)});
    if (!asked.bounded && attack(refutation, kDisproven, left_, make)) return kDisproven;
    return {};
  }

  template <class Make>
  bool attack(Problem<G>& problem, Bounds truth, std::uint64_t visits, Make&& make) {
    if (visits == 0 || chief_.reached() != Limit::none) return false;
    monitor_.end(Limit::none);
    auto rules = make(problem);
    Selective<G, decltype(rules)> selective(problem, rules, table_, truth, monitor_, stats_,
                                            memory_);
    const bool proven = selective.prove(visits);
    left_ -= visits - selective.visits_left();
    bytes_ = std::max(bytes_, selective.bytes());
    return proven;
  }

  Problem<G>& problem_;
  Table& table_;
  Monitor& chief_;
  Monitor monitor_;
  Stats& stats_;
  const Options& options_;
  const std::size_t memory_;
  std::uint64_t left_;  // visits
  std::size_t bytes_ = 0;
};

}  // namespace andorra
