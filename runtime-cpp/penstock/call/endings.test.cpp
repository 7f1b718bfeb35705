#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <vector>

#include "support/gate.hpp"
#include "support/small_binary.hpp"

namespace penstock::endings_test {
namespace {

using namespace std::chrono_literals;
using call::Ending;
using testing::eventually;
using testing::Gate;
using testing::pool_settings;
using testing::SmallBinary;

struct Number {
  int value = 0;
};

Gate g_gate;
Gate g_last;
std::atomic<int> g_runs{0};

// Keeps its thread until the gate opens.
struct Gated : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& request) {
    g_gate.pass();
    return request;
  }
};
// The same at a gate of its own; negative numbers are its own error.
struct Serves : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& request) {
    g_runs.fetch_add(1);
    g_last.pass();
    if (request.value < 0) throw Error(ErrorCode::invalid_argument, "negative");
    return request;
  }
};

struct EndingsTest : ::testing::Test {
  SmallBinary binary;
  call::Service* gated = nullptr;
  call::Service* service = nullptr;
  Stub<Number, Number> block;
  Stub<Number, Number> ask;

  // Both on one thread: what is asked behind a blocked one waits in the queue.
  void start(Nanos deadline_ns = 0, std::uint32_t queue = 1024,
             exec::Overflow overflow = exec::Overflow::block) {
    g_gate.open();
    g_last.open();
    g_runs = 0;
    exec::Pool& pool = binary.pool(pool_settings("p", 1, queue, overflow));
    gated = &binary.service<Gated>("Gated", Kind::simple, pool);
    service = &binary.service<Serves>("Serves", Kind::simple, pool);
    service->deadline_ns = deadline_ns;
    block = Stub<Number, Number>(&binary.site(*gated));
    ask = Stub<Number, Number>(&binary.site(*service));
    binary.start();
    binary.registry().set_sampling(128);
  }
  void TearDown() override {
    g_gate.open();
    g_last.open();
    binary.stop();
  }
  [[nodiscard]] std::uint64_t count(Ending how) {
    return binary.registry().count(service->implementations[0]->counter_of(how));
  }
  [[nodiscard]] metrics::HistogramSum taken(std::uint32_t timer) {
    metrics::HistogramSum sum;
    binary.registry().collect(timer, sum);
    return sum;
  }
  // Done, and how.
  void expect(std::uint64_t done, std::uint64_t expired, std::uint64_t skipped,
              std::uint64_t refused) {
    ASSERT_TRUE(eventually([&] { return binary.done(*service) == done; }));
    EXPECT_TRUE(eventually([&] {
      return count(Ending::expired) == expired && count(Ending::skipped) == skipped &&
             count(Ending::refused) == refused;
    })) << count(Ending::expired)
        << ' ' << count(Ending::skipped) << ' ' << count(Ending::refused);
  }
};

TEST_F(EndingsTest, AnAnswerAndAnErrorOfTheHandlerAreServed) {
  start(3'600'000'000'000);
  EXPECT_EQ(ask({1}).get().value, 1);
  EXPECT_THROW(static_cast<void>(ask({-1}).get()), Error);
  expect(2, 0, 0, 0);
}

TEST_F(EndingsTest, WhatWaitsBeyondItsDeadlineExpiresAndIsNotRun) {
  start(1);
  g_gate.close();
  auto blocking = block({0});
  g_gate.wait_for_one();
  auto late = ask({1});
  EXPECT_THROW(static_cast<void>(late.get()), Error);
  g_gate.open();
  expect(1, 1, 0, 0);
  EXPECT_EQ(g_runs, 0);
  EXPECT_EQ(blocking.get().value, 0);
}

TEST_F(EndingsTest, WhatItsCallerDropsInTheQueueIsSkippedAndNotRun) {
  start();
  g_gate.close();
  auto blocking = block({0});
  g_gate.wait_for_one();
  { auto dropped = ask({1}); }
  g_gate.open();
  expect(1, 0, 1, 0);
  EXPECT_EQ(g_runs, 0);
  EXPECT_EQ(blocking.get().value, 0);
}

TEST_F(EndingsTest, WhatItsCallerDropsWhileItRunsIsSkipped) {
  start();
  g_last.close();
  {
    auto dropped = ask({1});
    g_last.wait_for_one();
  }
  g_last.open();
  expect(1, 0, 1, 0);
  EXPECT_EQ(g_runs, 1);
}

TEST_F(EndingsTest, WhatIsAnsweredWhenItsCallerHasStoppedWaitingHasExpired) {
  start();
  g_last.close();
  auto group = ask.each({1});
  g_last.wait_for_one();
  EXPECT_TRUE(gather_within(1ms, std::move(group)).get().empty());
  g_last.open();
  expect(1, 1, 0, 0);
  EXPECT_EQ(g_runs, 1);
}

TEST_F(EndingsTest, WhatAFullQueueRefusesIsRefused) {
  start(0, 1, exec::Overflow::reject);
  g_gate.close();
  auto blocking = block({0});
  g_gate.wait_for_one();
  auto waits = ask({1});
  EXPECT_THROW(static_cast<void>(ask({2}).get()), Error);
  g_gate.open();
  EXPECT_EQ(waits.get().value, 1);
  expect(2, 0, 0, 1);
}

TEST_F(EndingsTest, WaitingAndRunningAreTakenApart) {
  start();
  g_gate.close();
  auto blocking = block({0});
  g_gate.wait_for_one();
  auto waits = ask({1});
  const Nanos asked = now_ns();
  ASSERT_TRUE(eventually([&] { return now_ns() - asked > 5'000'000; }));
  g_gate.open();
  EXPECT_EQ(waits.get().value, 1);
  EXPECT_EQ(blocking.get().value, 0);
  const call::Implementation& served = *service->implementations[0];
  const metrics::HistogramSum wait = taken(served.timers.wait);
  EXPECT_GE(wait.sum_ns, 5'000'000U);
  EXPECT_EQ(taken(served.timers.latency).sum_ns, wait.sum_ns + taken(served.timers.run).sum_ns);
  const call::Implementation& blocked = *gated->implementations[0];
  EXPECT_GE(taken(blocked.timers.run).sum_ns, 5'000'000U);
}

// What is under way is what its sites have asked and has not ended, on whichever implementation.
TEST(UnderWay, IsWhatAllSitesOfAServiceAsked) {
  g_last.close();
  SmallBinary binary;
  auto& pool = binary.pool(pool_settings("p", 1, 1024, exec::Overflow::block));
  auto& service = binary.service<Serves, Serves>("Serves", Kind::simple, pool);
  auto& other = binary.service<Serves>("Other", Kind::simple, pool);
  const Stub<Number, Number> one(&binary.site(service));
  const Stub<Number, Number> two(&binary.site(service));
  const Stub<Number, Number> beside(&binary.site(other));
  binary.start();
  std::vector<Future<Number>> answers;
  for (const int value : {1, 2, -3}) answers.push_back(one({value}));
  for (const int value : {4, 5}) answers.push_back(two({value}));
  answers.push_back(beside({6}));
  EXPECT_EQ(service.sent_count(), 5U);
  EXPECT_EQ(service.done_count(), 0U);
  EXPECT_EQ(other.sent_count(), 1U);
  g_last.open();
  for (auto& answer : answers) {
    try {
      static_cast<void>(answer.get());
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    }
  }
  EXPECT_EQ(service.done_count(), 5U);
  EXPECT_EQ(service.sent_count(), 5U);
  EXPECT_EQ(other.done_count(), 1U);
}

}  // namespace
}  // namespace penstock::endings_test
