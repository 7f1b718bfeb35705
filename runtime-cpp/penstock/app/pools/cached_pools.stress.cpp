#include "penstock/app/pools/cached_pools.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "support/gate.hpp"
#include "support/small_binary.hpp"

namespace penstock::app {
namespace {

using penstock::testing::eventually;
using penstock::testing::eventually_within;
using penstock::testing::pool_settings;
using penstock::testing::SmallBinary;

struct Number {
  int value = 0;
};

penstock::testing::Gate g_gate;
penstock::testing::Gate g_other_gate;

struct Gated : Handler {
  using request_type = Number;
  using response_type = void;
  static void handle(const Number& /*request*/) { g_gate.pass(); }
};
struct OtherGated : Handler {
  using request_type = Number;
  using response_type = void;
  static void handle(const Number& /*request*/) { g_other_gate.pass(); }
};

TEST(CachedPoolsTest, GrowOnePoolWhileAThreadThatLeavesAnotherOneIsAtWork) {
  SmallBinary binary;
  auto& shrinking = binary.pool(pool_settings("shrinking", 2));
  auto& growing = binary.pool(pool_settings("growing", 1));
  shrinking.set_cached(true);
  growing.set_cached(true);
  auto& on_last_thread = binary.service<Gated>("Gated", Kind::simple, shrinking);
  on_last_thread.thread = 1;
  const Stub<Number, void> keep_busy(&binary.site(on_last_thread));
  const Stub<Number, void> ask(
      &binary.site(binary.service<OtherGated>("Other", Kind::simple, growing)));
  binary.start();
  g_gate.close();
  g_other_gate.close();
  std::vector<Future<void>> answers;
  answers.push_back(keep_busy({}));
  g_gate.wait_for_one();
  {
    CachedPools cached([] {}, 1);
    cached.add(growing);
    cached.add(shrinking);
    // One thread of two is busy: the other one is not needed, and it is the busy one that leaves.
    EXPECT_TRUE(eventually([&] { return shrinking.size() == 1; }));
    answers.push_back(ask({}));
    answers.push_back(ask({}));
    // Before whoever waited for that one would be back: real time, so no part of the tests.
    EXPECT_TRUE(eventually_within(std::chrono::nanoseconds(defaults::kResizeWaitNanos / 10 * 8),
                                  [&] { return growing.size() == 2; }));
    g_gate.open();
    g_other_gate.open();
  }
  for (auto& answer : answers) answer.get();
}

}  // namespace
}  // namespace penstock::app
