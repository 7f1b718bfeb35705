// The limits and the way of measuring have to be right, or every ratio is wrong.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <thread>
#include <vector>

#include "harness/measure.hpp"
#include "harness/vyukov.hpp"
#include "harness/wait.hpp"

namespace compare {
namespace {

using Clock = std::chrono::steady_clock;

TEST(RateOf, TimesOneBatchOfTheMeasuredLengthAfterWarmingUp) {
  std::vector<std::uint64_t> counts;
  std::vector<double> took;
  const double rate = rate_of([&](std::uint64_t count) {
    const auto begin = Clock::now();
    // Ten microseconds each, by the clock, whatever else the machine does.
    const auto end = begin + std::chrono::microseconds(10 * count);
    while (Clock::now() < end) {
    }
    counts.push_back(count);
    took.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
  });
  ASSERT_GE(took.size(), 2U);
  EXPECT_GE(took[took.size() - 2], std::chrono::duration<double>(kWarmUp).count());
  // There is none before it where the machine kept the very first batch for so long.
  if (took.size() > 2) {
    EXPECT_LT(took[took.size() - 3], std::chrono::duration<double>(kWarmUp).count());
  }
  EXPECT_NEAR(rate * took.back(), static_cast<double>(counts.back()),
              0.05 * static_cast<double>(counts.back()));
}

TEST(RateOf, CountsWhatABatchSaysItDid) {
  std::uint64_t said = 0;
  double took = 0;
  const double rate = rate_of([&](std::uint64_t& count) {
    const auto begin = Clock::now();
    const auto end = begin + std::chrono::microseconds(10 * count);
    while (Clock::now() < end) {
    }
    said = count *= 2;
    took = std::chrono::duration<double>(Clock::now() - begin).count();
  });
  // By the time that it took, however long the machine kept it.
  EXPECT_NEAR(rate * took, static_cast<double>(said), 0.05 * static_cast<double>(said));
}

struct Item : Vyukov::Node {
  unsigned producer = 0;
  unsigned number = 0;
};

TEST(Vyukov, HandsOverEveryItemInTheOrderOfItsProducer) {
  constexpr unsigned kProducers = 3;
  constexpr unsigned kItems = 20'000;
  Vyukov queue;
  std::vector<std::vector<Item>> items;
  for (unsigned producer = 0; producer < kProducers; ++producer) items.emplace_back(kItems);
  std::vector<std::thread> threads;
  for (unsigned producer = 0; producer < kProducers; ++producer) {
    threads.emplace_back([&queue, &mine = items[producer], producer] {
      for (unsigned number = 0; number < kItems; ++number) {
        mine[number].producer = producer;
        mine[number].number = number;
        queue.push(mine[number]);
      }
    });
  }
  std::array<unsigned, kProducers> next{};
  for (unsigned taken = 0; taken < kProducers * kItems;) {
    const auto* const item = static_cast<const Item*>(queue.pop());
    if (item == nullptr) {
      std::this_thread::yield();
      continue;
    }
    ASSERT_EQ(item->number, next[item->producer]++);
    ++taken;
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(queue.pop(), nullptr);
}

template <class T>
class Signals : public ::testing::Test {};
using Waits = ::testing::Types<Signal<Wait::spin>, Signal<Wait::adaptive>, Signal<Wait::park>>;
TYPED_TEST_SUITE(Signals, Waits);

TYPED_TEST(Signals, LoseNoChangeWhileTwoThreadsAnswerEachOther) {
  constexpr std::uint32_t kRounds = 500;
  TypeParam there;
  TypeParam back;
  std::thread server([&there, &back] {
    for (std::uint32_t seen = 0; seen < kRounds;) {
      seen = there.past(seen);
      back.set(seen);
    }
  });
  for (std::uint32_t round = 1; round <= kRounds; ++round) {
    there.set(round);
    ASSERT_EQ(back.past(round - 1), round);
  }
  server.join();
}

}  // namespace
}  // namespace compare
