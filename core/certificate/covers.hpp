// Covers: entries that serve every position which is at least as good for the strategy's holder.
//
// Idea: with monotone resources, a strategy for a board with few resources also works with more
// (docs/certificate.md, "cover"). Extraction looks here before it opens a position. Which of
// several entries serves is decided as the checkers decide it: the lowest rank, then the smallest
// resources. Invariant: only finished entries are added, so in a proof a cover's rank is known.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "question.hpp"

namespace andorra {

using Rank = std::uint64_t;

struct Cover {
  Rank rank;
  std::vector<int> resources;
  Resources packed;
  std::uint32_t plies;  // of the strategy's longest line from here

  bool goes_before(const Cover& other) const {
    return rank != other.rank ? rank < other.rank : resources < other.resources;
  }
};

template <Game G>
class Covers {
 public:
  explicit Covers(Side holder) : holder_(holder) {}

  static constexpr char kKind = HasResources<G> ? '~' : '=';

  void add(const Problem<G>& problem, Rank rank, std::uint32_t plies = 0) {
    if constexpr (HasResources<G>)
      by_board_[board(problem)].push_back(
          {rank, problem.game().resources(), resources_in(problem.key()), plies});
  }

  // What serves the current position, or null.
  const Cover* find(const Problem<G>& problem) const {
    const Cover* best = nullptr;
    if constexpr (HasResources<G>) {
      const auto found = by_board_.find(board(problem));
      if (found == by_board_.end()) return nullptr;
      const std::vector<int> mine = problem.game().resources();
      for (const Cover& cover : found->second)
        if (serves(cover.resources, mine) && (best == nullptr || cover.goes_before(*best)))
          best = &cover;
    }
    return best;
  }

 private:
  struct Hash {
    std::size_t operator()(const Key& key) const { return key.board; }
  };

  static Key board(const Problem<G>& problem) {
    const Key key = problem.game().board_key();
    return problem.question().bounded ? with_plies(key, problem.plies_left()) : key;
  }

  bool serves(const std::vector<int>& entry, const std::vector<int>& position) const {
    for (std::size_t i = 0; i < entry.size(); ++i) {
      const int better = holder_ == Side::first ? position[i] - entry[i] : entry[i] - position[i];
      if (better < 0) return false;
    }
    return true;
  }

  Side holder_;
  std::unordered_map<Key, std::vector<Cover>, Hash> by_board_;
};

}  // namespace andorra
