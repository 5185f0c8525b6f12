// Games written by users: one class that satisfies the game contract over a virtual backend.
//
// Idea: a backend answers one batched question, "which children has this position, with key, side
// and outcome of each". UserGame keeps the children of every position on the path, so a search that
// looks at all children of a node (play, outcome, side_to_move, key, undo) costs one call of the
// backend; the backend itself moves only when something below a child is asked for.
// Invariants:
//   - the backend stands at the last frame; the position is that one or, if `pending_`, its child;
//   - memory holds the path with its children and two tables of bounded size, nothing else;
//   - a Move is the index of the child in the expansion, and format_move gives the user's name.
// A rule that misbehaves is stopped with RuleError, because verdicts would be worthless: a move
// list that differs when asked again, no moves without an end, a position that repeats in a game
// declared acyclic, a draw in a game declared without. The first is noticed when the position is
// still in a table of 2^12 places; the table never accuses a sound game. Moves at an end are
// noticed only where the end is expanded, which searches never do: they cannot change a verdict.
// Deviations: copies are whole (the backend is cloned), so give each thread its own copy; a const
// object may not be shared by threads either, because asking for text moves the backend.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "game.hpp"

namespace andorra {

// Rules, with a stack of positions: the path from the root that was reset to. A function that
// throws leaves the stack as it was.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::unique_ptr<Backend> clone() const = 0;

  virtual std::string spec() const = 0;  // name and parameters, for messages
  virtual bool acyclic() const = 0;
  virtual bool can_draw() const = 0;
  virtual bool in_parallel() const { return true; }  // copies gain by threads of their own

  // Make the stack the initial position alone, or the one that `text` describes.
  virtual Child reset() = 0;
  virtual Child reset(std::string_view text) = 0;

  // Appends the children of the position on top. They stay known to the backend, also while
  // positions above are pushed and popped, until this position is popped.
  virtual void expand(std::vector<Child>& children) = 0;
  virtual void push(std::size_t child) = 0;  // of the last expansion of the position on top
  virtual void pop() = 0;
  virtual std::size_t bytes() const = 0;  // of the stack, as far as they can be known

  // `children` is what expand() gave for the position on top.
  virtual std::string format() = 0;
  virtual std::string format_move(std::span<const Child> children, std::size_t child) = 0;
  virtual std::size_t parse_move(std::span<const Child> children, std::string_view text) = 0;
};

// The keys of the path, to see a repetition at once. Keys leave in the reverse order of coming, so
// a place can simply be emptied: no later key was ever moved past it.
class PathSet {
 public:
  void clear() {
    path_.clear();
    places_.assign(places_.size(), 0);
  }

  // False, and nothing changed, if the key is on the path.
  bool insert(const Key& key) {
    if (2 * (path_.size() + 1) > places_.size()) grow();
    const std::size_t place = find(key);
    if (places_[place] != 0) return false;
    path_.push_back(key);
    places_[place] = path_.size();
    return true;
  }

  void remove_last() {
    places_[find(path_.back())] = 0;
    path_.pop_back();
  }

  std::size_t bytes() const {
    return path_.capacity() * sizeof(Key) + places_.capacity() * sizeof(std::size_t);
  }

 private:
  // The place of the key, or the empty one where it would go.
  std::size_t find(const Key& key) const {
    const std::size_t mask = places_.size() - 1;
    std::size_t place = key.board & mask;
    while (places_[place] != 0 && path_[places_[place] - 1] != key) place = (place + 1) & mask;
    return place;
  }

  void grow() {
    places_.assign(2 * places_.size(), 0);
    for (std::size_t depth = 0; depth < path_.size(); ++depth)
      places_[find(path_[depth])] = depth + 1;
  }

  std::vector<Key> path_;
  std::vector<std::size_t> places_ = std::vector<std::size_t>(64);  // depth + 1, or 0: empty
};

// What the move lists of recent positions looked like.
class MoveListMemory {
 public:
  // Half of the time of agrees() is waiting for memory; call this a while before.
  void prefetch(const Key& position) const { __builtin_prefetch(&places_[place_of(position)]); }

