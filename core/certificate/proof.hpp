// Extraction of a proof: a strategy of the prover in which every line ends in the goal.
//
// Idea: walk from the root; at a prover's position take the stored move, at a refuter's position
// all moves. A position's rank is one more than the largest rank below it, so ranks fall along
// every line; they are computed here, never copied from the search. Stored moves may lead back to
// the current line: entries were evicted and proved again another way, or a later result for other
// resources stands before the one that a proof was built on. So what comes back to a position that
// is not decided is left undecided for now, and then, from the last move to the first: a position
// is tried with the resources that it has, not those of its entry, and a prover's position with its
// other moves, those to decided positions first, then those to positions known to be proven. The
// walk is repeated as long as that decides anything; when it does not, all moves are tried, and
// what is not known of them is searched in a table of its own.
// Invariant: decisions are for finished positions only, with right ranks; along their moves ranks
// fall. So this ends: each pass but one decides a position for ever. A pass over all moves in which
// nothing is decided would show positions where the refuter can stay, none of them an end.
// What a position that was tried needed may serve nothing in the end, so where positions repeat,
// entries are written in a second walk, when all is decided.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>

#include "certificate/cheap_proof.hpp"
#include "certificate/walker.hpp"

namespace andorra {

template <Game G>
class ProofExtraction : Walker<G> {
 public:
  // `cheap` chooses the prover's moves, where it knows one; null: stored moves.
  ProofExtraction(Gaps<G>& gaps, Sink& sink, CheapProof<G>* cheap = nullptr)
      : Walker<G>(gaps, sink, true), cheap_(cheap) {}

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
  bool walk() {
    for (;;) {
      const std::size_t before = this->decisions_.size();
      if (!pass()) return give_up();
      forget_undecided();
      Distance distance;
      if (is_done(distance)) return longest_ = distance.plies, true;
      if (this->decisions_.size() == before) try_all_moves();
    }
  }

  // Goes once through all that is not decided.
  bool pass() {
    if (!open(0, resources_in(this->problem_.key()))) return false;
    while (!this->frames_.empty()) {
      if (this->stopped(this->decisions_.size(), other_bytes())) return false;
      const WalkFrame& frame = this->frames_.back();
      if (frame.next != frame.end) {
        if (!follow(frame.moves[frame.next])) return false;
      } else if (!frame.unfinished) {
        finish();
      } else if (!frame.holder || !try_another()) {
        leave_undecided();
      }
    }
    return this->gaps_.monitor().reached() == Limit::none;
  }

  std::size_t other_bytes() const {
    return (own_ == nullptr ? 0 : own_->bytes()) + (cheap_ == nullptr ? 0 : cheap_->bytes());
  }

  void forget_undecided() {
    if (std::exchange(undecided_, 0) == 0) return;
    std::erase_if(this->decisions_, [](const auto& item) { return !item.second.decided; });
  }

  void try_all_moves() {
    if (own_ != nullptr)
      throw ExtractionError("the table says that this is proven, but every move leads back: " +
                            this->problem_.game().format());
    own_ = std::make_unique<Table>(Table::cells_in(this->gaps_.memory() / 4));
  }

  bool follow(Move move) {
    const bool exact = this->frames_.back().exact;
    const Resources arrived_with = this->advance(move);
    if (exact) this->gaps_.set_resources(arrived_with);
    Distance distance;
    if (this->at_end() || is_done(distance)) {
      this->retreat(move, arrived_with);
      next_child(distance);
      return true;
    }
    if (!this->decisions_.contains(this->problem_.key())) return open(move, arrived_with);
    const bool has_other = resources_in(this->problem_.key()) != arrived_with;
    this->retreat(move, arrived_with);
    next_without(has_other);
    return true;
  }

  bool is_done(Distance& distance) const {
    const auto found = this->decisions_.find(this->problem_.key());
    if (found != this->decisions_.end() && found->second.decided)
      return distance = {found->second.rank, found->second.plies}, true;
    const Cover* cover = this->at_holder() ? this->covers_.find(this->problem_) : nullptr;
    if (cover != nullptr) distance = {cover->rank, cover->plies};
    return cover != nullptr;
  }

  void next_child(const Distance& distance) {
    WalkFrame& frame = this->frames_.back();
    frame.below.rank = std::max(frame.below.rank, distance.rank);
    frame.below.plies = std::max(frame.below.plies, distance.plies + 1);
    frame.exact = false;
    ++frame.next;
  }

