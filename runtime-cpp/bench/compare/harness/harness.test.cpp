// The limits and the way of measuring have to be right, or every ratio is wrong.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <thread>
#include <vector>

#include "harness/measure.hpp"
#include "harness/vyukov.hpp"
#include "harness/wait.hpp"
#include "http/epoll_server.hpp"
#include "http/load.hpp"

namespace compare {
namespace {

/// Goes on as the test says.
struct Clock {
  using duration = std::chrono::nanoseconds;
  using time_point = std::chrono::time_point<Clock, duration>;
  static time_point now() { return time_point(passed); }
  static inline duration passed{0};
};

/// Ten microseconds each.
std::chrono::microseconds take(std::uint64_t count) {
  const std::chrono::microseconds took(10 * count);
  Clock::passed += took;
  return took;
}

TEST(RateOf, TimesOneBatchOfTheMeasuredLengthAfterWarmingUp) {
  std::vector<std::chrono::microseconds> took;
  const double rate = rate_of<Clock>([&](std::uint64_t count) { took.push_back(take(count)); });
  EXPECT_DOUBLE_EQ(rate, 100'000);
  ASSERT_GE(took.size(), 3U);
  EXPECT_GE(took[took.size() - 2], kWarmUp);
  EXPECT_LT(took[took.size() - 3], kWarmUp);
  EXPECT_NEAR(std::chrono::duration<double>(took.back()).count(),
              std::chrono::duration<double>(kMeasured).count(), 0.001);
}

TEST(RateOf, IsThatOfWhatComesAfterASlowBeginning) {
  std::vector<std::chrono::microseconds> took;
  const double rate = rate_of<Clock>(
      [&](std::uint64_t count) {
        constexpr std::chrono::milliseconds kBeginning{200};
        if (took.empty()) Clock::passed += kBeginning;
        took.push_back(take(count));
      },
      1);
  EXPECT_DOUBLE_EQ(rate, 100'000);
  EXPECT_NEAR(std::chrono::duration<double>(took.back()).count(),
              std::chrono::duration<double>(kMeasured).count(), 0.001);
}

TEST(RateOf, CountsWhatABatchSaysItDid) {
  const double rate = rate_of<Clock>([&](std::uint64_t& count) {
    take(count);
    count *= 2;
  });
  EXPECT_DOUBLE_EQ(rate, 200'000);
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

TEST(Hats, ByHandAreThoseOfTheCodec) {
  const Hat hat{12, std::string(kColor), std::string(kName)};
  std::string bytes;
  penstock::codec::append(hat, bytes);
  EXPECT_EQ(hat_by_hand(Form::protobuf, size_in(Form::protobuf)), bytes);
  std::string text;
  encode_json(hat, text);
  EXPECT_EQ(hat_by_hand(Form::json, size_in(Form::json)), text);
  EXPECT_EQ(hat_by_hand(Form::protobuf, size_in(Form::json)), "");
}

TEST(Load, AsksAsOftenAsItIsTold) {
  const epoll::Server<2> server;
  for (const Form form : {Form::protobuf, Form::json}) {
    Load load(server.port(), form);
    Load::Times times;
    std::uint64_t count = 1'000;
    load.ask(count, &times);
    EXPECT_EQ(count, 1'000U);
    EXPECT_EQ(times.size(), count);
    count = 1;
    load.ask(count);
    EXPECT_EQ(count, Load::kClients);
  }
}

}  // namespace
}  // namespace compare
