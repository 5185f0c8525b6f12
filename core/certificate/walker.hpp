// The walk over a strategy that proofs and disproofs share: depth first, on an explicit stack, over
// the holder's one move and the other side's every move.
//
// A walk first decides: it finds a move for every position of the holder's that it meets. It writes
// entries at once where each will serve; else a second walk writes what can be reached.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "certificate/covers.hpp"
#include "certificate/gaps.hpp"
#include "certificate/sink.hpp"

namespace andorra {

// The search's results contradict the rules: a bug, or rules that change their mind.
struct ExtractionError : std::logic_error {
  using std::logic_error::logic_error;
};

// How far the longest line of a proof is from its end: the holder's moves, which ranks count, and
// all moves.
struct Distance {
  Rank rank = 0;
  std::uint32_t plies = 0;
};

struct WalkFrame {
  Key key;
  Move move = 0;               // that led here
  Resources arrived_with = 0;  // the solution may be for others
  bool holder = false;
  bool exact = false;         // the next child is tried with the resources that it comes with
  bool unfinished = false;    // a child is undecided
  std::uint32_t untried = 0;  // of the holder's moves, when the stored one does not do
  std::uint32_t next = 0;
  std::uint32_t end = 0;
  Distance below;  // the largest ones, so far
  MoveList moves;
};

// What a walk found for a position.
struct Decision {
  Rank rank = 0;  // of a proof, as the plies
  std::uint32_t plies = 0;
  std::uint16_t move = kNoMove;  // the holder's
  bool decided = false;          // in a proof: the rank is known
  bool written = false;
};

template <Game G>
class Walker {
 public:
  Walker(Gaps<G>& gaps, Sink& sink, bool proven)
      : gaps_(gaps),
        problem_(gaps.problem()),
        sink_(sink),
        proven_(proven),
        covers_(proven ? problem_.question().prover : other(problem_.question().prover)) {}

 protected:
  // Without resources each position has an entry of its own, which serves if it is reached.
  static constexpr bool kMayNotServe = HasResources<G>;

  // Writes all decided positions that can be reached from the current one, the root.
  bool write() {
    write_and_open(0, resources_in(problem_.key()));
    while (!frames_.empty()) {
      if (stopped(decisions_.size())) {
        unwind();
        return false;
      }
      WalkFrame& frame = frames_.back();
      if (frame.next == frame.end)
        pop();
      else
        write_after(frame.moves[frame.next++]);
    }
    return true;
  }

  // The holder is the prover in a proof and the refuter in a disproof.
  bool at_holder() const { return problem_.or_node() == proven_; }

  // Makes a move; the position then has the resources that its solution takes. Returns what it had,
  // for retreat().
  Resources advance(Move move) {
    problem_.play(move);
    return problem_.status() == Status::open ? gaps_.take_solution(proven_)
                                             : resources_in(problem_.key());
  }

  void retreat(Move move, Resources arrived_with) {
    gaps_.set_resources(arrived_with);
    problem_.undo(move);
  }

  void push(Move move, Resources arrived_with) {
    WalkFrame frame;
    frame.arrived_with = arrived_with;
    frame.key = problem_.key();
    frame.move = move;
    frame.holder = at_holder();
    problem_.moves(frame.moves);
    frame.end = static_cast<std::uint32_t>(frame.moves.size());
    move_bytes_ += frame.moves.capacity() * sizeof(Move);
    frames_.push_back(std::move(frame));
  }

  void pop() {
    const Move move = frames_.back().move;
    const Resources arrived_with = frames_.back().arrived_with;
    move_bytes_ -= frames_.back().moves.capacity() * sizeof(Move);
    frames_.pop_back();
    if (frames_.empty())
      gaps_.set_resources(arrived_with);
    else
      retreat(move, arrived_with);
  }

  void choose(std::uint16_t move) {
    frames_.back().next = move;
    frames_.back().end = move + 1u;
    frames_.back().below = {};
    frames_.back().unfinished = false;
  }

  // What was decided for the current position; with resources, it takes those of the decision that
  // serves it best. Checkers look for an exact entry first, but find the same: an entry that is not
  // the best for its own position is never written, because the best one serves all that it does.
  Decision& decided() {
    const Cover* cover = at_holder() ? covers_.find(problem_) : nullptr;
    if (cover != nullptr) gaps_.set_resources(cover->packed);
    return decisions_[problem_.key()];
  }

  // True if the current position is an end; throws if it is the wrong one.
  bool at_end() const {
    const Status status = problem_.status();
    if (status == Status::open) return false;
    if ((status == Status::proven) != proven_)
      throw ExtractionError("the strategy runs into a wrong end: " + problem_.game().format());
    return true;
  }

  // For the holder's position on the problem; ranks are for proofs.
  void emit(Move move, Rank its_rank = 0) {
    const std::string rank = proven_ ? std::to_string(its_rank) : "-";
    const std::string plies =
        problem_.question().bounded ? std::to_string(problem_.plies_left()) : "";
    sink_.entry(Covers<G>::kKind, problem_.game().format(), problem_.game().format_move(move), rank,
                plies);
  }

  // Extraction obeys time, Ctrl-C and memory; `positions` is what it keeps, `more` are bytes.
  bool stopped(std::size_t positions, std::size_t more = 0) {
    constexpr std::size_t kPosition =
        72;  // a hash map's node, its bucket and the allocator's share
    if (positions * kPosition + frames_.capacity() * sizeof(WalkFrame) + move_bytes_ + more +
            problem_.bytes() >
        gaps_.memory())
      gaps_.monitor().end(Limit::memory);
    if (gaps_.monitor().reached() != Limit::none) return true;
    return gaps_.monitor().tick([&] {
      Event event;
      event.kind = Event::Kind::extract;
      event.root = proven_ ? kProven : kDisproven;
      event.stats = gaps_.stats();
      event.depth = frames_.size();
      return event;
    });
  }

  void unwind() {
    while (!frames_.empty()) pop();
  }

  struct Hash {
    std::size_t operator()(const Key& key) const { return key.board; }
  };

  Gaps<G>& gaps_;
  Problem<G>& problem_;
  Sink& sink_;
  const bool proven_;
  Covers<G> covers_;
  std::unordered_map<Key, Decision, Hash> decisions_;
  std::vector<WalkFrame> frames_;
  std::size_t move_bytes_ = 0;  // of the frames' move lists
 private:
  void write_after(Move move) {
    problem_.play(move);
    const Resources arrived_with = resources_in(problem_.key());
    if (at_end() || decided().written)
      retreat(move, arrived_with);
    else
      write_and_open(move, arrived_with);
  }

  void write_and_open(Move move, Resources arrived_with) {
    Decision& decision = decided();
    decision.written = true;
    push(move, arrived_with);
    if (!frames_.back().holder) return;
    if (decision.move == kNoMove)
      throw ExtractionError("no move was decided for " + problem_.game().format());
    choose(decision.move);
    emit(frames_.back().moves[decision.move], decision.rank);
  }
};

}  // namespace andorra
