// Tsume-shogi: the attacker (the first player) mates by giving check at every move (docs/games.md).
//
// Idea: a shogi position on bitboards (games/shogi/), whose moves are checks or evasions. What the
// attacker holds is the resource: pieces only change hands or places, so for a board the attacker's
// hand tells the defender's, and more of it is never worse, because the attacker may leave it
// unused and the defender has less to put in between; that a pawn drop mates does not depend on
// hands. With `muda` the same holds: whether a checker may take on a square does not depend on
// hands, and fewer pieces of the defender never add evasions, so a mate by wasted drops stays one
// if the attacker has more. The ban on mates by pawn drops is about mates without evasions; a pawn
// gives check from next to the king, where nothing can be put in between, so there are no others.
// Invariant: the key's `rest` has the attacker's hand in its lower half. All pieces in play and who
// attacks, which no move changes, are hashed once.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "game.hpp"
#include "games/legal_move.hpp"
#include "games/shogi/moves.hpp"
#include "games/shogi/muda.hpp"
#include "games/shogi/setup.hpp"
#include "games/shogi/sfen.hpp"
#include "games/text_reader.hpp"

namespace andorra {

class Tsume {
 public:
  static constexpr std::string_view kName = "tsume";

  static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kDefaults{{
      {"initial", "game"},
      {"groups", "in-turn"},
      {"epsilon", "0.25"},
      {"double_count", "nagai"},
      {"backup", "weak-dn"},
  }};

  explicit Tsume(std::string_view parameters) : parameters_(parameters) {
    TextReader reader(parameters);
    fixed_attacker_ = parameters.starts_with("attacker=");
    if (fixed_attacker_) default_attacker_ = read_attacker(reader);
    rest_ = read_flag(reader, "rest");
    muda_ = read_flag(reader, "muda");
    if (!reader.at_end()) reader.fail("expected 'attacker=', 'rest', 'muda', in this order");
    parse(default_attacker_ == shogi::kWhite ? "9/9/9/9/9/9/4p4/9/4K4 w g 1"
                                             : "4k4/9/4P4/9/9/9/9/9/9 b G 1");
  }

  std::string parameters() const { return parameters_; }

  Side side_to_move() const { return board_.to_move() == attacker_ ? Side::first : Side::second; }

  Outcome outcome() const {
    if (only_wastes()) return Outcome::first_wins;
    if (each_move([](Move) { return true; })) return Outcome::ongoing;
    return win_for(other(side_to_move()));
  }

  void moves(MoveList& list) const {
    if (only_wastes()) return;
    const auto start = static_cast<std::ptrdiff_t>(list.size());
    each_move([&](Move move) {
      list.push_back(move);
      return false;
    });
    std::sort(list.begin() + start, list.end());
  }

  void play(Move move) { board_.play(move); }
  void undo(Move move) { board_.undo(move); }

  Key key() const {
    Key key = board_key();
    key.rest |= board_.hand(attacker_);
    return key;
  }

  Key key_after(Move move) const {
    Key key = combined(board_.hash_after(move), in_play_);
    key.rest |= board_.to_move() == attacker_ ? board_.hand_after(move) : board_.hand(attacker_);
    return key;
  }

  Key board_key() const { return combined(board_.hash(), in_play_); }

  // Of the hands, what both hold together: the rest is the attacker's, a resource.
  std::string board_bytes() const {
    std::string bytes;
    for (shogi::Square square = 0; square < shogi::kSquares; ++square) {
      const shogi::Piece piece = board_.at(square);
      bytes += static_cast<char>(piece.colour << 4 | piece.kind);
    }
    bytes += static_cast<char>(board_.to_move() << 1 | attacker_);
    for (shogi::Kind kind = shogi::kPawn; kind <= shogi::kRook; ++kind)
      bytes += static_cast<char>(shogi::count(in_hand(), kind));
    return bytes;
  }

  std::vector<int> resources() const {
    std::vector<int> resources;
    for (shogi::Kind kind = shogi::kPawn; kind <= shogi::kRook; ++kind)
      resources.push_back(shogi::count(board_.hand(attacker_), kind));
    return resources;
  }

