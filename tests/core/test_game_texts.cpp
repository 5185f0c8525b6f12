// The built-in games and text: what is accepted in which spelling, what is rejected, and that no
// mutated text does anything but raise PositionError and leave the position as it was.
#include "check.hpp"
#include "game_kit.hpp"
#include "games/utf8.hpp"

namespace andorra {
namespace {

template <class G>
std::string message_of(G game, const std::string& text) {
  try {
    game.parse(text);
  } catch (const PositionError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(parameters_have_one_spelling) {
  CHECK(Mnk("").parameters() == "3,3,3");
  CHECK(Mnk("64,1,999999999").parameters() == "64,1,999999999");
  CHECK(Connect4("").parameters() == "7x6");
  CHECK(Connect4("32x1").parameters() == "32x1");
  CHECK(Hex("").parameters() == "5");
  CHECK(Breakthrough("").parameters() == "5x4");
  CHECK(Breakthrough("5x4x2").parameters() == "5x4");
  CHECK(Breakthrough("5x4x1").parameters() == "5x4x1");
  CHECK(Toll("").parameters() == "3");
  CHECK(Cops("").parameters() == "1");
  CHECK(Loa("").parameters() == "8");
  CHECK(Loa("3").parameters() == "3");
  CHECK(Graph("", "A: win").parameters().empty());
}

TEST(bad_parameters_are_rejected) {
  for (const char* text :
       {"3", "3,3", "3,3,", "3,3,0", "0,3,3", "8,9,5", "65,1,1", "3,3,3 ", " 3,3,3", "03,3,3",
        "3,3,-1", "3x3x3", "3,3,3,3", "3,3,99999999999999999999", "a"})
    CHECK_THROWS(Mnk(text), PositionError);
  for (const char* text : {"7", "7x", "x6", "0x6", "7x0", "8x8", "64x1", "33x1", "1x64", "7x6x1",
                           "7X6", "07x6", "4294967303x6"})
    CHECK_THROWS(Connect4(text), PositionError);
  for (const char* text : {"0", "12", "5x5", "-1", "05", "x"})
    CHECK_THROWS(Hex(text), PositionError);
  for (const char* text :
       {"5", "3x3", "9x4", "4x9", "4x1", "1x4x1", "5x4x3", "5x4x0", "5x4x", "5x4x1x"})
    CHECK_THROWS(Breakthrough(text), PositionError);
  for (const char* text : {"0", "10", "3 ", "k"}) CHECK_THROWS(Toll(text), PositionError);
  for (const char* text : {"0", "5", "1 ", "01", "c"}) CHECK_THROWS(Cops(text), PositionError);
  for (const char* text : {"2", "9", "5x5", "05", "5 ", "x"})
    CHECK_THROWS(Loa(text), PositionError);
  CHECK_THROWS(Graph("5", "A: win"), PositionError);
}

TEST(positions_that_cannot_be_are_rejected) {
  for (const char* text :
       {"", "...", ".../.../..", ".../.../....", "x../.../...x", "xx./.../...", "o../.../...",
        "xxx/ooo/...", "xxx/oo./o..", "ooo/xx./xx.", "xXo/.../..."})
    CHECK_THROWS(Mnk("").parse(text), PositionError);
  for (const char* text : {"", "0", "8", "1111111", "11x", "1212121 ", "12121213", "xx", "9",
                           "......./......./......./..x..../......./......."})
    CHECK_THROWS(Connect4("").parse(text), PositionError);
  CHECK_THROWS(Hex("3").parse("ooo/xxx/x.."), PositionError);
  CHECK_THROWS(Connect4("10x4").parse("12"), PositionError);
  for (const char* text : {"x", "ox/oo", "o./..", "xx/..", "xo/x./"})
    CHECK_THROWS(Hex("2").parse(text), PositionError);
  for (const char* text :
       {"", "..../..../..../..../....", "..../..../..../..../.... x", "x.../..../..../..../o... x",
        "o.../..../..../..../x... z", "o.../..../..../..../x...  x", "o.../..../..../..../x... x "})
    CHECK_THROWS(Breakthrough("").parse(text), PositionError);
  for (const char* text : {"", "0 - 3 1 4", "0 - 3 1 4 t", "0 1 3 1 4 k", "0 4 3 1 4 t",
                           "4 - 3 1 4 k", "3 1 3 1 4 t", "0 - 100 1 4 k", "0 - 03 1 4 k",
                           "0  - 3 1 4 k", "0 - 3 1 4 k ", "0 - -1 1 4 k", "0 - 3 1 4 K"})
    CHECK_THROWS(Toll("").parse(text), PositionError);
  for (const char* text :
       {"", "?", "~?@?", "A", "A_?", "Ao", "A\xff", "0-0", "0-1,1-0", "0-62", "0-", "Cl 4 -",
        "Cl 0 4 c", "Cl 0,1 -", "Cl 0 - r", "Cl 0 1 x", "Cl ", "Cl  0 -"})
    CHECK_THROWS(Cops("").parse(text), PositionError);
  CHECK_THROWS(Cops("2").parse("Cl 0 -"), PositionError);
  CHECK_THROWS(Cops("4").parse("0-33"), PositionError);
  for (const char* text : {"", ".x./o.o/.x.", ".x./o.o/.x.  x", ".x./.../.x. x", ".../o.o/... x",
                           ".../.../... o", ".xx./o..o/o..o/.xx. x", ".x./o.o/.x. z"})
    CHECK_THROWS(Loa("3").parse(text), PositionError);
  for (const char* text : {"", "Z", "A ", "a"})
    CHECK_THROWS(Graph("", kCyclicGraph).parse(text), PositionError);
}

TEST(unusual_positions_are_accepted) {
  const auto outcome = [](auto game, const char* text) {
    game.parse(text);
    return game.outcome();
  };
  CHECK(outcome(Mnk(""), "xxx/oo./...") == Outcome::first_wins);
  CHECK(outcome(Mnk(""), "ooo/xx./x..") == Outcome::second_wins);
  CHECK(outcome(Mnk("1,1,2"), "x") == Outcome::draw);
  CHECK(outcome(Mnk("1,1,1"), "x") == Outcome::first_wins);
  CHECK(outcome(Connect4(""), "1212121") == Outcome::first_wins);
  CHECK(outcome(Connect4("1x1"), "x") == Outcome::draw);
  CHECK(outcome(Hex("1"), "x") == Outcome::first_wins);
  CHECK(outcome(Hex("2"), ".x/xo") == Outcome::first_wins);
  CHECK(outcome(Hex("2"), "x./ox") == Outcome::ongoing);
  CHECK(outcome(Breakthrough(""), "x.../..../..../..../.... x") == Outcome::first_wins);
  CHECK(outcome(Breakthrough(""), "..../..../..../..../o... x") == Outcome::second_wins);
  CHECK(outcome(Breakthrough(""), "..../..../.o../..../.... x") == Outcome::second_wins);
  CHECK(outcome(Toll(""), "3 - 0 0 99 k") == Outcome::first_wins);
  CHECK(outcome(Cops(""), "@ 0 0 r") == Outcome::first_wins);
  CHECK(outcome(Cops("2"), ">>graph6<<Cl 1,1 0 c") == Outcome::ongoing);
  CHECK(outcome(Cops("3"), "0-61 61,0,1 60 c") == Outcome::ongoing);
  CHECK(outcome(Loa("3"), "x../.../..o x") == Outcome::second_wins);
  CHECK(outcome(Loa("3"), "x../.../..o o") == Outcome::first_wins);
  CHECK(outcome(Loa("3"), "x.x/.../..o o") == Outcome::second_wins);
  CHECK(outcome(Loa("3"), "x.x/.../o.o o") == Outcome::ongoing);
}

TEST(both_spellings_of_connect4_agree) {
  Connect4 game("5x4");
  game.parse("3342");
  CHECK(game.format() == "...../...../..o../.oxx." && game.side_to_move() == Side::first);
}

TEST(errors_mark_the_place) {
  CHECK(message_of(Mnk(""), "xo?/.../...") ==
        "expected one of 'x', 'o', '.'\n  xo?/.../...\n    ^");
  CHECK(message_of(Connect4("2x3"), "../x./.x") ==
        "this stone floats: the cell below is empty\n  ../x./.x\n     ^");
  CHECK(message_of(Connect4("2x2"), "1121") == "this column is full\n  1121\n     ^");
  CHECK(message_of(Mnk(""), "xx./.../...") ==
        "x has 2 and o has 0 stones; expected as many, or one more for x\n  xx./.../...");
  CHECK(message_of(Toll(""), "0 - 3 1 400 k") ==
        "expected the budget, a number from 0 to 99\n  0 - 3 1 400 k\n          ^");
  CHECK(message_of(Cops("2"), "Cl 0 1 c") ==
        "expected 2 cops: ',' and a vertex\n  Cl 0 1 c\n      ^");
  CHECK(message_of(Cops(""), "DQ 0 -") == "graph6 of 5 vertices has 3 characters\n  DQ 0 -\n    ^");
}

TEST(illegal_moves_are_rejected_with_the_legal_ones) {
  Mnk game("");
  game.parse("xo./.../...");
  for (const char* text : {"", "a1", "b1", "d1", "a4", "a0", "A2", "a2 ", "aa1"})
    CHECK_THROWS(game.parse_move(text), PositionError);
  try {
    game.parse_move("b1");
  } catch (const PositionError& error) {
    CHECK(std::string(error.what()) == "no legal move; legal: c1 a2 b2 c2 a3 b3 c3\n  b1\n  ^");
  }
  game.parse("xxx/oo./...");
  CHECK_THROWS(game.parse_move("c2"), PositionError);
  CHECK_THROWS(Connect4("").parse_move("8"), PositionError);
  CHECK_THROWS(Breakthrough("").parse_move("a1a2"), PositionError);
  CHECK_THROWS(Toll("").parse_move("wait"), PositionError);
  CHECK_THROWS(Cops("2").parse_move("1,0"), PositionError);
  CHECK_THROWS(Loa("").parse_move("pass"), PositionError);
}

TEST(bad_graphs_are_rejected) {
  const std::string long_name(65, 'n');
  const std::string wide_name = [] {
    std::string name;
    for (int i = 0; i < 65; ++i) name += "\u00e4";
    return name;
  }();
  for (const std::string& text : std::vector<std::string>{"",
                                                          "# nothing\n",
                                                          "root A\n",
                                                          "A",
                                                          "A win",
                                                          "A:",
                                                          "A: or",
                                                          "A: and # B",
                                                          ": win",
                                                          "A B: win",
                                                          "A: maybe",
                                                          "A: win B",
                                                          "A: or B",
                                                          "A: or A A",
                                                          "A: win\nA: loss",
                                                          "A: win\nroot A",
                                                          "root A\nroot A\nA: win",
                                                          "root B\nA: win",
                                                          "root\nA: win",
                                                          "root A A\nA: win",
                                                          "A: or B: C",
                                                          "A:: win",
                                                          "A: OR A",
                                                          long_name + ": win",
                                                          wide_name + ": win",
                                                          "A\v: win",
                                                          "A\u00a0: win",
                                                          "A: win # \u2028",
                                                          "A: win\rB: win",
                                                          "\xff: win",
                                                          "\xc0\x80: win",
                                                          "\xed\xa0\x80: win",
                                                          "A\xc3: win"})
    CHECK_THROWS(Graph("", text), PositionError);
}

TEST(odd_graphs_are_accepted) {
  CHECK(Graph("", std::string(64, 'n') + ": win").format().size() == 64);
  std::string wide_name;
  for (int i = 0; i < 64; ++i) wide_name += "\u00e4";
  CHECK(Graph("", wide_name + ": win").format() == wide_name);
  CHECK(Graph("", "root : or root win\nwin:win#x").data() ==
        "root root\nroot: or root win\nwin: win\n");
  CHECK(Graph("", "A: or B C\nB: proven\nC: disproven").data() ==
        "root A\nA: or B C\nB: win\nC: loss\n");
  CHECK(Graph("", "\n\r\n  A:\tdraw  \r\n").data() == "root A\nA: draw\n");
}

TEST(successors_are_limited) {
  std::string nodes;
  std::string list = "A: or";
  for (int i = 0; i < 65'535; ++i) {
    list += " n" + std::to_string(i);
    nodes += "n" + std::to_string(i) + ": win\n";
  }
  Graph game("", list + "\n" + nodes);
  CHECK(moves_of(game).size() == 65'535);
  CHECK_THROWS(Graph("", list + " A\n" + nodes), PositionError);
  CHECK_THROWS(game.parse_move("A"), PositionError);
}

TEST(graph_errors_name_the_line) {
  try {
    Graph("", "A: or B\n\nB: or C # x\n");
  } catch (const PositionError& error) {
    CHECK(std::string(error.what()) ==
          "line 3 of the graph: this node is not defined\n  B: or C # x\n        ^");
  }
}

TEST(copies_are_independent) {
  for_each_game([](auto game) {
    auto copy = game;
    const MoveList moves = moves_of(game);
    if (moves.empty()) return;
    copy.play(moves[0]);
    CHECK_FOR(copy.format() != game.format(), name_of(game));
    copy.undo(moves[0]);
    CHECK_FOR(copy.format() == game.format(), name_of(game));
  });
}

std::string mutated(std::string text, std::mt19937& random) {
  static constexpr std::string_view kLikely = "xo./ -:,0123456789abkt#\n\t\0\xff\xc3\xa0";
  for (unsigned edits = 1 + random() % 3; edits > 0; --edits) {
    const std::size_t at = random() % (text.size() + 1);
    const char c = random() % 4 ? kLikely[random() % kLikely.size()] : static_cast<char>(random());
    const unsigned kind = random() % 5;
    if (kind == 0) text.insert(at, 1, c);
    if (kind == 1 && at < text.size()) text[at] = c;
    if (kind == 2 && at < text.size()) text.erase(at, 1 + random() % 3);
    if (kind == 3) text.insert(at, text.substr(text.size() / 2));
    if (kind == 4) text.insert(at, random() % 300, c);
  }
  return text;
}

// True if accepted; anything but a PositionError leaves the test and so fails it.
template <class Action>
bool accepted(Action action) {
  try {
    action();
    return true;
  } catch (const PositionError&) {
    return false;
  }
}

template <class G>
void check_mutant(G& game, const std::string& text) {
  const G before = game;
  if (accepted([&] { game.parse(text); })) {
    G again = game;
    again.parse(game.format());
    CHECK_FOR(again.format() == game.format() && again.key() == game.key(), name_of(game));
    for (Move move : moves_of(game)) {
      game.play(move);
      game.undo(move);
    }
    CHECK_FOR(again.key() == game.key() && moves_of(again) == moves_of(game), name_of(game));
    return;
  }
  CHECK_FOR(game.format() == before.format() && game.key() == before.key(), name_of(before));
}

TEST(mutated_positions_and_moves) {
  std::mt19937 random(9);
  for_each_game([&](auto game) {
    for (int i = 0; i < 20; ++i) {
      auto copy = game;
      random_playout(copy, random, static_cast<int>(random() % 30), [](auto&) {});
      for (int j = 0; j < 40; ++j) check_mutant(copy, mutated(copy.format(), random));
      for (Move move : moves_of(copy))
        accepted([&] { copy.parse_move(mutated(copy.format_move(move), random)); });
    }
  });
}

template <class G>
void check_mutated_parameters(const G& game, std::mt19937& random) {
  for (int i = 0; i < 100; ++i) {
    const std::string text = mutated(game.parameters(), random);
    if (!accepted([&] { G other(text); })) continue;
    G other(text);
    CHECK_FOR(G(other.parameters()).parameters() == other.parameters(), text);
    random_playout(other, random, 20, [](auto&) {});
  }
}

TEST(mutated_parameters) {
  std::mt19937 random(10);
  for_each_game([&](const auto& game) {
    if constexpr (!HasData<std::remove_cvref_t<decltype(game)>>)
      check_mutated_parameters(game, random);
  });
}

TEST(mutated_graphs) {
  std::mt19937 random(11);
  int good = 0;
  for (int i = 0; i < 6000; ++i) {
    const std::string text = mutated(i % 2 ? kCyclicGraph : kAcyclicGraph, random);
    good += accepted([&] {
      Graph game("", text);
      const std::string data = game.data();
      CHECK_FOR(Graph("", data).data() == data, data);
      random_playout(game, random, 30, [](Graph&) {});
    });
  }
  CHECK(good > 100 && good < 5900);
}

TEST(code_points_are_read_as_rfc_3629_says) {
  const auto first = [](std::string_view text) {
    std::size_t place = 0;
    return next_code_point(text, place);
  };
  CHECK(first("a") == U'a' && first("\u00e4") == 0xe4 && first("\u2028") == 0x2028);
  CHECK(first("\U0010ffff") == 0x10ffff);
  for (std::string_view bad : {"\x80", "\xc3", "\xc3z", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80",
                               "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80", "\xff"})
    CHECK(first(bad) == kIllFormed);
}

}  // namespace
}  // namespace andorra
