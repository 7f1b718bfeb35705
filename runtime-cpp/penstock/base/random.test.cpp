#include "penstock/base/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <thread>
#include <vector>

namespace penstock::random_test {
namespace {

std::vector<std::uint32_t> drawn_with(std::uint64_t seed) {
  std::vector<std::uint32_t> drawn(64);
  std::thread([&drawn, seed] {
    seed_random(seed);
    std::generate(drawn.begin(), drawn.end(), &roll);
  }).join();
  return drawn;
}

TEST(Random, IsTheSameForASeedAndAnotherForTheNext) {
  EXPECT_EQ(drawn_with(7), drawn_with(7));
  const auto one = drawn_with(0);
  const auto next = drawn_with(1);
  for (std::size_t at = 0; at < one.size(); ++at) EXPECT_NE(one[at], next[at]) << at;
}

TEST(Random, DrawsEachNumberBelowItsBoundAboutAsOften) {
  std::array<int, 10> times{};
  std::thread([&times] {
    seed_random(42);
    for (int draw = 0; draw < 10'000; ++draw) ++times.at(random_below(times.size()));
  }).join();
  for (const int often : times) {
    EXPECT_GT(often, 800);
    EXPECT_LT(often, 1200);
  }
}

}  // namespace
}  // namespace penstock::random_test