  // False if the position is remembered with another list of children.
  bool agrees(const Key& position, std::uint64_t checksum) {
    Place& place = places_[place_of(position)];
    if (place.checksum != 0 && place.position == position) return place.checksum == (checksum | 1);
    place = {position, checksum | 1};
    return true;
  }

 private:
  struct Place {
    Key position;
    std::uint64_t checksum = 0;  // odd, or 0: empty
  };

  static constexpr std::size_t kPlaces = std::size_t{1} << 12;

  static std::size_t place_of(const Key& position) { return position.board % kPlaces; }

  std::vector<Place> places_ = std::vector<Place>(kPlaces);
};

// The children are multiplied by numbers that tell their places, so that the order counts.
constexpr std::uint64_t checksum(std::span<const Child> children) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15u;
  std::uint64_t sum = children.size() * kOdd, factor = kOdd;
  for (const Child& child : children) {
    const std::uint64_t status =
        static_cast<std::uint64_t>(child.outcome) << 1 | static_cast<std::uint64_t>(child.side);
    const std::uint64_t code = std::rotr(std::uint64_t{child.move} << 8 | status, 16);
    sum += (child.key.board ^ std::rotl(child.key.rest, 32) ^ code) * factor;
    factor += 2 * kOdd;
  }
  return sum ^ (sum >> 32);
}

class UserGame {
 public:
  static constexpr std::size_t kMaxMoves = 65535;
  // Of what copies do not share, mostly how move lists looked.
  static constexpr std::size_t kBytesOfCopy = std::size_t{96} << 10;

  // At the initial position.
  explicit UserGame(std::unique_ptr<Backend> backend)
      : backend_(std::move(backend)),
        acyclic_(backend_->acyclic()),
        can_draw_(backend_->can_draw()) {
    restart(backend_->reset());
  }

  UserGame(const UserGame& other)
      : backend_(other.backend_->clone()),
        acyclic_(other.acyclic_),
        can_draw_(other.can_draw_),
        frames_(other.frames_),
        children_(other.children_),
        lists_(other.lists_),
        path_(other.path_),
        here_(other.here_),
        pending_(other.pending_),
        last_move_(other.last_move_) {}
  UserGame(UserGame&&) noexcept = default;
  UserGame& operator=(const UserGame& other) { return *this = UserGame(other); }
  UserGame& operator=(UserGame&&) noexcept = default;

  Side side_to_move() const { return here_.side; }
  Outcome outcome() const { return here_.outcome; }
  Key key() const { return here_.key; }
  bool acyclic() const { return acyclic_; }
  bool in_parallel() const { return backend_->in_parallel(); }
  bool can_draw() const { return can_draw_; }

  void moves(MoveList& list) {
    const std::size_t old = list.size();
    list.resize(old + expanded().count);
    std::iota(list.begin() + static_cast<std::ptrdiff_t>(old), list.end(), Move{0});
  }

  std::span<const Child> children() { return children_of(expanded()); }

  std::string spec() const { return backend_->spec(); }

  std::size_t bytes() const {
    return frames_.capacity() * sizeof(Frame) + children_.capacity() * sizeof(Child) +
           path_.bytes() + backend_->bytes();
  }

  void play(Move move) {
    const Frame& parent = expanded();
    if (move >= parent.count) no_such_move(move);
    here_ = children_[parent.first + move];
    last_move_ = move;
    pending_ = true;
  }

  void undo(Move) {
    if (!pending_) retreat();
    pending_ = false;
    here_ = frames_.back().position;
  }

  void parse(std::string_view text) { restart(backend_->reset(text)); }

  std::string format() const {
    if (pending_) follow();
    return backend_->format();
  }

  Move parse_move(std::string_view text) {
    return static_cast<Move>(backend_->parse_move(children_of(expanded()), text));
  }

  std::string format_move(Move move) {
    const Frame& frame = expanded();
    if (move >= frame.count) no_such_move(move);
    return backend_->format_move(children_of(frame), move);
  }

 private:
  // Names the promise that is broken.
  static std::string denied(std::string_view promise) {
    return ", which the game says cannot happen ('" + std::string(promise) + "'),";
  }

  // A position that the backend has on its stack.
  struct Frame {
    Child position;
    bool expanded = false;  // only then are the next two set
    std::size_t first = 0;  // of its children in children_
    std::size_t count = 0;
  };

