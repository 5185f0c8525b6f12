// A search by df-pn and its certificate, without all the other searches that a driver compiles.
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

template <Game G>
Certified search_and_certify(G& game, Side prover, std::size_t cells) {
  constexpr std::size_t kMemory = std::size_t{1} << 20;
  Options options;
  if constexpr (HasDefaults<G>)
    for (const auto& [name, value] : G::kDefaults) options.set_default(name, value);
  Problem<G> problem(game, Question{.prover = prover});
  Table table(cells);
  SideTables<G> side(problem, options, kMemory);
  Monitor monitor(Limits{}, nullptr, {});
  Stats stats;
  Certified found{DfPn<G>(problem, table, side, monitor, stats, options, kMemory).search().bounds};
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

}  // namespace andorra
