// The game contract: what the rules of a domain must offer so that every search, the extraction of
// certificates and the fast checker can use them.
//
// A game object *is* a position: it is changed by play() and changed back by undo(). Rules here are
// the fast twins of the reference rules in src/andorra/rulebook/, which are the specification; the
// test suite plays both against each other. Moves come in the same order in both.
//
// Invariants, tested for every game:
//   - play(m); undo(m); restores text, key and moves;
//   - key() is equal for equal positions and, but for hash collisions, only then: two positions
//   have
//     one key with a chance of 2^-96 or less, and of 2^-56 if somebody made them for that;
//   - moves() appends unique moves in a stable order, and none exactly when outcome() is an end.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace andorra {

// The player who moves first in the game's initial position, and the other one. Sides need not
// alternate: side_to_move() says who moves, always.
enum class Side : std::uint8_t { first = 0, second = 1 };

constexpr Side other(Side side) {
  return side == Side::first ? Side::second : Side::first;
}

enum class Outcome : std::uint8_t { ongoing, first_wins, second_wins, draw };

// A game's own code for a move; what it means is known to the game alone.
using Move = std::uint32_t;
using MoveList = std::vector<Move>;

// What tells positions apart, in 128 bits.
//
//            63 ............ 24 23 ..... 0          63 ...... 32 31 ............... 0
//   board   |      place       |  check   |  rest  |    check   | resources or place |
//
// `board` chooses the place in a table, by its upper 40 bits. For games with monotone resources,
// the lower half of `rest` has them, packed. Where keys are hashes and not exact, the check bits
// come from a secret of the process (secret.hpp). So nothing but a comparison may depend on them:
// what chooses a place or an order takes the public bits alone.
struct Key {
  std::uint64_t board = 0;
  std::uint64_t rest = 0;
  friend bool operator==(const Key&, const Key&) = default;
};

inline constexpr int kCheckBitsInBoard = 24;
inline constexpr std::uint64_t kPublicInBoard = ~std::uint64_t{0} << kCheckBitsInBoard;
inline constexpr std::uint64_t kPublicInRest = 0xffffffff;

constexpr Key public_part(Key key) {
  return {key.board & kPublicInBoard, key.rest & kPublicInRest};
}
// All that chooses a place, in one number without the spare bits below.
constexpr std::uint64_t place_bits(std::uint64_t board) {
  return board >> kCheckBitsInBoard;
}

// Rules, with a position inside. The text functions throw PositionError.
template <class G>
concept Game =
    requires(G game, const G& position, Move move, std::string_view text, MoveList& moves) {
      { position.side_to_move() } -> std::same_as<Side>;
      { position.outcome() } -> std::same_as<Outcome>;
      { game.moves(moves) };  // appends; not const, for games that cache what they generate
      { game.play(move) };
      { game.undo(move) };
      { position.key() } -> std::same_as<Key>;
      { game.parse(text) };
      { position.format() } -> std::same_as<std::string>;
      { game.parse_move(text) } -> std::same_as<Move>;
      { game.format_move(move) } -> std::same_as<std::string>;
      { position.acyclic() } -> std::same_as<bool>;   // no position can come again
      { position.can_draw() } -> std::same_as<bool>;  // some line may end in a draw
    };

// A position as its parent's expansion describes it. `move` is the game's own code of the move that
// leads to it.
struct Child {
  Key key;
  std::uint32_t move = 0;
  Side side = Side::first;
  Outcome outcome = Outcome::ongoing;
};

// A game that expands a position in one go: children() describes them, in the order of moves(), and
// a Move is the index of the child.
template <class G>
concept HasChildren = Game<G> && requires(G game) {
  { game.children() } -> std::same_as<std::span<const Child>>;
};

// Resources: numbers of which more is never worse for the first player (what helps the second one
// enters negatively). Two positions with equal boards, sides to move included, compare by them.
template <class G>
concept HasResources = Game<G> && requires(const G& position) {
  { position.resources() } -> std::same_as<std::vector<int>>;
  { position.board_key() } -> std::same_as<Key>;  // equal for equal boards, whatever the resources
  // Bytes, as many for each position, that are equal exactly for equal boards. Searches compare
  // keys; a checker compares these.
  { position.board_bytes() } -> std::same_as<std::string>;
};

// The resources of a position as the lower half of its key's `rest` has them.
using Resources = std::uint32_t;

constexpr Resources resources_in(Key key) {
  return static_cast<Resources>(key.rest);
}
constexpr Key with_resources(Key key, Resources resources) {
  return {key.board, (key.rest & 0xffffffff00000000) | resources};
}

// Resources that searches compare and exchange without taking them apart.
template <class G>
concept HasPackedResources = HasResources<G> && requires(G game, Resources mine, Resources known) {
  { G::at_least(mine, known) } -> std::same_as<bool>;  // all numbers are, for the first player
  { game.set_resources(mine) };                        // on the same board
};

