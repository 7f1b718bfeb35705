#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "support/small_binary.hpp"

namespace penstock::call_test {
namespace {

using namespace std::chrono_literals;
using testing::eventually;
using testing::pool_settings;
using testing::SmallBinary;

struct Number {
  int value = 0;
};

// Opened by the test: a handler that waits for it blocks its thread.
std::atomic<bool> g_gate_open{true};
void pass_gate() { g_gate_open.wait(false); }
void set_gate(bool open) {
  g_gate_open.store(open);
  g_gate_open.notify_all();
}

struct Double : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& request) { return {request.value * 2}; }
};

struct Fails : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& request) {
    if (request.value == 0) throw Error(ErrorCode::not_found, "nothing there");
    if (request.value == 1) throw std::runtime_error("a bug");
    throw_unimplemented("Fails");
  }
};

struct Gated : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& request) {
    pass_gate();
    return request;
  }
};

struct Sleeps : Handler {
  using request_type = Number;
  using response_type = Number;
  static Task<Number> handle(const Number& request) {
    co_await sleep_for(1ms * request.value);
    co_return request;
  }
};

// Asks another service in the way that the test chooses.
struct Asks : Handler {
  using request_type = Number;
  using response_type = Number;
  struct calls_type {
    Stub<Number, Number> Other;
  };
  Task<Number> handle(const Number& request) {
    switch (request.value) {
      case -1: {
        auto answers = co_await gather_within(50ms, calls.Other.each({0}));
        co_return Number{static_cast<int>(answers.size())};
      }
      case -2:
        co_return calls.Other({1}).get();
      case -3:
        co_return calls.Other.inline_call({1});
      case -4: {
        auto [first, second] = co_await gather_within(1h, calls.Other({1}), calls.Other({2}));
        co_return Number{first->value + second->value};
      }
      default:
        co_return co_await calls.Other(request);
    }
  }
  calls_type calls;
};

struct BlocksFor : Handler {
  using request_type = Number;
  using response_type = Number;
  struct calls_type {
    Stub<Number, Number> Other;
  };
  Number handle(const Number& request) { return calls.Other(request).get(); }
  calls_type calls;
};

ErrorCode code_of(Future<Number> future, std::string* text = nullptr) {
  try {
    future.get();
  } catch (const Error& error) {
    if (text != nullptr) *text = error.what();
    return error.code();
  }
  return ErrorCode::ok;
}

struct CallTest : ::testing::Test {
  SmallBinary binary;
  Stub<Number, Number> stub(call::Service& service) {
    return Stub<Number, Number>(&binary.site(service));
  }
  void SetUp() override { set_gate(true); }
  void TearDown() override {
    set_gate(true);
    binary.stop();
  }
};

TEST_F(CallTest, IsAnsweredToAThreadOutside) {
  auto ask =
      stub(binary.service<Double>("Double", Kind::simple, binary.pool(pool_settings("p", 1))));
  binary.start();
  EXPECT_EQ(ask({21}).get().value, 42);
}

TEST_F(CallTest, Fault41BringsErrorsBackWithTheirCode) {
  auto ask = stub(binary.service<Fails>("Fails", Kind::simple, binary.pool(pool_settings("p", 1))));
  binary.start();
  EXPECT_EQ(code_of(ask({0})), ErrorCode::not_found);
  std::string text;
  EXPECT_EQ(code_of(ask({1}), &text), ErrorCode::internal);
  EXPECT_EQ(text, "a bug");
  EXPECT_EQ(code_of(ask({2})), ErrorCode::unimplemented);
}

TEST_F(CallTest, IsAwaitedByACoroutineOnAnotherPoolAndOnItsOwn) {
  auto& front = binary.pool(pool_settings("front", 1));
  auto& back = binary.pool(pool_settings("back", 2));
  auto& near = binary.service<Double>("Near", Kind::simple, front);
  auto& far = binary.service<Double>("Far", Kind::simple, back);
  auto& asks_near = binary.service<Asks>("AsksNear", Kind::async_remote, front);
  auto& asks_far = binary.service<Asks>("AsksFar", Kind::async_remote, front);
  binary.connect<Asks>(asks_near, near, &Asks::calls_type::Other);
  binary.connect<Asks>(asks_far, far, &Asks::calls_type::Other);
  auto ask_near = stub(asks_near);
  auto ask_far = stub(asks_far);
  binary.start();
  EXPECT_EQ(ask_near({4}).get().value, 8);
  EXPECT_EQ(ask_far({4}).get().value, 8);
  EXPECT_EQ(ask_far({-4}).get().value, 6);
}

