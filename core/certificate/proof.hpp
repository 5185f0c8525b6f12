// Extraction of a proof: a strategy of the prover in which every line ends in the goal.
//
// Idea: walk from the root; at a prover's position take the stored move, at a refuter's position
// all moves. A position's rank is one more than the largest rank below it, so ranks fall along
// every line; they are computed here, never copied from the search. Where stored moves lead back to
// the current line (entries were evicted and proved again another way), the last prover's position
// before that is searched again in a table of its own, with the line above it forbidden; if it has
// no proof that avoids the line, the prover's position before it is, and so on up to the root,
// where no line is above. What was finished below a position that is given up may then serve
// nothing, so where positions repeat, entries are written in a second walk, when all is decided.
// Invariant: decisions are for finished positions only, with right ranks; along their moves ranks
// fall.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "certificate/walker.hpp"

namespace andorra {

template <Game G>
class ProofExtraction : Walker<G> {
 public:
  ProofExtraction(Gaps<G>& gaps, Sink& sink) : Walker<G>(gaps, sink, true) {}

  // From the problem's current position: finds a move for every position of the strategy, and
  // writes entries where each will serve. False if a limit ended it.
  bool decide() { return this->at_end() || walk(); }

  // Then writes what is not written yet.
  bool write() { return this->at_end() || !decides_first_ || Walker<G>::write(); }

  // The plies of the longest line, if all is decided.
  std::uint32_t longest() const { return longest_; }

  // What was decided for the current position or, with resources, for one that serves it: the one
  // of lowest rank, so that ranks fall on lines that have more than the decided ones, too. Null
  // where nothing is known, which can only be after two moves of the other side's.
  const Decision* decision(Resources& solution) const {
    const Key key = this->problem_.key();
    const Cover* cover = this->at_holder() ? this->covers_.find(this->problem_) : nullptr;
    solution = cover == nullptr ? resources_in(key) : cover->packed;
    const auto found =
        this->decisions_.find(cover == nullptr ? key : with_resources(key, solution));
    return found == this->decisions_.end() ? nullptr : &found->second;
  }

 private:
  static constexpr int kMostRepairs = 10'000;

  // A table with proofs that avoid the line above the frame at `depth`.
  struct Detour {
    std::size_t depth;
    std::unique_ptr<Table> table;
  };

  bool walk() {
    if (!open(0, resources_in(this->problem_.key()))) return give_up();
    while (!this->frames_.empty()) {
      if (this->stopped(this->decisions_.size())) return give_up();
      const WalkFrame& frame = this->frames_.back();
      if (frame.next == frame.end)
        finish();
      else if (!follow(frame.moves[frame.next]))
        return give_up();
    }
    return true;
  }

  bool follow(Move move) {
    const Resources arrived_with = this->advance(move);
    // An entry for a position above serves this one, too; but its solution then goes on from here.
    if (on_line()) this->gaps_.set_resources(arrived_with);
    Distance distance;
    if (this->at_end() || is_done(distance)) {
      this->retreat(move, arrived_with);
      next_child(distance);
      return true;
    }
    if (!on_line()) return open(move, arrived_with);
    this->retreat(move, arrived_with);
    return repair();
  }

  bool on_line() const { return line_.find(this->problem_.key()) != kRestsOnNothing; }

  bool is_done(Distance& distance) const {
    const auto found = this->decisions_.find(this->problem_.key());
    if (found != this->decisions_.end())
      return distance = {found->second.rank, found->second.plies}, true;
    const Cover* cover = this->at_holder() ? this->covers_.find(this->problem_) : nullptr;
    if (cover != nullptr) distance = {cover->rank, cover->plies};
    return cover != nullptr;
  }

  void next_child(const Distance& distance) {
    WalkFrame& frame = this->frames_.back();
    frame.below.rank = std::max(frame.below.rank, distance.rank);
    frame.below.plies = std::max(frame.below.plies, distance.plies + 1);
    ++frame.next;
  }

  bool open(Move move, Resources arrived_with) {
    this->push(move, arrived_with);
    line_.push(this->frames_.back().key);
    if (!this->frames_.back().holder) return true;
    const std::uint16_t reply = stored_move();
    if (reply == kNoMove) return repair();
    this->choose(reply);
    return true;
  }

  std::uint16_t stored_move() {
    if (detours_.empty()) return this->gaps_.solving_move(true);
    Entry known;
    const bool found = detours_.back().table->find(this->frames_.back().key, known);
    return found && known.bounds.proven() ? known.move : kNoMove;
  }

  void finish() {
    const WalkFrame& frame = this->frames_.back();
    Decision decision{frame.below.rank, frame.below.plies};
    if (frame.holder) {
      ++decision.rank;
      decision.move = static_cast<std::uint16_t>(frame.end - 1);
      if (!decides_first_) this->emit(frame.moves[decision.move], decision.rank);
      this->covers_.add(this->problem_, decision.rank, decision.plies);
    }
    this->decisions_.emplace(frame.key, decision);
    leave();
    longest_ = decision.plies;  // the root is the last to be finished
    if (!this->frames_.empty()) next_child({decision.rank, decision.plies});
  }

  void leave() {
    this->pop();
    line_.pop();
    while (!detours_.empty() && detours_.back().depth >= this->frames_.size()) detours_.pop_back();
  }

  // Searches the nearest prover's position on the line again, avoiding the line above it.
  bool repair() {
    while (!this->frames_.empty()) {
      if (!this->frames_.back().holder) {
        leave();
        continue;
      }
      if (this->gaps_.monitor().reached() != Limit::none || ++repairs_ > kMostRepairs) break;
      if (detour()) return true;
      leave();
    }
    if (this->gaps_.monitor().reached() == Limit::none) this->gaps_.monitor().end(Limit::memory);
    return false;
  }

  bool detour() {
    const std::size_t depth = this->frames_.size() - 1;
    while (!detours_.empty() && detours_.back().depth >= depth) detours_.pop_back();
    const std::size_t cells = Table::cells_in(this->gaps_.memory() / (4 * (detours_.size() + 1)));
    detours_.push_back({depth, std::make_unique<Table>(cells)});
    line_.pop();
    const std::uint16_t reply = this->gaps_.search(*detours_.back().table, true, &line_);
    line_.push(this->frames_.back().key);
    if (reply == kNoMove) return false;
    this->choose(reply);
    return true;
  }

  bool give_up() {
    this->unwind();
    return false;
  }

  // Without repetition nothing is given up.
  const bool decides_first_ = Walker<G>::kMayNotServe || !this->problem_.acyclic();
  Line line_;
  std::vector<Detour> detours_;
  int repairs_ = 0;
  std::uint32_t longest_ = 0;
};

}  // namespace andorra
