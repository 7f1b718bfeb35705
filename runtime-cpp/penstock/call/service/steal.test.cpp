// Idle workers of a pool take requests that wait for a busy one.

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "support/small_binary.hpp"

namespace penstock::steal_test {
namespace {

using testing::eventually;
using testing::pool_settings;
using testing::SmallBinary;

struct Visit {
  int number = 0;
};

// Two gates: who is odd waits for the one, who is even for the other.
std::array<std::atomic<bool>, 2> g_open{true, true};
std::atomic<int> g_inside{0};
void set_gate(std::size_t gate, bool open) {
  g_open[gate].store(open);
  g_open[gate].notify_all();
}

struct Waits : Handler {
  using request_type = Visit;
  using response_type = Visit;
  static Visit handle(const Visit& visit) {
    ++g_inside;
    g_open[static_cast<std::size_t>(visit.number % 2)].wait(false);
    return visit;
  }
};

// Answers with the thread that it ran on.
struct Where : Handler {
  using request_type = Visit;
  using response_type = Visit;
  static Visit handle(const Visit& /*visit*/) {
    return {static_cast<int>(exec::Worker::current()->index())};
  }
};

struct StealTest : ::testing::Test {
  SmallBinary binary;
  Stub<Visit, Visit> stub(call::Service& service) {
    return Stub<Visit, Visit>(&binary.site(service));
  }
  // Both of two workers stand at gates of their own, and have nothing else.
  std::array<Future<Visit>, 2> stop_both(const Stub<Visit, Visit>& waits) {
    g_inside = 0;
    set_gate(0, false);
    set_gate(1, false);
    Future<Visit> even = waits({0});
    EXPECT_TRUE(eventually([] { return g_inside.load() == 1; }));
    Future<Visit> odd = waits({1});
    EXPECT_TRUE(eventually([] { return g_inside.load() == 2; }));
    return {std::move(even), std::move(odd)};
  }
  void TearDown() override {
    set_gate(0, true);
    set_gate(1, true);
  }
};

TEST_F(StealTest, AnIdleWorkerTakesWhatWaitsForABusyOne) {
  auto& pool = binary.pool(pool_settings("p", 2));
  const auto waits = stub(binary.service<Waits>("Waits", Kind::simple, pool));
  const auto where = stub(binary.service<Where>("Where", Kind::simple, pool));
  binary.start();
  auto stopped = stop_both(waits);
  // One of those two may have been taken by the other worker.
  const std::array<std::uint64_t, 2> before{pool.worker(0).stolen(), pool.worker(1).stolen()};
  std::vector<Future<Visit>> answers;
  answers.reserve(8);
  for (int visit = 0; visit < 8; ++visit) answers.push_back(where({visit}));
  const std::array<std::uint64_t, 2> waiting{pool.worker(0).depth(), pool.worker(1).depth()};
  EXPECT_GT(waiting[0], 0U);
  EXPECT_GT(waiting[1], 0U);
  EXPECT_EQ(pool.depth().queued, 8U);
  EXPECT_EQ(pool.stolen(), before[0] + before[1]);
  set_gate(0, true);
  // All of them, though one of the two that they were given to still stands at its gate.
  const int free = answers.front().get().number;
  for (std::size_t index = 1; index < answers.size(); ++index) {
    EXPECT_EQ(answers[index].get().number, free);
  }
  EXPECT_FALSE(stopped[1].ready());
  const auto thief = static_cast<unsigned>(free);
  const std::uint64_t stolen = waiting.at(1 - thief);
  EXPECT_EQ(pool.worker(thief).stolen(), before.at(thief) + stolen);
  EXPECT_EQ(pool.worker(1 - thief).stolen(), before.at(1 - thief));
  set_gate(1, true);
  EXPECT_EQ(stopped[1].get().number, 1);
  // What a thread that left has taken stays counted.
  pool.resize(1);
  EXPECT_EQ(pool.stolen(), before[0] + before[1] + stolen);
}

// How pools make sure that nothing waits for a busy worker while another one idles.
struct Arrangement {
  const char* name;
  Kind kind;
  exec::Idle idle;
};
struct WorkConservation : StealTest, ::testing::WithParamInterface<Arrangement> {};

TEST_P(WorkConservation, AnIdleWorkerIsWokenForWhatABusyOneWouldKeepWaiting) {
  exec::PoolSettings settings = pool_settings("p", 2);
  settings.idle = GetParam().idle;
  auto& pool = binary.pool(std::move(settings));
  const auto waits = stub(binary.service<Waits>("Waits", GetParam().kind, pool));
  const auto where = stub(binary.service<Where>("Where", GetParam().kind, pool));
  binary.start();
  for (int round = 0; round < 300; ++round) {
    g_inside = 0;
    set_gate(1, false);
    Future<Visit> stopped = waits({1});
    ASSERT_TRUE(eventually([] { return g_inside.load() == 1; }));
    // Whichever worker each of these goes to: none may wait for the one at the gate.
    std::array<Future<Visit>, 3> answers{where({0}), where({0}), where({0})};
    ASSERT_TRUE(eventually([&] {
      return answers[0].ready() && answers[1].ready() && answers[2].ready();
    })) << "round "
        << round;
    set_gate(1, true);
    stopped.get();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Pools, WorkConservation,
    ::testing::Values(Arrangement{"StealingParked", Kind::simple, exec::Idle::park},
                      Arrangement{"StealingAdaptive", Kind::simple, exec::Idle::adaptive},
                      Arrangement{"SharedParked", Kind::sync_remote, exec::Idle::park},
                      Arrangement{"SharedAdaptive", Kind::sync_remote, exec::Idle::adaptive}),
    [](const auto& arrangement) { return std::string(arrangement.param.name); });

TEST_F(StealTest, WhatBelongsToAThreadStaysThere) {
  auto& pool = binary.pool(pool_settings("p", 2));
  const auto waits = stub(binary.service<Waits>("Waits", Kind::simple, pool));
  auto& where = binary.service<Where>("Where", Kind::simple, pool);
  where.thread = 1;
  const auto pinned = stub(where);
  binary.start();
  auto stopped = stop_both(waits);
  std::array<Future<Visit>, 2> answers{pinned({0}), pinned({0})};
  set_gate(0, true);
  set_gate(1, true);
  for (auto& answer : answers) EXPECT_EQ(answer.get().number, 1);
  for (auto& request : stopped) request.get();
}

TEST_F(StealTest, RefusesBeyondItsQueue) {
  auto& pool = binary.pool(pool_settings("p", 2, 4, exec::Overflow::reject));
  const auto waits = stub(binary.service<Waits>("Waits", Kind::simple, pool));
  const auto where = stub(binary.service<Where>("Where", Kind::simple, pool));
  binary.start();
  auto stopped = stop_both(waits);
  std::vector<Future<Visit>> answers;
  answers.reserve(4);
  for (int visit = 0; visit < 4; ++visit) answers.push_back(where({visit}));
  Future<Visit> fifth = where({4});
  try {
    fifth.get();
    ADD_FAILURE() << "it was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::resource_exhausted);
  }
  set_gate(0, true);
  set_gate(1, true);
  for (auto& answer : answers) EXPECT_NO_THROW(answer.get());
  for (auto& request : stopped) request.get();
}

struct Twice : Handler {
  using request_type = Visit;
  using response_type = Visit;
  struct calls_type {
    Stub<Visit, Visit> Next;
  };
  Task<Visit> handle(const Visit& visit) {
    const Visit first = co_await calls.Next(visit);
    co_return co_await calls.Next(first);
  }
  calls_type calls;
};
struct Increment : Handler {
  using request_type = Visit;
  using response_type = Visit;
  static Visit handle(const Visit& visit) { return {visit.number + 1}; }
};

TEST(StealStress, LosesAndRepeatsNothingWhileThePoolChangesItsSize) {
  SmallBinary binary;
  auto& pool = binary.pool(pool_settings("p", 3, 64));
  auto& increment = binary.service<Increment>("Increment", Kind::simple, pool);
  auto& twice = binary.service<Twice>("Twice", Kind::async_remote, pool);
  binary.connect<Twice>(twice, increment, &Twice::calls_type::Next);
  const Stub<Visit, Visit> ask(&binary.site(twice));
  binary.start();
  std::atomic<bool> over{false};
  std::thread resizer([&] {
    for (unsigned turn = 0; !over.load(); ++turn) pool.resize(1 + turn % 3);
  });
  constexpr int kCallers = 3;
  constexpr int kRounds = 60;
  constexpr int kAtOnce = 20;
  std::vector<std::thread> callers;
  callers.reserve(kCallers);
  for (int caller = 0; caller < kCallers; ++caller) {
    callers.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) {
        std::vector<Future<Visit>> answers;
        answers.reserve(kAtOnce);
        for (int number = 0; number < kAtOnce; ++number) answers.push_back(ask({number}));
        for (int number = 0; number < kAtOnce; ++number) {
          ASSERT_EQ(answers[static_cast<std::size_t>(number)].get().number, number + 2);
        }
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  over.store(true);
  resizer.join();
  EXPECT_EQ(binary.done(twice), static_cast<std::uint64_t>(kCallers * kRounds * kAtOnce));
  EXPECT_EQ(binary.done(increment), static_cast<std::uint64_t>(2 * kCallers * kRounds * kAtOnce));
}

}  // namespace
}  // namespace penstock::steal_test
