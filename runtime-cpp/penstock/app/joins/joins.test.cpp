#include "penstock/app/joins/joins.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <set>
#include <system_error>

#include "penstock/control/problem_codes.hpp"
#include "penstock/exec/affinity.hpp"
#include "support/flow_binary.hpp"
#include "support/gate.hpp"
#include "support/refuse_threads.hpp"

namespace penstock::app::joins_test {
namespace {

using penstock::testing::eventually;
using penstock::testing::FlowBinary;

struct Job {
  int number = 0;
};
std::mutex g_mutex;
std::set<int> g_threads;
penstock::testing::Gate g_gate;
std::atomic<int> g_inside{0};

struct Fetch : Handler {
  using request_type = Job;
  using response_type = Job;
  static Job handle(const Job& job) {
    {
      const std::lock_guard hold(g_mutex);
      g_threads.insert(exec::this_tid());
    }
    ++g_inside;
    g_gate.pass();
    --g_inside;
    return job;
  }
};
struct Store : Handler {
  using request_type = Job;
  using response_type = void;
  static void handle(const Job& /*job*/) {}
};
struct Jobs {
  static Job event(std::uint64_t number) { return {static_cast<int>(number)}; }
};

struct JoinsTest : ::testing::Test {
  FlowBinary binary;

  void SetUp() override {
    g_threads.clear();
    g_gate.open();
  }
  void build(Kind kind, std::size_t threads = 2, std::uint32_t queue = 8,
             config::Overflow overflow = config::Overflow::block) {
    binary.service<Fetch>("Fetch", kind);
    binary.service<Store>("Store", Kind::simple);
    binary.pool("front", threads, queue, overflow);
    binary.pool("one", 1, 8);
    binary.place("Fetch", "front");
    binary.place("Store", "front");
    binary.flow<Jobs>("F").map<Fetch>("fetch", "Fetch").side_effect<Store>("store", "Store");
  }
  control::Joined set(const std::string& stage, const control::Join& join) {
    return std::get<control::Joined>(binary.host().set_join("F", stage, join));
  }
  std::string refused(const control::Outcome<control::Joined>& outcome) {
    const auto* const refusal = std::get_if<control::Refusal>(&outcome);
    return refusal == nullptr ? "" : refusal->code + " " + refusal->message;
  }
  metrics::PoolName row(const std::string& name) {
    for (const metrics::PoolName& pool : binary.host().schema().pools) {
      if (pool.name == name) return pool;
    }
    return {};
  }
};

TEST_F(JoinsTest, AJoinOfItsOwnHasThreadsWhileItIsInTheSlotOnly) {
  build(Kind::simple);
  binary.start();
  EXPECT_EQ(row("F.fetch").threads.size(), 0U);
  const std::uint64_t revision = binary.host().schema_revision();
  const control::Joined joined = set("fetch", {"", 3, 20, "reject"});
  EXPECT_EQ(joined.pool, "F.fetch");
  EXPECT_EQ(joined.threads, 3);
  EXPECT_GT(joined.took_ms, 0);
  EXPECT_GT(binary.host().schema_revision(), revision);
  EXPECT_EQ(row("F.fetch").threads.size(), 3U);
  EXPECT_EQ(row("F.fetch").queue, 20U);
  EXPECT_EQ(row("F.fetch").overflow, "reject");
  EXPECT_EQ(binary.host().schema().flows[0].stages[0].pool, row("F.fetch").id);

  binary.emit(Job{1});
  ASSERT_TRUE(binary.idle());
  {
    const std::lock_guard hold(g_mutex);
    ASSERT_EQ(g_threads.size(), 1U);
    int known = 0;
    for (unsigned thread = 0; thread < 3; ++thread) {
      known += *g_threads.begin() == binary.pool_of("F.fetch").worker(thread).tid() ? 1 : 0;
    }
    EXPECT_EQ(known, 1);
  }
  const auto removed = std::get<control::Joined>(binary.host().remove_join("F", "fetch"));
  EXPECT_EQ(removed.pool, "");
  EXPECT_EQ(row("F.fetch").threads.size(), 0U);
  EXPECT_EQ(binary.host().schema().flows[0].stages[0].pool, std::nullopt);
  binary.emit(Job{2});
  ASSERT_TRUE(binary.idle());
  EXPECT_EQ(binary.completed(), 2U);
  EXPECT_TRUE(
      refused(binary.host().set_join("F", "fetch", {"F.fetch", 1, 1, ""})).starts_with("PS750"));
}

TEST_F(JoinsTest, WhatWaitsInARemovedJoinIsRunAndTheThreadsLeave) {
  build(Kind::simple);
  binary.start();
  static_cast<void>(set("fetch", {"", 1, 100, "block"}));
  g_gate.close();
  for (int number = 0; number < 50; ++number) binary.emit(Job{number});
  ASSERT_TRUE(eventually([] { return g_inside == 1; }));
  EXPECT_EQ(binary.pool_of("F.fetch").depth().queued, 49U);
  static_cast<void>(binary.host().remove_join("F", "fetch"));
  binary.emit(Job{50});
  ASSERT_TRUE(eventually([] { return g_inside == 2; }));  // in front, while the others still wait
  g_gate.open();
  ASSERT_TRUE(binary.idle());
  EXPECT_EQ(binary.completed(), 51U);
}

TEST_F(JoinsTest, WhatIsOnItsWayToARemovedJoinFindsRoomInFront) {
  build(Kind::simple, 1, 1, config::Overflow::reject);
  binary.start();
  static_cast<void>(set("store", {"", 1, 100, "block"}));
  // The first events make what the later ones go through without a look at the slot.
  for (int number = 0; number < 3; ++number) {
    binary.emit(Job{number});
    ASSERT_TRUE(binary.idle());
  }
  g_gate.close();
  binary.emit(Job{3});
  g_gate.wait_for_one();
  binary.emit(Job{4});  // fills the queue in front
  static_cast<void>(binary.host().remove_join("F", "store"));
  g_gate.open();
  ASSERT_TRUE(binary.idle());
  EXPECT_EQ(binary.dropped(), 0U);
  EXPECT_EQ(binary.completed(), 5U);
}

TEST_F(JoinsTest, ASyncRemoteStageOnOneThreadIsRefusedWithTheReason) {
  build(Kind::sync_remote);
  binary.start();
  EXPECT_EQ(refused(binary.host().set_join("F", "fetch", {"", 1, 8, "block"})),
            "PS515 the sync-remote stage fetch of F would run on the one thread of the join, and "
            "every event behind it would wait while it blocks");
  EXPECT_EQ(refused(binary.host().set_join("F", "fetch", {"one", 1, 8, ""})),
            "PS515 the sync-remote stage fetch of F would run on one thread of pool one, and every "
            "event behind it would wait while it blocks");
  EXPECT_EQ(row("F.fetch").threads.size(), 0U);
  EXPECT_EQ(refused(binary.host().set_join("F", "fetch", {"", 2, 8, "block"})), "");
  // Its own threads are not the pool's.
  EXPECT_TRUE(std::holds_alternative<control::Setting>(binary.host().resize_pool("front", 1)));
  EXPECT_TRUE(refused(binary.host().remove_join("F", "fetch")).starts_with("PS515"));
  const auto narrow = binary.host().resize_pool("F.fetch", 1);
  ASSERT_TRUE(std::holds_alternative<control::Refusal>(narrow));
  EXPECT_EQ(std::get<control::Refusal>(narrow).code, "PS515");
  EXPECT_EQ(refused(binary.host().set_join("F", "fetch", {"", 0, 8, "block"})), "");
}

TEST_F(JoinsTest, ACachedJoinGrowsWithItsWork) {
  build(Kind::sync_remote);
  binary.start();
  EXPECT_EQ(set("fetch", {"", 0, 100, "block"}).threads, 1);
  EXPECT_TRUE(row("F.fetch").cached);
  g_gate.close();
  for (int number = 0; number < 20; ++number) binary.emit(Job{number});
  ASSERT_TRUE(eventually([] { return g_inside == 20; }));  // all at once
  EXPECT_TRUE(eventually([&] { return row("F.fetch").threads.size() >= 20; }));
  g_gate.open();
  ASSERT_TRUE(binary.idle());
  // As a fixed one it is what was asked for.
  EXPECT_EQ(set("fetch", {"", 2, 100, "block"}).threads, 2);
  EXPECT_FALSE(row("F.fetch").cached);
}

TEST_F(JoinsTest, AJoinInUseKeepsItsThreadsWhenItBecomesCached) {
  build(Kind::sync_remote);
  binary.start();
  EXPECT_EQ(set("fetch", {"", 3, 100, "block"}).threads, 3);
  EXPECT_EQ(set("fetch", {"", 0, 100, "block"}).threads, 3);
  EXPECT_TRUE(row("F.fetch").cached);
  EXPECT_EQ(set("fetch", {"", 0, 50, "reject"}).threads, 3);
  EXPECT_EQ(row("F.fetch").queue, 50U);
  EXPECT_EQ(row("F.fetch").overflow, "reject");
}

TEST_F(JoinsTest, ThreadsOfAJoinGetNoBounds) {
  build(Kind::simple);
  binary.start();
  static_cast<void>(set("fetch", {"", 3, 100, "block"}));
  const auto outcome = binary.host().adapt_pool("F.fetch", control::Bounds{1, 4});
  ASSERT_TRUE(std::holds_alternative<control::Refusal>(outcome));
  EXPECT_EQ(std::get<control::Refusal>(outcome).message, "pool F.fetch is a join's own");
}

// In a process of its own, which gets no threads any more.
TEST_F(JoinsTest, ACachedJoinThatCannotBeChangedStaysAsItIs) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        build(Kind::simple);
        binary.start();
        static_cast<void>(set("fetch", {"", 0, 100, "block"}));
        const std::size_t threads = row("F.fetch").threads.size();
        penstock::testing::refuse_threads();
        const std::string text =
            refused(binary.host().set_join("F", "fetch", {"", 3, 7, "reject"}));
        const metrics::PoolName pool = row("F.fetch");
        std::cerr << text << "; " << pool.cached << ' ' << pool.queue << ' ' << pool.overflow << ' '
                  << (pool.threads.size() == threads);
        binary.emit(Job{1});
        std::_Exit(binary.idle() && binary.completed() == 1 ? 0 : 1);
      },
      ::testing::ExitedWithCode(0),
      "PS... the system gave the join of fetch 1 of its 3 threads; 1 100 block 1");
}

