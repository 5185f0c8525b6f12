// RP-PNS: randomised parallel proof-number search.
//
// Idea: agents share one graph. The first of them always goes to the most proving node; each of the
// others goes, at every node on its way down, to the best child or to a sibling that is nearly as
// good, by chance. So they spread over leaves that are likely to matter soon.
// Source: Saito, Winands & van den Herik 2010, in survey section 8; the choice by chance among
// nearly best moves is Shoham & Toledo's (2002).
// Deviations: we know these from descriptions, not their formulas. Our rule: a child whose number
// passes the best one's by less than a sixteenth of it plus 1 is a candidate, and its weight is
// what is left of that margin (a quarter plus 2 costs up to a third more nodes on Connect Four 4x5,
// because a path leaves the best line at several nodes). A leaf that another agent works on is no
// candidate; an agent that finds no other, and the first one when its leaf is taken, waits.
// Invariant: chance decides where agents go, never what a number is.
#pragma once

#include <cstdint>
#include <random>

#include "search/pns.hpp"

namespace andorra {

template <Game G>
class RpPns : public Pns<G> {
 public:
  // Agents are numbered; 0 is the one that goes to the most proving node.
  RpPns(Problem<G>& problem, Table& table, Monitor& monitor, Stats& stats, const Options& options,
        SharedGraph& shared, std::size_t memory, std::size_t number)
      : Pns<G>(problem, table, monitor, stats, options, shared, memory),
        principal_(number == 0),
        random_(options.natural("seed") + number) {}

 private:
  std::size_t choose(const ProofNode& node, const Backup& backup) override {
    if (principal_) return backup.best;
    const auto edges = this->graph_.edges(node);
    const Wide margin = Wide{backup.smallest} / 16 + 1;
    Wide total = 0;
    for (const ProofEdge& edge : edges) total += weight(edge, phi_of(node), backup, margin);
    if (total == 0) return backup.best;
    Wide rest = random_() % total;
    for (std::size_t i = 0;; ++i) {
      const Wide its = weight(edges[i], phi_of(node), backup, margin);
      if (rest < its) return i;
      rest -= its;
    }
  }

  Wide weight(const ProofEdge& edge, unsigned phi, const Backup& backup, Wide margin) const {
    const ProofNode& child = this->graph_[edge.child];
    const Wide behind = child.numbers[phi] - backup.smallest;
    return child.solved() || child.busy || behind >= margin ? 0 : margin - behind;
  }

  const bool principal_;
  std::mt19937_64 random_;
};

}  // namespace andorra
