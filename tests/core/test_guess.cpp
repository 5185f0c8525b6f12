// What the built-in games guess of positions: by hand, against slow counts of the same from the
// position's text, in the view of either prover, and left alone by play and undo.
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"
#include "game_kit.hpp"

namespace andorra {
namespace {

using Board = std::vector<std::string>;  // rows, the top one first

bool equal(Guess a, Guess b) {
  return a.pn == b.pn && a.dn == b.dn;
}

std::string shown(Guess guess) {
  return " (" + std::to_string(guess.pn) + ", " + std::to_string(guess.dn) + ")";
}

template <class G>
void expect(const char* parameters, const char* text, Guess for_first, Guess for_second) {
  G game(parameters);
  if (*text != '\0') game.parse(text);
  const Guess first = game.guess(Side::first);
  const Guess second = game.guess(Side::second);
  CHECK_FOR(equal(first, for_first), name_of(game) + shown(first));
  CHECK_FOR(equal(second, for_second), name_of(game) + shown(second));
}

TEST(guesses_of_mnk) {
  expect<Mnk>("3,3,3", "", {3, 8}, {3, 8});
  expect<Mnk>("3,3,3", "xo./.../...", {2, 6}, {2, 5});
  expect<Mnk>("3,3,3", "xx./oo./...", {1, 3}, {1, 4});
  expect<Mnk>("3,3,3", "xox/xoo/o.x", {18, 1}, {1, 1});  // every line of x is blocked
  expect<Mnk>("1,1,1", "", {1, 4}, {1, 4});              // a single cell counts in each direction
  expect<Mnk>("2,2,9", "", {8, 1}, {8, 1});              // no line fits
  expect<Mnk>("64,1,3", "", {3, 62}, {3, 62});
  expect<Mnk>("64,1,64", "", {64, 1}, {64, 1});
  expect<Mnk>("8,8,5", "", {5, 96}, {5, 96});
}

TEST(guesses_of_connect4) {
  expect<Connect4>("7x6", "", {4, 69}, {4, 69});
  expect<Connect4>("7x6", "1", {3, 69}, {4, 66});
  expect<Connect4>("7x6", "121212", {1, 54}, {1, 60});
  expect<Connect4>("4x4", "", {4, 10}, {4, 10});
  expect<Connect4>("3x20", "", {4, 51}, {4, 51});  // upright lines only
  expect<Connect4>("32x1", "", {4, 29}, {4, 29});
  expect<Connect4>("1x1", "", {2, 1}, {2, 1});
}

TEST(guesses_of_hex) {
  expect<Hex>("1", "", {1, 1}, {1, 1});
  expect<Hex>("3", "", {3, 3}, {3, 3});
  expect<Hex>("3", ".../.x./...", {2, 3}, {3, 2});
  expect<Hex>("3", ".x./ox./..o", {1, 2}, {2, 1});
  expect<Hex>("4", "x.../o.../x.../o...", {4, 3}, {3, 4});  // stones that are cut off do not help
  expect<Hex>("11", "", {11, 11}, {11, 11});
}

TEST(guesses_of_breakthrough) {
  expect<Breakthrough>("5x4", "", {3, 3}, {3, 3});
  expect<Breakthrough>("5x4", "..../.x../o.../..../.... x", {1, 2}, {2, 1});
  expect<Breakthrough>("5x4", "o.../..../..../..../...x o", {4, 4}, {4, 4});
  expect<Breakthrough>("5x4", "o.../..../x.../.o../...x o", {2, 1}, {1, 2});
  expect<Breakthrough>("8x8", "", {6, 6}, {6, 6});
}

// ---- the same, counted slowly ----

Board board_of(std::string text) {
  text = text.substr(0, text.find(' '));
  Board board(1);
  for (char c : text) {
    if (c == '/')
      board.emplace_back();
    else
      board.back() += c;
  }
  return board;
}

char at(const Board& board, int column, int row) {
  const bool inside = row >= 0 && row < static_cast<int>(board.size()) && column >= 0 &&
                      column < static_cast<int>(board[0].size());
  return inside ? board[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] : '#';
}

// How many stones of `own` a line lacks; none if it is blocked or leaves the board.
std::optional<int> lacking(const Board& board, char own, int column, int row, int right, int down,
                           int length) {
  int lacks = 0;
  for (int i = 0; i < length; ++i, column += right, row += down) {
    const char c = at(board, column, row);
    if (c != own && c != '.') return std::nullopt;
    lacks += c == '.';
  }
  return lacks;
}

Guess slow_lines(const Board& board, char own, int length) {
  const int rows = static_cast<int>(board.size()), columns = static_cast<int>(board[0].size());
  std::vector<int> lines;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      for (const auto& [right, down] : {std::pair{1, 0}, {0, 1}, {1, 1}, {-1, 1}})
        if (const auto lacks = lacking(board, own, column, row, right, down, length))
          lines.push_back(*lacks);
  if (lines.empty()) return {static_cast<std::uint32_t>(2 * rows * columns), 1};
  return {static_cast<std::uint32_t>(*std::min_element(lines.begin(), lines.end())),
          static_cast<std::uint32_t>(lines.size())};
}

// Bellman and Ford: the price of a way is the number of its empty cells.
std::uint32_t slow_way(const Board& board, char own) {
  const int size = static_cast<int>(board.size());
  constexpr int kFar = 1000;
  std::vector<int> price(static_cast<std::size_t>(size * size), kFar);
  const auto price_at = [&](int column, int row) {
    if (at(board, column, row) == '#') return kFar;
    return price[static_cast<std::size_t>(row * size + column)];
  };
  int best = kFar;
  for (int round = 0; round < size * size; ++round)
    for (int row = 0; row < size; ++row)
      for (int column = 0; column < size; ++column) {
        const char c = at(board, column, row);
        if (c != own && c != '.') continue;
        const int place = own == 'x' ? row : column;
        int before = place == 0 ? 0 : kFar;
        for (const auto& [right, down] :
             {std::pair{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}})
          before = std::min(before, price_at(column + right, row + down));
        const int here = before + (c == '.');
        price[static_cast<std::size_t>(row * size + column)] =
            std::min(price_at(column, row), here);
        if (place == size - 1) best = std::min(best, here);
      }
  return static_cast<std::uint32_t>(best);
}

std::uint32_t slow_run(const Board& board, char own) {
  const int rows = static_cast<int>(board.size());
  int best = rows;
  for (int row = 0; row < rows; ++row)
    if (board[static_cast<std::size_t>(row)].find(own) != std::string::npos)
      best = std::min(best, own == 'x' ? row : rows - 1 - row);
  return static_cast<std::uint32_t>(best);
}

Guess slow_guess(const Mnk& game, char own, char) {
  const std::string parameters = game.parameters();
  const int length = std::stoi(parameters.substr(parameters.rfind(',') + 1));
  return slow_lines(board_of(game.format()), own, length);
}
Guess slow_guess(const Connect4& game, char own, char) {
  return slow_lines(board_of(game.format()), own, 4);
}
Guess slow_guess(const Hex& game, char own, char enemy) {
  const Board board = board_of(game.format());
  return {slow_way(board, own), slow_way(board, enemy)};
}
Guess slow_guess(const Breakthrough& game, char own, char enemy) {
  const Board board = board_of(game.format());
  return {slow_run(board, own), slow_run(board, enemy)};
}
// How many moves the defender's king would have, if it were to move.
std::uint32_t king_moves(const Tsume& game) {
  std::string text = game.format();
  const std::size_t side = text.find(' ') + 1;
  const std::string attacker(1, text[side]);
  text[side] = text[side] == 'b' ? 'w' : 'b';
  Tsume flipped = game;
  flipped.parse(text + " attacker=" + attacker);
  std::uint32_t count = 0;
  for (Move move : moves_of(flipped)) count += shogi::moved_by(move) == shogi::kKing;
  return count;
}
Guess slow_guess(Tsume game, char own, char) {
  std::set<std::string> ways;  // interpositions go by their square
  const bool attacks = game.side_to_move() == Side::first;
  std::uint32_t captures = 0;
  for (Move move : moves_of(game)) {
    const std::string text = game.format_move(move);
    const bool alike = !attacks && game.group(move) != 0 && game.group(move) <= 81;
    ways.insert(alike ? text.substr(2, 2) : text);
    if (shogi::captured_by(move) != shogi::kNone) captures = 1;
    game.play(move);
    const bool mates = game.outcome() == Outcome::first_wins;
    game.undo(move);
    if (mates && attacks) return {1, 1};
  }
  const auto count = static_cast<std::uint32_t>(ways.size());
  const Guess guess = attacks ? Guess{1 + king_moves(game) / 2, count} : Guess{count + captures, 1};
  return own == 'x' ? guess : Guess{guess.dn, guess.pn};
}
Guess slow_guess(const Graph&, char, char) {
  return {1, 1};  // these have no hints
}

TEST(a_check_that_can_be_taken_costs_the_attacker) {
  // A gold drop next to the king: protected by the pawn or not, within reach of the rook or not.
  Tsume game("");
  const auto cost = [&](std::string_view text, std::string_view move) {
    game.parse(text);
    return game.cost(game.parse_move(move), Side::first).pn;
  };
  CHECK(cost("4k4/9/4P4/9/9/9/9/9/9 b G 1", "G*5b") == 0);
  CHECK(cost("4k4/9/4P4/9/9/9/9/9/9 b G 1", "G*4b") == 1);
  CHECK(cost("4k4/8r/4P4/9/9/9/9/9/9 b G 1", "G*5b") == 1);
  CHECK(cost("4k4/9/4P4/9/9/9/9/9/9 b G 1", "5c5b+") == 1);  // nothing else protects it
  CHECK(equal(game.cost(game.parse_move("5c5b+"), Side::second), {0, 1}));
}

template <class G>
void check_guesses(const G& game) {
  const Guess first = game.guess(Side::first);
  const Guess second = game.guess(Side::second);
  CHECK_FOR(first.pn > 0 && first.dn > 0 && second.pn > 0 && second.dn > 0, name_of(game));
  if (game.outcome() != Outcome::ongoing) return;
  CHECK_FOR(equal(first, slow_guess(game, 'x', 'o')), name_of(game) + shown(first));
  CHECK_FOR(equal(second, slow_guess(game, 'o', 'x')), name_of(game) + shown(second));
}

TEST(guesses_are_what_slow_counting_finds) {
  std::mt19937 random(21);
  for_each_game([&](auto game) {
    using G = decltype(game);
    if constexpr (HasGuess<G>)
      for (int i = 0; i < 10; ++i) {
        G copy = game;
        random_playout(copy, random, 200, [](const G& position) { check_guesses(position); });
      }
  });
}

TEST(play_and_undo_leave_guesses_alone) {
  std::mt19937 random(22);
  for_each_game([&](auto game) {
    using G = decltype(game);
    if constexpr (HasGuess<G>) {
      std::vector<Guess> seen;
      MoveList line = random_playout(game, random, 60,
                                     [&](const G& at) { seen.push_back(at.guess(Side::first)); });
      for (; !line.empty(); line.pop_back()) {
        game.undo(line.back());
        seen.pop_back();
        CHECK_FOR(equal(game.guess(Side::first), seen.back()), name_of(game));
      }
    }
  });
}

// With the stones' colours exchanged, each side sees what the other saw.
template <class G>
void check_exchanged(const G& game) {
  std::string text = game.format();
  if (std::count(text.begin(), text.end(), 'x') != std::count(text.begin(), text.end(), 'o'))
    return;
  for (char& c : text) c = c == 'x' ? 'o' : c == 'o' ? 'x' : c;
  G exchanged = game;
  exchanged.parse(text);
  CHECK_FOR(equal(exchanged.guess(Side::first), game.guess(Side::second)), name_of(game));
  CHECK_FOR(equal(exchanged.guess(Side::second), game.guess(Side::first)), name_of(game));
}

// What one side needs to prove, the other needs to disprove.
template <class G>
void check_swapped(const G& game) {
  const Guess first = game.guess(Side::first);
  const Guess second = game.guess(Side::second);
  CHECK_FOR(equal(first, {second.dn, second.pn}), name_of(game));
}

TEST(guesses_see_both_sides_alike) {
  std::mt19937 random(23);
  for_each_game([&](auto game) {
    using G = decltype(game);
    for (int i = 0; i < 5; ++i) {
      G copy = game;
      random_playout(copy, random, 60, [](const G& position) {
        if (position.outcome() != Outcome::ongoing) return;
        if constexpr (std::same_as<G, Mnk> || std::same_as<G, Connect4>)
          check_exchanged(position);
        else if constexpr (HasGuess<G>)
          check_swapped(position);
      });
    }
  });
}

}  // namespace
}  // namespace andorra
