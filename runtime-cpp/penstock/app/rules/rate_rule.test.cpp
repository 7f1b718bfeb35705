#include "penstock/app/rules/rate_rule.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace penstock::app::rate_rule_test {
namespace {

using Side = RateRule::Side;
constexpr Nanos kLook = 50'000'000;
constexpr double kSecond = 1e9;

/// A rule that is looked at twenty times a second, and what it chose.
struct Trial {
  explicit Trial(const RateRule::Settings& settings) : rule(settings) {}

  /// So many a second come evenly.
  void run_for(int seconds, double per_second) {
    for (const Nanos end = at + Nanos{seconds} * 1'000'000'000; at < end;) {
      at += kLook;
      come += per_second * kLook / kSecond;
      take(rule.look(at, static_cast<std::uint64_t>(std::llround(come))));
    }
  }
  void take(std::optional<Side> side) {
    if (!side) return;
    chosen.push_back(*side);
    rates.push_back(rule.rate());
  }

  RateRule rule;
  Nanos at = 0;
  double come = 0;
  std::vector<Side> chosen;
  std::vector<double> rates;
};

using Sides = std::vector<Side>;

TEST(RateRuleTest, ChoosesASideOnceItsRateHasHeldForLongEnough) {
  Trial trial({1000, 5000, 3});
  trial.run_for(3, 6000);
  EXPECT_EQ(trial.chosen, Sides{}) << "the first look begins, so the third second is not over";
  trial.run_for(1, 6000);
  EXPECT_EQ(trial.chosen, Sides{Side::above});
  EXPECT_NEAR(trial.rates.back(), 6000, 1);
  trial.run_for(2, 10);
  EXPECT_EQ(trial.chosen, Sides{Side::above});
  trial.run_for(2, 10);
  EXPECT_EQ(trial.chosen, (Sides{Side::above, Side::below}));
}

TEST(RateRuleTest, ChoosesEachSideOnceInARow) {
  Trial trial({1000, 5000, 2});
  trial.run_for(60, 9000);
  EXPECT_EQ(trial.chosen, Sides{Side::above});
  trial.run_for(60, 1);
  EXPECT_EQ(trial.chosen, (Sides{Side::above, Side::below}));
}

TEST(RateRuleTest, WhatIsBetweenTheThresholdsChangesNothing) {
  Trial trial({1000, 5000, 1});
  trial.run_for(20, 3000);
  EXPECT_EQ(trial.chosen, Sides{});
  trial.run_for(5, 6000);
  trial.run_for(20, 1200);
  trial.run_for(20, 4900);
  EXPECT_EQ(trial.chosen, Sides{Side::above});
}

TEST(RateRuleTest, ABurstAndAGapAreNotLongEnough) {
  Trial trial({1000, 5000, 5});
  for (int times = 0; times < 20; ++times) {
    trial.run_for(4, 9000);
    trial.run_for(3, 3000);
    trial.run_for(4, 0);
    trial.run_for(3, 3000);
  }
  EXPECT_EQ(trial.chosen, Sides{});
}

TEST(RateRuleTest, AtAThresholdNothingIsBeyondIt) {
  Trial trial({1000, 2000, 1});
  trial.take(trial.rule.look(0, 0));
  trial.take(trial.rule.look(1'000'000'000, 1000));
  trial.take(trial.rule.look(2'000'000'000, 3000));
  EXPECT_EQ(trial.chosen, Sides{});
  trial.take(trial.rule.look(3'000'000'000, 5001));
  EXPECT_EQ(trial.chosen, Sides{Side::above});
}

// A process that was stopped for a while sees one long interval, whose rate is that of all of it.
TEST(RateRuleTest, TheTimeBetweenTwoLooksMayBeLong) {
  Trial trial({1000, 5000, 2});
  trial.take(trial.rule.look(0, 0));
  trial.take(trial.rule.look(60'000'000'000, 400'000));
  EXPECT_EQ(trial.chosen, Sides{}) << "one interval, however long";
  EXPECT_NEAR(trial.rule.rate(), 6667, 1);
  trial.take(trial.rule.look(61'000'000'000, 406'000));
  EXPECT_EQ(trial.chosen, Sides{Side::above});
}

/// The same loads in each run; others by PENSTOCK_SEED.
std::uint64_t drawn_seed() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
  const char* const given = std::getenv("PENSTOCK_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : 1000;
}

// Rates drawn second by second: a side is chosen if, and only if, so many in a row were beyond its
// threshold, and the other one was chosen before.
TEST(RateRuleTest, FollowsDrawnLoadsAsItIsDescribed) {
  const std::uint64_t seed = drawn_seed();
  std::mt19937_64 random(seed);
  const auto below = [&random](unsigned most) { return static_cast<unsigned>(random() % most); };
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE("PENSTOCK_SEED=" + std::to_string(seed) + " round " + std::to_string(round));
    const double low = 1 + below(5000);
    const RateRule::Settings settings{low, low + 1 + below(5000), 1 + below(6)};
    RateRule rule(settings);
    Sides chosen;
    Sides expected;
    std::uint64_t count = below(1'000'000);
    unsigned quiet = 0;
    unsigned busy = 0;
    EXPECT_FALSE(rule.look(0, count));
    double rate = below(12'000);
    for (Nanos second = 1; second <= 300; ++second) {
      if (below(4) == 0) rate = below(12'000);
      count += static_cast<std::uint64_t>(rate);
      quiet = rate < settings.below ? quiet + 1 : 0;
      busy = rate > settings.above ? busy + 1 : 0;
      const auto last = expected.empty() ? std::nullopt : std::optional(expected.back());
      if (quiet >= settings.seconds && last != Side::below) expected.push_back(Side::below);
      if (busy >= settings.seconds && last != Side::above) expected.push_back(Side::above);
      // Looks within the second say nothing.
      EXPECT_FALSE(rule.look(second * 1'000'000'000 - kLook, count));
      if (const auto side = rule.look(second * 1'000'000'000, count)) chosen.push_back(*side);
    }
    EXPECT_EQ(chosen, expected);
  }
}

}  // namespace
}  // namespace penstock::app::rate_rule_test
