#include "penstock/metrics/registry.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <thread>
#include <vector>

namespace penstock::metrics {

struct HistogramTest : ::testing::Test {
  Histogram histogram;

  void put(Nanos latency, std::uint32_t times) {
    histogram.buckets_[Histogram::bucket_of(latency)].store(times, std::memory_order_relaxed);
  }
};

namespace {

TEST_F(HistogramTest, KnowsMoreThanFourThousandMillionSamplesOfOneLatency) {
  put(100, ~std::uint32_t{0});
  histogram.record(100, false);
  histogram.record(100, true);
  EXPECT_EQ(histogram.count(Histogram::bucket_of(100)), (std::uint64_t{1} << 32U) + 1);
}

// Runs on a thread with a shard of its own.
template <class Work>
void on_a_worker(Registry& registry, const Work& work) {
  std::thread([&] {
    registry.enter();
    work();
    registry.leave();
  }).join();
}

std::uint64_t samples(const HistogramSum& sum) {
  return std::accumulate(sum.buckets.begin(), sum.buckets.end(), std::uint64_t{0});
}

struct RegistryTest : ::testing::Test {
  Registry registry;
  const SampledCounter calls = registry.add_sampled_counter();

  std::uint64_t sampled_of(int requests) {
    std::uint64_t sampled = 0;
    for (int request = 0; request < requests; ++request) sampled += registry.sampled(calls) ? 1 : 0;
    return sampled;
  }
};

TEST_F(RegistryTest, SamplesOfSeveralCountsAsOfOnes) {
  registry.start();
  constexpr int kTimes = 2000;
  for (const bool own : {true, false}) {
    for (const std::uint32_t counts : {1U, 7U, 64U}) {
      const std::uint64_t before = registry.count(calls);
      std::uint64_t sampled = 0;
      const auto count = [&] {
        for (int times = 0; times < kTimes; ++times) {
          const std::uint64_t ones = registry.sampled(calls, counts);
          EXPECT_TRUE(counts == 64 || ones >> counts == 0);
          sampled += static_cast<std::uint64_t>(std::popcount(ones));
        }
      };
      registry.set_sampling(0);
      own ? on_a_worker(registry, count) : count();
      EXPECT_LE(sampled, 1U);  // what was drawn before
      sampled = 0;
      registry.set_sampling(128);
      own ? on_a_worker(registry, count) : count();
      EXPECT_GE(sampled + 1, kTimes * counts) << own << counts;
      EXPECT_EQ(registry.count(calls) - before, 2 * kTimes * counts);
    }
  }
}

TEST_F(RegistryTest, AddsUpWhatAllThreadsCount) {
  const std::uint32_t first = registry.add_counters(2);
  registry.start();
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, own = thread % 2 == 0] {
      if (own) registry.enter();
      for (int turn = 0; turn < 10'000; ++turn) registry.shard().add(first + 1);
      if (own) registry.leave();
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(registry.count(first), 0U);
  EXPECT_EQ(registry.count(first + 1), 40'000U);
}

// Threads from outside share one shard, and the first count makes its page.
TEST_F(RegistryTest, LosesNoRareCountWhenSeveralThreadsAreTheFirst) {
  const RareCounter errors = registry.add_rare_counters(200);
  registry.start();
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, own = thread == 0] {
      if (own) registry.enter();
      for (std::uint32_t turn = 0; turn < 20'000; ++turn) registry.shard().add(errors + turn % 200);
      if (own) registry.leave();
    });
  }
  // Somebody reads meanwhile.
  std::uint64_t seen = 0;
  while (seen < 400) seen = registry.count(errors + 7);
  for (auto& thread : threads) thread.join();
  for (std::uint32_t code = 0; code < 200; ++code) EXPECT_EQ(registry.count(errors + code), 400U);
}

TEST_F(RegistryTest, KeepsRareCountersApart) {
  const RareCounter first = registry.add_rare_counters(18);
  const RareCounter second = registry.add_rare_counters();
  registry.start();
  registry.shard().add(second);
  registry.shard().add(first + 17);
  registry.shard().add(first + 17);
  EXPECT_EQ(registry.count(first), 0U);
  EXPECT_EQ(registry.count(first + 17), 2U);
  EXPECT_EQ(registry.count(second), 1U);
}

TEST_F(RegistryTest, KnowsTheFirstSamplesAndAllThatFollow) {
  const std::uint32_t quiet = registry.add_timer();
  const std::uint32_t timer = registry.add_timer();
  registry.start();
  HistogramSum none;
  registry.collect(timer, none);
  EXPECT_TRUE(none.buckets.empty());
  std::uint64_t sum = 0;
  for (const std::uint64_t wanted :
       {std::uint64_t{1}, std::uint64_t{Samples::kFirst}, std::uint64_t{1000}}) {
    on_a_worker(registry, [&] {
      HistogramSum before;
      registry.collect(timer, before);
      for (std::uint64_t had = samples(before); had < wanted; ++had) {
        registry.shard().record(timer, static_cast<Nanos>(had));
        sum += had;
      }
    });
    HistogramSum all;
    registry.collect(timer, all);
    EXPECT_EQ(samples(all), wanted);
    EXPECT_EQ(all.sum_ns, sum);
    EXPECT_EQ(all.buckets[Histogram::bucket_of(0)], 1U);
  }
  HistogramSum nothing;
  registry.collect(quiet, nothing);
  EXPECT_TRUE(nothing.buckets.empty());
}

TEST_F(RegistryTest, LosesNoSampleOfThreadsThatShareTheirTimer) {
  const std::uint32_t timer = registry.add_timer();
  registry.start();
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int turn = 0; turn < 5000; ++turn) registry.shard().record(timer, turn);
    });
  }
  for (auto& thread : threads) thread.join();
  HistogramSum all;
  registry.collect(timer, all);
  EXPECT_EQ(samples(all), 20'000U);
}

