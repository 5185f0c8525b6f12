// The transposition table: nothing stored is lost below its capacity, solved entries are kept
// longest, and small subtrees go first.
#include <array>
#include <bit>
#include <random>
#include <unordered_map>
#include <vector>

#include "check.hpp"
#include "table/table.hpp"

namespace andorra {
namespace {

Key random_key(std::mt19937_64& random) {
  return {random(), random()};
}

TEST(entries_round_trip) {
  Table table(1000);
  const Entry stored{{7, 9}, 123456, 77, 88, 9, 0x123456789abcdef0};
  table.store({1, 2}, stored);
  Entry found;
  CHECK(table.find({1, 2}, found));
  CHECK(found.bounds == stored.bounds && found.work == stored.work && found.move == stored.move);
  CHECK(found.distance == stored.distance && found.parent == stored.parent);
  CHECK(found.flags == stored.flags);
  CHECK(!table.find({1, 3}, found));
  CHECK(!table.find({2, 2}, found));
}

// A reader may see some words of a cell before a write and some after it. Entries of one board
// differ in little: a checksum that was a mere XOR let what was stored for one hand in shogi be
// taken for another.
TEST(a_cell_that_is_half_written_holds_no_other_key) {
  using Words = std::array<std::uint64_t, 5>;
  const Key key{0x0123456789abcdef, 0xfedcba9800000000};
  const auto stored = [&](Resources resources, Bounds bounds, std::uint32_t work) {
    return Snapshot(with_resources(key, resources), {bounds, work, 3, 9, 0, 0});
  };
  const std::vector<Snapshot> cells{
      stored(0, kProven, 8),    stored(1, kProven, 8),       stored(1, kProven, 12),
      stored(5, kDisproven, 7), stored(1, Bounds{1, 7}, 12), stored(5, Bounds{2, 7}, 1 << 18),
  };
  const auto is_whole = [&](const Snapshot& read) {
    for (const Snapshot& cell : cells)
      if (cell.holds(read.key()) && cell.bounds() == read.bounds() && cell.work() == read.work())
        return true;
    return false;
  };
  for (const Snapshot& before : cells)
    for (const Snapshot& after : cells)
      for (unsigned mix = 0; mix < 1 << 5; ++mix) {
        Words words = std::bit_cast<Words>(before);
        for (unsigned i = 0; i < words.size(); ++i)
          if ((mix >> i & 1) != 0) words[i] = std::bit_cast<Words>(after)[i];
        const auto read = std::bit_cast<Snapshot>(words);
        CHECK(with_resources(read.key(), 0) != key || is_whole(read));
      }
}

TEST(growing_loses_nothing) {
  std::mt19937_64 random(1);
  Table table(200'000);
  std::vector<Key> keys;
  for (std::uint32_t i = 0; i < 140'000; ++i) {
    keys.push_back(random_key(random));
    table.store(keys.back(), {{1, 1}, i, 0, 0, 0, 0});
  }
  CHECK(table.used() == keys.size());
  CHECK(table.collections() == 0);
  std::size_t right = 0;
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    Entry entry;
    right += table.find(keys[i], entry) && entry.work == i;
  }
  CHECK(right == keys.size());
}

TEST(keys_that_share_a_home_are_told_apart) {
  Table table(64);
  for (std::uint32_t i = 0; i < 40; ++i) table.store({7, i}, {{1, 1}, i, 0, 0, 0, 0});
  for (std::uint32_t i = 0; i < 40; ++i) {
    Entry entry;
    CHECK(table.find({7, i}, entry) && entry.work == i);
  }
}

TEST(probing_wraps_around) {
  Table table(64);
  const std::uint64_t last = ~std::uint64_t{0};
  for (std::uint32_t i = 0; i < 30; ++i) table.store({last, i}, {{1, 1}, i, 0, 0, 0, 0});
  Entry entry;
  CHECK(table.find({last, 29}, entry) && entry.work == 29);
}

TEST(solved_entries_are_not_overwritten) {
  Table table(64);
  table.store({1, 1}, {kProven, 5, 3, 0, 0, 0});
  table.store({1, 1}, {{4, 4}, 9, 1, 0, 0, 0});
  Entry entry;
  CHECK(table.find({1, 1}, entry) && entry.bounds.proven() && entry.move == 3);
}

TEST(collection_drops_small_open_subtrees_first) {
  std::mt19937_64 random(2);
  Table table(1024, 0.5);
  std::vector<std::pair<Key, Entry>> stored;
  for (std::uint32_t i = 0; i < 768; ++i) {
    const Bounds bounds = i % 4 == 0 ? kDisproven : Bounds{2, 3};
    stored.push_back({random_key(random), {bounds, i % 2 == 0 ? 1000u : 1u, 0, 0, 0, 0}});
    table.store(stored.back().first, stored.back().second);
  }
  CHECK(table.collections() == 0);
  table.store(random_key(random), {});  // no room: half of the 768 must go
  CHECK(table.collections() == 1);
  CHECK(table.used() == 768 - 384 + 1);
  std::size_t solved = 0, small = 0;
  for (const auto& [key, entry] : stored) {
    Entry found;
    if (!table.find(key, found)) continue;
    CHECK(found.bounds == entry.bounds && found.work == entry.work);
    solved += entry.bounds.solved();
    small += !entry.bounds.solved() && entry.work == 1;
  }
  CHECK(solved == 192);
  CHECK(small == 0);
}

TEST(collection_keeps_solved_entries_longer) {
  std::mt19937_64 random(7);
  Table table(1024, 0.5);
  std::vector<Key> solved;
  for (int i = 0; i < 769; ++i) {
    const Key key = random_key(random);
    if (i % 2 == 0) solved.push_back(key);
    table.store(key, {i % 2 == 0 ? kProven : Bounds{2, 3}, 10, 0, 0, 0, 0});
  }
  CHECK(table.collections() == 1);
  for (const Key& key : solved) CHECK(table.holds(key));
}

TEST(collection_empties_the_table_evenly) {
  std::mt19937_64 random(6);
  Table table(4096, 0.5);
  std::vector<Key> keys;
  for (int i = 0; i < 3073; ++i) {
    keys.push_back(random_key(random));
    table.store(keys.back(), {{2, 3}, 1, 0, 0, 0, 0});
  }
  CHECK(table.collections() == 1);
  std::size_t lower = 0;  // half of the homes
  for (const Key& key : keys) lower += (key.board >> 63) == 0 && table.holds(key);
  CHECK(lower > 650 && lower < 890);
}

TEST(an_overfull_table_stays_consistent) {
  std::mt19937_64 random(3);
  for (const std::size_t cells : {64, 65, 100, 5000, 20'000}) {
    Table table(cells, 0.3);
    std::unordered_map<std::uint64_t, std::uint32_t> last;
    for (std::uint32_t i = 0; i < 50'000; ++i) {
      const std::uint64_t id = random() % 30'000;
      last[id] = i;
      table.store({id * 0x9e3779b97f4a7c15ULL, id}, {{1, 1}, i, 0, 0, 0, 0});
    }
    CHECK(table.used() <= cells - cells / 4);
    std::size_t found_count = 0;
    for (const auto& [id, work] : last) {
      Entry entry;
      if (!table.find({id * 0x9e3779b97f4a7c15ULL, id}, entry)) continue;
      ++found_count;
      CHECK(entry.work == work);
    }
    CHECK(found_count == table.used());
  }
}

TEST(replacement_forgets_the_least_work_nearby) {
  for (const Forgetting how : {Forgetting::replace, Forgetting::both}) {
    std::mt19937_64 random(4);
    Table table(1000, 0.3, how);
    const Key dear = random_key(random);
    table.store(dear, {kProven, 1'000'000, 0, 0, 0, 0});
    std::size_t found = 0;
    for (std::uint32_t i = 0; i < 100'000; ++i) {
      const Key key = random_key(random);
      table.store(key, {{1, 1}, 1 + i % 100, 0, 0, 0, 0});
      Entry entry;
      found += table.find(key, entry) && entry.work == 1 + i % 100;
      CHECK(table.used() <= 1000 - 1000 / 8);
    }
    CHECK(found == 100'000);  // what was just stored is there
    CHECK(table.collections() > 0);
    Entry entry;
    CHECK(table.find(dear, entry) && entry.bounds.proven());
  }
}

}  // namespace
}  // namespace andorra
