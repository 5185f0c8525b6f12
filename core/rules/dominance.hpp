// Dominance: what is solved with fewer resources (or more) decides without a search.
//
// Idea: with monotone resources, a proof for a board holds wherever the prover has at least as
// much, and a disproof wherever it has at most as much (Seo 1999 in survey 7.4.4). Invariant: only
// solutions that hold on every line are added. At most kMost positions a board are kept, the newest
// ones; when the memory is used up, all are forgotten.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "question.hpp"

namespace andorra {

// True if the resources `mine` are at least (for the first player) those of `known`.
inline bool at_least(const std::vector<int>& mine, const std::vector<int>& known) {
  for (std::size_t i = 0; i < mine.size(); ++i)
    if (mine[i] < known[i]) return false;
  return true;
}

template <Game G>
class Dominance {
 public:
  explicit Dominance(std::size_t memory) : most_(memory / kBytes) {}

  // The current position of the problem is solved on every line.
  void add(const Problem<G>& problem, bool proven) {
    if constexpr (HasResources<G>) {
      if (count_ >= most_) clear();
      std::deque<Known>& list = by_board_[board(problem)];
      list.push_front({problem.game().resources(), proven});
      if (list.size() > kMost)
        list.pop_back();
      else
        ++count_;
    }
  }

  // True, and the verdict, if a known position decides the current one.
  bool find(const Problem<G>& problem, bool& proven) const {
    if constexpr (HasResources<G>) {
      const auto found = by_board_.find(board(problem));
      if (found == by_board_.end()) return false;
      const std::vector<int> mine = problem.game().resources();
      for (const Known& known : found->second) {
        const bool for_first = known.proven == (problem.question().prover == Side::first);
        proven = known.proven;
        if (for_first ? at_least(mine, known.resources) : at_least(known.resources, mine))
          return true;
      }
    }
    return false;
  }

  std::size_t bytes() const { return count_ * kBytes; }

 private:
  static constexpr std::size_t kMost = 8;
  static constexpr std::size_t kBytes = 256;  // a position with its share of map and list

  struct Known {
    std::vector<int> resources;
    bool proven;
  };

  struct Hash {
    std::size_t operator()(const Key& key) const { return key.board; }
  };

  static Key board(const Problem<G>& problem)
    requires HasResources<G>
  {
    const Key key = problem.game().board_key();
    return problem.question().bounded ? with_plies(key, problem.plies_left()) : key;
  }

  void clear() {
    by_board_.clear();
    count_ = 0;
  }

  std::size_t most_;
  std::size_t count_ = 0;
  std::unordered_map<Key, std::deque<Known>, Hash> by_board_;
};

}  // namespace andorra
