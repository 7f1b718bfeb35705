// Pools that get the threads that their work needs, in simulated worlds where threads stand still.
#include "penstock/app/pools/cached_pools.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "support/small_binary.hpp"
#include "world/drawn.hpp"

namespace penstock::app {
namespace {

using namespace std::chrono_literals;
using testing::SmallBinary;
using world::explore;
using world::World;

struct Number {
  int value = 0;
};

// Of the world at hand.
std::atomic<int>* g_begun = nullptr;
std::atomic<bool>* g_open = nullptr;

struct Blocks : Handler {
  using request_type = Number;
  using response_type = void;
  static void handle(const Number& /*request*/) {
    ++*g_begun;
    while (!*g_open) std::this_thread::sleep_for(1ms);
  }
};

TEST(CachedPoolsWorld, GetNoMoreThreadsThanWorkThatBlocksThemHoweverLateTheyCome) {
  explore([](World& world) {
    const int requests = world.random().between(2, 6);
    std::atomic<int> begun{0};
    std::atomic<bool> open{false};
    g_begun = &begun;
    g_open = &open;
    SmallBinary binary;
    exec::Pool& pool = binary.pool(testing::pool_settings("cached", 1));
    pool.set_cached(true);
    const Stub<Number, void> ask(
        &binary.site(binary.service<Blocks>("Blocks", Kind::sync_remote, pool)));
    binary.start();
    CachedPools cached([] {});
    cached.add(pool);
    std::vector<Future<void>> answers;
    for (int request = 0; request < requests; ++request) answers.push_back(ask({request}));
    while (begun != requests) std::this_thread::sleep_for(1ms);
    EXPECT_LE(pool.size(), 8 * static_cast<unsigned>(requests));
    open = true;
    for (auto& answer : answers) answer.get();
  });
}

}  // namespace
}  // namespace penstock::app
