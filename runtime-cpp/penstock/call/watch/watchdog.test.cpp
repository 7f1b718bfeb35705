#include "penstock/call/watch/watchdog.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <coroutine>
#include <mutex>
#include <string>

#include "support/gate.hpp"
#include "support/small_binary.hpp"

namespace penstock::watchdog_test {

using namespace std::chrono_literals;

struct Number {
  int value = 0;
};

testing::Gate g_stuck_gate;

namespace {

using testing::eventually;
using testing::pool_settings;
using testing::SmallBinary;

// In a namespace that only the file itself names: its stack is to be readable.
struct StandsStill : Handler {
  using request_type = Number;
  using response_type = Number;
  [[gnu::noinline]] Number handle(const Number& request) {
    g_stuck_gate.pass();
    ++served;
    return request;
  }
  int served = 0;
};

struct Double : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& request) { return {request.value * 2}; }
};

struct Naps : Handler {
  using request_type = Number;
  using response_type = Number;
  static Task<Number> handle(const Number& request) {
    co_await sleep_for(1ms * request.value);
    co_return request;
  }
};

// Suspended until the test ends it.
std::atomic<bool> g_asleep{false};
struct Sleeps : Handler {
  using request_type = Number;
  using response_type = Number;
  struct Sleep {
    [[nodiscard]] static bool await_ready() noexcept { return false; }
    static void await_suspend(std::coroutine_handle<> sleeper) noexcept {
      sleeping = sleeper;
      g_asleep = true;
    }
    static void await_resume() noexcept {}
  };
  static Task<Number> handle(const Number& request) {
    co_await Sleep{};
    co_return request;
  }
  static inline std::coroutine_handle<> sleeping;
};

class Reports {
 public:
  void add(const std::string& text) {
    const std::lock_guard hold(mutex_);
    text_ += text + "\n";
  }
  [[nodiscard]] std::string text() const {
    const std::lock_guard hold(mutex_);
    return text_;
  }
  [[nodiscard]] bool has(const std::string& part) const {
    return text().find(part) != std::string::npos;
  }
  [[nodiscard]] std::size_t count(const std::string& part) const {
    const std::string all = text();
    std::size_t found = 0;
    for (auto at = all.find(part); at != std::string::npos; at = all.find(part, at + 1)) ++found;
    return found;
  }

 private:
  mutable std::mutex mutex_;
  std::string text_;
};

struct WatchdogTest : ::testing::Test {
  Reports reports;
  SmallBinary binary;
  call::Watchdog* watchdog = nullptr;

  // It looks once the test starts it: when the handler that it is about is where it stays.
  void watch(Nanos limit) {
    watchdog = &binary.watch({.limit = limit,
                              .look_every = 10'000'000,
                              .stack_patience = std::chrono::nanoseconds(testing::kFar).count(),
                              .say = [this](const std::string& text) { reports.add(text); }},
                             SmallBinary::Looks::later);
  }
  Stub<Number, Number> stub(call::Service& service) {
    return Stub<Number, Number>(&binary.site(service));
  }
  void SetUp() override { g_stuck_gate.close(); }
  void TearDown() override {
    g_stuck_gate.open();
    binary.stop();
  }
};

TEST_F(WatchdogTest, Fault42NamesAStuckHandlerWithItsStackOnceAndOtherPoolsGoOn) {
  watch(200'000'000);
  auto& stuck_pool = binary.pool(pool_settings("stuck", 2));
  auto& service = binary.service<StandsStill>("StandsStill", Kind::sync_remote, stuck_pool);
  auto& other = binary.service<Double>("Double", Kind::simple, binary.pool(pool_settings("p", 1)));
  auto ask = stub(service);
  auto ask_other = stub(other);
  binary.start();
  auto answer = ask({7});
  g_stuck_gate.wait_for_one();
  watchdog->start();
  ASSERT_TRUE(eventually([&] { return reports.has("StandsStill has kept"); }));
  EXPECT_EQ(ask_other({4}).get().value, 8);
  // Said first, then listed.
  ASSERT_TRUE(eventually([&] { return watchdog->stuck().size() == 1; }));
  const std::vector<call::Watchdog::Stuck> now = watchdog->stuck();
  EXPECT_EQ(now[0].implementation->service, &service);
  EXPECT_EQ(now[0].pool, &stuck_pool);
  g_stuck_gate.open();
  EXPECT_EQ(answer.get().value, 7);
  EXPECT_TRUE(eventually([&] { return reports.has("went on after about"); }));
  EXPECT_EQ(reports.count("StandsStill has kept thread stuck-"), 1U) << reports.text();
  EXPECT_TRUE(
      reports.has("watchdog_test::(anonymous namespace)::StandsStill::handle("
                  "penstock::watchdog_test::Number const&)"))
      << reports.text();
  EXPECT_EQ(binary.registry().count(service.implementations[0]->stuck), 1U);
  EXPECT_TRUE(eventually([&] { return watchdog->stuck().empty(); }));
}

TEST_F(WatchdogTest, LeavesSuspendedCoroutinesAndManyShortHandlersAlone) {
  constexpr Nanos kLimit = 100'000'000;
  watch(kLimit);
  auto& pool = binary.pool(pool_settings("p", 1, 100'000));
  auto sleeps = stub(binary.service<Sleeps>("Sleeps", Kind::async_remote, pool));
  auto twice = stub(binary.service<Double>("Double", Kind::simple, pool));
  g_asleep = false;
  binary.start();
  auto sleeper = sleeps({1});
  ASSERT_TRUE(eventually([] { return g_asleep.load(); }));
  // Behind it on its thread: that has left the handler now.
  EXPECT_EQ(twice({2}).get().value, 4);
  watchdog->start();
  const Nanos begun = now_ns();
  while (now_ns() - begun < 10 * kLimit) EXPECT_EQ(twice({2}).get().value, 4);
  watchdog->stop();  // it has seen the handler suspended and nothing else
  Sleeps::sleeping.resume();
  EXPECT_EQ(sleeper.get().value, 1);
  EXPECT_FALSE(reports.has("Sleeps")) << reports.text();
}

TEST_F(WatchdogTest, IsOffAtZero) {
  watch(0);
  auto& pool = binary.pool(pool_settings("p", 1));
  auto ask = stub(binary.service<StandsStill>("StandsStill", Kind::simple, pool));
  auto naps =
      stub(binary.service<Naps>("Naps", Kind::async_remote, binary.pool(pool_settings("q", 1))));
  binary.start();
  auto answer = ask({7});
  g_stuck_gate.wait_for_one();
  watchdog->start();
  EXPECT_EQ(naps({200}).get().value, 200);  // twenty looks
  g_stuck_gate.open();
  EXPECT_EQ(answer.get().value, 7);
  EXPECT_FALSE(reports.has("Naps")) << reports.text();
}

}  // namespace
}  // namespace penstock::watchdog_test
