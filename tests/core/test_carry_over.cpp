// What one question leaves to the next in the same table: nothing but truths, and all of those that
// later questions of a series can use.
#include <cstdint>
#include <random>
#include <vector>

#include "check.hpp"
#include "rules/carry_over.hpp"
#include "solve/series.hpp"
#include "table/table.hpp"

namespace andorra {
namespace {

Question win_of(Side prover) {
  Question question;
  question.prover = prover;
  return question;
}

Question at_least(std::int32_t score) {
  Question question;
  question.scored = true;
  question.score = score;
  return question;
}

Question at_most(std::int32_t score) {
  Question question = at_least(score);
  question.prover = Side::second;
  return question;
}

// What becomes of an entry that says this of `from`; open if it goes.
Bounds carried(Bounds bounds, const Question& from, const Question& to, Closing closing = {}) {
  Entry entry{bounds, 5, 3};
  const bool stays = CarryOver(from, to, closing)(entry);
  CHECK(!stays || (entry.work == 5 && entry.move == 3));
  return stays ? entry.bounds : Bounds{};
}

TEST(who_wins_cannot_be_beaten) {
  for (const Side prover : {Side::first, Side::second}) {
    CHECK(carried(kProven, win_of(prover), win_of(other(prover))) == kDisproven);
    CHECK(!carried(kDisproven, win_of(prover), win_of(other(prover))).solved());
    CHECK(carried({7, 9}, win_of(prover), win_of(other(prover))) == (Bounds{9, 7}));
    CHECK(carried(kDisproven, win_of(prover), win_of(prover)) == kDisproven);
  }
}

TEST(scores_carry_over_one_way) {
  CHECK(carried(kProven, at_least(5), at_least(3)) == kProven);
  CHECK(!carried(kProven, at_least(5), at_least(6)).solved());
  CHECK(carried(kDisproven, at_least(5), at_least(6)) == kDisproven);
  CHECK(!carried(kDisproven, at_least(5), at_least(4)).solved());
  CHECK(carried(kProven, at_most(5), at_most(6)) == kProven);
  CHECK(!carried(kProven, at_most(5), at_most(4)).solved());
  CHECK(carried(kDisproven, at_most(5), at_most(4)) == kDisproven);
  CHECK(!carried(kDisproven, at_most(5), at_most(6)).solved());
  CHECK(carried({7, 9}, at_least(5), at_least(6)) == (Bounds{7, 9}));
}

TEST(other_questions_have_nothing_in_common) {
  Question bounded = win_of(Side::first);
  bounded.bounded = true;
  const std::vector<Question> all{win_of(Side::first), at_least(1), at_most(1), bounded};
  for (const Question& from : all)
    for (const Question& to : all)
      if (&from != &to || from.bounded) {
        CHECK(!carried(kProven, from, to).solved());
        CHECK(!carried(kDisproven, from, to).solved());
      }
}

// Positions with known scores, asked about by chance: the root's score is never of use to what
// holds, so any order of questions must be right.
TEST(any_series_of_questions_leaves_truths) {
  std::mt19937 random(3);
  const auto any = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  std::size_t kept = 0;
  for (int round = 0; round < 300; ++round) {
    const bool first = any(0, 1) == 0;
    std::vector<int> scores;
    for (int i = 0; i < 40; ++i) scores.push_back(any(-9, 9));
    Series series;
    for (int asked = 0; asked < 6; ++asked) {
      const int wanted = any(-9, 9);
      const Question question = first ? at_least(wanted) : at_most(wanted);
      Table& table =
          series.table_for(question, [] { return std::make_unique<Table>(Table::kSmallest); });
      for (std::uint64_t i = 0; i < scores.size(); ++i) {
        const Bounds truth =
            (first ? scores[i] >= wanted : scores[i] <= wanted) ? kProven : kDisproven;
        Entry entry;
        if (table.find({i << 58, i}, entry)) {
          CHECK(entry.bounds == truth);
          ++kept;
        }
        if (any(0, 2) > 0) table.store({i << 58, i}, {truth, 1, 0});
      }
      series.learn((first ? scores[0] >= wanted : scores[0] <= wanted) ? kProven : kDisproven);
    }
  }
  CHECK(kept > 10'000);
}

// Halving: what was found against the root's verdict is there for all questions to come.
TEST(what_holds_between_is_kept_through_other_questions) {
  Series series;
  const auto make = [] { return std::make_unique<Table>(Table::kSmallest); };
  const auto ask = [&](std::int32_t score, Bounds root) {
    Table& table = series.table_for(at_least(score), make);
    series.learn(root);
    return &table;
  };
  const Key low{1, 1}, high{2, 2}, none{3, 3};
  Table* table = ask(5, kProven);
  table->store(low, {kDisproven, 1, 0});  // less than 5, as is all that is asked from now on
  table->store(none, {kProven, 1, 0});    // 5 or more, which says nothing of 6
  table = ask(9, kDisproven);
  table->store(high, {kProven, 1, 0});
  Entry entry;
  for (const std::int32_t score : {7, 6, 8}) {
    table = ask(score, {1, 1});
    CHECK(table->find(low, entry) && entry.bounds == kDisproven);
    CHECK(table->find(high, entry) && entry.bounds == kProven);
    CHECK(!table->find(none, entry));
  }
  table = ask(12, {1, 1});  // not in between
  CHECK(!table->find(high, entry));
}

TEST(translating_moves_what_stays_to_where_it_is_found) {
  std::mt19937_64 random(5);
  Table table(4096);
  std::vector<Key> keys;
  for (std::uint32_t i = 0; i < 3'000; ++i) {
    keys.push_back({random() >> (i % 2 == 0 ? 0 : 8), random()});
    table.store(keys.back(), {{1, 1}, i, 0, 0, 0, 0});
  }
  table.translate([](Entry& entry) {
    entry.flags = 4;
    return entry.work % 3 == 0;
  });
  CHECK(table.used() == 1'000);
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    Entry entry;
    const bool found = table.find(keys[i], entry);
    CHECK(found == (i % 3 == 0));
    CHECK(!found || (entry.work == i && entry.flags == 4));
  }
}

}  // namespace
}  // namespace andorra