TEST_F(CallTest, GathersWhatArrivesInTime) {
  // One thread, which answers at once and looks at its timers after that: in time however busy the
  // machine is. Who waited for the late one would wait for an hour.
  struct Late : Sleeps {
    static Task<Number> handle(const Number&) {
      co_await sleep_for(1h);
      co_return Number{};
    }
  };
  auto& pool = binary.pool(pool_settings("p", 1));
  auto& models = binary.service<Sleeps, Late, Fails>("Models", Kind::async_remote, pool);
  auto& asks = binary.service<Asks>("Asks", Kind::async_remote, pool);
  binary.connect<Asks>(asks, models, &Asks::calls_type::Other);
  auto ask = stub(asks);
  binary.start();
  const Nanos before = now_ns();
  EXPECT_EQ(ask({-1}).get().value, 1);
  EXPECT_GE(now_ns() - before, 50'000'000);
}

TEST_F(CallTest, MayNotBlockAWorkerButASyncRemoteHandlerMay) {
  auto& pool = binary.pool(pool_settings("p", 2));
  auto& twice = binary.service<Double>("Double", Kind::simple, binary.pool(pool_settings("q", 1)));
  auto& asks = binary.service<Asks>("Asks", Kind::async_remote, pool);
  auto& blocks = binary.service<BlocksFor>("Blocks", Kind::sync_remote, pool);
  binary.connect<Asks>(asks, twice, &Asks::calls_type::Other);
  binary.connect<BlocksFor>(blocks, twice, &BlocksFor::calls_type::Other);
  auto ask = stub(asks);
  auto block = stub(blocks);
  binary.start();
  std::string text;
  EXPECT_EQ(code_of(ask({-2}), &text), ErrorCode::failed_precondition);
  EXPECT_NE(text.find("co_await"), std::string::npos);
  EXPECT_EQ(block({3}).get().value, 6);
}

TEST_F(CallTest, RunsInlineOnlyOnTheVeryThread) {
  auto& front = binary.pool(pool_settings("front", 1));
  auto& back = binary.pool(pool_settings("back", 1));
  auto& near = binary.service<Double>("Near", Kind::simple, front);
  auto& far = binary.service<Double>("Far", Kind::simple, back);
  auto& asks_near = binary.service<Asks>("AsksNear", Kind::async_remote, front);
  auto& asks_far = binary.service<Asks>("AsksFar", Kind::async_remote, front);
  binary.connect<Asks>(asks_near, near, &Asks::calls_type::Other);
  binary.connect<Asks>(asks_far, far, &Asks::calls_type::Other);
  auto ask_near = stub(asks_near);
  auto ask_far = stub(asks_far);
  binary.start();
  EXPECT_EQ(ask_near({-3}).get().value, 2);
  EXPECT_EQ(code_of(ask_far({-3})), ErrorCode::failed_precondition);
}

TEST_F(CallTest, EndsAtItsDeadlineAndIgnoresTheLateAnswer) {
  auto& pool = binary.pool(pool_settings("p", 1));
  auto& sleeps = binary.service<Sleeps>("Sleeps", Kind::async_remote, pool);
  sleeps.deadline_ns = 20'000'000;
  auto& asks = binary.service<Asks>("Asks", Kind::async_remote, pool);
  binary.connect<Asks>(asks, sleeps, &Asks::calls_type::Other);
  auto ask = stub(asks);
  auto direct = stub(sleeps);
  binary.start();
  // What sleeps for an hour ends because nobody waits for it any more.
  EXPECT_EQ(code_of(ask({3'600'000})), ErrorCode::deadline_exceeded);
  EXPECT_EQ(code_of(direct({3'600'000})), ErrorCode::deadline_exceeded);
  // Of an answer that comes in time, on a busy machine, too.
  sleeps.deadline_ns = 3'600'000'000'000;
  EXPECT_EQ(ask({1}).get().value, 1);
  EXPECT_TRUE(eventually([&] { return binary.done(sleeps) == 3; }));
}

