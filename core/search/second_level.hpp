// The second level of PN², df-pn-PN and PDS-PN: a small best-first search that develops a leaf.
//
// Idea: best-first search makes the most of few nodes and forgets them afterwards; the search above
// it keeps only what it comes to.
// Source: survey 5.2; Breuker 1998 (PN²); Winands, Uiterwijk & van den Herik 2004 (PDS-PN).
// Invariant: it starts a line of its own, so what it solves holds on every line.
// Deviation: they keep the leaf's numbers, or its children's, and nothing else; positions solved on
// the way are stored in the table here, as by every search, because certificates come from there.
#pragma once

#include <algorithm>
#include <optional>

#include "search/growth.hpp"
#include "search/pns.hpp"
#include "search/variant.hpp"

namespace andorra {

template <Game G>
class SecondLevel : public LeafSearch {
 public:
  // `room`: for the nodes of both levels, of which the second has `most` at most; `memory` bounds
  // its line.
  SecondLevel(Problem<G>& problem, Table& table, Monitor& monitor, Stats& stats,
              const Options& options, std::size_t room, std::size_t most, std::size_t memory)
      : problem_(problem),
        table_(table),
        monitor_(monitor),
        stats_(stats),
        growth_(options, room),
        most_(std::max(most, kLeast)),
        memory_(memory) {
    options_.set("least_proving", "off");
  }

  Bounds develop(std::size_t nodes, const Show& show) override {
    const std::size_t size = std::min(growth_.second_level(nodes), most_);
    shared_.emplace(options_, Form::base_twin, problem_.acyclic(), std::max(size, kLeast), false);
    Search search(*this, show);
    const Bounds bounds = search.run(size);
    most_bytes_ = std::max(most_bytes_, shared_->graph.bytes() + search.bytes());
    if (monitor_.reached() == Limit::interrupted) throw Interrupted();  // the move in hand is lost
    return bounds;
  }

  // Of the last leaf; its children are in it unless the leaf was solved.
  const ProofGraph& graph() const { return shared_->graph; }

  std::size_t bytes() const override { return most_bytes_; }

 private:
  static constexpr std::size_t kLeast = 64;

  // Ends when it is large enough, and leaves the search above it alone.
  class Search : public Pns<G> {
   public:
    Search(SecondLevel& level, const Show& show)
        : Pns<G>(level.problem_, level.table_, level.monitor_, level.stats_, level.options_,
                 *level.shared_, level.memory_),
          show_(show) {}

    // `size`: nodes beside the leaf.
    Bounds run(std::size_t size) {
      this->most_nodes_ = size + 1;
      return this->search();
    }

   private:
    void out_of_room() override {}
    void show(Event& event) const override { show_(event); }

    const Show& show_;
  };

  Problem<G>& problem_;
  Table& table_;
  Monitor& monitor_;
  Stats& stats_;
  const Growth growth_;
  const std::size_t most_;
  const std::size_t memory_;
  Options options_;  // of its own: the plain ones
  std::optional<SharedGraph> shared_;
  std::size_t most_bytes_ = 0;
};

}  // namespace andorra
