#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "support/small_binary.hpp"

namespace penstock {
namespace {

using namespace std::chrono_literals;
using testing::pool_settings;
using testing::SmallBinary;

struct Number {
  int value = 0;
};

struct Echo : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& request) { return request; }
};

// Exclusive or wrong: plain fields that every request changes on both sides of an await.
struct Ledger : Handler {
  using request_type = Number;
  using response_type = Number;
  struct calls_type {
    Stub<Number, Number> Echo;
  };
  Task<Number> handle(const Number& request) {
    if (inside) throw Error(ErrorCode::internal, "two at once");
    inside = true;
    const int before = total;
    const Number echoed = co_await calls.Echo(request);
    if (request.value % 16 == 0) co_await sleep_for(10us);
    total = before + echoed.value;
    inside = false;
    co_return Number{total};
  }
  calls_type calls;
  bool inside = false;
  int total = 0;
};

struct Chain : Handler {
  using request_type = Number;
  using response_type = Number;
  struct calls_type {
    Stub<Number, Number> Next;
  };
  Task<Number> handle(const Number& request) {
    Number sum;
    for (int step = 0; step < 4; ++step) sum.value += (co_await calls.Next(request)).value;
    auto group = co_await gather_within(10s, calls.Next.each(request));
    for (const Number& one : group) sum.value += one.value;
    co_return sum;
  }
  calls_type calls;
};

void ask_from_threads(const Stub<Number, Number>& stub, int threads, int requests, int factor) {
  std::vector<std::thread> callers;
  for (int caller = 0; caller < threads; ++caller) {
    callers.emplace_back([&] {
      for (int request = 0; request < requests; ++request) {
        ASSERT_EQ(stub({request}).get().value, request * factor);
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
}

TEST(CallStress, SingleThreadedStaysExclusiveAcrossAwaitsAndThreads) {
  SmallBinary binary;
  auto& pool = binary.pool(pool_settings("p", 3));
  auto& echo = binary.service<Echo>("Echo", Kind::simple, binary.pool(pool_settings("q", 2)));
  auto& ledger = binary.service<Ledger>("Ledger", Kind::single_threaded, pool);
  binary.connect<Ledger>(ledger, echo, &Ledger::calls_type::Echo);
  const Stub<Number, Number> stub(&binary.site(ledger));
  binary.start();
  constexpr int kCallers = 4;
  constexpr int kRequests = 500;
  std::vector<std::thread> callers;
  for (int caller = 0; caller < kCallers; ++caller) {
    callers.emplace_back([&] {
      int last = -1;
      for (int request = 0; request < kRequests; ++request) {
        const int total = stub({1}).get().value;
        ASSERT_GT(total, last);
        last = total;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(stub({0}).get().value, kCallers * kRequests);
}

TEST(CallStress, SingleThreadedKeepsTheOrderOfACaller) {
  struct Order : Echo {
    Number handle(const Number& request) {
      if (request.value != next++) throw Error(ErrorCode::out_of_range, "out of order");
      return request;
    }
    int next = 0;
  };
  SmallBinary binary;
  auto& order =
      binary.service<Order>("Order", Kind::single_threaded, binary.pool(pool_settings("p", 3)));
  const Stub<Number, Number> stub(&binary.site(order));
  binary.start();
  std::vector<Future<Number>> window;
  for (int number = 0; number < 3000; ++number) {
    window.push_back(stub({number}));
    if (window.size() == 100) {
      for (auto& future : window) ASSERT_NO_THROW(future.get());
      window.clear();
    }
  }
  for (auto& future : window) ASSERT_NO_THROW(future.get());
}

TEST(CallStress, NothingIsLostWhilePoolsChangeSize) {
  SmallBinary binary;
  auto& front = binary.pool(pool_settings("front", 2));
  auto& back = binary.pool(pool_settings("back", 3));
  auto& shared = binary.pool(pool_settings("shared", 2));
  auto& echo = binary.service<Echo, Echo>("Echo", Kind::simple, back);
  auto& chain = binary.service<Chain>("Chain", Kind::async_remote, front);
  auto& blocking = binary.service<Echo>("Blocking", Kind::sync_remote, shared);
  binary.connect<Chain>(chain, echo, &Chain::calls_type::Next);
  const Stub<Number, Number> ask(&binary.site(chain));
  const Stub<Number, Number> block(&binary.site(blocking));
  binary.start();
  std::atomic<bool> over{false};
  std::thread resizer([&] {
    for (unsigned turn = 0; !over.load(); ++turn) {
      front.resize(1 + turn % 3);
      back.resize(1 + turn % 4);
      shared.resize(1 + turn % 2);
    }
  });
  std::thread other([&] { ask_from_threads(block, 2, 400, 1); });
  ask_from_threads(ask, 3, 400, 6);
  other.join();
  over.store(true);
  resizer.join();
  EXPECT_EQ(binary.done(chain), 1200U);
  EXPECT_EQ(binary.done(blocking), 800U);
}

TEST(CallStress, DroppedFuturesLeakNothing) {
  SmallBinary binary;
  auto& echo = binary.service<Echo>("Echo", Kind::simple, binary.pool(pool_settings("p", 2, 64)));
  const Stub<Number, Number> stub(&binary.site(echo));
  binary.start();
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 3; ++caller) {
    callers.emplace_back([&] {
      for (int request = 0; request < 2000; ++request) {
        Future<Number> dropped = stub({request});
        if (request % 3 != 0) continue;
        ASSERT_EQ(dropped.get().value, request);
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_TRUE(testing::eventually([&] { return binary.done(echo) == 6000; }));
}

TEST(CallStress, ShedsAndRejectsUnderLoadWithoutLosingAnAnswer) {
  for (const auto overflow : {exec::Overflow::reject, exec::Overflow::shed_oldest}) {
    for (const Kind kind : {Kind::simple, Kind::single_threaded}) {
      SmallBinary binary;
      auto& echo =
          binary.service<Echo>("Echo", kind, binary.pool(pool_settings("p", 2, 4, overflow)));
      const Stub<Number, Number> stub(&binary.site(echo));
      binary.start();
      std::atomic<int> answered{0};
      std::vector<std::thread> callers;
      for (int caller = 0; caller < 3; ++caller) {
        callers.emplace_back([&] {
          for (int round = 0; round < 100; ++round) {
            std::vector<Future<Number>> futures;
            for (int request = 0; request < 10; ++request) futures.push_back(stub({request}));
            for (auto& future : futures) {
              try {
                future.get();
              } catch (const Error& error) {
                ASSERT_EQ(error.code(), ErrorCode::resource_exhausted);
              }
              ++answered;
            }
          }
        });
      }
      for (std::thread& caller : callers) caller.join();
      EXPECT_EQ(answered.load(), 3000);
      EXPECT_EQ(binary.done(echo), 3000U);
    }
  }
}

}  // namespace
}  // namespace penstock
