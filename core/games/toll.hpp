// Toll: a traveller (the first player) passes G gates, a keeper (the second) demands coins. A tiny
// game with resources, for tests of cover entries and bounded questions (docs/games.md).
//
// Invariant: there is an open demand exactly when the traveller is to move, and none once all gates
// are passed. A position is (gate, ask) and the resources, each below 256, so keys are exact:
// `board` tells the boards apart, and the lower half of `rest` holds the resources as they are.
// A move is 0 to 3 for ask0 to ask3, 4 to 7 for paying 0 to 3 (so that undo() knows how much), and
// 9 or 10 for waiting until the ask has fallen by 1 or 2.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "game.hpp"
#include "games/legal_move.hpp"
#include "games/text_reader.hpp"
#include "mix.hpp"

namespace andorra {

class Toll {
 public:
  static constexpr std::string_view kName = "toll";

  explicit Toll(std::string_view parameters) {
    TextReader reader(parameters.empty() ? "3" : parameters);
    gates_ = reader.number(1, kMostGates, "the number of gates");
    reader.expect_end();
    now_ = {0, 0, gates_, 1, gates_ + 1};  // the first gate is free
  }

  std::string parameters() const { return std::to_string(gates_); }

  Side side_to_move() const { return now_.ask == kNoAsk ? Side::second : Side::first; }

  Outcome outcome() const {
    if (now_.gate == gates_) return Outcome::first_wins;
    const bool stuck = side_to_move() == Side::first && !can_pay() && !can_wait();
    return stuck ? Outcome::second_wins : Outcome::ongoing;
  }

  void moves(MoveList& list) const {
    if (outcome() != Outcome::ongoing) return;
    if (side_to_move() == Side::second) {
      for (int ask = 0; ask <= std::min(kMostAsked, now_.budget); ++ask)
        list.push_back(static_cast<Move>(ask));
      return;
    }
    if (can_pay()) list.push_back(kPay + static_cast<Move>(now_.ask));
    if (can_wait()) list.push_back(kWait + static_cast<Move>(std::min(now_.ask, 2)));
  }

  void play(Move move) {
    if (move < kPay)
      ask(static_cast<int>(move));
    else if (move < kWait)
      pay(static_cast<int>(move - kPay));
    else
      wait(static_cast<int>(move - kWait));
  }

  void undo(Move move) {
    if (move < kPay)
      take_back_ask(static_cast<int>(move));
    else if (move < kWait)
      take_back_pay(static_cast<int>(move - kPay));
    else
      take_back_wait(static_cast<int>(move - kWait));
  }

  Key key() const {
    Key key = board_key();
    key.rest |= packed(now_.coins) | packed(now_.patience) << 8 | packed(now_.budget) << 16;
    return key;
  }

  Key board_key() const {
    constexpr std::uint64_t kUpperHalf = 0xffffffff00000000;
    const Key key = exact_key(packed(now_.gate) << 8 | packed(now_.ask + 1));
    return {key.board, key.rest & kUpperHalf};
  }

  std::string board_bytes() const {
    return {static_cast<char>(now_.gate), static_cast<char>(now_.ask)};
  }

  std::vector<int> resources() const { return {now_.coins, now_.patience, -now_.budget}; }

  static bool at_least(Resources mine, Resources known) {
    return (mine & 0xff) >= (known & 0xff) && (mine >> 8 & 0xff) >= (known >> 8 & 0xff) &&
           (mine >> 16) <= (known >> 16);
  }

  void set_resources(Resources resources) {
    now_.coins = static_cast<int>(resources & 0xff);
    now_.patience = static_cast<int>(resources >> 8 & 0xff);
    now_.budget = static_cast<int>(resources >> 16);
  }

  void parse(std::string_view text) {
    TextReader reader(text);
    State read;
    read.gate = reader.number(0, gates_, "the number of gates passed");
    reader.expect(' ');
    read.ask = read_ask(reader, read.gate);
    reader.expect(' ');
    read.coins = reader.number(0, kMostHeld, "coins");
    reader.expect(' ');
    read.patience = reader.number(0, kMostHeld, "patience");
    reader.expect(' ');
    read.budget = reader.number(0, kMostHeld, "the budget");
    reader.expect(' ');
    reader.expect(side_letter(read.ask));
    reader.expect_end();
    now_ = read;
  }

  std::string format() const {
    const std::string ask = now_.ask == kNoAsk ? "-" : std::to_string(now_.ask);
    return std::to_string(now_.gate) + " " + ask + " " + std::to_string(now_.coins) + " " +
           std::to_string(now_.patience) + " " + std::to_string(now_.budget) + " " +
           side_letter(now_.ask);
  }

  Move parse_move(std::string_view text) const { return legal_move(*this, text); }

  std::string format_move(Move move) const {
    if (move < kPay) return "ask" + std::to_string(move);
    return move < kWait ? "pay" : "wait";
  }

  bool acyclic() const { return true; }
  bool can_draw() const { return false; }

 private:
  static constexpr int kMostGates = 9;
  static constexpr int kMostAsked = 3;
  static constexpr int kMostHeld = 99;
  static constexpr int kNoAsk = -1;
  static constexpr Move kPay = kMostAsked + 1;
  static constexpr Move kWait = kPay + kMostAsked + 1;

  struct State {
    int gate = 0;
    int ask = kNoAsk;
    int coins = 0;
    int patience = 0;
    int budget = 0;
  };

  static constexpr std::uint64_t packed(int small) { return static_cast<std::uint64_t>(small); }
  static constexpr char side_letter(int ask) { return ask == kNoAsk ? 'k' : 't'; }

  bool can_pay() const { return now_.coins >= now_.ask; }
  bool can_wait() const { return now_.patience > 0 && now_.ask > 0; }

  // Behind the last gate nobody demands anything.
  int read_ask(TextReader& reader, int gate) const {
    if (reader.skip('-')) return kNoAsk;
    if (gate == gates_) reader.fail("expected '-', because all gates are passed");
    return reader.number(0, kMostAsked, "'-' or the open demand");
  }

  void ask(int demand) {
    now_.budget -= demand;
    now_.ask = demand;
  }

  void take_back_ask(int demand) {
    now_.budget += demand;
    now_.ask = kNoAsk;
  }

  void pay(int demand) {
    now_.coins -= demand;
    now_.gate += 1;
    now_.ask = kNoAsk;
  }

  void take_back_pay(int demand) {
    now_.coins += demand;
    now_.gate -= 1;
    now_.ask = demand;
  }

  void wait(int fall) {
    --now_.patience;
    now_.ask -= fall;
  }

  void take_back_wait(int fall) {
    ++now_.patience;
    now_.ask += fall;
  }

  int gates_ = 0;
  State now_;
};

static_assert(HasPackedResources<Toll>);

}  // namespace andorra
