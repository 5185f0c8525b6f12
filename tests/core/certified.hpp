// A search and its certificate, without all the other searches that a driver compiles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "certificate/disproof.hpp"
#include "certificate/proof.hpp"
#include "search/dfpn.hpp"

namespace andorra {

struct Certified {
  Bounds bounds;
  std::string lines;
  std::uint64_t entries = 0;
};

// search(problem, table, side, monitor, options, memory) returns bounds.
template <Game G, class Search>
Certified certified(G& game, Side prover, std::size_t cells, Search&& search) {
  constexpr std::size_t kMemory = std::size_t{1} << 20;
  Options options;
  if constexpr (HasDefaults<G>)
    for (const auto& [name, value] : G::kDefaults) options.set_default(name, value);
  Problem<G> problem(game, Question{.prover = prover});
  Table table(cells);
  SideTables<G> side(problem, options, kMemory);
  Monitor monitor(Limits{}, nullptr, {});
  Stats stats;
  Certified found{search(problem, table, side, monitor, options, kMemory)};
  const SolvedInTable solved(table);
  Gaps<G> gaps(problem, solved, table, side, monitor, stats, options, 16 * kMemory);
  Sink sink([&](std::string_view lines) { found.lines += lines; });
  if (found.bounds.proven()) {
    ProofExtraction<G> proof(gaps, sink);
    proof.decide() && proof.write();
  } else {
    DisproofExtraction<G>(gaps, sink).run();
  }
  sink.flush();
  found.entries = sink.count();
  return found;
}

// By df-pn alone.
template <Game G>
Certified search_and_certify(G& game, Side prover, std::size_t cells) {
  return certified(
      game, prover, cells,
      [](auto& problem, auto& table, auto& side, auto& monitor, const Options& options,
         std::size_t memory) {
        Stats stats;
        return DfPn<G>(problem, table, side, monitor, stats, options, memory).search().bounds;
      });
}

}  // namespace andorra
