// Verifies a certificate (docs/certificate.md, "What a checker verifies").
//
// Idea: one depth-first walk over all lines from the root, by play and undo on the game object,
// with an explicit stack. An entry is walked through once, when it first serves; later arrivals
// check its rank and go back. Where a cover entry serves another position than its own, the walk
// goes on from the entry's position, in a second game object, and returns to the first one
// afterwards.
//
// A *run* is the other side's positions between one entry and the next. From its second position
// on, a run's positions are remembered with the highest rank that lines from there reach next, so
// that runs which meet again and again are walked once. Where the sides alternate there are no such
// positions; of first ones, those with many moves are remembered, because any number of entries may
// lead there. In a proof, coming back to a position of a run that is still on the stack is
// rejected: within one run it is a cycle; in a later run, the entry E that ended the first one
// leads back to before E, so ranks cannot have fallen.
//
// Invariant: walk() returns only if every line was followed to an end or an entry and all hold.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "covers.hpp"
#include "entries.hpp"
#include "errors.hpp"
#include "format.hpp"
#include "game.hpp"

namespace andorra::checker {

inline constexpr Count kNoLimit = std::numeric_limits<Count>::max();

inline Outcome win_of(Side side) {
  return side == Side::first ? Outcome::first_wins : Outcome::second_wins;
}

template <Game G>
class PartCheck {
 public:
  // `game` stands at the root, and does so again after walk().
  PartCheck(G& game, const Certificate& certificate, const Part& part)
      : root_(game),
        game_(&game),
        root_text_(certificate.position),
        part_(part),
        holder_(part.proven ? part.prover : other(part.prover)),
        entries_(certificate.body, part),
        covers_(holder_),
        left_(part.within.value_or(0)) {}

  void walk() {
    add_covers();
    arrive();
    while (!frames_.empty()) step();
    if (const auto place = entries_.unserved()) explain_unserved(*place);
  }

 private:
  using Place = Entries::Place;
  using Slot = Entries::Slot;

  // Of a position that is worth being remembered, as the first one of a run.
  static constexpr std::size_t kManyMoves = 64;

  // What is known of a position inside a run.
  struct Known {
    bool on_stack = true;
    Count highest = 0;
  };

  struct RunHash {
    std::size_t operator()(const std::string& key) const { return Entries::hash_of(key, 0); }
  };

  // A position on the line: its moves are moves_[first ...), those before `next` were played.
  struct Frame {
    std::size_t first = 0;
    std::size_t next = 0;
    Count limit = kNoLimit;  // ranks reached next must be lower
    Count highest = 0;       // of the ranks reached next
    Known* known = nullptr;
    bool holders = false;
    Scores scores;                // of the position, if a score is asked for
    std::string_view covered_by;  // the entry's position, if the walk went over to it
  };

  void step() {
    Frame& top = frames_.back();
    if (top.next == moves_.size()) return leave();
    play(moves_[top.next++]);
    if (!arrive()) take_back();
  }

  // Judges the position; true if it has lines that must be followed, for which a frame was added.
  bool arrive() {
    const Outcome outcome = game_->outcome();
    if (part_.score) {
      if (is_decided(outcome, *part_.score)) return false;
    } else if (outcome != Outcome::ongoing) {
      if ((outcome == win_of(part_.prover)) != part_.proven) reject(ends_wrongly(outcome));
      return false;
    }
    if (part_.within && left_ == 0) {
      if (part_.proven) reject("the prover has not won when no plies are left");
      return false;
    }
    return game_->side_to_move() == holder_ ? serve() : spread();
  }

  // Whether the score is enough for the prover at every end that can follow, or at none; in the
  // first case all lines must be known to end, because those that do not have no score.
  bool is_decided(Outcome outcome, std::int32_t wanted) {
    const Scores scores = scores_in(*game_);
    const bool ended = outcome != Outcome::ongoing;
    if (scores.least > scores.most || (ended && scores.least != scores.most))
      reject("the rules know no scores from " + std::to_string(scores.least) + " to " +
             std::to_string(scores.most));
    if (!frames_.empty()) check_within(frames_.back().scores, scores);
    arrived_ = scores;
    const bool first = part_.prover == Side::first;
    const bool never = first ? scores.most < wanted : scores.least > wanted;
    const bool sure = first ? scores.least >= wanted : scores.most <= wanted;
    if (!never && !(sure && (ended || game_->acyclic()))) return false;
    if (never == part_.proven)
      reject(std::string("the line comes to where the score is ") +
             (never ? "out of reach" : "enough"));
    return true;
  }

