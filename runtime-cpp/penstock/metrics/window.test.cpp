#include "penstock/metrics/window.hpp"

#include <gtest/gtest.h>

namespace penstock::metrics {
namespace {

constexpr Nanos kSecond = 1'000'000'000;

TEST(WindowTest, KnowsMeanAndPercentilesOfTheLastSecondAlone) {
  Registry registry;
  const std::uint32_t timer = registry.add_timer();
  const std::uint32_t quiet = registry.add_timer();
  registry.start();
  Window window(registry);
  for (int sample = 0; sample < 3; ++sample) registry.shard().record(timer, 1000);
  registry.shard().record(timer, 5000);
  window.read(kSecond);
  const Latency first = window.last_second(timer);
  EXPECT_DOUBLE_EQ(first.mean_us.value(), 2.0);
  EXPECT_NEAR(first.p50_us.value(), 1.0, 0.03);
  EXPECT_NEAR(first.max_us.value(), 5.0, 0.15);
  for (int sample = 0; sample < 100; ++sample) registry.shard().record(timer, 10'000);
  window.read(2 * kSecond);
  window.read(3 * kSecond);
  for (int sample = 0; sample < 10; ++sample)
    registry.shard().record(timer, 30'000 + 2000 * sample);
  window.read(4 * kSecond);
  EXPECT_DOUBLE_EQ(window.last_second(timer).mean_us.value(), 39.0);
  EXPECT_DOUBLE_EQ(window.last_second({timer, quiet}).mean_us.value(), 39.0);
  EXPECT_FALSE(window.last_second(quiet).mean_us.has_value());
}

TEST(WindowTest, ForgetsWhatWasBeforeSomebodyLookedAgain) {
  Registry registry;
  const std::uint32_t timer = registry.add_timer();
  registry.start();
  Window window(registry);
  window.read(kSecond);
  registry.shard().record(timer, 2 * kSecond);
  window.read(3600 * kSecond);
  registry.shard().record(timer, 1'000'000);
  window.read(3600 * kSecond + kSecond / 2);
  EXPECT_NEAR(window.last_second(timer).max_us.value(), 1000, 30);
}

TEST(WindowTest, HasNoMeanAboveItsLargestSample) {
  HistogramSum torn;
  torn.add(Nanos{1000});
  torn.sum_ns = 9000;  // read while more samples came
  EXPECT_EQ(percentiles(torn).mean_us, percentiles(torn).max_us);
}

}  // namespace
}  // namespace penstock::metrics
