// Games written by users: UserGame over a backend that counts its calls, and over a tiny game of
// the C ABI, Nim with one heap, that can be broken in every way a user's game can.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "abi.h"
#include "check.hpp"
#include "errors.hpp"
#include "games/abi_backend.hpp"
#include "games/state_key.hpp"
#include "games/user_game.hpp"

namespace andorra {
namespace {

// ---- Nim for the ABI: the bytes are the heap and the side to move; a move takes 1 to 3. ----

enum class Fault {
  none,
  expand_fails,
  expand_too_many,
  describe_fails,
  initial_fails,
  other_moves,
  other_order,
  cycle,
  draw,
  end_with_moves,
  no_moves,
  bad_status,
  bad_root_status,
  code_twice,
  statuses_differ,
  input_changed,
  text_with_tab,
  text_empty,
  text_lost,
  text_fails,
  reads_other,
  reads_nothing,
  move_with_space,
  moves_alike,
};

Fault fault = Fault::none;
int expansions = 0;
std::size_t padding = 0;

struct Breaking {
  explicit Breaking(Fault which) { fault = which; }
  ~Breaking() { fault = Fault::none; }
};

std::uint8_t status_of(const std::uint8_t* state) {
  if (fault == Fault::bad_root_status) return 8;
  if (state[0] > 0) return ANDORRA_STATUS(state[1], ANDORRA_ONGOING);
  if (fault == Fault::draw) return ANDORRA_STATUS(state[1], ANDORRA_DRAW);
  return ANDORRA_STATUS(state[1], state[1] == 0 ? ANDORRA_SECOND_WINS : ANDORRA_FIRST_WINS);
}

std::int32_t nim_initial(std::uint8_t* state) {
  state[0] = 5;
  state[1] = 0;
  return fault != Fault::initial_fails;
}

std::int32_t nim_describe(const std::uint8_t* state, std::uint8_t* status) {
  *status = status_of(state);
  return fault != Fault::describe_fails && state[1] <= 1 && state[0] <= 200;
}

// The first time of all, or any later time, as the faults that need a change ask.
bool asked_again() {
  return expansions > 1;
}

int taken(int number, int count) {
  const bool reversed = fault == Fault::other_order && asked_again();
  return reversed ? count - number : number + 1;
}

int count_of(int heap) {
  if (heap == 0 && fault == Fault::end_with_moves) return 1;
  if (fault == Fault::no_moves || (fault == Fault::other_moves && asked_again())) return heap > 1;
  return std::min(heap, 3);
}

std::int32_t nim_expand(const std::uint8_t* state, std::uint8_t* children, std::uint32_t* moves,
                        std::uint8_t* status) {
  ++expansions;
  if (fault == Fault::expand_fails) return 0;
  if (fault == Fault::expand_too_many) return 5;
  if (fault == Fault::input_changed) ++const_cast<std::uint8_t*>(state)[0];
  const int count = count_of(state[0]);
  for (int i = 0; i < count; ++i) {
    int take = std::min<int>(taken(i, count), state[0]);
    if (fault == Fault::cycle && state[0] == 3) take = -2;
    std::uint8_t* child = children + 2 * i;
    child[0] = static_cast<std::uint8_t>(state[0] - take);
    child[1] = state[1] ^ 1;
    moves[i] = fault == Fault::code_twice ? 7 : static_cast<std::uint32_t>(i + 1);
    status[i] = fault == Fault::bad_status ? 8 : status_of(child);
    if (fault == Fault::statuses_differ) status[i] ^= 1;
  }
  return 1 + count;
}

std::int32_t nim_format(const std::uint8_t* state, char* text, std::uint32_t capacity) {
  if (fault == Fault::text_fails) return 0;
  if (fault == Fault::text_empty) return 1;
  const char* between = fault == Fault::text_with_tab ? "\t" : " ";
  const int heap = fault == Fault::text_lost ? 5 : state[0];
  const std::string zeros(padding, '0');
  return 1 + std::snprintf(text, capacity, "%s%d%s%c", zeros.c_str(), heap, between,
                           state[1] == 0 ? 'x' : 'o');
}

std::int32_t nim_parse(const char* text, std::uint8_t* state) {
  int heap = 0;
  char side = 0, rest = 0;
  if (fault == Fault::reads_nothing) return 0;
  if (std::sscanf(text, "%d %c%c", &heap, &side, &rest) != 2 || heap < 0 || heap > 255) return 0;
  state[0] = static_cast<std::uint8_t>(heap + (fault == Fault::reads_other));
  state[1] = side == 'x' ? 0 : side == 'o' ? 1 : 2;
  return 1;
}

std::int32_t nim_format_move(const std::uint8_t*, std::uint32_t move, char* text,
                             std::uint32_t capacity) {
  if (fault == Fault::moves_alike) return 1 + std::snprintf(text, capacity, "take");
  const char* between = fault == Fault::move_with_space ? " " : "";
  return 1 + std::snprintf(text, capacity, "take%s%u", between, static_cast<unsigned>(move));
}

std::int32_t nim_explain(const std::uint8_t*, char* text, std::uint32_t capacity) {
  return 1 + std::snprintf(text, capacity, "the heap is on fire");
}

andorra_rules_v1 nim_rules() {
  return {.abi_version = ANDORRA_ABI_VERSION,
          .state_bytes = 2,
          .max_moves = 3,
          .flags = ANDORRA_ACYCLIC | ANDORRA_NO_DRAWS,
          .initial = nim_initial,
          .describe = nim_describe,
          .expand = nim_expand,
          .format_state = nim_format,
          .parse_state = nim_parse,
          .format_move = nim_format_move,
          .explain = nim_explain,
          .name = "nim",
          .parameters = "5"};
}

UserGame nim(const andorra_rules_v1& rules = nim_rules()) {
  expansions = 0;
  return UserGame(std::make_unique<AbiBackend>(&rules));
}

MoveList moves_of(UserGame& game) {
  MoveList list;
  game.moves(list);
  return list;
}

// Walks the whole tree below the position and gives the number of its leaves.
int leaves(UserGame& game) {
  const MoveList moves = moves_of(game);
  int count = moves.empty();
  for (const Move move : moves) {
    game.play(move);
    count += leaves(game);
    game.undo(move);
  }
  return count;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no error";
}

// Whether the broken game is stopped by a RuleError whose message has all the words.
bool stopped(Fault which, const std::vector<std::string>& words) {
  const Breaking breaking(which);
  std::string message = "no RuleError";
  try {
    UserGame game = nim();
    leaves(game);
    leaves(game);
    game.parse_move("take1");
  } catch (const RuleError& error) {
    message = error.what();
  }
  const bool all = std::all_of(words.begin(), words.end(), [&](const std::string& word) {
    return message.find(word) != message.npos;
  });
  if (!all) std::printf("  message: %s\n", message.c_str());
  return all;
}

TEST(user_game_plays_the_rules) {
  UserGame game = nim();
  CHECK(game.format() == "5 x");
  CHECK(game.side_to_move() == Side::first);
  CHECK(game.outcome() == Outcome::ongoing);
  CHECK(moves_of(game) == (MoveList{0, 1, 2}));
  CHECK(leaves(game) == 13);
  game.play(game.parse_move("take3"));
  CHECK(game.side_to_move() == Side::second);
  game.play(game.parse_move("take2"));
  CHECK(game.format() == "0 x");
  CHECK(game.outcome() == Outcome::second_wins);
  CHECK(moves_of(game).empty());
}

TEST(user_game_restores_text_key_and_moves) {
  UserGame game = nim();
  game.play(1);
  const std::string text = game.format();
  const Key key = game.key();
  leaves(game);
  for (const Move move : moves_of(game)) {
    game.play(move);
    CHECK(game.key() != key);
    game.undo(move);
    CHECK(game.key() == key);
    CHECK(game.format() == text);
    CHECK(game.format_move(move) == "take" + std::to_string(move + 1));
  }
}

TEST(user_game_keys_are_those_of_positions) {
  UserGame game = nim();
  UserGame parsed = nim();
  parsed.parse("2 o");
  game.play(2);
  CHECK(game.key() == parsed.key());
  parsed.parse("2 x");
  CHECK(game.key() != parsed.key());
}

TEST(user_game_looks_at_children_for_one_expansion) {
  UserGame game = nim();
  for (int round = 0; round < 2; ++round)
    for (const Move move : moves_of(game)) {
      game.play(move);
      CHECK(game.outcome() == Outcome::ongoing);
      CHECK(game.side_to_move() == Side::second);
      game.undo(move);
    }
  CHECK(expansions == 1);
  game.play(0);
  moves_of(game);
  game.undo(0);
  moves_of(game);
  CHECK(expansions == 2);
  game.play(0);
  moves_of(game);
  CHECK(expansions == 3);
}

TEST(user_game_copies_are_independent) {
  UserGame game = nim();
  game.play(0);
  moves_of(game);
  game.play(1);
  UserGame copy = game;
  copy.play(0);
  CHECK(copy.format() == "1 o");
  CHECK(game.format() == "2 x");
  game = nim();
  CHECK(copy.format() == "1 o");
  game = copy;
  CHECK(game.format() == "1 o");
  game.undo(0);
  game.undo(1);
  game.undo(0);
  CHECK(game.format() == "5 x");
}

TEST(user_game_reads_text) {
  UserGame game = nim();
  game.play(0);
  game.parse("3 o");
  CHECK(game.format() == "3 o");
  CHECK_THROWS(game.parse(""), PositionError);
  CHECK_THROWS(game.parse("3"), PositionError);
  CHECK_THROWS(game.parse("3 y"), PositionError);
  CHECK_THROWS(game.parse("201 x"), PositionError);
  CHECK_THROWS(game.parse("3\tx"), PositionError);
  CHECK_THROWS(game.parse(std::string_view("3 x\0x", 5)), PositionError);
  CHECK_THROWS(game.parse_move("take4"), PositionError);
  CHECK_THROWS(game.play(3), PositionError);
  CHECK_THROWS(game.format_move(3), PositionError);
  CHECK(game.format() == "3 o");
  CHECK(message_of([&] { game.parse("3 y"); }).find("'3 y'") != std::string::npos);
  CHECK(message_of([&] { game.parse_move("no"); }) ==
        "'no' is no legal move in '3 o'; legal: take1 take2 take3");
}

TEST(user_game_writes_long_texts_whole) {
  for (const std::size_t length : {254u, 255u, 256u, 257u, 5000u}) {
    padding = length - 3;
    UserGame game = nim();
    CHECK(game.format().size() == length);
  }
  padding = ANDORRA_MAX_TEXT_BYTES;
  CHECK_THROWS(nim(), RuleError);
  padding = 0;
}

TEST(user_game_has_default_texts) {
  andorra_rules_v1 rules = nim_rules();
  rules.format_state = nullptr;
  rules.parse_state = nullptr;
  rules.format_move = nullptr;
  UserGame game = nim(rules);
  CHECK(game.format() == "0500");
  game.play(game.parse_move("3"));
  CHECK(game.format() == "0201");
  game.parse("0a01");
  CHECK(game.format() == "0a01");
  for (const char* text : {"0A01", "0a0", "0a011", "", "xx01", "0a02"})
    CHECK_THROWS(game.parse(text), PositionError);
}

TEST(user_game_stops_rules_that_fail) {
  CHECK(stopped(Fault::expand_fails, {"nim:5: the rule 'expand' failed", "'5 x'", "on fire"}));
  CHECK(stopped(Fault::expand_too_many, {"'expand' returned 5", "1 + 3", "'5 x'"}));
  CHECK(stopped(Fault::describe_fails, {"'describe' failed", "'5 x'", "on fire"}));
  CHECK(stopped(Fault::initial_fails, {"'initial' failed", "on fire"}));
  CHECK(stopped(Fault::bad_status, {"'expand' gave status 8", "'4 o'"}));
  CHECK(stopped(Fault::bad_root_status, {"'describe' gave status 8", "'5 x'"}));
}

TEST(user_game_stops_rules_that_contradict_themselves) {
  CHECK(stopped(Fault::end_with_moves, {"'moves' gave moves although", "'0 "}));
  CHECK(stopped(Fault::no_moves, {"'moves' gave no move although", "'1 "}));
  CHECK(stopped(Fault::draw, {"'outcome' gave a draw", "after move take"}));
  CHECK(stopped(Fault::code_twice, {"'expand' gave the move code 7 twice", "'5 x'"}));
  CHECK(stopped(Fault::statuses_differ, {"'describe' gave status", "'4 o'"}));
  CHECK(stopped(Fault::input_changed, {"'expand' changed its input", "'5 x'"}));
}

TEST(user_game_stops_bad_texts) {
  CHECK(stopped(Fault::text_with_tab, {"'format_state' wrote '5\tx'", "0500"}));
  CHECK(stopped(Fault::text_empty, {"'format_state' wrote ''", "0500"}));
  CHECK(stopped(Fault::text_fails, {"'format_state' failed", "0500", "on fire"}));
  CHECK(stopped(Fault::text_lost, {"'parse_state' read back another position, 0501"}));
  CHECK(stopped(Fault::reads_other, {"'parse_state' read back another position", "'5 x'"}));
  CHECK(stopped(Fault::reads_nothing, {"'parse_state' rejected", "'5 x'"}));
  CHECK(stopped(Fault::move_with_space, {"'format_move' wrote 'take 1'"}));
  const Breaking breaking(Fault::moves_alike);
  UserGame game = nim();
  CHECK_THROWS(game.parse_move("take"), RuleError);
}

TEST(user_game_notices_moves_that_change) {
  for (const Fault which : {Fault::other_moves, Fault::other_order}) {
    UserGame game = nim();
    CHECK(moves_of(game).size() == 3);
    const Breaking breaking(which);
    game.parse("5 x");
    const std::string message = message_of([&] { moves_of(game); });
    CHECK_FOR(message.find("when asked again in position '5 x'") != message.npos, message);
  }
}

TEST(user_game_notices_repetition_in_acyclic_games_only) {
  CHECK(stopped(Fault::cycle, {"'play' came back", "by move take", "in position '"}));
  andorra_rules_v1 rules = nim_rules();
  rules.flags = 0;
  const Breaking breaking(Fault::cycle);
  UserGame game = nim(rules);
  for (const Move move : {1, 0, 1, 0, 1, 0}) game.play(move);
  CHECK(game.format() == "5 x");
  CHECK(!game.acyclic());
  CHECK(game.can_draw());
}

TEST(user_game_goes_on_after_an_error) {
  UserGame game = nim();
  game.play(0);
  {
    const Breaking breaking(Fault::bad_status);
    CHECK_THROWS(moves_of(game), RuleError);
  }
  CHECK(moves_of(game).size() == 3);
  game.undo(0);
  CHECK(game.format() == "5 x");
  CHECK(leaves(game) == 13);
}

bool rejected(const std::function<void(andorra_rules_v1&)>& change, const std::string& word) {
  andorra_rules_v1 rules = nim_rules();
  change(rules);
  const std::string message = message_of([&] { AbiBackend backend(&rules); });
  if (message.find(word) == message.npos) std::printf("  message: %s\n", message.c_str());
  return message.find(word) != message.npos;
}

TEST(abi_backend_validates_the_struct) {
  using Rules = andorra_rules_v1;
  CHECK_THROWS(AbiBackend(nullptr), RuleError);
  CHECK(rejected([](Rules& r) { r.abi_version = 2; }, "version 2"));
  CHECK(rejected([](Rules& r) { r.state_bytes = 0; }, "state_bytes is 0"));
  CHECK(rejected([](Rules& r) { r.state_bytes = 4097; }, "1 to 4096"));
  CHECK(rejected([](Rules& r) { r.max_moves = 0; }, "max_moves is 0"));
  CHECK(rejected([](Rules& r) { r.max_moves = 65536; }, "1 to 65535"));
  CHECK(rejected([](Rules& r) { r.flags = 4; }, "flags is 4"));
  CHECK(rejected([](Rules& r) { r.initial = nullptr; }, "one is null"));
  CHECK(rejected([](Rules& r) { r.describe = nullptr; }, "one is null"));
  CHECK(rejected([](Rules& r) { r.expand = nullptr; }, "one is null"));
  CHECK(rejected([](Rules& r) { r.parse_state = nullptr; }, "both be given"));
  CHECK(rejected([](Rules& r) { r.name = nullptr; }, "no name"));
  CHECK(rejected([](Rules& r) { r.name = ""; }, "name of the game is ''"));
  CHECK(rejected([](Rules& r) { r.name = "a:b"; }, "'a:b'"));
  CHECK(rejected([](Rules& r) { r.parameters = "a b"; }, "'a b'"));
  CHECK(rejected([](Rules& r) { r.parameters = nullptr; }, "no error"));
}

// ---- A backend that counts: a tree of `width` moves everywhere, whose keys are its paths. ----

struct Counts {
  int expand = 0, push = 0, pop = 0;
};

class CountingBackend final : public Backend {
 public:
  std::size_t bytes() const override { return 0; }
  CountingBackend(Counts* counts, std::size_t width) : counts_(counts), width_(width) {}
  std::unique_ptr<Backend> clone() const override {
    return std::make_unique<CountingBackend>(*this);
  }
  std::string spec() const override { return "counting"; }
  bool acyclic() const override { return true; }
  bool can_draw() const override { return true; }
  Child reset() override { return {path_.front(), 0}; }
  Child reset(std::string_view) override { return reset(); }
  void expand(std::vector<Child>& children) override {
    ++counts_->expand;
    for (std::size_t i = 0; i < width_; ++i) children.push_back({child(i), 0});
  }
  void push(std::size_t i) override {
    ++counts_->push;
    path_.push_back(child(i));
  }
  void pop() override {
    ++counts_->pop;
    path_.pop_back();
  }
  std::string format() override { return std::to_string(path_.size()); }
  std::string format_move(std::span<const Child>, std::size_t i) override {
    return std::to_string(i);
  }
  std::size_t parse_move(std::span<const Child>, std::string_view) override { return 0; }

