// Tsume-shogi: the attacker (the first player) mates by giving check at every move (docs/games.md).
//
// Idea: a shogi position on bitboards (games/shogi/), whose moves are checks or evasions. What the
// attacker holds is the resource: pieces only change hands or places, so for a board the attacker's
// hand tells the defender's, and more of it is never worse, because the attacker may leave it
// unused and the defender has less to put in between; that a pawn drop mates does not depend on
// hands.
// Invariant: the key's `rest` has the attacker's hand in its lower half. All pieces in play and who
// attacks, which no move changes, are hashed once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "game.hpp"
#include "games/legal_move.hpp"
#include "games/shogi/moves.hpp"
#include "games/shogi/setup.hpp"
#include "games/shogi/sfen.hpp"
#include "games/text_reader.hpp"

namespace andorra {

class Tsume {
 public:
  static constexpr std::string_view kName = "tsume";

  explicit Tsume(std::string_view parameters) : parameters_(parameters) {
    TextReader reader(parameters);
    if (parameters.starts_with("attacker=")) {
      default_attacker_ = read_attacker(reader);
      fixed_attacker_ = true;
      if (!reader.at_end()) reader.expect(',');
    }
    if (!reader.at_end() || parameters.ends_with(',')) {
      for (char c : std::string_view("rest")) reader.expect(c);
      rest_ = true;
    }
    reader.expect_end();
    parse(default_attacker_ == shogi::kWhite ? "9/9/9/9/9/9/4p4/9/4K4 w g 1"
                                             : "4k4/9/4P4/9/9/9/9/9/9 b G 1");
  }

  std::string parameters() const { return parameters_; }

  Side side_to_move() const { return board_.to_move() == attacker_ ? Side::first : Side::second; }

  Outcome outcome() const {
    if (each_move([](Move) { return true; })) return Outcome::ongoing;
    return win_for(other(side_to_move()));
  }

  void moves(MoveList& list) const {
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

  Key board_key() const { return combined(board_.hash(), in_play_); }

  std::vector<int> resources() const {
    std::vector<int> resources;
    for (shogi::Kind kind = shogi::kPawn; kind <= shogi::kRook; ++kind)
      resources.push_back(shogi::count(board_.hand(attacker_), kind));
    for (shogi::Kind kind = shogi::kPawn; kind <= shogi::kRook; ++kind)
      resources.push_back(-shogi::count(board_.hand(shogi::other(attacker_)), kind));
    return resources;
  }

  void parse(std::string_view text) {
    Tsume read = *this;
    TextReader reader(text);
    for (std::string_view word : {"position ", "sfen "})
      if (text.substr(reader.place()).starts_with(word))
        for (char c : word) reader.expect(c);
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

  static Outcome win_for(Side side) {
    return side == Side::first ? Outcome::first_wins : Outcome::second_wins;
  }

  static shogi::Colour read_attacker(TextReader& reader) {
    for (char c : std::string_view("attacker=")) reader.expect(c);
    return reader.one_of("bw") == 'b' ? shogi::kBlack : shogi::kWhite;
  }

  template <class Visit>
  bool each_move(Visit&& visit) const {
    const shogi::Moves moves(board_);
    if (board_.to_move() == attacker_) return moves.each_check(visit);
    return board_.in_check(board_.to_move()) ? moves.each_evasion(visit)
                                             : moves.each_quiet_move(visit);
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
    in_play_ = {mix(packed), mix(mix(packed)) & 0xffffffff00000000};
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
  shogi::Board board_;
  shogi::Colour attacker_ = shogi::kBlack;
  Key in_play_;
};

static_assert(HasResources<Tsume>);

}  // namespace andorra
