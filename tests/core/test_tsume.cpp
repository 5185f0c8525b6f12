// Shogi problems searched whole: the sanitizers see the search step on the game that asks most of
// it (groups, guesses, dominance, repetitions, looks ahead).
#include <cstddef>

#include "certified.hpp"
#include "check.hpp"
#include "games/tsume.hpp"

namespace andorra {
namespace {

struct Case {
  const char* position;
  bool mate;
};

// From the random problems of tests/random_tsume.py. The verdicts are those of this search, with
// certificates that the trusted checker accepts.
constexpr Case kProblems[] = {
    {"9/9/9/9/9/2r6/2+s6/SL7/KL7 w BPb4gnl 1", true},
    {"5nk2/9/6G2/2B6/9/9/9/9/9 w 2RS 1 attacker=b", true},
    {"9/8k/9/9/9/8+L/9/9/9 b R2BNp 1", true},
    {"5kp2/4s1s+S1/4nnl2/4R4/9/9/9/9/9 b SN2Pgl 1", false},
    {"9/6+L1k/9/9/9/9/9/9/9 b GSNPg 1", false},
};

TEST(problems_with_and_without_a_mate_are_told_apart) {
  for (const auto& [position, mate] : kProblems) {
    for (const std::size_t cells : {512, 100'000}) {
      Tsume game("");
      game.parse(position);
      const Certified found = search_and_certify(game, Side::first, cells);
      CHECK_FOR(found.bounds.solved(), position);
      CHECK_FOR(found.bounds.proven() == mate, position);
      CHECK_FOR(found.entries > 0, position);
    }
  }
}

}  // namespace
}  // namespace andorra