TEST_F(CallTest, IsSkippedWhenNobodyWantsItAnyMore) {
  auto& pool = binary.pool(pool_settings("p", 1));
  auto& gated = binary.service<Gated>("Gated", Kind::simple, pool);
  auto ask = stub(gated);
  binary.start();
  set_gate(false);
  auto first = ask({1});
  { auto dropped = ask({2}); }
  set_gate(true);
  EXPECT_EQ(first.get().value, 1);
  const auto cancelled = static_cast<std::uint32_t>(ErrorCode::cancelled);
  // Counted one after the other.
  EXPECT_TRUE(eventually([&] {
    return binary.done(gated) == 2 &&
           binary.registry().count(gated.implementations[0]->errors + cancelled) == 1;
  }));
}

TEST_F(CallTest, Fault46IsRejectedByAFullQueueAndCounted) {
  auto& pool = binary.pool(pool_settings("p", 1, 2, exec::Overflow::reject));
  auto& gated = binary.service<Gated>("Gated", Kind::simple, pool);
  auto ask = stub(gated);
  binary.start();
  set_gate(false);
  auto running = ask({0});
  ASSERT_TRUE(eventually([&] { return pool.depth().queued == 0; }));
  auto one = ask({1});
  auto two = ask({2});
  EXPECT_EQ(code_of(ask({3})), ErrorCode::resource_exhausted);
  const auto exhausted = static_cast<std::uint32_t>(ErrorCode::resource_exhausted);
  EXPECT_EQ(binary.registry().count(gated.implementations[0]->errors + exhausted), 1U);
  set_gate(true);
  EXPECT_EQ(running.get().value, 0);
  EXPECT_EQ(one.get().value, 1);
  EXPECT_EQ(two.get().value, 2);
}

TEST_F(CallTest, Fault46ShedsTheOldestWaiting) {
  auto& pool = binary.pool(pool_settings("p", 1, 2, exec::Overflow::shed_oldest));
  auto ask = stub(binary.service<Gated>("Gated", Kind::simple, pool));
  binary.start();
  set_gate(false);
  auto running = ask({0});
  ASSERT_TRUE(eventually([&] { return pool.depth().queued == 0; }));
  auto one = ask({1});
  auto two = ask({2});
  auto three = ask({3});
  EXPECT_EQ(code_of(std::move(one)), ErrorCode::resource_exhausted);
  set_gate(true);
  EXPECT_EQ(running.get().value, 0);
  EXPECT_EQ(two.get().value, 2);
  EXPECT_EQ(three.get().value, 3);
}

TEST_F(CallTest, Fault46BlocksACallerOutsideUntilThereIsRoom) {
  auto& pool = binary.pool(pool_settings("p", 1, 2));
  auto& gated = binary.service<Gated>("Gated", Kind::simple, pool);
  auto ask = stub(gated);
  binary.start();
  set_gate(false);
  std::atomic<int> sent{0};
  std::thread caller([&] {
    std::vector<Future<Number>> futures;
    for (int number = 0; number < 20; ++number) {
      futures.push_back(ask({number}));
      ++sent;
    }
    for (int number = 0; number < 20; ++number) {
      EXPECT_EQ(futures[static_cast<std::size_t>(number)].get().value, number);
    }
  });
  EXPECT_TRUE(eventually([&] { return pool.depth().blocked == 1; }));
  EXPECT_LE(sent.load(), 4);
  set_gate(true);
  caller.join();
}

TEST_F(CallTest, QuickOnesDoNotWaitBehindBlockedThreads) {
  auto& pool = binary.pool(pool_settings("p", 3));
  auto gated = stub(binary.service<Gated>("Gated", Kind::sync_remote, pool));
  auto quick = stub(binary.service<Double>("Double", Kind::sync_remote, pool));
  binary.start();
  set_gate(false);
  auto blocked = gated({1});
  auto blocked_too = gated({2});
  for (int number = 0; number < 200; ++number) EXPECT_EQ(quick({number}).get().value, 2 * number);
  set_gate(true);
  EXPECT_EQ(blocked.get().value + blocked_too.get().value, 3);
}