// A game that knows what a solution takes, for the side that holds the solving strategy: the least
// resources if that is the first player, the most if it is the second. Each function speaks of the
// current position.
template <class G>
concept HasSolutionResources =
    HasPackedResources<G> && requires(const G& position, Move move, Resources known, Side holder) {
      // With any that serve here, the side to move has no move that it does not have now.
      { position.without_new_moves(holder) } -> std::same_as<Resources>;
      // What serves before a move, if `known` serves after it.
      { position.before(move, known, holder) } -> std::same_as<Resources>;
      // What serves wherever both do.
      { G::serving_both(known, known, holder) } -> std::same_as<Resources>;
      // Whether the side to move can make the move with these resources, too.
      { position.keeps(move, known) } -> std::same_as<bool>;
    };

// A game with cycles that can tell which moves no line can take back: after a conversion, no
// position from before it comes again.
template <class G>
concept HasConversions = Game<G> && requires(const G& position, Move move) {
  { position.converts(move) } -> std::same_as<bool>;
};

// A game that knows the key of the position after a move without playing it.
template <class G>
concept HasKeyAfter = Game<G> && requires(const G& position, Move move) {
  { position.key_after(move) } -> std::same_as<Key>;
};

// Proof and disproof numbers that a game suggests, in the view of a prover; both at least 1. Only
// the order of the search depends on them.
struct Guess {
  std::uint32_t pn = 1;
  std::uint32_t dn = 1;
};

// A game that can guess how hard the current position, which is no end, is to prove and to disprove
// (survey 7.1).
template <class G>
concept HasGuess = Game<G> && requires(const G& position, Side prover) {
  { position.guess(prover) } -> std::same_as<Guess>;
};

// What one look at a position tells: its outcome, a move that wins at once, and a guess.
struct Look {
  static constexpr Move kNoMove = 0xffffffff;
  Outcome outcome = Outcome::ongoing;
  Move winning = kNoMove;
  Guess guess;
};

// A game whose outcome is dear, because only a move generator tells it. Searches ask the table
// first and look at what it does not know; the same look sees wins in one move and makes a guess,
// for which it may go by the move that led here.
template <class G>
concept LooksAhead = HasGuess<G> && requires(const G& position, Side prover, Move last) {
  { position.look(prover, last) } -> std::same_as<Look>;
};

// A game that puts a price on moves: what a move of the current position adds to the numbers of the
// position it leads to (df-pn+; both may be 0).
template <class G>
concept HasCosts = Game<G> && requires(const G& position, Move move, Side prover) {
  { position.cost(move, prover) } -> std::same_as<Guess>;
};

// A game that knows which moves of the current position most likely end alike (survey 7.2): moves
// of one group have one number, and moves that are on their own have 0.
template <class G>
concept HasGroups = Game<G> && requires(const G& position, Move move) {
  { position.group(move) } -> std::same_as<std::uint32_t>;
};

// A game in which sides move in turn, and in which a move more never hurts the side that has it: so
// it makes sense to ask what follows if a side passes. Only selective searches pass; no rule allows
// it, and no certificate has it. After pass() the other side is to move on the same board, and the
// key tells. Moves are less than 2^28.
template <class G>
concept HasPass = Game<G> && requires(G game) {
  { game.pass() };
  { game.undo_pass() };
};

// A game that knows direct threats. Both functions append moves of the current position, which is
// no end, in the order of moves().
template <class G>
concept HasThreats = Game<G> && requires(const G& position, MoveList& moves) {
  // That win; without any, those after which few answers do not lose.
  { position.threats(moves) };
  // That win, or may meet the threats of the other side; all moves if there are no threats.
  { position.answers(moves) };
};

// A game for which a search does better with other options than the table's defaults: kDefaults has
// pairs of a name and a value, which hold where the user says nothing else.
template <class G>
concept HasDefaults = Game<G> && requires {
  { G::kDefaults.size() } -> std::convertible_to<std::size_t>;
};

// A game whose position takes memory that grows with the line; it counts towards the limit.
template <class G>
concept HasBytes = Game<G> && requires(const G& position) {
  { position.bytes() } -> std::same_as<std::size_t>;
};

// The scores that the ends of all lines from a position lie between, in the first player's view; of
// an end, both are its own. Along a line they never part further.
struct Scores {
  std::int32_t least = 0;
  std::int32_t most = 0;
};

// A game that ends with a score, and knows of a position what is out of reach and what is certain.
// Its positions are compared by nothing but their keys (see HasResources).
template <class G>
concept HasScore = Game<G> && requires(const G& position) {
  { position.scores() } -> std::same_as<Scores>;
};

// In games without a score of their own, a win of the first player counts 1, and a loss -1.
constexpr Scores scores_of(Outcome outcome) {
  if (outcome == Outcome::ongoing) return {-1, 1};
  const int score = outcome == Outcome::draw ? 0 : outcome == Outcome::first_wins ? 1 : -1;
  return {score, score};
}

template <Game G>
Scores scores_in(const G& position) {
  if constexpr (HasScore<G>) return position.scores();
  return scores_of(position.outcome());
}

// A game that ships its rules as data (an explicit graph): the lines go into the certificate.
template <class G>
concept HasData = Game<G> && requires(const G& position) {
  { position.data() } -> std::same_as<std::string>;
};

}  // namespace andorra