  static bool at_least(Resources mine, Resources known) { return shogi::at_least(mine, known); }

  void set_resources(Resources hand) {
    const shogi::Hand both = in_hand();
    board_.set_hand(attacker_, hand);
    board_.set_hand(shogi::other(attacker_), both - hand);
  }

  // The attacker keeps what the defender lacks and could put in between; the attacker lacks what it
  // could drop with check.
  Resources without_new_moves(Side holder) const {
    const bool attacks = board_.to_move() == attacker_;
    if (holder == Side::first && only_wastes()) return enough_to_mate();
    const shogi::Hand both = in_hand();
    if (holder == Side::first) return attacks ? 0 : both & missing_drops(board_.to_move());
    return attacks ? both & ~missing_drops(attacker_) : both;
  }

  Resources before(Move move, Resources known, Side holder) const {
    const shogi::Kind captured = shogi::unpromoted(shogi::captured_by(move));
    if (board_.to_move() != attacker_)
      return holder == Side::first ? known : unmated(shogi::least(known, in_hand()));
    if (shogi::is_drop(move)) return known + shogi::one(shogi::moved_by(move));
    if (captured == shogi::kNone || shogi::count(known, captured) == 0) return known;
    return known - shogi::one(captured);
  }

  static Resources serving_both(Resources a, Resources b, Side holder) {
    return holder == Side::first ? shogi::most(a, b) : shogi::least(a, b);
  }

  bool keeps(Move move, Resources hand) const {
    if (!shogi::is_drop(move)) return true;
    const bool attacks = board_.to_move() == attacker_;
    return shogi::count(attacks ? hand : in_hand() - hand, shogi::moved_by(move)) > 0;
  }

  // Alike are interpositions on one square, and a move with and without promotion of a piece that
  // is hardly ever better off without it.
  std::uint32_t group(Move move) const {
    const auto to = static_cast<std::uint32_t>(shogi::to_of(move));
    const shogi::Kind kind = shogi::moved_by(move);
    const bool defends = board_.to_move() != attacker_;
    if (defends && kind != shogi::kKing && shogi::captured_by(move) == shogi::kNone) return 1 + to;
    if (shogi::is_drop(move) || !pairs(kind)) return 0;
    return (1 + static_cast<std::uint32_t>(shogi::from_of(move))) << 7 | to;
  }

  // A check by a piece that the defender can take makes the mate harder to prove.
  Guess cost(Move move, Side prover) const {
    if (board_.to_move() != attacker_ || !can_be_taken(move)) return {0, 0};
    return prover == Side::first ? Guess{1, 0} : Guess{0, 1};
  }

  Guess guess(Side prover) const { return look(prover, Look::kNoMove).guess; }

  Look look(Side prover, Move last) const {
    const bool attacks = board_.to_move() == attacker_;
    Look look;
    Guess guess = attacks ? checks(look.winning) : evasions();
    if (guess.pn == 0 || guess.dn == 0) look.outcome = win_for(other(side_to_move()));
    if (last != Look::kNoMove && !attacks && declines_promotion(last)) guess.pn += kDeclined;
    guess = {std::max<std::uint32_t>(guess.pn, 1), std::max<std::uint32_t>(guess.dn, 1)};
    look.guess = prover == Side::first ? guess : Guess{guess.dn, guess.pn};
    return look;
  }

  void parse(std::string_view text) {
    Tsume read = *this;
    TextReader reader(text);
    for (std::string_view prefix : {"position sfen ", "sfen "})
      if (reader.place() == 0 && text.starts_with(prefix))
        for (char c : prefix) reader.expect(c);
    read.set_up(reader);
    *this = read;
  }

  std::string format() const {
    const shogi::Colour assumed = fixed_attacker_ ? default_attacker_ : board_.to_move();
    const std::string mark = attacker_ == shogi::kBlack ? " attacker=b" : " attacker=w";
    return shogi::sfen(board_) + (attacker_ == assumed ? "" : mark);
  }

  Move parse_move(std::string_view text) const { return legal_move(*this, text); }
  std::string format_move(Move move) const { return shogi::usi(move); }

  bool acyclic() const { return false; }
  bool can_draw() const { return false; }

