// The built-in games: what the contract promises for every game, the rules against slow ones that
// work on the text, and known counts and values.
#include <algorithm>
#include <map>
#include <set>

#include "check.hpp"
#include "game_kit.hpp"
#include "games/list.hpp"

namespace andorra {
namespace {

constexpr int kPlayouts = 4;
constexpr int kMostPlies = 200;

template <class G>
bool same_position(G& a, G& b) {
  return a.format() == b.format() && a.key() == b.key() && moves_of(a) == moves_of(b) &&
         a.outcome() == b.outcome() && a.side_to_move() == b.side_to_move();
}

template <class G>
void check_position(G& game) {
  const MoveList moves = moves_of(game);
  CHECK_FOR(moves.empty() == (game.outcome() != Outcome::ongoing), name_of(game));
  CHECK_FOR(std::set<Move>(moves.begin(), moves.end()).size() == moves.size(), name_of(game));
  CHECK_FOR(game.can_draw() || game.outcome() != Outcome::draw, name_of(game));
  G fresh = game;
  fresh.parse(game.format());
  CHECK_FOR(same_position(game, fresh), name_of(game));
  for (Move move : moves) CHECK_FOR(game.parse_move(game.format_move(move)) == move, name_of(game));
}

template <class G>
void check_children(G& game) {
  const G before = game;
  for (Move move : moves_of(game)) {
    game.play(move);
    if constexpr (HasKeyAfter<G>) CHECK_FOR(before.key_after(move) == game.key(), name_of(before));
    const bool same_text = before.format() == game.format();
    CHECK_FOR((before.key() == game.key()) == same_text, name_of(game));
    game.undo(move);
    G copy = before;
    CHECK_FOR(same_position(game, copy), name_of(before));
  }
}

TEST(every_game_is_tested) {
  std::set<std::string> tested;
  for_each_game([&](const auto& game) { tested.insert(std::string(game.kName)); });
#define ANDORRA_CHECK_LISTED(Class, stem) \
  CHECK(tested.count(stem) == 1);         \
  CHECK(Class::kName == stem);
  ANDORRA_GAMES(ANDORRA_CHECK_LISTED)
#undef ANDORRA_CHECK_LISTED
}

TEST(playouts_keep_the_contract) {
  std::mt19937 random(1);
  for_each_game([&](auto game) {
    for (int i = 0; i < kPlayouts; ++i) {
      auto start = game;
      const MoveList line = random_playout(game, random, kMostPlies, [](auto& position) {
        check_position(position);
        check_children(position);
      });
      for (auto move = line.rbegin(); move != line.rend(); ++move) game.undo(*move);
      CHECK_FOR(same_position(game, start), name_of(start));
    }
  });
}

TEST(undo_works_back_from_a_parsed_position) {
  std::mt19937 random(2);
  for_each_game([&](auto game) {
    random_playout(game, random, 5, [](auto&) {});
    game.parse(game.format());
    auto start = game;
    const MoveList line = random_playout(game, random, kMostPlies, [](auto&) {});
    for (auto move = line.rbegin(); move != line.rend(); ++move) game.undo(*move);
    CHECK_FOR(same_position(game, start), name_of(start));
    check_children(game);
  });
}

TEST(keys_differ_exactly_as_texts_do) {
  std::mt19937 random(3);
  for_each_game([&](auto game) {
    std::map<std::string, Key> keys;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> texts;
    for (int i = 0; i < 40; ++i) {
      auto copy = game;
      random_playout(copy, random, kMostPlies, [&](auto& position) {
        const Key key = position.key();
        const std::string text = position.format();
        CHECK_FOR(keys.emplace(text, key).first->second == key, text);
        CHECK_FOR(texts.emplace(std::pair{key.board, key.rest}, text).first->second == text, text);
      });
    }
  });
}

// Searches compare boards by key, and checkers by all their bytes.
TEST(boards_are_the_same_by_bytes_and_by_key) {
  std::mt19937 random(5);
  for_each_game([&](auto game) {
    if constexpr (HasResources<decltype(game)>) {
      std::map<std::string, Key> keys;
      std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> boards;
      const std::size_t length = game.board_bytes().size();
      for (int i = 0; i < 40; ++i) {
        auto copy = game;
        random_playout(copy, random, kMostPlies, [&](auto& position) {
          const Key key = position.board_key();
          const std::string bytes = position.board_bytes();
          CHECK_FOR(bytes.size() == length, name_of(position));
          CHECK_FOR(keys.emplace(bytes, key).first->second == key, name_of(position));
          CHECK_FOR(boards.emplace(std::pair{key.board, key.rest}, bytes).first->second == bytes,
                    name_of(position));
        });
      }
      CHECK_FOR(boards.size() > 1, name_of(game));
    }
  });
}

TEST(acyclic_games_never_repeat) {
  std::mt19937 random(4);
  for_each_game([&](auto game) {
    if (!game.acyclic()) return;
    std::set<std::string> seen;
    random_playout(game, random, kMostPlies, [&](auto& position) {
      CHECK_FOR(seen.insert(position.format()).second, name_of(position));
    });
  });
}

template <class G>
std::uint64_t count_lines(G& game, int plies) {
  if (plies == 0) return 1;
  std::uint64_t lines = 0;
  for (Move move : moves_of(game)) {
    game.play(move);
    lines += count_lines(game, plies - 1);
    game.undo(move);
  }
  return lines;
}

template <class G>
void check_lines(G game, const std::vector<std::uint64_t>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK_FOR(count_lines(game, static_cast<int>(i) + 1) == expected[i],
              name_of(game) + " at " + std::to_string(i + 1) + " plies");
}

TEST(lines_are_as_many_as_known) {
  check_lines(Connect4(""), {7, 49, 343, 2401, 16807, 117649, 823536});
  check_lines(Mnk(""), {9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0});
}

// The value for the side to move, 1, 0 or -1, of a game in which the sides move in turn; `known`
// holds those of positions seen before.
template <class G>
int value_of(G& game, std::map<std::string, int>& known) {
  if (game.outcome() == Outcome::draw) return 0;
  if (game.outcome() != Outcome::ongoing)
    return game.outcome() == win_for(game.side_to_move()) ? 1 : -1;
  if (const auto found = known.find(game.format()); found != known.end()) return found->second;
  int best = -1;
  for (Move move : moves_of(game)) {
    if (best == 1) break;
    game.play(move);
    best = std::max(best, -value_of(game, known));
    game.undo(move);
  }
  return known[game.format()] = best;
}

template <class G>
int value_of(G game) {
  std::map<std::string, int> known;
  return value_of(game, known);
}

TEST(small_games_have_their_known_values) {
  CHECK(value_of(Mnk("3,3,3")) == 0);
  CHECK(value_of(Mnk("4,3,3")) == 1);
  CHECK(value_of(Connect4("4x4")) == 0);
  CHECK(value_of(Hex("3")) == 1);
  CHECK(value_of(Breakthrough("2x2x1")) == 1);
}

// A board as text: rows of characters, with '.' outside.
struct TextBoard {
  std::vector<std::string> rows;

