// Secret check bits: they tell apart what was made to collide, and decide nothing else.
#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <random>
#include <utility>
#include <vector>

#include "check.hpp"
#include "games/state_key.hpp"
#include "games/tsume.hpp"
#include "question.hpp"
#include "rules/twins.hpp"
#include "secret.hpp"
#include "table/table.hpp"

namespace andorra {
namespace {

// What a process with another secret would make of a key.
Key elsewhere(Key key) {
  return with_check(key, check_bits(mix(key.board) ^ remix(key.rest)));
}

TEST(check_bits_and_public_bits_share_none) {
  const Key check = check_bits(~std::uint64_t{0});
  CHECK((check.board & kPublicInBoard) == 0 && (check.rest & kPublicInRest) == 0);
  CHECK(std::popcount(check.board) + std::popcount(check.rest) == 56);
  const Key key{0x0123456789abcdef, 0xfedcba9876543210};
  CHECK(public_part(with_check(key, check)) == public_part(key));
  CHECK(with_check(public_part(key), {key.board & ~kPublicInBoard, key.rest & ~kPublicInRest}) ==
        key);
}

TEST(secrets_are_fixed_and_differ_by_purpose_and_number) {
  CHECK(Secret::of(1, 2) == Secret::of(1, 2));
  CHECK(Secret::of(1, 2) != Secret::of(2, 1));
  CHECK(Secret::of(1, 2) != Secret::of(1, 3));
}

// One block of 16 bytes is changed, and the next one cancels the change out: the public bits of the
// keys are equal, as whole keys once were.
TEST(states_made_to_collide_have_different_keys) {
  using Words = std::array<std::uint64_t, 4>;
  const auto key_of = [](const Words& words) {
    return state_key(reinterpret_cast<const std::uint8_t*>(words.data()), sizeof words);
  };
  const Key start{0x243F6A8885A308D3u, 0x13198A2E03707344u};
  std::mt19937_64 random(7);
  for (int i = 0; i < 1000; ++i) {
    const Words one{random(), random(), random(), random()};
    Words two{random(), random(), 0, 0};
    const auto after = [&](const Words& words) {
      return mixed({start.board ^ words[0], start.rest ^ words[1]});
    };
    two[2] = after(one).board ^ after(two).board ^ one[2];
    two[3] = after(one).rest ^ after(two).rest ^ one[3];
    CHECK(public_part(key_of(one)) == public_part(key_of(two)));
    CHECK(key_of(one) != key_of(two));
  }
}

// All that a table keeps, forgets and finds is the same under any secret.
TEST(tables_forget_the_same_whatever_the_secret) {
  for (const Forgetting forgetting :
       {Forgetting::small_tree, Forgetting::replace, Forgetting::both}) {
    std::mt19937_64 random(11);
    Table here(1000, 0.3, forgetting), there(1000, 0.3, forgetting);
    std::vector<Key> keys;
    for (std::uint32_t i = 0; i < 5000; ++i) {
      keys.push_back({random(), random()});
      const Entry entry{{1, 1}, static_cast<std::uint32_t>(random() % 1000), 0, 0, 0, 0};
      here.store(keys.back(), entry);
      there.store(elsewhere(keys.back()), entry);
    }
    for (const Key key : keys) CHECK(here.holds(key) == there.holds(elsewhere(key)));
    CHECK(here.used() == there.used() && here.collections() == there.collections());
  }
}

TEST(paths_have_one_place_and_differ_by_their_check) {
  const Key key{0x0123456789abcdef, 0xfedcba9876543210};
  const PathCode one = with_position({}, key, 3);
  const PathCode other = with_position({}, elsewhere(key), 3);
  CHECK(one.place == other.place && one.check != other.check);
  CHECK(with_position(one, key, 3) == PathCode{});
  CHECK(with_position({}, key, 4).check != one.check);
}

// The codes of positions at their plies, of two paths that differ in some of 70 choices between two
// positions: which choices, so that the public codes of both paths are equal.
std::vector<bool> choices_that_cancel(const std::vector<std::array<Key, 2>>& plies) {
  std::vector<std::pair<std::uint64_t, std::vector<bool>>> basis;
  for (std::size_t ply = 0;; ++ply) {
    const auto& [one, other] = plies.at(ply);
    std::uint64_t code = with_position(with_position({}, one, ply), other, ply).place;
    std::vector<bool> chosen(plies.size());
    chosen[ply] = true;
    for (const auto& [known, its] : basis) {
      if ((code ^ known) >= code) continue;
      code ^= known;
      for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = chosen[i] != its[i];
    }
    if (code == 0) return chosen;
    basis.emplace_back(code, chosen);
    std::sort(basis.begin(), basis.end(), std::greater());
  }
}

TEST(paths_made_to_collide_have_different_codes) {
  std::mt19937_64 random(13);
  std::vector<std::array<Key, 2>> plies(70);
  for (auto& both : plies)
    for (Key& key : both) key = {random(), random()};
  const std::vector<bool> chosen = choices_that_cancel(plies);
  PathCode one, other;
  for (std::size_t ply = 0; ply < plies.size(); ++ply) {
    one = with_position(one, plies[ply][0], ply);
    other = with_position(other, plies[ply][chosen[ply]], ply);
  }
  CHECK(one.place == other.place && one.check != other.check);
  Twins twins(1 << 16);
  twins.add({1, 2}, one, 3);
  CHECK(twins.find({1, 2}, one) == 3);
  CHECK(twins.find({1, 2}, other) == kRestsOnNothing);
}

TEST(plies_left_change_check_bits_too) {
  const Key key{0x0123456789abcdef, 0xfedcba9800000000};
  CHECK(with_plies(key, 3) == with_plies(key, 3));
  for (std::uint64_t plies = 0; plies < 1000; ++plies) {
    CHECK(with_plies(key, plies).rest != with_plies(key, plies + 1).rest);
    CHECK(resources_in(with_plies(key, plies)) == resources_in(key));
  }
}

// Public bits decide node counts, so they are the same in every process.
TEST(only_check_bits_of_random_numbers_are_secret) {
  const auto all = zobrist_keys<242>(0x686578);
  const auto known = public_zobrist_keys<242>(0x686578);
  for (std::size_t i = 0; i < all.size(); ++i)
    CHECK(public_part(all[i]) == public_part(known[i]) && all[i] != known[i]);
  Tsume tsume("");
  const Key key = tsume.key();
  tsume.parse("4k4/9/4G4/9/9/9/9/9/9 b P 1");
  CHECK(tsume.key() != key);
}

}  // namespace
}  // namespace andorra
