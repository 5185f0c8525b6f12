// What some rules of df-pn remember beside the transposition table. Made once a solve call, and
// only where the rule is switched on and the game gives it something to do.
#pragma once

#include <cstddef>
#include <memory>

#include "options.hpp"
#include "question.hpp"
#include "rules/double_count.hpp"
#include "rules/twins.hpp"

namespace andorra {

template <Game G>
struct SideTables {
  // Each may take up to `memory` bytes.
  SideTables(const Problem<G>& problem, const Options& options, std::size_t memory) {
    const std::string_view ghi = options.text("ghi");
    if (!problem.acyclic() && (ghi == "paths" || ghi == "base-twin"))
      twins = std::make_unique<Twins>(memory);
    if (options.text("double_count") != "off") doubles = std::make_unique<DoubleCounts>(memory);
  }

  std::size_t bytes() const {
    return (twins ? twins->bytes() : 0) + (doubles ? doubles->bytes() : 0);
  }

  std::unique_ptr<Twins> twins;
  std::unique_ptr<DoubleCounts> doubles;
};

}  // namespace andorra
