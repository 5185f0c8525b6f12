// The sketch of positions seen: silent on old ones, not silent for long on new ones.
#include <random>

#include "check.hpp"
#include "search/novelty.hpp"

namespace andorra {
namespace {

TEST(old_positions_are_never_news) {
  std::mt19937_64 random(4);
  Novelty novelty;
  std::vector<Key> keys;
  for (int i = 0; i < 10'000; ++i) keys.push_back({random(), random()});
  for (const Key& key : keys) novelty.add(key);
  int news = 0;
  for (const Key& key : keys) news += novelty.add(key);
  CHECK(news == 0);
}

TEST(new_positions_are_news_now_and_then) {
  std::mt19937_64 random(5);
  Novelty novelty;
  std::uint64_t last = 0;
  for (std::uint64_t i = 1; i <= 2'000'000; ++i) {
    if (!novelty.add({random(), random()})) continue;
    CHECK(i - last < 1000 + last / 50);
    last = i;
  }
  CHECK(last > 1'900'000);
}

}  // namespace
}  // namespace andorra