  explicit TextBoard(const std::string& text) : rows(1) {
    for (char c : text.substr(0, text.find(' ')))
      if (c == '/')
        rows.emplace_back();
      else
        rows.back() += c;
  }

  int height() const { return static_cast<int>(rows.size()); }
  int width() const { return static_cast<int>(rows[0].size()); }
  char at(int column, int row) const {
    const bool inside = row >= 0 && row < height() && column >= 0 && column < width();
    return inside ? rows[row][column] : '.';
  }
};

bool has_line_at(const TextBoard& board, char stone, int length, int column, int row) {
  for (const auto& [right, down] : {std::pair{1, 0}, {0, 1}, {1, 1}, {-1, 1}}) {
    int run = 0;
    while (board.at(column + run * right, row + run * down) == stone) ++run;
    if (run >= length) return true;
  }
  return false;
}

bool has_line(const TextBoard& board, char stone, int length) {
  for (int row = 0; row < board.height(); ++row)
    for (int column = 0; column < board.width(); ++column)
      if (has_line_at(board, stone, length, column, row)) return true;
  return false;
}

Outcome outcome_by_lines(const std::string& text, int length) {
  const TextBoard board(text);
  if (has_line(board, 'x', length)) return Outcome::first_wins;
  if (has_line(board, 'o', length)) return Outcome::second_wins;
  return text.find('.') == std::string::npos ? Outcome::draw : Outcome::ongoing;
}

template <class G>
void check_line_wins(const G& game, int length, std::mt19937& random) {
  for (int i = 0; i < 12; ++i) {
    G copy = game;
    random_playout(copy, random, kMostPlies, [&](G& position) {
      const Outcome expected = outcome_by_lines(position.format(), length);
      CHECK_FOR(position.outcome() == expected, name_of(position));
    });
  }
}

TEST(lines_win_as_slow_rules_say) {
  std::mt19937 random(5);
  for (const char* size : {"3,3,", "4,4,", "7,7,", "8,8,", "5,3,", "2,9,", "64,1,", "1,64,"})
    for (int length : {1, 2, 3, 4, 5, 7, 9, 33, 64, 65})
      check_line_wins(Mnk(size + std::to_string(length)), length, random);
  for (const char* size : {"7x6", "4x4", "5x5", "8x7", "16x3", "32x1", "3x9", "1x63", "4x15"})
    check_line_wins(Connect4(size), 4, random);
}

// Whether `stone` joins the top and bottom rows: spreads from the top until nothing changes.
bool joins_top_and_bottom(const TextBoard& board, char stone) {
  std::set<std::pair<int, int>> reached;
  const auto touches = [&](int column, int row) {
    for (const auto& [right, down] : {std::pair{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}})
      if (reached.count({column + right, row + down})) return true;
    return row == 0;
  };
  std::size_t before;
  do {
    before = reached.size();
    for (int row = 0; row < board.height(); ++row)
      for (int column = 0; column < board.width(); ++column)
        if (board.at(column, row) == stone && touches(column, row)) reached.insert({column, row});
  } while (reached.size() > before);
  return std::any_of(reached.begin(), reached.end(),
                     [&](const auto& cell) { return cell.second == board.height() - 1; });
}

TextBoard transposed(const TextBoard& board) {
  TextBoard turned = board;
  for (int row = 0; row < board.height(); ++row)
    for (int column = 0; column < board.width(); ++column)
      turned.rows[column][row] = board.at(column, row);
  return turned;
}

Outcome outcome_by_spreading(const std::string& text) {
  const TextBoard board(text);
  if (joins_top_and_bottom(board, 'x')) return Outcome::first_wins;
  if (joins_top_and_bottom(transposed(board), 'o')) return Outcome::second_wins;
  return Outcome::ongoing;
}

TEST(chains_win_as_slow_rules_say) {
  std::mt19937 random(6);
  for (const char* size : {"1", "2", "3", "4", "5", "8", "11"})
    for (int i = 0; i < 10; ++i) {
      Hex game(size);
      random_playout(game, random, kMostPlies, [](Hex& position) {
        CHECK_FOR(position.outcome() == outcome_by_spreading(position.format()), name_of(position));
      });
    }
}

// The moves of breakthrough from the text, in the order of the notation.
std::vector<std::string> moves_from_text(const std::string& text) {
  const TextBoard board(text);
  const char own = text.back();
  const int up = own == 'x' ? -1 : 1;
  std::vector<std::string> moves;
  for (int row = board.height() - 1; row >= 0; --row)
    for (int column = 0; column < board.width(); ++column)
      for (int right : {-1, 0, 1}) {
        const int to_row = row + up;
        const int to_column = column + right;
        if (board.at(column, row) != own || to_row < 0 || to_row >= board.height()) continue;
        if (to_column < 0 || to_column >= board.width()) continue;
        const char there = board.at(to_column, to_row);
        if (there == own || (right == 0 && there != '.')) continue;
        moves.push_back(cell_name(column, board.height() - 1 - row) +
                        cell_name(to_column, board.height() - 1 - to_row));
      }
  return moves;
}

Outcome breakthrough_outcome(const std::string& text) {
  const TextBoard board(text);
  if (board.rows.front().find('x') != std::string::npos) return Outcome::first_wins;
  if (board.rows.back().find('o') != std::string::npos) return Outcome::second_wins;
  const std::string pieces = text.substr(0, text.size() - 2);
  if (pieces.find('x') == std::string::npos) return Outcome::second_wins;
  if (pieces.find('o') == std::string::npos) return Outcome::first_wins;
  if (!moves_from_text(text).empty()) return Outcome::ongoing;
  return text.back() == 'x' ? Outcome::second_wins : Outcome::first_wins;
}

void check_breakthrough(Breakthrough& position) {
  const std::string text = position.format();
  CHECK_FOR(position.outcome() == breakthrough_outcome(text), name_of(position));
  std::vector<std::string> moves;
  for (Move move : moves_of(position)) moves.push_back(position.format_move(move));
  if (position.outcome() == Outcome::ongoing)
    CHECK_FOR(moves == moves_from_text(text), name_of(position));
}

TEST(breakthrough_moves_as_slow_rules_say) {
  std::mt19937 random(7);
  for (const char* size : {"5x4", "8x8", "8x8x4", "6x2", "2x2x1", "3x8x1", "7x5x3", "4x3"})
    for (int i = 0; i < 40; ++i) {
      Breakthrough game(size);
      random_playout(game, random, kMostPlies, check_breakthrough);
    }
}

TEST(breakthrough_positions_at_random) {
  std::mt19937 random(8);
  for (int i = 0; i < 4000; ++i) {
    Breakthrough game(i % 2 ? "4x3" : "8x8");
    std::string text = game.format();
    for (std::size_t at = 0; at + 2 < text.size(); ++at)
      if (text[at] != '/') text[at] = ".....xo"[random() % 7];
    try {
      game.parse(text);
    } catch (const PositionError&) {
      continue;
    }
    check_breakthrough(game);
    check_children(game);
  }
}

TEST(breakthrough_keys_tell_who_moves) {
  for (const char* size : {"5x4", "8x8", "8x8x4"}) {
    Breakthrough game(size);
    std::string text = game.format();
    const Key key = game.key();
    text.back() = 'o';
    game.parse(text);
    CHECK_FOR(game.key() != key, name_of(game));
  }
}

template <class G>
std::uint64_t lines_of(G& game, int plies) {
  if (plies == 0) return 1;
  std::uint64_t lines = 0;
  for (Move move : moves_of(game)) {
    game.play(move);
    lines += lines_of(game, plies - 1);
    game.undo(move);
  }
  return lines;
}

// OpenSpiel 2.0.2 counts the same to four plies.
TEST(loa_has_its_number_of_lines) {
  Loa game("");
  const std::uint64_t expected[] = {1, 36, 1244, 44952, 1563208};
  for (int plies = 0; plies <= 4; ++plies) CHECK(lines_of(game, plies) == expected[plies]);
}

TEST(loa_positions_at_random) {
  std::mt19937 random(9);
  int passes = 0;
  for (int i = 0; i < 6000; ++i) {
    Loa game(std::to_string(3 + i % 6));
    std::string text = game.format();
    for (std::size_t at = 0; at + 2 < text.size(); ++at)
      if (text[at] != '/') text[at] = ".xooooo"[random() % (i % 2 ? 3 : 7)];
    try {
      game.parse(text);
    } catch (const PositionError&) {
      continue;
    }
    check_position(game);
    check_children(game);
    const MoveList moves = moves_of(game);
    passes += moves.size() == 1 && game.format_move(moves[0]) == "pass";
  }
  CHECK(passes > 0);
}

// On a full board complements would confuse them.
TEST(loa_keys_tell_who_moves) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> keys;
  for (const char* board :
       {"xoxoxoxo/oxoxoxox/xoxoxoxo/oxoxoxox/xoxoxoxo/oxoxoxox/xoxoxoxo/oxoxoxox",
        "oxoxoxox/xoxoxoxo/oxoxoxox/xoxoxoxo/oxoxoxox/xoxoxoxo/oxoxoxox/xoxoxoxo",
        ".xxxxxx./o......o/o......o/o......o/o......o/o......o/o......o/.xxxxxx."})
    for (const char* side : {" x", " o"}) {
      Loa game("");
      game.parse(board + std::string(side));
      const auto [one, two] = game.key();
      CHECK_FOR(keys.insert({one, two}).second, name_of(game));
    }
}

TEST(toll_plays_as_described) {
  Toll game("");
  CHECK(game.format() == "0 0 3 1 4 t");
  game.parse("0 - 3 1 4 k");
  const char* line[][2] = {{"ask2", "0 2 3 1 2 t"}, {"wait", "0 0 3 0 2 t"},
                           {"pay", "1 - 3 0 2 k"},  {"ask2", "1 2 3 0 0 t"},
                           {"pay", "2 - 1 0 0 k"},  {"ask0", "2 0 1 0 0 t"},
                           {"pay", "3 - 1 0 0 k"}};
  for (const auto& [move, text] : line) {
    game.play(game.parse_move(move));
    CHECK_FOR(game.format() == text, text);
  }
  CHECK(game.outcome() == Outcome::first_wins);
  game.parse("1 3 2 0 0 t");
  CHECK(game.outcome() == Outcome::second_wins);
  game.parse("1 3 2 1 0 t");
  CHECK(game.outcome() == Outcome::ongoing && moves_of(game).size() == 1);
}

TEST(toll_keys_split_into_board_and_resources) {
  Toll a("");
  Toll b("");
  a.parse("1 2 3 4 5 t");
  b.parse("1 2 9 0 7 t");
  CHECK(a.board_key() == b.board_key() && a.board_bytes() == b.board_bytes());
  CHECK(a.key().board == a.board_key().board);
  CHECK(a.key().rest != b.key().rest);
  CHECK((a.key().rest ^ b.key().rest) >> 32 == 0);
  CHECK((a.board_key().rest & 0xffffffff) == 0);
  CHECK((a.resources() == std::vector<int>{3, 4, -5}));
  b.parse("1 1 3 4 5 t");
  CHECK(a.board_key() != b.board_key() && a.board_bytes() != b.board_bytes());
}

TEST(graphs_know_their_shape) {
  Graph cyclic("", kCyclicGraph);
  CHECK(!cyclic.acyclic() && cyclic.can_draw());
  Graph acyclic("", kAcyclicGraph);
  CHECK(acyclic.acyclic() && !acyclic.can_draw());
  CHECK(acyclic.format() == "or" && acyclic.side_to_move() == Side::second);
  CHECK(cyclic.data() ==
        "root A\nA: or B C\nB: and D E\nC: and A D F\nD: win\nE: loss\nF: or A C G\nG: draw\n");
  CHECK(Graph("", cyclic.data()).data() == cyclic.data());
  CHECK(Graph("", "root B\nA: win\nB: or A B").format() == "B");
}

TEST(moves_come_in_the_order_of_the_notation) {
  const auto moves = [](auto game) {
    std::string list;
    for (Move move : moves_of(game)) list += game.format_move(move) + " ";
    return list;
  };
  CHECK(moves(Connect4("7x6")) == "4 3 5 2 6 1 7 ");
  CHECK(moves(Connect4("4x4")) == "2 3 1 4 ");
  CHECK(moves(Mnk("3,2,3")) == "a1 b1 c1 a2 b2 c2 ");
  CHECK(moves(Hex("2")) == "a1 b1 a2 b2 ");
  CHECK(moves(Breakthrough("5x3")) == "a2a3 a2b3 b2a3 b2b3 b2c3 c2b3 c2c3 ");
  CHECK(moves(Loa("3")) == "b1a1 b1c1 b3a3 b3c3 ");
  Toll keeper("1");
  keeper.parse("0 - 1 1 2 k");
  CHECK(moves(keeper) == "ask0 ask1 ask2 ");
  keeper.parse("0 1 1 1 2 t");
  CHECK(moves(keeper) == "pay wait ");
  CHECK(moves(Graph("", kCyclicGraph)) == "B C ");
  CHECK(Mnk("64,1,3").format_move(63) == "bl1");
}

}  // namespace
}  // namespace andorra
