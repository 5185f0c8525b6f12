// Extraction of a disproof: a closed set of positions in which the refuter always has a move.
//
// Idea: walk from the root; at a refuter's position take one move to a disproven child, at a
// prover's position take all. A position that was met before is closed already: cycles are fine.
// Invariant: every position met is disproven on every line. The root is; with a prover's position
// all its children are; and the refuter's move leads to a child that is. So each position met may
// be stored in the table as solved, which keeps the searches for gaps short.
#pragma once

#include <unordered_set>

#include "certificate/walker.hpp"

namespace andorra {

template <Game G>
class DisproofExtraction : Walker<G> {
 public:
  DisproofExtraction(Gaps<G>& gaps, Sink& sink) : Walker<G>(gaps, sink, false) {}

  // From the problem's current position; false if a limit ended it.
  bool run() {
    if (this->at_end()) return true;
    if (!open(0)) return false;
    while (!this->frames_.empty()) {
      if (this->stopped(seen_.size())) return give_up();
      WalkFrame& frame = this->frames_.back();
      if (frame.next == frame.end)
        this->pop();
      else if (!follow(frame.moves[frame.next++]))
        return give_up();
    }
    return true;
  }

 private:
  bool follow(Move move) {
    this->problem_.play(move);
    Rank rank = 0;
    if (this->at_end() || seen_.contains(this->problem_.key()) ||
        (this->at_holder() && this->covers_.find(this->problem_, rank))) {
      this->problem_.undo(move);
      return true;
    }
    return open(move);
  }

  bool open(Move move) {
    seen_.insert(this->problem_.key());
    this->push(move);
    if (!this->frames_.back().holder) {
      this->gaps_.learn(kDisproven, kNoMove);
      return true;
    }
    const std::uint16_t reply = choose_reply();
    if (reply == kNoMove) return false;
    this->gaps_.learn(kDisproven, reply);
    this->choose(reply);
    this->emit(this->frames_.back().moves[reply]);
    this->covers_.add(this->problem_, 0);
    return true;
  }

  // A child known to be disproven, else what a search finds.
  std::uint16_t choose_reply() {
    const MoveList& moves = this->frames_.back().moves;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      this->problem_.play(moves[i]);
      const Status status = this->problem_.status();
      const bool good = status == Status::disproven ||
                        (status == Status::open &&
                         (seen_.contains(this->problem_.key()) || this->gaps_.known(false)));
      this->problem_.undo(moves[i]);
      if (good) return static_cast<std::uint16_t>(i);
    }
    return this->gaps_.solving_move(false);
  }

  bool give_up() {
    this->unwind();
    return false;
  }

  std::unordered_set<Key, typename Walker<G>::Hash> seen_;
};

}  // namespace andorra
