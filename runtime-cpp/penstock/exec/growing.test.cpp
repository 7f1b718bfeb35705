// Pools whose number of threads changes while there is work for them.

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/gate.hpp"
#include "support/refuse_threads.hpp"
#include "support/small_binary.hpp"

namespace penstock::growing_test {
namespace {

using testing::eventually;
using testing::pool_settings;
using testing::SmallBinary;

struct Visit {
  int gate = 0;
};

std::array<testing::Gate, 3> g_gates;
std::array<std::atomic<unsigned>, g_gates.size()> g_worker{};
std::atomic<int> g_inside{0};

/// Waits at its gate.
struct Waits : Handler {
  using request_type = Visit;
  using response_type = Visit;
  static Visit handle(const Visit& visit) {
    const auto gate = static_cast<std::size_t>(visit.gate);
    g_worker[gate].store(exec::Worker::current()->index());
    ++g_inside;
    g_gates[gate].pass();
    return visit;
  }
};

/// Answers with the worker that it ran on.
struct Where : Handler {
  using request_type = Visit;
  using response_type = Visit;
  static Visit handle(const Visit& /*visit*/) {
    return {static_cast<int>(exec::Worker::current()->index())};
  }
};

struct GrowingPool : ::testing::Test {
  GrowingPool() {
    g_inside = 0;
    for (testing::Gate& gate : g_gates) gate.close();
  }
  void TearDown() override {
    for (testing::Gate& gate : g_gates) gate.open();
  }
  Stub<Visit, Visit> stub(call::Service& service) {
    return Stub<Visit, Visit>(&binary.site(service));
  }
  SmallBinary binary;
};

/// Whether a thread of this process sleeps, as the kernel says.
bool sleeps(pid_t thread) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
  std::string text;
  std::getline(file, text);
  const std::size_t name_end = text.rfind(") ");
  return name_end != std::string::npos && text.at(name_end + 2) == 'S';
}

TEST_F(GrowingPool, WakesWhoFellAsleepBeforeItCounted) {
  auto& pool = binary.pool(pool_settings("p", 1));
  const auto waits = stub(binary.service<Waits>("Waits", Kind::sync_remote, pool));
  // The third thread takes its time to start; the second one finds nothing to do meanwhile.
  std::atomic<exec::Worker*> second{nullptr};
  std::atomic<bool> third_starts{false};
  std::atomic<bool> third_may{false};
  binary.registry().start();
  pool.set_hooks({.started =
                      [&](exec::Worker& worker) {
                        binary.registry().enter();
                        if (worker.index() == 1) second.store(&worker);
                        if (worker.index() != 2) return;
                        third_starts.store(true);
                        third_may.wait(false);
                      },
                  .stopping = [&](exec::Worker&) { binary.registry().leave(); }});
  std::vector<std::string> warnings;
  ASSERT_EQ(pool.start(true, warnings), "");
  std::array<Future<Visit>, 3> answers{waits({0})};
  ASSERT_TRUE(eventually([] { return g_inside == 1; }));
  std::thread grows([&] { EXPECT_EQ(pool.resize(3), 3U); });
  EXPECT_TRUE(eventually([&] {
    const exec::Worker* const other = second.load();
    return third_starts.load() && other != nullptr && sleeps(other->tid());
  }));
  answers[1] = waits({1});
  answers[2] = waits({2});
  third_may.store(true);
  third_may.notify_all();
  grows.join();
  EXPECT_TRUE(eventually([] { return g_inside == 3; }));
  for (testing::Gate& gate : g_gates) gate.open();
  for (auto& answer : answers) static_cast<void>(answer.get());
}

TEST_F(GrowingPool, GivesWhatWaitedForTheOnlyThreadToAll) {
  auto& pool = binary.pool(pool_settings("p", 1));
  const auto waits = stub(binary.service<Waits>("Waits", Kind::simple, pool));
  binary.start();
  std::array<Future<Visit>, 3> answers{waits({0})};
  ASSERT_TRUE(eventually([] { return g_inside == 1; }));
  answers[1] = waits({1});
  answers[2] = waits({2});
  EXPECT_EQ(pool.resize(2), 2U);
  g_gates[0].open();
  EXPECT_TRUE(eventually([] { return g_inside == 3; }));
  EXPECT_NE(g_worker[1], g_worker[2]);
  for (testing::Gate& gate : g_gates) gate.open();
  for (auto& answer : answers) static_cast<void>(answer.get());
}

TEST_F(GrowingPool, GivesWhatCameToTheOnlyThreadThatIsLeftToAllAgain) {
  auto& pool = binary.pool(pool_settings("p", 2));
  const auto waits = stub(binary.service<Waits>("Waits", Kind::simple, pool));
  binary.start();
  std::array<Future<Visit>, 4> answers{waits({0}), waits({0})};
  ASSERT_TRUE(eventually([] { return g_inside == 2; }));
  answers[2] = waits({1});
  answers[3] = waits({2});
  EXPECT_EQ(pool.resize(1, 0), 1U);
  EXPECT_EQ(pool.resize(2), 2U);
  g_gates[0].open();
  EXPECT_TRUE(eventually([] { return g_inside == 4; }));
  EXPECT_NE(g_worker[1], g_worker[2]);
  for (testing::Gate& gate : g_gates) gate.open();
  for (auto& answer : answers) static_cast<void>(answer.get());
}

TEST_F(GrowingPool, LeavesNothingInTheBoxOfWhoIsRemoved) {
  auto& pool = binary.pool(pool_settings("p", 2));
  const auto waits = stub(binary.service<Waits>("Waits", Kind::simple, pool));
  const auto where = stub(binary.service<Where>("Where", Kind::simple, pool));
  binary.start();
  std::array<Future<Visit>, 2> stopped{waits({0}), waits({1})};
  ASSERT_TRUE(eventually([] { return g_inside == 2; }));
  std::vector<Future<Visit>> answers;
  answers.reserve(8);
  for (int visit = 0; visit < 8; ++visit) answers.push_back(where({}));
  EXPECT_GT(pool.worker(1).depth(), 0U);
  EXPECT_EQ(pool.resize(1, 0), 1U);
  // The one that stays runs all of them while the other one still stands at its gate.
  g_gates[g_worker[0] == 0 ? 0 : 1].open();
  for (auto& answer : answers) EXPECT_EQ(answer.get().gate, 0);
  EXPECT_EQ(stopped[0].ready() && stopped[1].ready(), false);
}

TEST_F(GrowingPool, StopsInTimeWhileAChangeWaitsForUserCode) {
  exec::Pool pool(pool_settings("p", 1));
  std::atomic<bool> second_starts{false};
  std::atomic<bool> second_may{false};
  pool.set_hooks({.started =
                      [&](exec::Worker& worker) {
                        if (worker.index() == 0) return;
                        second_starts.store(true);
                        second_may.wait(false);
                      },
                  .stopping = {}});
  std::vector<std::string> warnings;
  ASSERT_EQ(pool.start(true, warnings), "");
  std::thread grows([&] { static_cast<void>(pool.resize(2)); });
  EXPECT_TRUE(eventually([&] { return second_starts.load(); }));
  EXPECT_FALSE(pool.stop(after(now_ns(), 20'000'000)));
  second_may.store(true);
  second_may.notify_all();
  grows.join();
  EXPECT_TRUE(pool.stop(testing::far_from_now()));
}

TEST_F(GrowingPool, StartsNobodyOnceItHasStopped) {
  exec::Pool pool(pool_settings("p", 1));
  std::atomic<int> started{0};
  pool.set_hooks({.started = [&](exec::Worker&) { ++started; }, .stopping = {}});
  std::vector<std::string> warnings;
  ASSERT_EQ(pool.start(true, warnings), "");
  ASSERT_TRUE(pool.stop(testing::far_from_now()));
  EXPECT_EQ(pool.resize(2), 0U);
  EXPECT_EQ(pool.unretire(2), 0U);
  EXPECT_TRUE(pool.stopped());
  EXPECT_EQ(started, 1);
}

// In a process of its own, which gets no threads any more.
TEST_F(GrowingPool, CountsNobodyWithoutAThreadHoweverOftenItIsAsked) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        auto& pool = binary.pool(pool_settings("p", 2));
        const auto where = stub(binary.service<Where>("Where", Kind::simple, pool));
        binary.start();
        penstock::testing::refuse_threads();
        const unsigned once = pool.resize(4);
        const unsigned again = pool.resize(4);
        std::cerr << once << ' ' << again << ' ' << pool.depth().queued;
        for (int visit = 0; visit < 100; ++visit) static_cast<void>(where({}).get());
        std::_Exit(0);
      },
      ::testing::ExitedWithCode(0), "2 2 0");
}

}  // namespace
}  // namespace penstock::growing_test
