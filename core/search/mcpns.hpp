// MC-PNS: proof-number search whose new leaves get their numbers from playouts.
//
// Idea: a leaf that the prover loses most random games from is hard to prove, so its proof number
// should be larger than its disproof number.
// Source: Saito et al. 2007, which we know from descriptions: the
// evaluation by playouts at leaves, and that both numbers follow from its mean, come from there.
// Ours is the formula: with a share w of games won, pn = 1 + s (1 - w) and dn = 1 + s w, rounded,
// with s the option `playout_scale`.
// Invariant: as of search/pns.hpp. Numbers of open leaves are at least 1, so playouts never decide
// a position. A position that has a node is not played out again.
#pragma once

#include <cstdint>

#include "search/playouts.hpp"
#include "search/pns.hpp"

namespace andorra {

template <Game G>
class McPns : public Pns<G> {
 public:
  McPns(Problem<G>& problem, Table& table, Monitor& monitor, Stats& stats, const Options& options,
        SharedGraph& shared, std::size_t memory)
      : Pns<G>(problem, table, monitor, stats, options, shared, memory),
        games_(options.natural("playouts")),
        scale_(options.natural("playout_scale")),
        playouts_(problem, monitor, stats, options) {}

  std::size_t bytes() const { return Pns<G>::bytes() + playouts_.bytes(); }

 private:
  Bounds leaf_bounds(const ProofNode& leaf) override {
    if (leaf.shared && this->graph_.find(leaf.key) != kNoNode) return {};
    const std::uint64_t wins = playouts_.wins(games_);
    return {number(games_ - wins), number(wins)};
  }

  Number number(std::uint64_t games) const {
    return capped(1 + (2 * scale_ * games + games_) / (2 * games_));
  }

  const std::uint64_t games_;
  const std::uint64_t scale_;
  Playouts<G> playouts_;
};

}  // namespace andorra
