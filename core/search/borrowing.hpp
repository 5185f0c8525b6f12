// Borrowing: positions on df-pn's line that are solved as others were, by the same moves.
//
// Idea: a move that failed was answered somehow; its siblings may fail in the same way (Kawano
// 1996), and so may a position that is met at a depth where one was just solved (killer trees). The
// replay of moves is in rules/simulation.hpp; here is who borrows from whom.
// Invariant: a model is solved on every line, and so is what borrows from it; it goes into the
// table.
#pragma once

#include <cstdint>

#include "question.hpp"
#include "search/expansion.hpp"
#include "search/frames.hpp"
#include "search/killers.hpp"
#include "stats.hpp"
#include "table/table.hpp"

namespace andorra {

template <Game G>
class Borrowing {
 public:
  Borrowing(Problem<G>& problem, Table& table, Frames& frames, Expansion<G>& expansion,
            Stats& stats)
      : problem_(problem), table_(table), frames_(frames), expansion_(expansion), stats_(stats) {}

  // The first frame will stand so many plies below the root of the whole search.
  void start(std::size_t depth_of_root) { depth_of_root_ = depth_of_root; }

  // The current position, that of the frame on top, is solved.
  void remember(Bounds bounds) {
    killers_.remember(depth_of_root_ + frames_.size(), problem_.game(), bounds.proven());
  }

  // Whether the current position, which has no frame, is solved as the last one at its depth was;
  // then `entry` is the position's.
  bool from_killer(Key key, Entry& entry) {
    const auto* killer = killers_.at(depth_of_root_ + frames_.size());
    if (killer == nullptr) return false;
    const Bounds bounds = killer->proven ? kProven : kDisproven;
    if (!from(killer->position, bounds, key)) return false;
    table_.find(key, entry);
    entry.bounds = bounds;
    return true;
  }

  // A move of the position on top failed: tries to answer the open ones in the same way.
  [[gnu::noinline]] void from_sibling(const FrameChild& solved) {
    const Bounds bounds = solved.numbers[kPn] == 0 ? kProven : kDisproven;
    problem_.play(solved.move);
    const G model = problem_.game();
    problem_.undo(solved.move);
    for (FrameChild& child : frames_.children()) {
      if (!child.open()) continue;
      problem_.play(child.move);
      if (from(model, bounds, problem_.key())) child.set(bounds);
      problem_.undo(child.move);
    }
  }

 private:
  // If the current position is solved as the model is, that goes into the table.
  bool from(const G& model, Bounds bounds, Key key) {
    std::uint16_t reply;
    if (!expansion_.simulation().like(model, bounds.proven(), reply)) return false;
    table_.store(key, {bounds, 1, reply});
    ++stats_.simulations;
    return true;
  }

  Problem<G>& problem_;
  Table& table_;
  Frames& frames_;
  Expansion<G>& expansion_;
  Stats& stats_;
  Killers<G> killers_;
  std::size_t depth_of_root_ = 0;
};

}  // namespace andorra
