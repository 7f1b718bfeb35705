// The world itself: that it finds what it is for, repeats itself, and gives time no say.
#include "world/world.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "penstock/base/time.hpp"
#include "penstock/concurrent/futex.hpp"
#include "penstock/concurrent/mutex.hpp"
#include "world/explore.hpp"

namespace penstock::world {
namespace {

/// The first seed in which `body` fails, of so many; 0: none.
template <class Body>
std::uint64_t first_failure(std::uint64_t seeds, Body body) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    World world(seed);
    bool holds = true;
    const World::Outcome outcome = world.run([&](World&) { holds = body(); });
    if (!outcome.failure.empty() || !holds) return seed;
  }
  return 0;
}

TEST(WorldTest, FindsALostUpdate) {
  EXPECT_NE(first_failure(200,
                          [] {
                            std::atomic<int> cell{0};
                            const auto add = [&cell] { cell.store(cell.load() + 1); };
                            std::thread one(add);
                            std::thread other(add);
                            one.join();
                            other.join();
                            return cell.load() == 2;
                          }),
            0U);
}

// Who looks for work before it says that it sleeps, sleeps through what comes in between.
TEST(WorldTest, FindsALostWakeUp) {
  const auto first_lost = [](bool looks_first) {
    return first_failure(1000, [looks_first] {
      std::atomic<std::uint32_t> asleep{0};
      std::atomic<bool> work{false};
      std::thread sleeper([&] {
        if (looks_first && work.load()) return;
        asleep.store(1);
        if (looks_first || !work.load()) concurrent::futex_wait(asleep, 1);
      });
      work.store(true);
      if (asleep.exchange(0) == 1) concurrent::futex_wake(asleep);
      sleeper.join();
      return true;
    });
  };
  EXPECT_NE(first_lost(true), 0U);
  EXPECT_EQ(first_lost(false), 0U);
}

TEST(WorldTest, FindsTwoLocksTakenInTurns) {
  World::Outcome outcome;
  std::string report;
  for (std::uint64_t seed = 1; seed <= 200 && outcome.failure.empty(); ++seed) {
    World world(seed);
    std::mutex one;
    std::mutex other;
    outcome = world.run([&](World&) {
      const auto both = [](std::mutex& first, std::mutex& second) {
        return [&first, &second] {
          first.lock();
          second.lock();
          second.unlock();
          first.unlock();
        };
      };
      std::thread left(both(one, other));
      std::thread right(both(other, one));
      left.join();
      right.join();
    });
    if (!outcome.failure.empty()) {
      report = world.report();
      EXPECT_NE(report.find("PENSTOCK_WORLD_SEED=" + std::to_string(seed)), std::string::npos);
    }
  }
  EXPECT_EQ(outcome.failure, "all threads wait for ever");
  EXPECT_NE(report.find("thread 1"), std::string::npos) << report;
  EXPECT_NE(report.find("world.world.cpp"), std::string::npos) << report;
}

TEST(WorldTest, SaysThatNobodyComesToAnEnd) {
  World world(1);
  const std::atomic<bool> never{false};
  const World::Outcome outcome = world.run([&](World&) {
    while (!never.load()) std::this_thread::yield();
  });
  EXPECT_NE(outcome.failure.find("nobody comes to an end"), std::string::npos) << outcome.failure;
}

TEST(WorldTest, DoesTheSameForTheSameSeedAndSomethingElseForEachOther) {
  const auto run = [](std::uint64_t seed) {
    World world(seed);
    return world.run([](World& here) {
      std::atomic<int> sum{0};
      concurrent::Mutex mutex;
      std::vector<std::thread> threads;
      for (int number = 0; number < 3; ++number) {
        threads.emplace_back([&sum, &mutex, number, times = here.random().between(3, 9)] {
          for (int time = 0; time < times; ++time) {
            const std::lock_guard hold(mutex);
            sum += number;
          }
        });
      }
      for (std::thread& thread : threads) thread.join();
    });
  };
  std::set<std::uint64_t> fingerprints;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const World::Outcome once = run(seed);
    const World::Outcome again = run(seed);
    EXPECT_EQ(once.fingerprint, again.fingerprint) << seed;
    EXPECT_EQ(once.nanos, again.nanos) << seed;
    fingerprints.insert(once.fingerprint);
  }
  EXPECT_GT(fingerprints.size(), 60U);
}

TEST(WorldTest, SleepsAnHourInNoTimeAndInOrder) {
  explore([](World& world) {
    std::vector<int> order;
    std::vector<std::thread> threads;
    const Nanos begun = now_ns();
    for (int hours : {3, 1, 2}) {
      threads.emplace_back([&order, hours] {
        std::this_thread::sleep_for(std::chrono::hours(hours));
        order.push_back(hours);
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
    EXPECT_GE(now_ns() - begun, 3 * 3'600'000'000'000);
    EXPECT_LT(now_ns() - begun, 3 * 3'600'000'000'000 + 1'000'000'000) << world.report();
  });
}

TEST(WorldTest, LetsTimePassWhereAllLookInVain) {
  explore([](World&) {
    const Nanos due = now_ns() + 1'000'000'000;
    std::thread other([due] {
      while (now_ns() < due) std::this_thread::yield();
    });
    while (now_ns() < due) std::this_thread::yield();
    other.join();
  });
}

TEST(WorldTest, KeepsThreadLocalsAndExceptionsApart) {
  static thread_local int own = 7;
  static thread_local std::vector<int> list;
  explore([](World&) {
    const auto work = [](int number) {
      EXPECT_EQ(own, 7);
      EXPECT_TRUE(list.empty());
      std::atomic<int> step{0};
      for (int time = 0; time < 5; ++time) {
        own = number;
        list.push_back(number);
        try {
          throw number;
        } catch (const int caught) {
          ++step;
          EXPECT_EQ(caught, number);
          EXPECT_EQ(own, number);
          try {
            throw;
          } catch (const int again) {
            EXPECT_EQ(again, number);
          }
        }
      }
      EXPECT_EQ(list, std::vector<int>(5, number));
      // A simulated thread ends without the destructors of its own variables.
      std::vector<int>().swap(list);
    };
    std::thread one(work, 1);
    std::thread other(work, 2);
    work(3);
    one.join();
    other.join();
  });
}

TEST(WorldTest, WakesThoseWhoWaitForACondition) {
  explore([](World&) {
    std::mutex mutex;
    std::condition_variable changed;
    int turn = 0;
    const auto play = [&](int own) {
      for (int time = 0; time < 3; ++time) {
        std::unique_lock hold(mutex);
        changed.wait(hold, [&] { return turn % 2 == own; });
        ++turn;
        changed.notify_all();
      }
    };
    std::thread other(play, 1);
    play(0);
    other.join();
    EXPECT_EQ(turn, 6);
    std::unique_lock hold(mutex);
    EXPECT_FALSE(changed.wait_for(hold, std::chrono::seconds(1), [] { return false; }));
  });
}

}  // namespace
}  // namespace penstock::world