  // The child is undecided; `has_other`: so far, with other resources than it came with.
  void next_without(bool has_other) {
    WalkFrame& frame = this->frames_.back();
    frame.exact = has_other;
    if (has_other) return;
    frame.unfinished = true;
    ++frame.next;
  }

  bool open(Move move, Resources arrived_with) {
    this->decisions_.try_emplace(this->problem_.key());
    this->push(move, arrived_with);
    if (!this->frames_.back().holder) return true;
    const std::uint16_t reply = first_choice();
    if (reply != kNoMove) return this->choose(reply), true;
    this->frames_.back().next = this->frames_.back().end;
    this->frames_.back().unfinished = true;
    return this->gaps_.monitor().reached() == Limit::none;
  }

  std::uint16_t first_choice() {
    const std::uint16_t cheapest = cheap_ == nullptr ? kNoMove : cheap_->move();
    return cheapest == kNoMove ? this->gaps_.solving_move(true) : cheapest;
  }

  // Another move for the prover's position on top, whose moves so far are undecided.
  bool try_another() {
    WalkFrame& frame = this->frames_.back();
    if (frame.untried == 0 && choose_decided()) return true;
    while (frame.untried < frame.moves.size()) {
      const auto index = static_cast<std::uint16_t>(frame.untried++);
      if (is_proven_after(frame.moves[index])) return this->choose(index), true;
    }
    return false;
  }

  // The move to the decided position of lowest rank.
  bool choose_decided() {
    const MoveList& moves = this->frames_.back().moves;
    std::uint16_t best = kNoMove;
    bool best_exact = false;
    Rank lowest = 0;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      bool exact = false;
      Distance distance;
      if (!is_decided_after(moves[i], distance, exact)) continue;
      if (best != kNoMove && distance.rank >= lowest) continue;
      best = static_cast<std::uint16_t>(i);
      best_exact = exact;
      lowest = distance.rank;
    }
    if (best == kNoMove) return false;
    this->choose(best);
    this->frames_.back().exact = best_exact;
    return true;
  }

  // `exact`: only with the resources that the position then has.
  bool is_decided_after(Move move, Distance& distance, bool& exact) {
    const Resources arrived_with = this->advance(move);
    const Status status = this->problem_.status();
    bool decided = status == Status::proven;
    if (status == Status::open && !(decided = is_done(distance))) {
      this->gaps_.set_resources(arrived_with);
      decided = exact = is_done(distance);
    }
    this->retreat(move, arrived_with);
    return decided;
  }

  bool is_proven_after(Move move) {
    this->problem_.play(move);
    const bool proven = this->problem_.status() == Status::open &&
                        (this->gaps_.known(true) ||
                         (own_ != nullptr && this->gaps_.verdict(*own_) == Status::proven));
    this->problem_.undo(move);
    return proven;
  }

  void finish() {
    const WalkFrame& frame = this->frames_.back();
    Decision& decision = this->decisions_[frame.key];
    const Distance distance{frame.below.rank + frame.holder, frame.below.plies};
    decision.rank = distance.rank;
    decision.plies = distance.plies;
    decision.decided = true;
    if (frame.holder) {
      decision.move = static_cast<std::uint16_t>(frame.end - 1);
      if (!decides_first_) this->emit(frame.moves[decision.move], decision.rank);
      this->covers_.add(this->problem_, decision.rank, decision.plies);
    }
    this->pop();
    if (!this->frames_.empty()) next_child(distance);
  }

  void leave_undecided() {
    const WalkFrame& frame = this->frames_.back();
    const bool has_other = resources_in(frame.key) != frame.arrived_with;
    ++undecided_;
    this->pop();
    if (!this->frames_.empty()) next_without(has_other);
  }

  bool give_up() {
    this->unwind();
    return false;
  }

  CheapProof<G>* const cheap_;
  // Without repetition nothing is given up.
  const bool decides_first_ = Walker<G>::kMayNotServe || !this->problem_.acyclic();
  std::size_t undecided_ = 0;   // in this pass
  std::unique_ptr<Table> own_;  // for positions of which nothing is known, when all moves are tried
  std::uint32_t longest_ = 0;
};

}  // namespace andorra
