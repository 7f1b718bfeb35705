#include "penstock/app/pools/cached_pools.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <vector>

#include "support/gate.hpp"
#include "support/small_binary.hpp"

namespace penstock::app::cached_pools_test {
namespace {

using penstock::testing::eventually;
using penstock::testing::pool_settings;
using penstock::testing::SmallBinary;

struct Number {
  int value = 0;
};

penstock::testing::Gate g_gate;

struct Gated : Handler {
  using request_type = Number;
  using response_type = void;
  static void handle(const Number& /*request*/) { g_gate.pass(); }
};

TEST(CachedPoolsTest, GrowOnAfterALookThatFoundNoMemory) {
  SmallBinary binary;
  auto& pool = binary.pool(pool_settings("growing", 1));
  pool.set_cached(true);
  const Stub<Number, void> ask(&binary.site(binary.service<Gated>("Gated", Kind::simple, pool)));
  binary.start();
  g_gate.close();
  std::vector<Future<void>> answers;
  std::atomic<int> failed{0};
  std::atomic<int> told{0};
  {
    CachedPools cached([&] {
      if (failed++ == 0) throw std::bad_alloc();
      ++told;
    });
    cached.add(pool);
    for (int call = 0; call < 4; ++call) answers.push_back(ask({call}));
    EXPECT_TRUE(eventually([&] { return pool.size() == 4; }));
    EXPECT_TRUE(eventually([&] { return told > 0; }));
    g_gate.open();
  }
  for (auto& answer : answers) answer.get();
}

}  // namespace
}  // namespace penstock::app::cached_pools_test