TEST_F(RegistryTest, SamplesThreeIn128) {
  registry.start();
  on_a_worker(registry, [this] {
    const std::uint64_t sampled = sampled_of(128 * 1000);
    EXPECT_GT(sampled, 2800U);
    EXPECT_LT(sampled, 3200U);
  });
  EXPECT_EQ(registry.count(calls), 128U * 1000);
}

// Each counter draws by itself: what is asked once in a while among what is asked all the time is
// sampled, too, and not the same of every such counter.
TEST_F(RegistryTest, SamplesWhatSeldomCountsAsOftenAsAllElse) {
  std::vector<SampledCounter> seldom(20'000);
  for (SampledCounter& counter : seldom) counter = registry.add_sampled_counter();
  registry.start();
  on_a_worker(registry, [&] {
    for (int time = 1; time <= 4; ++time) {
      std::uint64_t sampled = 0;
      for (const SampledCounter counter : seldom) sampled += registry.sampled(counter) ? 1 : 0;
      // 469 of 20,000, give or take five standard deviations.
      EXPECT_GT(sampled, 360U) << "time " << time;
      EXPECT_LT(sampled, 580U) << "time " << time;
    }
  });
}

TEST_F(RegistryTest, CountsWhatItSamplesOnEveryThread) {
  const SampledCounter other = registry.add_sampled_counter();
  registry.start();
  registry.set_sampling(64);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, own = thread % 2 == 0] {
      if (own) registry.enter();
      static_cast<void>(sampled_of(10'000));
      if (own) registry.leave();
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(registry.count(calls), 40'000U);
  EXPECT_EQ(registry.count(other), 0U);
}

TEST_F(RegistryTest, TakesAnotherRateAtOnce) {
  registry.start();
  on_a_worker(registry, [this] {
    EXPECT_LT(sampled_of(100), 100U);
    registry.set_sampling(128);
    EXPECT_EQ(sampled_of(100), 100U);
    registry.set_sampling(0);
    EXPECT_EQ(sampled_of(100'000), 0U);
    registry.set_sampling(128);
    EXPECT_EQ(sampled_of(100), 100U);
  });
  registry.set_sampling(64);
  const std::uint64_t outside = sampled_of(10'000);
  EXPECT_GT(outside, 4000U);
  EXPECT_LT(outside, 6000U);
}

// The thread counts while another one sets the rate: what that says may be overwritten, and the
// rate then comes when the count that was drawn is reached.
TEST_F(RegistryTest, TakesAnotherRateUnderLoad) {
  registry.start();
  registry.set_sampling(0);
  std::atomic<bool> set{false};
  std::thread worker([&] {
    registry.enter();
    while (!set.load())
      EXPECT_FALSE(registry.sampled(calls) && !set.load() && registry.sampling() == 0);
    static_cast<void>(sampled_of(Registry::kLongestGap));
    EXPECT_EQ(sampled_of(100), 100U);
    registry.leave();
  });
  registry.set_sampling(128);
  set.store(true);
  worker.join();
}

}  // namespace
}  // namespace penstock::metrics