 private:
  Key child(std::size_t i) const {
    return mixed({path_.back().board + i, path_.back().rest + path_.size()});
  }

  Counts* counts_;
  std::size_t width_;
  std::vector<Key> path_ = {Key{1, 2}};
};

TEST(user_game_moves_the_backend_only_when_it_must) {
  Counts counts;
  UserGame game(std::make_unique<CountingBackend>(&counts, 4));
  for (const Move move : moves_of(game)) {
    game.play(move);
    game.key();
    game.undo(move);
  }
  CHECK(counts.expand == 1);
  CHECK(counts.push == 0);
  game.play(2);
  CHECK(game.format() == "2");
  CHECK(game.format() == "2");
  CHECK(counts.push == 1);
  moves_of(game);
  game.play(1);
  game.undo(1);
  CHECK(counts.push == 1);
  CHECK(counts.pop == 0);
  game.undo(2);
  CHECK(counts.pop == 1);
  CHECK(counts.expand == 2);
}

TEST(user_game_goes_deep) {
  constexpr int kPlies = 100000;
  Counts counts;
  UserGame game(std::make_unique<CountingBackend>(&counts, 3));
  for (int ply = 0; ply < kPlies; ++ply) game.play(static_cast<Move>(ply % 3));
  const Key deepest = game.key();
  for (int ply = kPlies; ply-- > 0;) game.undo(static_cast<Move>(ply % 3));
  CHECK(game.format() == "1");
  CHECK(counts.push == kPlies - 1);
  CHECK(counts.pop == kPlies - 1);
  for (int ply = 0; ply < kPlies; ++ply) game.play(static_cast<Move>(ply % 3));
  CHECK(game.key() == deepest);
}

TEST(user_game_limits_the_number_of_moves) {
  Counts counts;
  UserGame most(std::make_unique<CountingBackend>(&counts, 65535));
  CHECK(moves_of(most).size() == 65535);
  UserGame more(std::make_unique<CountingBackend>(&counts, 65536));
  CHECK_THROWS(moves_of(more), RuleError);
}

TEST(path_set_knows_exactly_the_path) {
  PathSet path;
  constexpr std::uint64_t kKeys = 1000;
  // Half of the keys share their place, so that they run into each other.
  const auto key = [](std::uint64_t i) { return Key{i % 2 == 0 ? 63 : i, i}; };
  for (std::uint64_t i = 0; i < kKeys; ++i) CHECK(path.insert(key(i)));
  for (std::uint64_t i = 0; i < kKeys; ++i) CHECK(!path.insert(key(i)));
  for (std::uint64_t i = 0; i < kKeys / 2; ++i) path.remove_last();
  for (std::uint64_t i = 0; i < kKeys; ++i) {
    const bool fresh = path.insert(key(i));
    CHECK(fresh == (i >= kKeys / 2));
  }
  path.clear();
  CHECK(path.insert(key(0)));
}

TEST(state_key_depends_on_every_byte) {
  for (std::size_t bytes = 1; bytes <= 50; ++bytes) {
    std::set<std::pair<std::uint64_t, std::uint64_t>> keys;
    std::set<std::uint64_t> boards;
    StateBytes state(bytes);
    for (std::size_t i = 0; i < 255 * bytes; ++i) {
      ++state[i / 255];
      const Key key = state_key(state.data(), bytes);
      keys.insert({key.board, key.rest});
      boards.insert(key.board);
    }
    CHECK(keys.size() == 255 * bytes);
    CHECK(boards.size() == 255 * bytes);
  }
}

TEST(checksum_depends_on_order_move_side_and_outcome) {
  const Child a{{1, 2}, 3, Side::first, Outcome::ongoing};
  const Child b{{4, 5}, 6, Side::second, Outcome::draw};
  const std::vector<std::vector<Child>> lists = {{},
                                                 {a},
                                                 {a, b},
                                                 {b, a},
                                                 {{{1, 2}, 4, Side::first, Outcome::ongoing}, b},
                                                 {{{1, 2}, 3, Side::second, Outcome::ongoing}, b},
                                                 {{{1, 2}, 3, Side::first, Outcome::first_wins}, b},
                                                 {{{2, 2}, 3, Side::first, Outcome::ongoing}, b},
                                                 {{{1, 1}, 3, Side::first, Outcome::ongoing}, b}};
  std::set<std::uint64_t> sums;
  for (const auto& list : lists) sums.insert(checksum(list));
  CHECK(sums.size() == lists.size());
}

}  // namespace
}  // namespace andorra