  void restart(const Child& root) {
    frames_.assign(1, Frame{root});
    children_.clear();
    path_.clear();
    path_.insert(root.key);
    here_ = root;
    pending_ = false;
    if (root.outcome == Outcome::draw && !can_draw_)
      broken("outcome", "gave a draw" + denied("can_draw"));
  }

  // Makes the backend follow the last move. What is rare stays out of line, so that play() is
  // short: 2% of all instructions of a search.
  [[gnu::noinline]] void follow() const {
    if (acyclic_ && !path_.insert(here_.key)) repeated();
    try {
      backend_->push(last_move_);
    } catch (...) {
      if (acyclic_) path_.remove_last();
      throw;
    }
    frames_.push_back({here_});
    pending_ = false;
  }

  // Makes the backend follow an undone move.
  void retreat() {
    backend_->pop();
    if (acyclic_) path_.remove_last();
    frames_.pop_back();
    children_.resize(end_of(frames_.back()));
  }

  const Frame& expanded() {
    if (pending_) follow();
    if (!frames_.back().expanded) expand(frames_.back());
    return frames_.back();
  }

  // An expansion that threw half way left children behind, so the list is cut first.
  [[gnu::noinline]] void expand(Frame& frame) {
    children_.resize(frames_.size() == 1 ? 0 : end_of(frames_[frames_.size() - 2]));
    frame.first = children_.size();
    lists_.prefetch(here_.key);
    backend_->expand(children_);
    frame.count = children_.size() - frame.first;
    check(frame, children_of(frame));
    frame.expanded = true;
  }

  std::span<const Child> children_of(const Frame& frame) const {
    return std::span(children_).subspan(frame.first, frame.count);
  }

  static std::size_t end_of(const Frame& frame) { return frame.first + frame.count; }

  void check(const Frame& frame, std::span<const Child> children) {
    const bool ended = frame.position.outcome != Outcome::ongoing;
    if (children.size() > kMaxMoves)
      broken("moves", "gave " + std::to_string(children.size()) + " moves, more than 65535,");
    if (ended && !children.empty()) broken("moves", "gave moves although the game has ended");
    if (!ended && children.empty()) broken("moves", "gave no move although the game goes on");
    if (!can_draw_) refuse_draws(children);
    if (!lists_.agrees(frame.position.key, checksum(children)))
      broken("moves", "gave other moves, another order or other children when asked again");
  }

  void refuse_draws(std::span<const Child> children) const {
    for (std::size_t i = 0; i < children.size(); ++i)
      if (children[i].outcome == Outcome::draw)
        broken("outcome", "gave a draw" + denied("can_draw") + " after move " +
                              backend_->format_move(children, i));
  }

  [[noreturn]] void repeated() const {
    const std::string move = backend_->format_move(children_of(frames_.back()), last_move_);
    broken("play",
           "came back to a position of the same line" + denied("acyclic") + " by move " + move);
  }

  [[noreturn, gnu::noinline]] void no_such_move(Move move) const {
    throw PositionError("move number " + std::to_string(move) + " does not exist in position '" +
                        position_text() + "' of " + backend_->spec() + ", which has " +
                        std::to_string(frames_.back().count) + " moves");
  }

  // The backend is at the position that the message is about.
  [[noreturn]] void broken(std::string_view rule, std::string_view what) const {
    throw RuleError(backend_->spec() + ": the rule '" + std::string(rule) + "' " +
                    std::string(what) + " in position '" + position_text() + "'");
  }

  // An error in writing the text must not hide the error to be reported.
  std::string position_text() const {
    try {
      return backend_->format();
    } catch (const std::exception&) {
      return "(that cannot be written)";
    }
  }

  std::unique_ptr<Backend> backend_;
  bool acyclic_;
  bool can_draw_;
  mutable std::vector<Frame> frames_;  // the path as the backend has it; never empty
  std::vector<Child> children_;        // of all expanded frames, one after the other
  MoveListMemory lists_;
  mutable PathSet path_;  // the keys of frames_; kept in acyclic games only
  Child here_;
  mutable bool pending_ = false;
  Move last_move_ = 0;  // that led here, if pending_
};

static_assert(HasChildren<UserGame> && HasBytes<UserGame>);

}  // namespace andorra
