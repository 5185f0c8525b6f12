// Selective searches: what they find by themselves, and that nothing they find has to be believed.
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "games/hex.hpp"
#include "games/mnk.hpp"
#include "search/attackers.hpp"
#include "search/fixpoint.hpp"

namespace andorra {
namespace {

constexpr std::size_t kMemory = std::size_t{4} << 20;

// What the attackers find without df-pn after them.
template <Game G>
struct Attack {
  G game;
  Options options;
  Table table{10'000};
  Stats stats;
  Monitor monitor{Limits{}, nullptr, {}};

  Attack(const std::string& parameters, const std::string& position) : game(parameters) {
    game.parse(position);
  }

  Bounds by_lambda(Side prover, unsigned order, std::uint64_t visits = 1'000'000) {
    options.set("lambda_order", std::to_string(order));
    return with(prover, visits, [](auto& both) { return both.search_by_lambda(); });
  }

  Bounds by_threats(Side prover, std::uint64_t visits = 1'000'000) {
    return with(prover, visits, [](auto& both) { return both.search_by_threats(); });
  }

  template <class Search>
  Bounds with(Side prover, std::uint64_t visits, Search&& search) {
    options.set("selective_nodes", std::to_string(visits));
    Problem<G> problem(game, Question{prover});
    const std::string before = game.format();
    Attackers<G> both(problem, table, monitor, stats, options, kMemory);
    const Bounds bounds = search(both);
    CHECK(game.format() == before);
    return bounds;
  }
};

constexpr const char* kCross = "o.....o/......./...x.../..x.x../...x.../......./o.....o";

bool is_proven(const Bounds& bounds) {
  return bounds == kProven;
}

TEST(passes_change_the_side_and_nothing_else) {
  const auto check = [](auto game, const std::string& position) {
    game.parse(position);
    const Key key = game.key();
    const Side side = game.side_to_move();
    game.pass();
    CHECK(game.side_to_move() == other(side));
    CHECK(game.key() != key);
    CHECK(game.format() == position);
    MoveList moves;
    game.moves(moves);
    game.play(moves[0]);
    CHECK(game.side_to_move() == side);
    game.undo(moves[0]);
    game.undo_pass();
    CHECK(game.key() == key);
    CHECK(game.side_to_move() == side);
    CHECK(game.format() == position);
  };
  check(Mnk("3,3,3"), "xo./.../...");
  check(Hex("3"), "xo./.../...");
}

TEST(a_pass_does_not_fill_the_board) {
  Mnk game("2,1,2");
  game.parse("x.");
  game.pass();
  CHECK(game.outcome() == Outcome::ongoing);
  game.play(1);
  CHECK(game.outcome() == Outcome::first_wins);
}

TEST(orders_tell_threats_from_threats_of_threats) {
  // One four after the other: order 1. The last of them makes two at once.
  CHECK(is_proven(Attack<Mnk>("5,5,4", "xx.../x..../x..../...oo/..oo.").by_lambda(Side::first, 1)));
  // No line has more than two stones; one more makes two threes that cross.
  CHECK(!Attack<Mnk>("7,7,5", kCross).by_lambda(Side::first, 1).solved());
  CHECK(is_proven(Attack<Mnk>("7,7,5", kCross).by_lambda(Side::first, 2)));
  CHECK(is_proven(Attack<Mnk>("7,7,5", kCross).by_threats(Side::first)));
}

TEST(the_refuter_attacks_as_well) {
  const std::string two = "....../.xx.../....../....../.o..o./......";
  CHECK(Attack<Mnk>("6,6,4", two).by_lambda(Side::second, 2) == kDisproven);
  CHECK(Attack<Mnk>("6,6,4", two).by_threats(Side::second) == kDisproven);
  CHECK(Attack<Hex>("3", "x../.../...").by_lambda(Side::first, 3) == kDisproven);
}

TEST(threats_are_fours_and_threes) {
  Mnk game("6,6,4");
  const auto names = [&](bool threats) {
    MoveList moves;
    threats ? game.threats(moves) : game.answers(moves);
    std::string all;
    for (const Move move : moves) all += (all.empty() ? "" : " ") + game.format_move(move);
    return all;
  };
  game.parse("x.x..o/....../....../....../....../....o.");
  CHECK(names(true) == "b1 d1");  // fours; there is no room for two of them
  game.parse("....../.xxx../....../....../.o..o./......");
  CHECK(names(false).empty());  // nothing meets two fours
  game.parse("x.xx.o/....../....../....../....../x...oo");
  CHECK(names(false) == "b1");
  game.parse(".x..../.xxx../...o../..o.../.o..../......");
  CHECK(names(false) == "e2 a6");  // the mover's own wins, and nothing else
}

TEST(answers_to_a_three_are_few) {
  Mnk game("5,5,3");
  game.parse("...../..x../..o../...../..x..");
  MoveList moves;
  game.answers(moves);
  CHECK(!moves.empty() && moves.size() < 22);
}

TEST(too_few_visits_answer_nothing) {
  const std::string two = "....../.xx.../....../....../.o..o./......";
  CHECK(is_proven(Attack<Mnk>("6,6,4", two).by_threats(Side::first)));
  CHECK(!Attack<Mnk>("6,6,4", two).by_threats(Side::first, 1).solved());
  CHECK(!Attack<Mnk>("6,6,4", two).by_lambda(Side::first, 2, 1).solved());
}

// Rules that leave out the answers that matter: all but the last move.
class Liar : public Mnk {
 public:
  using Mnk::Mnk;
  void answers(MoveList& list) const {
    MoveList all;
    moves(all);
    list.push_back(all.back());
  }
};

template <Game G>
bool truly_proven(G& game, Side prover) {
  Problem<G> problem(game, Question{prover});
  Monitor monitor(Limits{}, nullptr, {});
  Stats stats;
  return Fixpoint<G>(problem, monitor, stats, std::size_t{64} << 20).search().proven();
}

// Everything that can be reached and that the table calls solved is.
template <Game G>
int check_table(G& game, const Table& table, Side prover) {
  if (game.outcome() != Outcome::ongoing) return 0;
  int solved = 0;
  Entry known;
  if (table.find(game.key(), known) && known.bounds.solved()) {
    ++solved;
    CHECK_FOR(known.bounds.proven() == truly_proven(game, prover), game.format());
  }
  MoveList moves;
  game.moves(moves);
  for (const Move move : moves) {
    game.play(move);
    solved += check_table(game, table, prover);
    game.undo(move);
  }
  return solved;
}

TEST(what_the_rules_leave_out_need_not_be_believed) {
  std::mt19937_64 random(7);
  int solved = 0;
  for (int i = 0; i < 40; ++i) {
    Liar game("3,4,3");
    for (int ply = 0; ply < 4 && game.outcome() == Outcome::ongoing; ++ply) {
      MoveList moves;
      game.moves(moves);
      game.play(moves[random() % moves.size()]);
    }
    if (game.outcome() != Outcome::ongoing) continue;
    Attack<Liar> attack("3,4,3", game.format());
    const Bounds bounds = attack.by_threats(Side::first);
    if (bounds.solved())
      CHECK_FOR(bounds.proven() == truly_proven(attack.game, Side::first), game.format());
    solved += check_table(attack.game, attack.table, Side::first);
  }
  CHECK(solved > 0);
}

TEST(all_that_lambda_search_stores_is_true) {
  Attack<Hex> attack("3", ".../.x./..o");
  CHECK(is_proven(attack.by_lambda(Side::first, 3)));
  CHECK(check_table(attack.game, attack.table, Side::first) > 1);
}

}  // namespace
}  // namespace andorra
