// Hints in graph files: what they say to a search, what is rejected where, and that neither the
// rules nor the canonical text know of them.
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"
#include "game_kit.hpp"

namespace andorra {
namespace {

constexpr const char* kRules =
    "A: or B C D E\n"
    "B: and A D\n"
    "C: and D E\n"
    "D: win\n"
    "E: loss\n";

constexpr const char* kHints =
    "guess B 3 1000000   # harder to disprove than anything\n"
    "\tguess  A 7 2\r\n"
    "cost A B 0 5\n"
    "cost B A 1000000 0\n"
    "alike A B C\n"
    "alike B D A\n"
    "alike A E D\n";

Graph at(const std::string& text, const char* node) {
  Graph graph("", text);
  graph.parse(node);
  return graph;
}

bool equal(Guess found, std::uint32_t pn, std::uint32_t dn) {
  return found.pn == pn && found.dn == dn;
}

TEST(guesses_and_costs_are_swapped_for_the_second_player) {
  const std::string text = std::string(kHints) + kRules;
  const Graph a = at(text, "A"), b = at(text, "B"), c = at(text, "C");
  CHECK(equal(a.guess(Side::first), 7, 2) && equal(a.guess(Side::second), 2, 7));
  CHECK(equal(b.guess(Side::first), 3, 1'000'000) && equal(b.guess(Side::second), 1'000'000, 3));
  CHECK(equal(c.guess(Side::first), 1, 1) && equal(c.guess(Side::second), 1, 1));
  CHECK(equal(a.cost(0, Side::first), 0, 5) && equal(a.cost(0, Side::second), 5, 0));
  CHECK(equal(b.cost(0, Side::first), 1'000'000, 0));
  for (Move move : {1u, 2u, 3u}) CHECK(equal(a.cost(move, Side::first), 0, 0));
  CHECK(equal(b.cost(1, Side::second), 0, 0) && equal(c.cost(0, Side::first), 0, 0));
}

TEST(moves_of_one_line_are_one_group) {
  const std::string text = std::string(kRules) + kHints;
  const Graph a = at(text, "A"), b = at(text, "B"), c = at(text, "C");
  CHECK(a.group(0) != 0 && a.group(0) == a.group(1));
  CHECK(a.group(2) != 0 && a.group(2) == a.group(3) && a.group(2) != a.group(0));
  CHECK(b.group(0) != 0 && b.group(0) == b.group(1));
  CHECK(c.group(0) == 0 && c.group(1) == 0);
}

TEST(a_graph_without_hints_has_the_defaults) {
  Graph graph("", kRules);
  CHECK(equal(graph.guess(Side::first), 1, 1) && equal(graph.guess(Side::second), 1, 1));
  for (Move move : moves_of(graph))
    CHECK(equal(graph.cost(move, Side::first), 0, 0) && graph.group(move) == 0);
}

// In front of the nodes, behind them, between them: hints are found, and a root line may follow.
TEST(hints_may_be_anywhere_and_are_no_rules) {
  const std::string rules = kRules, hints = kHints;
  const std::string between = "A: or B C D E\n" + hints + rules.substr(rules.find('\n') + 1);
  for (const std::string& text : {hints + rules, rules + hints, between, hints + "root A\n" + rules,
                                  "root A\n" + rules + hints}) {
    Graph graph("", text);
    CHECK_FOR(equal(graph.guess(Side::first), 7, 2) && graph.group(1) != 0, text);
    CHECK_FOR(graph.data() == "root A\n" + rules, text);
    CHECK_FOR(graph.key() == Graph("", rules).key() && moves_of(graph).size() == 4, text);
  }
}

TEST(hints_are_no_reserved_names) {
  Graph graph("",
              "guess: or cost alike\ncost: and alike guess\nalike: win\nalike guess alike cost\n"
              "guess cost 2 3\ncost guess cost 4 5");
  CHECK(graph.data() == "root guess\nguess: or cost alike\ncost: and alike guess\nalike: win\n");
  CHECK(equal(graph.cost(0, Side::first), 4, 5) && graph.group(0) == graph.group(1));
  graph.play(0);
  CHECK(equal(graph.guess(Side::first), 2, 3));
}

std::string message_of(const std::string& text) {
  try {
    Graph("", text);
  } catch (const PositionError& error) {
    return error.what();
  }
  return "accepted";
}

struct Mistake {
  const char* line;
  std::size_t place;
  const char* what;
};

TEST(mistakes_in_hints_are_marked) {
  for (const auto& [line, place, what] : std::vector<Mistake>{
           {"guess", 5, "expected 'guess NAME PN DN'"},
           {"guess A 1 # 1", 9, "expected 'guess NAME PN DN'"},
           {"guess A 1 1 1", 12, "expected 'guess NAME PN DN'"},
           {"guess Z 1 1", 6, "this node is not defined"},
           {"guess D 1 1", 6, "expected a node that is no end"},
           {"guess A 0 1", 8, "expected a number from 1 to 1000000"},
           {"guess A 1 1000001", 10, "expected a number from 1 to 1000000"},
           {"guess A 01 1", 8, "expected a number from 1 to 1000000"},
           {"guess A +1 1", 8, "expected a number from 1 to 1000000"},
           {"guess A 1 4294967297", 10, "expected a number from 1 to 1000000"},
           {"guess A 1 1.5", 10, "expected a number from 1 to 1000000"},
           {"cost A B 1", 10, "expected 'cost FROM TO PN DN'"},
           {"cost A B 1 1 1", 13, "expected 'cost FROM TO PN DN'"},
           {"cost A B -1 1", 9, "expected a number from 0 to 1000000"},
           {"cost A B 1 1000001", 11, "expected a number from 0 to 1000000"},
           {"cost A B 1 1x", 11, "expected a number from 0 to 1000000"},
           {"cost Z B 1 1", 5, "this node is not defined"},
           {"cost A Z 1 1", 7, "this node is not defined"},
           {"cost A A 1 1", 7, "expected a successor of 'A'"},
           {"cost D A 1 1", 7, "expected a successor of 'D'"},
           {"alike A B", 9, "expected 'alike FROM TO TO ...', at least two moves"},
           {"alike Z B C", 6, "this node is not defined"},
           {"alike A B Z", 10, "this node is not defined"},
           {"alike A B A", 10, "expected a successor of 'A'"},
           {"alike A B B", 10, "this move is in a group already"},
           {"hint A B C", 0,
            "expected 'NAME: or ...', 'NAME: and ...', 'NAME: win', 'NAME: loss', 'NAME: draw', "
            "'NAME: score N', 'root NAME', 'guess ...', 'cost ...' or 'alike ...'"}}) {
    const std::string rest = std::string("\n  ") + line + "\n  " + std::string(place, ' ') + "^";
    CHECK_FOR(message_of(std::string(line) + "\n" + kRules) ==
                  std::string("line 1 of the graph: ") + what + rest,
              line);
    CHECK_FOR(message_of(std::string(kRules) + line) ==
                  std::string("line 6 of the graph: ") + what + rest,
              line);
  }
}

TEST(hints_are_given_once) {
  const std::string rules = kRules;
  CHECK(message_of(rules + "guess A 1 1\nguess B 1 1\nguess A 2 2") ==
        "line 8 of the graph: this node has a guess already\n  guess A 2 2\n        ^");
  CHECK(message_of(rules + "cost A B 1 1\ncost A B 1 1") ==
        "line 7 of the graph: this move has a cost already\n  cost A B 1 1\n         ^");
  CHECK(message_of(rules + "alike A B C\nalike A D C") ==
        "line 7 of the graph: this move is in a group already\n  alike A D C\n            ^");
  CHECK(message_of(rules + "alike A D E\nalike C D E") == "accepted");
}

TEST(a_root_line_still_comes_before_any_node) {
  CHECK(message_of(std::string("guess A 1 1\nroot B\n") + kRules) == "accepted");
  CHECK(message_of(std::string(kRules) + "guess A 1 1\nroot B\n") ==
        "line 7 of the graph: expected the root line before any node\n  root B\n  ^");
}

TEST(hints_of_wide_nodes_are_read_quickly) {
  std::string text = "A: or", alike = "alike A", ends;
  for (int i = 0; i < 65'535; ++i) {
    const std::string name = " n" + std::to_string(i);
    text += name;
    alike += name;
    ends += name + ": win\n";
  }
  const Graph graph("", text + "\n" + alike + "\n" + ends);
  CHECK(graph.group(0) != 0 && graph.group(0) == graph.group(65'534));
}

// Exchanges, drops, doubles and replaces words, so that many mutants are nearly right.
std::string mutated_words(const std::string& text, std::mt19937& random) {
  static const std::vector<std::string> kWords = {
      "A", "B", "C", "D", "guess", "cost", "alike", "0", "1", "01", "1000000", "1000001", "\n"};
  std::vector<std::string> words;
  std::string word;
  for (char c : text + " ") {
    if (c != ' ' && c != '\n') word += c;
    if (c == ' ' && !word.empty()) words.push_back(std::exchange(word, ""));
    if (c == '\n') words.insert(words.end(), {std::exchange(word, ""), "\n"});
  }
  const std::size_t place = random() % words.size();
  const std::string& fresh = kWords[random() % kWords.size()];
  const unsigned kind = random() % 4;
  if (kind == 0) words[place] = fresh;
  if (kind == 1) words.insert(words.begin() + static_cast<std::ptrdiff_t>(place), fresh);
  if (kind == 2) words.erase(words.begin() + static_cast<std::ptrdiff_t>(place));
  if (kind == 3) std::swap(words[place], words[random() % words.size()]);
  std::string joined;
  for (const std::string& each : words) joined += each + " ";
  return joined;
}

TEST(mutated_hints) {
  std::mt19937 random(24);
  int good = 0;
  for (int i = 0; i < 4000; ++i) {
    const std::string text = kRules + mutated_words(
                                          "guess B 3 9\ncost A B 0 5\ncost B A 4 0\n"
                                          "alike A B C\nalike A D E\nguess A 2 2\n",
                                          random);
    if (message_of(text) != "accepted") continue;
    ++good;
    Graph game("", text);
    CHECK_FOR(game.data() == std::string("root A\n") + kRules, text);
    random_playout(game, random, 10, [](Graph& position) {
      CHECK(position.guess(Side::first).pn > 0 && position.guess(Side::first).dn > 0);
      for (Move move : moves_of(position)) {
        CHECK(position.cost(move, Side::second).pn <= 1'000'000);
        CHECK(position.group(move) < 1000);
      }
    });
  }
  CHECK(good > 200 && good < 3800);
}

}  // namespace
}  // namespace andorra
