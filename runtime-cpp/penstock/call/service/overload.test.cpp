#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "support/gate.hpp"
#include "support/small_binary.hpp"

namespace penstock::overload_test {
namespace {

using testing::pool_settings;
using testing::SmallBinary;

constexpr std::uint32_t kQueue = 32;

struct Number {
  int value = 0;
};

std::atomic<int> g_served{0};
testing::Gate g_gate;

struct Counts : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& request) {
    g_gate.pass();
    g_served.fetch_add(1);
    return request;
  }
};

struct OverloadTest : ::testing::Test {
  struct Ends {
    int served = 0;
    int refused = 0;
    int otherwise = 0;
  };

  SmallBinary binary;
  exec::Pool* pool = nullptr;
  call::Service* service = nullptr;

  void SetUp() override {
    g_served = 0;
    g_gate.open();
    pool = &binary.pool(pool_settings("p", 1, kQueue, exec::Overflow::reject));
    service = &binary.service<Counts>("Counts", Kind::simple, *pool);
  }
  void TearDown() override {
    g_gate.open();
    binary.stop();
  }
  Stub<Number, Number> start() {
    Stub<Number, Number> ask(&binary.site(*service));
    binary.start();
    return ask;
  }

  static void end(Future<Number>& future, int number, Ends& ends) {
    try {
      EXPECT_EQ(future.get().value, number);
      ++ends.served;
    } catch (const Error& error) {
      ++(error.code() == ErrorCode::resource_exhausted ? ends.refused : ends.otherwise);
    }
  }

  // Asks for `load` times what the queue takes at once, again and again.
  static Ends flood(const Stub<Number, Number>& ask, int load, int rounds) {
    Ends ends;
    for (int round = 0; round < rounds; ++round) {
      std::vector<Future<Number>> futures;
      for (int number = 0; number < load * static_cast<int>(kQueue); ++number) {
        futures.push_back(ask({number}));
      }
      for (std::size_t at = 0; at < futures.size(); ++at) {
        end(futures[at], static_cast<int>(at), ends);
      }
    }
    return ends;
  }

  [[nodiscard]] int counted(ErrorCode code) {
    return static_cast<int>(binary.registry().count(service->implementations[0]->errors +
                                                    static_cast<std::uint32_t>(code)));
  }
};

TEST_F(OverloadTest, Fault47ServesAllThatItAdmitsAndRefusesTheRestAtTwiceAndTenTimesTheLoad) {
  auto ask = start();
  // A thread that keeps up has nothing to refuse: at first it stands still.
  Ends full;
  g_gate.close();
  Future<Number> running = ask({0});
  g_gate.wait_for_one();
  std::vector<Future<Number>> futures;
  constexpr int kAsked = 2 * static_cast<int>(kQueue);
  for (int number = 0; number < kAsked; ++number) futures.push_back(ask({number}));
  g_gate.open();
  for (int number = 0; number < kAsked; ++number) {
    end(futures[static_cast<std::size_t>(number)], number, full);
  }
  EXPECT_EQ(running.get().value, 0);
  EXPECT_EQ(full.served, static_cast<int>(kQueue));
  EXPECT_EQ(full.refused, kAsked - static_cast<int>(kQueue));
  int refused = full.refused;
  for (const int load : {2, 10}) {
    constexpr int kRounds = 200;
    g_served = 0;
    const Ends ends = flood(ask, load, kRounds);
    EXPECT_EQ(ends.served + ends.refused, kRounds * load * static_cast<int>(kQueue));
    EXPECT_EQ(ends.otherwise, 0);
    EXPECT_EQ(g_served, ends.served);
    // Never less than the queue holds, however much more is asked.
    EXPECT_GE(ends.served, kRounds * static_cast<int>(kQueue));
    refused += ends.refused;
  }
  EXPECT_EQ(counted(ErrorCode::resource_exhausted), refused);
}

// The runtime itself never retries: only callers can make a storm, which refusals must survive.
TEST_F(OverloadTest, Fault48ServesEverybodyAtLastWhenAllWhoAreRefusedRetryAtOnce) {
  auto ask = start();
  constexpr int kCalls = 10 * static_cast<int>(kQueue);
  std::vector<Future<Number>> futures;
  for (int number = 0; number < kCalls; ++number) futures.push_back(ask({number}));
  Ends ends;
  int tries = kCalls;
  while (ends.served < kCalls) {
    for (int number = 0; number < kCalls; ++number) {
      Future<Number>& future = futures[static_cast<std::size_t>(number)];
      if (!future.ready()) continue;
      if (call::answered(future)) {
        end(future, number, ends);
        future = Future<Number>();
      } else {
        future = ask({number});
        ++tries;
      }
    }
  }
  EXPECT_EQ(g_served, kCalls);
  EXPECT_EQ(counted(ErrorCode::resource_exhausted), tries - kCalls);
}

}  // namespace
}  // namespace penstock::overload_test