TEST_F(CallTest, LetsABlockingServiceRunBesideABusyStrand) {
  static std::atomic<int> alone_done{0};
  struct Alone : Gated {
    static Number handle(const Number& request) {
      pass_gate();
      alone_done.fetch_add(1);
      return request;
    }
  };
  struct CountsAlone : Double {
    static Number handle(const Number&) { return {alone_done.load()}; }
  };
  alone_done = 0;
  auto& pool = binary.pool(pool_settings("p", 1, 10'000));
  auto alone = stub(binary.service<Alone>("Alone", Kind::single_threaded, pool));
  auto counts = stub(binary.service<CountsAlone>("Counts", Kind::sync_remote, pool));
  binary.start();
  set_gate(false);
  constexpr int kFlood = 2000;
  std::vector<Future<Number>> flood;
  for (int number = 0; number < kFlood; ++number) flood.push_back(alone({number}));
  auto counted = counts({0});
  set_gate(true);
  EXPECT_LT(counted.get().value, kFlood / 2);
  for (auto& answer : flood) static_cast<void>(answer.get());
}

TEST_F(CallTest, AnswersCallsThatComeAfterTheStop) {
  auto& shared = binary.pool(pool_settings("shared", 1));
  auto& own = binary.pool(pool_settings("own", 2));
  auto blocking = stub(binary.service<Double>("B", Kind::sync_remote, shared));
  auto simple = stub(binary.service<Double>("S", Kind::simple, own));
  binary.start();
  EXPECT_EQ(blocking({1}).get().value + simple({1}).get().value, 4);
  binary.stop();
  for (auto& ask : {blocking, simple}) {
    try {
      static_cast<void>(ask({1}).get());
      ADD_FAILURE() << "answered by nobody";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::unavailable) << error.what();
    }
  }
}

TEST_F(CallTest, GrowsToTheMostThreadsAndShrinksAgainUnderLoad) {
  auto& pool = binary.pool(pool_settings("p", 1));
  auto ask = stub(binary.service<Double>("D", Kind::simple, pool));
  binary.start();
  std::atomic<bool> enough{false};
  std::thread caller([&] {
    for (int number = 0; !enough; ++number) EXPECT_EQ(ask({number}).get().value, 2 * number);
  });
  EXPECT_EQ(pool.resize(exec::Pool::kMostThreads), exec::Pool::kMostThreads);
  EXPECT_EQ(pool.resize(1), 1U);
  enough = true;
  caller.join();
  EXPECT_EQ(ask({21}).get().value, 42);
}

TEST_F(CallTest, SharesRequestsByWeight) {
  struct One : Double {
    static Number handle(const Number&) { return {1}; }
  };
  struct Two : Double {
    static Number handle(const Number&) { return {2}; }
  };
  auto& service = binary.service<One, Two>("S", Kind::simple, binary.pool(pool_settings("p", 1)));
  service.implementations.set_shares({90, 10});
  auto ask = stub(service);
  binary.start();
  int twos = 0;
  for (int number = 0; number < 2000; ++number) twos += ask({0}).get().value == 2 ? 1 : 0;
  EXPECT_GT(twos, 100);
  EXPECT_LT(twos, 320);
}

TEST(Service, IsSmallWhateverFewHave) {
  // With what malloc adds, 96 bytes each: a binary may have thousands (docs/performance.md).
  EXPECT_LE(sizeof(call::Service), 88U);
  EXPECT_LE(sizeof(call::Implementation), 88U);
}

TEST_F(CallTest, CarriesItsContextAlong) {
  struct Tells : Double {
    static Number handle(const Number&) {
      return {context().deadline() && context().baggage_value("user") == "ada" ? 1 : 0};
    }
  };
  auto& pool = binary.pool(pool_settings("p", 1));
  auto& tells = binary.service<Tells>("Tells", Kind::simple, pool);
  auto& asks = binary.service<Asks>("Asks", Kind::async_remote, pool);
  binary.connect<Asks>(asks, tells, &Asks::calls_type::Other);
  auto ask = stub(asks);
  binary.start();
  call::Activation activation;
  activation.context.deadline_ns = testing::far_from_now();
  activation.context.baggage = std::make_shared<Baggage>(Baggage{{"user", "ada"}});
  const call::Activating as_caller(&activation);
  EXPECT_EQ(ask({0}).get().value, 1);
}

}  // namespace
}  // namespace penstock::call_test
