#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "support/gate.hpp"
#include "support/small_binary.hpp"

namespace penstock::cancel_test {
namespace {

using namespace std::chrono_literals;
using testing::eventually;
using testing::pool_settings;
using testing::SmallBinary;

struct Number {
  int value = 0;
};

std::atomic<int> g_begun{0};
std::atomic<int> g_interrupted{0};
std::atomic<int> g_destroyed{0};
testing::Gate g_gate;

// Its objects are counted: a coroutine that is unwound destroys them.
struct Counted {
  Counted() { g_begun.fetch_add(1); }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { g_destroyed.fetch_add(1); }
};

struct SleepsForAnHour : Handler {
  using request_type = Number;
  using response_type = Number;
  static Task<Number> handle(const Number& request) {
    const Counted counted;
    try {
      co_await sleep_for(1h);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::cancelled) g_interrupted.fetch_add(1);
      throw;
    }
    co_return request;
  }
};

// How the next one is asked.
struct Passes : Handler {
  using request_type = Number;
  using response_type = Number;
  struct calls_type {
    Stub<Number, Number> Next;
  };
  Task<Number> handle(const Number& request) {
    const Counted counted;
    switch (request.value) {
      case 0:
        co_return co_await child(request);
      case 1: {
        auto answers = co_await gather_within(1h, calls.Next.each(request));
        co_return Number{static_cast<int>(answers.size())};
      }
      default: {
        auto answers = co_await gather_within(20ms, calls.Next.each(request));
        co_return Number{static_cast<int>(answers.size())};
      }
    }
  }
  Task<Number> child(const Number& request) { co_return co_await calls.Next(request); }
  calls_type calls;
};

// Works until nobody wants it any more.
struct Works : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& request) {
    g_begun.fetch_add(1);
    while (!cancelled()) std::this_thread::sleep_for(100us);
    g_interrupted.fetch_add(1);
    return request;
  }
};

struct CancelTest : ::testing::Test {
  SmallBinary binary;
  void SetUp() override {
    g_begun = 0;
    g_interrupted = 0;
    g_destroyed = 0;
  }
  void TearDown() override { binary.stop(); }
  Stub<Number, Number> stub(call::Service& service) {
    return Stub<Number, Number>(&binary.site(service));
  }
  [[nodiscard]] std::uint64_t cancelled_of(const call::Service& service) {
    return binary.registry().count(service.implementations[0]->errors +
                                   static_cast<std::uint32_t>(ErrorCode::cancelled));
  }
};

TEST_F(CancelTest, Fault45EndsASuspendedCalleeWhoseFutureIsDropped) {
  auto& service = binary.service<SleepsForAnHour>("Sleeps", Kind::async_remote,
                                                  binary.pool(pool_settings("p", 1)));
  auto ask = stub(service);
  binary.start();
  {
    auto dropped = ask({1});
    ASSERT_TRUE(eventually([] { return g_begun == 1; }));
  }
  EXPECT_TRUE(eventually([&] { return cancelled_of(service) == 1; }));
  EXPECT_EQ(g_interrupted, 1);
  EXPECT_EQ(g_destroyed, 1);
}

TEST_F(CancelTest, Fault45EndsACalleeThatBeginsWhileItsFutureIsDropped) {
  auto& service = binary.service<SleepsForAnHour>("Sleeps", Kind::async_remote,
                                                  binary.pool(pool_settings("p", 1)));
  service.deadline_ns = 3'600'000'000'000;
  auto ask = stub(service);
  binary.start();
  constexpr int kMany = 2000;
  for (int number = 0; number < kMany; ++number) {
    auto dropped = ask({number});
    for (int look = 0; look < number % 50; ++look) static_cast<void>(dropped.ready());
  }
  EXPECT_TRUE(eventually([&] { return cancelled_of(service) == kMany; }));
  EXPECT_EQ(g_begun, g_destroyed);
}

TEST_F(CancelTest, ReachesWholeChainsOfCallees) {
  auto& p = binary.pool(pool_settings("p", 1));
  auto& q = binary.pool(pool_settings("q", 2));
  auto& last = binary.service<SleepsForAnHour>("Last", Kind::async_remote, p);
  auto& middle = binary.service<Passes>("Middle", Kind::single_threaded, q);
  auto& first = binary.service<Passes>("First", Kind::async_remote, p);
  binary.connect<Passes>(middle, last, &Passes::calls_type::Next);
  binary.connect<Passes>(first, middle, &Passes::calls_type::Next);
  auto ask = stub(first);
  binary.start();
  for (int way : {0, 1}) {
    auto dropped = ask({way});
    ASSERT_TRUE(eventually([&] { return g_begun == 3 * (way + 1); }));
  }
  for (call::Service* service : {&first, &middle, &last}) {
    EXPECT_TRUE(eventually([&] { return cancelled_of(*service) == 2; })) << service->name;
  }
  EXPECT_EQ(g_destroyed, 6);
}

TEST_F(CancelTest, ReachesTheLateOnesOfAGather) {
  auto& p = binary.pool(pool_settings("p", 1));
  auto& late = binary.service<SleepsForAnHour, SleepsForAnHour>("Late", Kind::async_remote, p);
  auto& first = binary.service<Passes>("First", Kind::async_remote, p);
  binary.connect<Passes>(first, late, &Passes::calls_type::Next);
  auto ask = stub(first);
  binary.start();
  EXPECT_EQ(ask({2}).get().value, 0);
  EXPECT_TRUE(eventually([&] { return g_interrupted == 2; }));
}

