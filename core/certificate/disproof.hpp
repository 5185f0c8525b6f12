// Extraction of a disproof: a closed set of positions in which the refuter always has a move.
//
// Idea: walk from the root; at a refuter's position take one move to a disproven child, at a
// prover's position take all. A position that was met before is closed already: cycles are fine.
// Invariant: every position met is disproven on every line. The root is; with a prover's position
// all its children are; and the refuter's move leads to a child that is. So each position met may
// be stored in the table as solved, which keeps the searches for gaps short.
#pragma once

#include "certificate/walker.hpp"

namespace andorra {

template <Game G>
class DisproofExtraction : Walker<G> {
 public:
  DisproofExtraction(Gaps<G>& gaps, Sink& sink) : Walker<G>(gaps, sink, false) {}

  // From the problem's current position; false if a limit ended it.
  bool run() {
    if (this->at_end()) return true;
    return decide() && (!this->kMayNotServe || this->write());
  }

 private:
  bool decide() {
    if (!open(0, resources_in(this->problem_.key()))) return give_up();
    while (!this->frames_.empty()) {
      if (this->stopped(this->decisions_.size())) return give_up();
      WalkFrame& frame = this->frames_.back();
      if (frame.next == frame.end)
        this->pop();
      else if (!follow(frame.moves[frame.next++]))
        return give_up();
    }
    return true;
  }

  bool follow(Move move) {
    const Resources arrived_with = this->advance(move);
    if (this->at_end() || seen() || (this->at_holder() && this->covers_.find(this->problem_))) {
      this->retreat(move, arrived_with);
      return true;
    }
    return open(move, arrived_with);
  }

  bool seen() const { return this->decisions_.contains(this->problem_.key()); }

  bool open(Move move, Resources arrived_with) {
    this->decisions_.try_emplace(this->problem_.key());
    this->push(move, arrived_with);
    if (!this->frames_.back().holder) {
      this->gaps_.learn(kDisproven, kNoMove);
      return true;
    }
    const std::uint16_t reply = choose_reply();
    if (reply == kNoMove) return false;
    this->gaps_.learn(kDisproven, reply);
    this->choose(reply);
    this->decisions_[this->frames_.back().key].move = reply;
    if (!this->kMayNotServe) this->emit(this->frames_.back().moves[reply]);
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
                        (status == Status::open && (seen() || this->gaps_.known(false)));
      this->problem_.undo(moves[i]);
      if (good) return static_cast<std::uint16_t>(i);
    }
    return this->gaps_.solving_move(false);
  }

  bool give_up() {
    this->unwind();
    return false;
  }
};

}  // namespace andorra
