#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>

#include "support/gate.hpp"
#include "support/small_binary.hpp"

namespace penstock::deadlock_test {
namespace {

using namespace std::chrono_literals;
using testing::eventually;
using testing::pool_settings;
using testing::SmallBinary;

// How often a call goes on from here.
struct Hops {
  int left = 0;
};

struct CallsOn : Handler {
  using request_type = Hops;
  using response_type = Hops;
  struct calls_type {
    Stub<Hops, Hops> Other;
  };
  calls_type calls;
};

struct Awaits : CallsOn {
  Task<Hops> handle(const Hops& request) {
    if (request.left == 0) co_return request;
    co_return co_await calls.Other({request.left - 1});
  }
};

struct Blocks : CallsOn {
  Hops handle(const Hops& request) {
    if (request.left == 0) return request;
    return calls.Other({request.left - 1}).get();
  }
};

// As many as have to be at work before one of them goes on.
std::atomic<int> g_missing{0};

struct AwaitsAndLives : CallsOn {
  Task<Hops> handle(const Hops& request) {
    if (request.left == 0) co_return request;
    if (g_missing.fetch_sub(1) == 1) g_missing.notify_all();
    for (int missing = g_missing; missing > 0; missing = g_missing) g_missing.wait(missing);
    try {
      co_return co_await calls.Other({request.left - 1});
    } catch (const Error& error) {
      co_return Hops{-static_cast<int>(error.code())};
    }
  }
};

testing::Gate g_gate;

struct Waits : Handler {
  using request_type = Hops;
  using response_type = Hops;
  static Hops handle(const Hops& request) {
    g_gate.pass();
    return request;
  }
};

struct DeadlockTest : ::testing::Test {
  SmallBinary binary;
  call::Watchdog* watchdog = nullptr;

  void SetUp() override {
    g_gate.open();
    g_missing = 0;
    watchdog = &binary.watch(
        {.limit = 0, .look_every = 10'000'000, .say = [](const std::string& /*text*/) {}});
  }
  void TearDown() override {
    g_gate.open();
    binary.stop();
  }
  Stub<Hops, Hops> stub(call::Service& service) { return Stub<Hops, Hops>(&binary.site(service)); }

  template <class H>
  call::Service& service(const char* name, Kind kind, exec::Pool& pool) {
    return binary.service<H>(name, kind, pool);
  }
  template <class H>
  void connect(call::Service& from, call::Service& to) {
    binary.connect<H>(
        from, to,
        static_cast<Stub<Hops, Hops> CallsOn::calls_type::*>(&CallsOn::calls_type::Other));
  }