TEST_F(CancelTest, ReachesTheCalleeWhenItsDeadlinePasses) {
  auto& p = binary.pool(pool_settings("p", 1));
  auto& last = binary.service<SleepsForAnHour>("Last", Kind::async_remote, p);
  last.deadline_ns = 100'000'000;
  auto& first =
      binary.service<Passes>("First", Kind::async_remote, binary.pool(pool_settings("q", 1)));
  binary.connect<Passes>(first, last, &Passes::calls_type::Next);
  auto ask_first = stub(first);
  auto ask_last = stub(last);
  binary.start();
  // Asked again where it came so late, on a busy machine, that it was not begun at all.
  const auto reaches_it = [&last, this](const Stub<Number, Number>& ask) {
    const int before = g_interrupted;
    return eventually([&] {
      const std::uint64_t done = binary.done(last);
      EXPECT_THROW(static_cast<void>(ask({0}).get()), Error);
      const bool ended = eventually([&] { return binary.done(last) == done + 1; });
      EXPECT_TRUE(ended);
      return !ended || g_interrupted == before + 1;
    });
  };
  EXPECT_TRUE(reaches_it(ask_first));
  EXPECT_TRUE(reaches_it(ask_last));
}

TEST_F(CancelTest, CanBeAskedForByAHandlerThatNeverSuspends) {
  auto& p = binary.pool(pool_settings("p", 1));
  auto works = stub(binary.service<Works>("Works", Kind::simple, p));
  binary.start();
  {
    auto dropped = works({1});
    ASSERT_TRUE(eventually([] { return g_begun == 1; }));
  }
  EXPECT_TRUE(eventually([] { return g_interrupted == 1; }));
}

struct AsksInline : Handler {
  using request_type = Number;
  using response_type = Number;
  struct calls_type {
    Stub<Number, Number> Next;
  };
  [[nodiscard]] Number handle(const Number& request) const {
    return calls.Next.inline_call(request);
  }
  calls_type calls;
};

TEST_F(CancelTest, ReachesWhatTheCalleeCallsInline) {
  auto& p = binary.pool(pool_settings("p", 1));
  auto& works = binary.service<Works>("Works", Kind::simple, p);
  works.deadline_ns = 3'600'000'000'000;  // a callee with a context of its own
  auto& asks = binary.service<AsksInline>("Asks", Kind::simple, p);
  binary.connect<AsksInline>(asks, works, &AsksInline::calls_type::Next);
  auto ask = stub(asks);
  binary.start();
  {
    auto dropped = ask({1});
    ASSERT_TRUE(eventually([] { return g_begun == 1; }));
  }
  EXPECT_TRUE(eventually([] { return g_interrupted == 1; }));
}

// A coroutine that somebody destroys where it is suspended.
struct Destroyer : Handler {
  using request_type = Number;
  using response_type = Number;
  struct calls_type {
    Stub<Number, Number> Next;
  };
  Number handle(const Number& request) {
    Task<Number> pending = wait(request);
    pending.start([](void*) noexcept {}, nullptr);
    return request;
  }
  Task<Number> wait(const Number& request) {
    const Counted counted;
    co_return co_await calls.Next(request);
  }
  calls_type calls;
};

TEST_F(CancelTest, Fault45CancelsTheCallsOfACoroutineThatIsDestroyed) {
  auto& last = binary.service<SleepsForAnHour>("Last", Kind::async_remote,
                                               binary.pool(pool_settings("p", 1)));
  auto& destroyer =
      binary.service<Destroyer>("D", Kind::simple, binary.pool(pool_settings("q", 1)));
  binary.connect<Destroyer>(destroyer, last, &Destroyer::calls_type::Next);
  auto ask = stub(destroyer);
  binary.start();
  EXPECT_EQ(ask({5}).get().value, 5);
  EXPECT_TRUE(eventually([&] { return cancelled_of(last) == 1; }));
  EXPECT_EQ(g_begun, g_destroyed);
}

// Suspends in something that is not ours, which destroys it.
struct Vanishes : Handler {
  using request_type = Number;
  using response_type = Number;
  struct Gone {
    [[nodiscard]] static bool await_ready() noexcept { return false; }
    static void await_suspend(std::coroutine_handle<> awaiting) noexcept { awaiting.destroy(); }
    static void await_resume() noexcept {}
  };
  static Task<Number> handle(const Number& request) {
    const Counted counted;
    co_await Gone{};
    co_return request;
  }
};

TEST_F(CancelTest, Fault45BreaksTheFutureOfACoroutineThatIsDestroyed) {
  auto ask = stub(
      binary.service<Vanishes>("Vanishes", Kind::async_remote, binary.pool(pool_settings("p", 1))));
  binary.start();
  try {
    static_cast<void>(ask({1}).get());
    ADD_FAILURE() << "answered";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::cancelled) << error.what();
  }
  EXPECT_EQ(g_begun, g_destroyed);
}

}  // namespace
}  // namespace penstock::cancel_test