 private:
  static constexpr std::string_view kMark = " attacker=";
  static constexpr std::uint32_t kDeclined = 3;  // tried: 1 to 4
  static constexpr std::uint64_t kSecretOfPieces = 0x706965636573;

  static Outcome win_for(Side side) {
    return side == Side::first ? Outcome::first_wins : Outcome::second_wins;
  }

  // Whether a parameter comes next, behind a comma if another one stands before it.
  static bool read_flag(TextReader& reader, std::string_view name) {
    const std::string_view left = reader.text().substr(reader.place());
    const std::string_view comma = reader.place() == 0 ? "" : ",";
    if (!left.starts_with(comma) || !left.substr(comma.size()).starts_with(name)) return false;
    for (std::string_view part : {comma, name})
      for (char c : part) reader.expect(c);
    return true;
  }

  static shogi::Colour read_attacker(TextReader& reader) {
    for (char c : std::string_view("attacker=")) reader.expect(c);
    return reader.one_of("bw") == 'b' ? shogi::kBlack : shogi::kWhite;
  }

  shogi::Hand in_hand() const { return board_.hand(shogi::kBlack) + board_.hand(shogi::kWhite); }

  // The fields of kinds that a side has none of and would have moves with.
  shogi::Hand missing_drops(shogi::Colour side) const {
    shogi::Hand missing = 0;
    const shogi::Moves moves(board_);
    for (shogi::Kind kind = shogi::kPawn; kind <= shogi::kRook; ++kind)
      if (shogi::count(board_.hand(side), kind) == 0 && moves.may_drop(kind, side == attacker_))
        missing |= shogi::kHandMask[kind] << shogi::kHandShift[kind];
    return missing;
  }

  // Whether the defender, if wasted drops do not count, is mated.
  bool only_wastes() const {
    const shogi::Colour mover = board_.to_move();
    return muda_ && mover != attacker_ && board_.in_check(mover) && shogi::Muda(board_).mates();
  }

  // The same if the attacker held this.
  bool only_wastes_with(shogi::Hand hand) const {
    Tsume other = *this;
    other.set_resources(hand);
    return other.only_wastes();
  }

  // With this the attacker has mated as well. Drops of all kinds are often wasted; if not, what the
  // defender has none of is what counts, and after that, how many of what follow each other.
  shogi::Hand enough_to_mate() const {
    const shogi::Hand missing = in_hand() & missing_drops(board_.to_move());
    for (shogi::Hand hand : {shogi::Hand{0}, missing})
      if (only_wastes_with(hand)) return hand;
    return board_.hand(attacker_);
  }

  // The hand, if the defender has moves when the attacker holds it; else what the attacker holds.
  shogi::Hand unmated(shogi::Hand hand) const {
    return muda_ && only_wastes_with(hand) ? board_.hand(attacker_) : hand;
  }

  // Guesses are for the attacker's win. A mate is the further off the more squares the king has; it
  // is refuted by an answer to every check.
  Guess checks(Move& mate) const {
    std::uint32_t count = 0;
    const shogi::Moves moves(board_);
    const shogi::MateFilter filter(board_);
    moves.each_check([&](Move move) {
      ++count;
      if (!filter.may_mate(move) || !mates(move)) return false;
      mate = move;
      return true;
    });
    return mate == Look::kNoMove ? Guess{1 + filter.free_squares() / 2, count} : Guess{1, 1};
  }

  bool mates(Move check) const {
    shogi::Board next = board_;
    next.play(check);
    if (muda_) return shogi::Muda(next).mates();
    return !shogi::Moves(next).each_evasion([](Move) { return true; });
  }

  // The attacker must mate after every evasion. Interpositions on one square count once, and that
  // the checker can be captured counts as one more.
  Guess evasions() const {
    if (only_wastes()) return {0, 1};
    std::uint32_t count = 0;
    shogi::Bits between = 0;
    bool captures = false;
    each_move([&](Move move) {
      const bool interposes =
          shogi::moved_by(move) != shogi::kKing && shogi::captured_by(move) == shogi::kNone;
      if (interposes)
        between |= shogi::bit(shogi::to_of(move));
      else
        ++count;
      captures |= !interposes && shogi::captured_by(move) != shogi::kNone;
      return false;
    });
    return {count + static_cast<std::uint32_t>(shogi::size(between)) + captures, 1};
  }

