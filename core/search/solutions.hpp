// Solutions: what df-pn's table knows of its positions, and what it is told when they are solved.
//
// Idea: where a game has resources, a solution is stored for what its strategy takes instead of
// what the position has, and found for every position that dominates it (rules/dominance.hpp, which
// has the source and the invariant). Here is what that means for frames and the table.
// Invariant: the index of a stored move counts among the moves with the stored resources.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "question.hpp"
#include "rules/dominance.hpp"
#include "search/expansion.hpp"
#include "search/frames.hpp"
#include "table/table.hpp"

namespace andorra {

template <Game G>
class Solutions {
 public:
  Solutions(Problem<G>& problem, Table& table, Frames& frames, const Expansion<G>& expansion)
      : problem_(problem), table_(table), frames_(frames), expansion_(expansion) {}

  // `solution` is what the entry's solution takes, if it is one.
  [[gnu::always_inline]] bool find(Key key, Entry& known, Resources& solution) const {
    if (!expansion_.dominates()) return table_.find(key, known);
    Snapshot cell;
    if (!expansion_.dominance().find(table_, key, cell)) return false;
    known = cell.entry();
    solution = resources_in(cell.key());
    return true;
  }

  // The same, and of the position itself also if others write to its entry at this moment.
  bool find_though_written(Key key, Entry& known, Resources& solution) const {
    if (!expansion_.dominates()) return table_.find_though_written(key, known);
    if (find(key, known, solution)) return true;
    if (!table_.find_though_written(key, known)) return false;
    solution = resources_in(key);
    return true;
  }

  // For the frame on top. Returns what the solution takes, if the position is solved on every line;
  // `was_there` whether the table had the position before.
  Resources store(Entry& entry, bool& was_there) {
    const Key key = frames_.top().key;
    if constexpr (HasSolutionResources<G>) {
      if (entry.bounds.solved() && expansion_.dominates()) {
        const Resources solution =
            expansion_.dominance().serving(solution_of(entry), key, entry.bounds.proven());
        entry.move = index_with(solution, entry.move);
        was_there = table_.store_instead(key, with_resources(key, solution), entry);
        return solution;
      }
    }
    was_there = table_.store(key, entry);
    return resources_in(key);
  }

 private:
  Resources solution_of(const Entry& entry)
    requires HasSolutionResources<G>
  {
    const std::span<const FrameChild> children = frames_.children();
    const bool proven = entry.bounds.proven();
    const bool won = proven == (frames_.top().phi == kPn);
    return expansion_.dominance().solution(
        problem_, proven, won, entry.move, children.size(),
        [&](std::size_t i) { return children[i].move; },
        [&](std::size_t i) { return solution_of(i, proven); });
  }

  // Of a child that has the verdict.
  Resources solution_of(std::size_t i, bool proven)
    requires HasSolutionResources<G>
  {
    const FrameChild& child = frames_.children()[i];
    const Resources known = frames_.extra(frames_.top(), i).solution;
    if (known != kUnknownResources && child.rests_on == kRestsOnNothing) return known;
    problem_.play(child.move);
    const Side holder = expansion_.dominance().holder(proven);
    const bool ends = problem_.game().outcome() != Outcome::ongoing;
    const Resources its =
        ends ? problem_.game().without_new_moves(holder) : resources_in(problem_.key());
    problem_.undo(child.move);
    return its;
  }

  // The index of a move among those that remain with other resources.
  std::uint16_t index_with(Resources resources, std::uint16_t move)
    requires HasSolutionResources<G>
  {
    if (move == kNoMove) return move;
    const std::span<const FrameChild> children = frames_.children().first(move);
    return static_cast<std::uint16_t>(std::count_if(
        children.begin(), children.end(),
        [&](const FrameChild& child) { return problem_.game().keeps(child.move, resources); }));
  }

  Problem<G>& problem_;
  Table& table_;
  Frames& frames_;
  const Expansion<G>& expansion_;
};

}  // namespace andorra