// Likewise: the thread that would look at it is refused.
TEST_F(JoinsTest, AJoinThatCannotBecomeCachedStaysAsItIs) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        build(Kind::simple);
        binary.start();
        static_cast<void>(set("fetch", {"", 2, 100, "block"}));
        penstock::testing::refuse_threads();
        try {
          static_cast<void>(binary.host().set_join("F", "fetch", {"", 0, 7, "reject"}));
        } catch (const std::system_error&) {
          std::cerr << "refused; ";
        }
        const metrics::PoolName pool = row("F.fetch");
        std::cerr << pool.cached << ' ' << pool.queue << ' ' << pool.overflow << ' '
                  << pool.threads.size();
        binary.emit(Job{1});
        std::_Exit(binary.idle() && binary.completed() == 1 ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "refused; 0 100 block 2");
}

TEST_F(JoinsTest, AFullJoinSetLiveHoldsBackTheSource) {
  build(Kind::simple);
  binary.start();
  static_cast<void>(set("fetch", {"", 1, 2, "block"}));
  g_gate.close();
  std::atomic<int> emitted{0};
  std::thread source([&] {
    for (int number = 0; number < 10; ++number, ++emitted) binary.emit(Job{number});
  });
  ASSERT_TRUE(eventually([] { return g_inside == 1; }));
  ASSERT_TRUE(eventually([&] { return emitted == 3; }));
  ASSERT_TRUE(eventually([&] { return binary.pool_of("F.fetch").depth().blocked == 1; }));
  EXPECT_EQ(emitted, 3);
  // A longer queue lets it go on at once.
  static_cast<void>(set("fetch", {"", 1, 100, "block"}));
  EXPECT_TRUE(eventually([&] { return emitted == 10; }));
  source.join();
  g_gate.open();
  EXPECT_TRUE(binary.idle());
  EXPECT_EQ(binary.completed(), 10U);
}

TEST_F(JoinsTest, AreInForceFromTheStartWhereTheyAreDrawn) {
  build(Kind::sync_remote);
  config::Join drawn;
  drawn.stage = "fetch";
  drawn.threads = 3;
  drawn.queue = 7;
  binary.join(drawn);
  binary.start();
  EXPECT_EQ(row("F.fetch").threads.size(), 3U);
  EXPECT_EQ(row("F.fetch").queue, 7U);
  binary.emit(Job{1});
  EXPECT_TRUE(binary.idle());
  EXPECT_EQ(binary.completed(), 1U);
}

TEST_F(JoinsTest, ADrawnJoinThatDoesNotFitIsRefusedAtTheStart) {
  build(Kind::sync_remote);
  config::Join drawn;
  drawn.stage = "fetch";
  drawn.threads = 1;
  binary.join(drawn);
  EXPECT_THROW(binary.start(), StartError);
}

}  // namespace
}  // namespace penstock::app::joins_test