  // The error's text when the answer is Error(deadlock).
  static std::string deadlock(Future<Hops> future) {
    try {
      future.get();
      return "an answer";
    } catch (const Error& error) {
      return error.code() == ErrorCode::deadlock ? error.message()
                                                 : "another error: " + error.message();
    }
  }
};

TEST_F(DeadlockTest, Fault43FindsAStrandThatAwaitsItself) {
  auto& pool = binary.pool(pool_settings("p", 2));
  auto& a = service<Awaits>("A", Kind::single_threaded, pool);
  connect<Awaits>(a, a);
  auto ask = stub(a);
  binary.start();
  EXPECT_NE(deadlock(ask({1})).find("A -> A"), std::string::npos);
  // The strand is free again.
  EXPECT_EQ(ask({0}).get().left, 0);
  EXPECT_EQ(watchdog->deadlocks(), 1U);
}

TEST_F(DeadlockTest, Fault43FindsAWayBackThroughAnotherService) {
  auto& pool = binary.pool(pool_settings("p", 2));
  auto& a = service<Awaits>("A", Kind::single_threaded, pool);
  auto& b = service<Awaits>("B", Kind::async_remote, binary.pool(pool_settings("q", 1)));
  connect<Awaits>(a, b);
  connect<Awaits>(b, a);
  auto ask = stub(a);
  binary.start();
  EXPECT_NE(deadlock(ask({2})).find("B -> A -> B"), std::string::npos);
  EXPECT_EQ(ask({1}).get().left, 0);
}

TEST_F(DeadlockTest, Fault43FindsABlockingServiceThatNeedsItsOwnThread) {
  auto& pool = binary.pool(pool_settings("p", 1));
  auto& x = service<Blocks>("X", Kind::sync_remote, pool);
  auto& y = service<Awaits>("Y", Kind::simple, pool);
  connect<Blocks>(x, y);
  auto ask = stub(x);
  binary.start();
  EXPECT_NE(deadlock(ask({1})).find("X -> Y -> X"), std::string::npos);
  EXPECT_EQ(ask({0}).get().left, 0);
}

TEST_F(DeadlockTest, Fault43FindsACoroutineWhoseThreadSleepsForIt) {
  auto& pool = binary.pool(pool_settings("p", 1));
  auto& x = service<Blocks>("X", Kind::sync_remote, pool);
  auto& c = service<Awaits>("C", Kind::async_remote, pool);
  auto& far = service<Waits>("Far", Kind::simple, binary.pool(pool_settings("q", 1)));
  auto& middle = service<Awaits>("M", Kind::async_remote, binary.pool(pool_settings("r", 1)));
  connect<Awaits>(c, far);
  connect<Awaits>(middle, c);
  connect<Blocks>(x, middle);
  auto ask_c = stub(c);
  auto ask_x = stub(x);
  binary.start();
  g_gate.close();
  auto first = ask_c({1});
  g_gate.wait_for_one();  // C is suspended on the only thread of p
  auto second = ask_x({2});
  EXPECT_NE(deadlock(std::move(second)).find("X -> M"), std::string::npos);
  g_gate.open();
  EXPECT_EQ(first.get().left, 0);
}

TEST_F(DeadlockTest, Fault44FindsTwoStrandsThatAwaitEachOther) {
  auto& a = service<AwaitsAndLives>("A", Kind::single_threaded, binary.pool(pool_settings("p", 1)));
  auto& b = service<AwaitsAndLives>("B", Kind::single_threaded, binary.pool(pool_settings("q", 1)));
  connect<AwaitsAndLives>(a, b);
  connect<AwaitsAndLives>(b, a);
  auto ask_a = stub(a);
  auto ask_b = stub(b);
  binary.start();
  // One hop each, so that one alone would be answered.
  for (std::uint64_t round = 1; round <= 20; ++round) {
    g_missing = 2;
    auto one = ask_a({1});
    auto other = ask_b({1});
    const int first = one.get().left;
    const int second = other.get().left;
    // One of them is the victim; the other is answered.
    EXPECT_TRUE(first == 0 || second == 0) << first << " " << second;
    EXPECT_EQ(first + second, -static_cast<int>(ErrorCode::deadlock));
    EXPECT_EQ(watchdog->deadlocks(), round);
  }
}

TEST_F(DeadlockTest, Fault44FindsTwoBlockingServicesThatWaitForEachOther) {
  auto& a = service<Blocks>("A", Kind::sync_remote, binary.pool(pool_settings("p", 1)));
  auto& b = service<Blocks>("B", Kind::sync_remote, binary.pool(pool_settings("q", 1)));
  connect<Blocks>(a, b);
  connect<Blocks>(b, a);
  auto ask = stub(a);
  binary.start();
  const std::string text = deadlock(ask({2}));
  EXPECT_TRUE(text.find("A -> B -> A") != std::string::npos ||
              text.find("B -> A -> B") != std::string::npos)
      << text;
  EXPECT_EQ(ask({1}).get().left, 0);
}

struct BlocksBehindAGate : Blocks {
  Hops handle(const Hops& request) {
    g_gate.pass();
    return Blocks::handle(request);
  }
};

TEST_F(DeadlockTest, Fault44FindsABlockingServiceInFrontOfAFullQueue) {
  auto& a = service<Blocks>("A", Kind::sync_remote, binary.pool(pool_settings("p", 1, 1)));
  auto& b =
      service<BlocksBehindAGate>("B", Kind::sync_remote, binary.pool(pool_settings("q", 1, 1)));
  a.deadline_ns = 3'600'000'000'000;
  connect<Blocks>(a, b);
  connect<BlocksBehindAGate>(b, a);
  auto ask = stub(a);
  binary.start();
  g_gate.close();
  auto first = ask({2});
  g_gate.wait_for_one();
  auto fills_the_queue = ask({0});
  g_gate.open();
  const std::string text = deadlock(std::move(first));
  EXPECT_TRUE(text.find("A -> B -> A") != std::string::npos ||
              text.find("B -> A -> B") != std::string::npos)
      << text;
  EXPECT_EQ(fills_the_queue.get().left, 0);
  EXPECT_EQ(watchdog->deadlocks(), 1U);
}

TEST_F(DeadlockTest, Fault44LetsTheDeadlineThatWouldComeFirstPickTheVictim) {
  auto& a = service<AwaitsAndLives>("A", Kind::single_threaded, binary.pool(pool_settings("p", 2)));
  auto& b = service<AwaitsAndLives>("B", Kind::async_remote, binary.pool(pool_settings("q", 1)));
  b.deadline_ns = 3'600'000'000'000;
  connect<AwaitsAndLives>(a, b);
  connect<AwaitsAndLives>(b, a);
  auto ask = stub(a);
  binary.start();
  // A's wait for B and B's for A have the same deadline: the one whose callee has not begun fails.
  EXPECT_EQ(ask({2}).get().left, -static_cast<int>(ErrorCode::deadlock));
  EXPECT_EQ(watchdog->deadlocks(), 1U);
}

TEST_F(DeadlockTest, Fault43CountsACycleOnceThoughItsVictimIsLongInComing) {
  auto& pool = binary.pool(pool_settings("p", 1));
  auto& a = service<Awaits>("A", Kind::single_threaded, pool);
  auto& waits = service<Waits>("Waits", Kind::simple, pool);
  connect<Awaits>(a, a);
  auto ask = stub(a);
  auto ask_waits = stub(waits);
  binary.start();
  g_gate.close();
  auto victim = ask({1});
  auto keeps_its_thread = ask_waits({0});
  g_gate.wait_for_one();
  ASSERT_TRUE(eventually([&] { return watchdog->deadlocks() != 0; }));
  // Many looks later:
  const Nanos found = now_ns();
  ASSERT_TRUE(eventually([&] { return now_ns() - found > 200'000'000; }));
  g_gate.open();
  EXPECT_NE(deadlock(std::move(victim)).find("A -> A"), std::string::npos);
  EXPECT_EQ(keeps_its_thread.get().left, 0);
  EXPECT_EQ(watchdog->deadlocks(), 1U);
}

TEST_F(DeadlockTest, LongWaitsThatAreNoCycleAreLeftAlone) {
  auto& busy = binary.pool(pool_settings("busy", 1));
  auto& p = binary.pool(pool_settings("p", 2));
  auto& slow = service<Waits>("Slow", Kind::sync_remote, busy);
  auto& a = service<Awaits>("A", Kind::single_threaded, binary.pool(pool_settings("q", 1)));
  auto& x = service<Blocks>("X", Kind::sync_remote, p);
  connect<Awaits>(a, slow);
  connect<Blocks>(x, a);
  auto ask_a = stub(a);
  auto ask_x = stub(x);
  auto ask_slow = stub(slow);
  binary.start();
  g_gate.close();
  auto holder = ask_slow({0});
  g_gate.wait_for_one();
  auto one = ask_a({1});  // holds the strand, waits for the busy thread
  auto two = ask_x({2});  // blocks for the strand
  auto three = ask_x({2});
  // Longer than the search takes to find what is one.
  timespec pause{0, 200'000'000};
  nanosleep(&pause, nullptr);
  g_gate.open();
  EXPECT_EQ(one.get().left, 0);
  EXPECT_EQ(two.get().left, 0);
  EXPECT_EQ(three.get().left, 0);
  EXPECT_EQ(holder.get().left, 0);
  EXPECT_EQ(watchdog->deadlocks(), 0U);
}

}  // namespace
}  // namespace penstock::deadlock_test