  // By a piece, as far as attacks tell, or by the king because nothing protects the checker.
  bool can_be_taken(Move check) const {
    const shogi::Colour defender = shogi::other(attacker_);
    const shogi::Square to = shogi::to_of(check);
    const shogi::Bits king = shogi::bit(board_.king(defender));
    const shogi::Bits from =
        shogi::is_drop(check) ? shogi::Bits{0} : shogi::bit(shogi::from_of(check));
    const shogi::Bits occupied = board_.occupied() & ~from;
    const shogi::Bits takers = board_.attackers(to, defender, occupied);
    if ((takers & ~king) != 0) return true;
    return takers != 0 && (board_.attackers(to, attacker_, occupied) & ~from) == 0;
  }

  // The attacker's last move could have been a promotion and was none, which is rarely the way.
  bool declines_promotion(Move last) const {
    const shogi::Kind kind = shogi::moved_by(last);
    if (shogi::is_drop(last) || shogi::promotes(last) || !pairs(kind)) return false;
    const shogi::Bits ends = shogi::bit(shogi::from_of(last)) | shogi::bit(shogi::to_of(last));
    return (ends & shogi::kAttacks.zone(attacker_)) != 0;
  }

  // Hardly ever better off unpromoted.
  static bool pairs(shogi::Kind kind) {
    return kind == shogi::kPawn || kind == shogi::kLance || kind == shogi::kBishop ||
           kind == shogi::kRook;
  }

  template <class Visit>
  bool each_move(Visit&& visit) const {
    const shogi::Moves moves(board_);
    return board_.to_move() == attacker_ ? moves.each_check(visit) : moves.each_legal_move(visit);
  }

  void set_up(TextReader& reader) {
    const std::size_t start = reader.place();
    board_ = shogi::SfenReader(reader).read();
    const std::size_t end = reader.place();
    const std::string_view text = reader.text();
    const bool marked = text.size() >= end + kMark.size() + 1 &&
                        text.substr(text.size() - kMark.size() - 1).starts_with(kMark);
    const std::size_t stop = marked ? text.size() - kMark.size() - 1 : text.size();
    attacker_ = fixed_attacker_ ? default_attacker_ : board_.to_move();
    if (marked) {
      TextReader mark(text);
      while (mark.place() <= stop) mark.one_of(text.substr(mark.place(), 1));
      attacker_ = read_attacker(mark);
    }
    check(text, start);
    play_moves(reader, stop);
  }

  void check(std::string_view text, std::size_t start) {
    const shogi::Colour defender = shogi::other(attacker_);
    if (rest_) shogi::give_rest(board_, defender);
    std::string fault = shogi::fault_of(board_);
    if (!board_.has_king(defender)) fault = "the defender has no king";
    if (!fault.empty()) throw PositionError(text, start, fault);
    std::uint64_t packed = attacker_;
    for (int count : shogi::counts(board_)) packed = packed * 19 + static_cast<unsigned>(count);
    in_play_ = with_check({mix(packed), 0}, check_bits(Secret::of(kSecretOfPieces, packed)));
  }

  void play_moves(TextReader& reader, std::size_t stop) {
    if (reader.place() == stop) return;
    for (char c : std::string_view(" moves")) reader.expect(c);
    do {
      reader.expect(' ');
      const std::string_view rest = reader.text().substr(reader.place(), stop - reader.place());
      const std::string_view move = rest.substr(0, rest.find(' '));
      play(parse_move(move));
      for (char c : move) reader.expect(c);
    } while (reader.place() < stop);
  }

  std::string parameters_;
  shogi::Colour default_attacker_ = shogi::kBlack;
  bool fixed_attacker_ = false;
  bool rest_ = false;
  bool muda_ = false;
  shogi::Board board_;
  shogi::Colour attacker_ = shogi::kBlack;
  Key in_play_;
};

static_assert(HasSolutionResources<Tsume> && HasGroups<Tsume> && HasCosts<Tsume> &&
              LooksAhead<Tsume>);

}  // namespace andorra