  // From move to move, the scores that are left never part further.
  void check_within(Scores before, Scores scores) {
    if (scores.least >= before.least && scores.most <= before.most) return;
    reject("the rules know scores from " + std::to_string(scores.least) + " to " +
           std::to_string(scores.most) + " after a move, and from " + std::to_string(before.least) +
           " to " + std::to_string(before.most) + " before it");
  }

  // A position of the holder: an entry must serve it.
  bool serve() {
    const std::string text = game_->format();
    std::optional<Slot> slot = entries_.find(text, left_);
    const bool covered = !slot;
    if (covered) slot = find_cover();
    if (!slot) reject("no entry serves " + quoted(text) + plies_text());
    const Entry entry = entries_[*slot];
    check_rank(entry);
    if (covered) find_move(entry);  // must be legal here, too
    if (!entries_.serve(*slot)) return false;
    if (covered) go_to(entry);
    enter(entry, covered);
    return true;
  }

  std::optional<Slot> find_cover() const {
    if constexpr (HasResources<G>) {
      return covers_.find(*game_, left_, [&](Slot slot) { return entries_[slot].rank; });
    } else {
      return {};
    }
  }

  void check_rank(const Entry& entry) {
    if (entry.rank >= limit())
      reject("the rank does not fall: from " + std::to_string(limit()) + " the line reaches " +
             quoted(entry.position) + " with rank " + std::to_string(entry.rank));
    raise_highest(entry.rank);
  }

  // The line goes on from a cover entry's own position, in a game object of its own.
  void go_to(const Entry& entry) {
    if constexpr (HasResources<G>) {
      covered_.push_back(std::make_unique<G>(*game_));
      game_ = covered_.back().get();
      game_->parse(entry.position);
    }
  }

  void enter(const Entry& entry, bool covered) {
    const Move move = find_move(entry);
    Frame frame = new_frame();
    frame.holders = true;
    if (covered) frame.covered_by = entry.position;
    if (part_.proven) frame.limit = entry.rank;
    moves_.push_back(move);
    frames_.push_back(frame);
  }

  // The legal move that the entry names.
  Move find_move(const Entry& entry) {
    const std::size_t first = moves_.size();
    game_->moves(moves_);
    for (std::size_t i = first; i < moves_.size(); ++i) {
      const Move move = moves_[i];
      if (game_->format_move(move) != entry.move) continue;
      moves_.resize(first);
      return move;
    }
    moves_.resize(first);
    reject("the entry's move " + quoted(entry.move) + " is not legal in " +
           quoted(game_->format()));
  }

  // A position of the other side: all moves are to be followed.
  bool spread() {
    Frame frame = new_frame();
    const bool first = frames_.empty() || frames_.back().holders;
    if (!first && is_known(frame)) return false;
    game_->moves(moves_);
    if (moves_.size() == frame.first)
      reject("the rules give neither a move nor an end in " + quoted(game_->format()));
    if (first && moves_.size() - frame.first >= kManyMoves && is_known(frame)) {
      moves_.resize(frame.first);
      return false;
    }
    frames_.push_back(frame);
    return true;
  }

  // Whether the position needs no further visit; if it does, the frame will say what it finds.
  bool is_known(Frame& frame) {
    const auto [known, is_new] = known_.try_emplace(run_key());
    if (!is_new && is_done(known->second)) return true;
    frame.known = &known->second;
    return false;
  }

  // Positions of a run that were met before need no second visit; unless ranks would not fall, for
  // then the second visit finds the line that shows it.
  bool is_done(const Known& known) {
    if (!part_.proven) return true;
    if (known.on_stack) reject("the line comes back to " + quoted(game_->format()));
    if (known.highest >= limit()) return false;
    raise_highest(known.highest);
    return true;
  }

  std::string run_key() const {
    std::string key = game_->format();
    if (part_.within) key += "\t" + std::to_string(left_);
    return key;
  }

