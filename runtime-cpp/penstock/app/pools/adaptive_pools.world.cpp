// Controllers and persons that change the threads of a pool while it works, in simulated worlds.
#include "penstock/app/pools/adaptive_pools.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "world/drawn.hpp"

namespace penstock::app {
namespace {

using namespace std::chrono_literals;
using world::Crowd;
using world::explore;
using world::World;

struct Ask {
  int number = 0;
};
std::atomic<int>* g_served = nullptr;

struct Works : Handler {
  using request_type = Ask;
  using response_type = void;
  static void handle(const Ask& request) {
    std::this_thread::sleep_for(20ms * (request.number % 4));
    ++*g_served;
  }
};

TEST(AdaptivePoolsWorld, EveryRequestIsServedOnceWhoeverChangesTheThreads) {
  explore([](World& world) {
    world::Random& random = world.random();
    std::atomic<int> served{0};
    g_served = &served;
    testing::SmallBinary binary;
    auto settings = world::drawn_pool(random, "p");
    settings.threads.resize(2);
    exec::Pool& pool = binary.pool(std::move(settings));
    call::Service& service = binary.service<Works>("Works", Kind::simple, pool);
    const Stub<Ask, void> stub(&binary.site(service));
    binary.start();
    const Bounds bounds{1, static_cast<unsigned>(random.between(2, 4))};
    unsigned fewest = 2;
    unsigned most = 2;
    {
      AdaptivePools adaptive({.left = [&](const exec::Pool&) { return binary.done(service); },
                              .take =
                                  [&](exec::Pool& changed, const PoolStep& step) {
                                    fewest = std::min(fewest, step.threads);
                                    most = std::max(most, step.threads);
                                    return changed.resize(step.threads, 0) == step.threads;
                                  }});
      {
        const auto hold = adaptive.hold();
        adaptive.set(pool, bounds, AdaptivePools::By::nobody);
      }
      adaptive.start();
      const int requests = random.between(1, 60);
      Crowd crowd;
      crowd.add([&] {
        std::vector<Future<void>> answers;
        for (int number = 0; number < requests; ++number) answers.push_back(stub({number}));
        for (auto& answer : answers) answer.get();
      });
      if (random.once_in(2)) {
        crowd.add([&] {
          world::linger(random, 3'000'000);
          const auto hold = adaptive.hold();
          adaptive.rest(pool);
          static_cast<void>(pool.resize(static_cast<unsigned>(random.between(1, 3)), 0));
        });
      }
      crowd.join();
      EXPECT_EQ(served, requests);
      const auto state = adaptive.state_of(pool).value_or(AdaptivePools::State{});
      EXPECT_EQ(state.on, state.by != AdaptivePools::By::person);
    }
    EXPECT_GE(fewest, bounds.from);
    EXPECT_LE(most, std::max(bounds.to, 3U));
  });
}

}  // namespace
}  // namespace penstock::app