  void leave() {
    const Frame done = frames_.back();
    frames_.pop_back();
    moves_.resize(done.first);
    if (done.known != nullptr) *done.known = {false, done.highest};
    if (!done.covered_by.empty()) return_from_cover();
    if (frames_.empty()) return;
    if (!done.holders) raise_highest(done.highest);
    take_back();
  }

  void return_from_cover() {
    covered_.pop_back();
    game_ = covered_.empty() ? &root_ : covered_.back().get();
  }

  Frame new_frame() const {
    Frame frame;
    frame.first = frame.next = moves_.size();
    frame.limit = limit();
    frame.scores = arrived_;
    return frame;
  }

  void raise_highest(Count rank) {
    if (!frames_.empty()) frames_.back().highest = std::max(frames_.back().highest, rank);
  }

  Count limit() const { return frames_.empty() ? kNoLimit : frames_.back().limit; }

  // Without a bound the plies left stay 0, as those of the entries.
  void play(Move move) {
    game_->play(move);
    if (part_.within) --left_;
  }

  void take_back() {
    game_->undo(moves_[frames_.back().next - 1]);
    if (part_.within) ++left_;
  }

  void add_covers() {
    if constexpr (HasResources<G>) {
      G position = root_;
      entries_.for_each([&](Place place, const Entry& entry) {
        if (!entry.cover) return;
        read_position(position, place, entry);
        covers_.add(position, entry.plies, *entries_.find(entry.position, entry.plies));
      });
    }
  }

  void read_position(G& position, Place place, const Entry& entry) const {
    try {
      position.parse(entry.position);
    } catch (const Error& error) {
      entries_.reject(place, std::string("a position (") + error.what() + ")");
    }
    const std::string text = position.format();
    if (text != entry.position) entries_.reject(place, "the canonical position " + quoted(text));
  }

  [[noreturn]] void explain_unserved(Place place) {
    const Entry entry = entries_.at(place);
    read_position(root_, place, entry);
    if (root_.outcome() != Outcome::ongoing) entries_.reject(place, "no entry at an end");
    if (root_.side_to_move() != holder_)
      entries_.reject(place, "a position where " + std::string(side_name(holder_)) + " moves");
    entries_.reject(place, "an entry that serves a line");
  }

  std::string ends_wrongly(Outcome outcome) const {
    const std::string end = outcome == Outcome::draw         ? "in a draw"
                            : outcome == Outcome::first_wins ? "with a win of first"
                                                             : "with a win of second";
    return "the line ends " + end;
  }

  std::string plies_text() const {
    return part_.within ? " with " + std::to_string(left_) + " plies left" : "";
  }

  [[noreturn]] void reject(const std::string& what) {
    throw Rejection(std::string(part_.question) + (part_.proven ? " proven: " : " disproven: ") +
                    what + "\n  line of play:" + line());
  }

  // The moves from the root to here; where a cover entry took over, its position in brackets. The
  // names of moves may depend on the position, so the line is played again.
  std::string line() {
    constexpr std::size_t kShown = 60;
    root_.parse(root_text_);
    const std::size_t skipped = frames_.size() > kShown ? frames_.size() - kShown : 0;
    std::string text = skipped > 0 ? " (" + std::to_string(skipped) + " moves)" : "";
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      const Frame& frame = frames_[i];
      if (frame.next == frame.first) break;
      if (!frame.covered_by.empty()) root_.parse(frame.covered_by);
      if (i >= skipped) text += shown_step(frame);
      root_.play(moves_[frame.next - 1]);
    }
    return text.empty() ? " (the root)" : text;
  }

  std::string shown_step(const Frame& frame) {
    const std::string from =
        frame.covered_by.empty() ? "" : " [" + std::string(frame.covered_by) + "]";
    return from + " " + root_.format_move(moves_[frame.next - 1]);
  }

  G& root_;
  G* game_;
  std::string_view root_text_;
  const Part& part_;
  Side holder_;
  Entries entries_;
  Covers<G> covers_;
  Count left_;
  Scores arrived_;  // of the position in hand, if a score is asked for
  std::vector<Frame> frames_;
  MoveList moves_;
  std::vector<std::unique_ptr<G>> covered_;
  std::unordered_map<std::string, Known, RunHash> known_;
};

}  // namespace andorra::checker
