#include "penstock/call/watch/watchdog.hpp"

#include <gtest/gtest.h>

#include <chrono>
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

  void watch(Nanos limit) {
    watchdog = &binary.watch({.limit = limit,
                              .look_every = 10'000'000,
                              .say = [this](const std::string& text) { reports.add(text); }});
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
  // Long enough for a thread that has begun to get to the handler on a busy machine.
  watch(2'000'000'000);
  auto& stuck_pool = binary.pool(pool_settings("stuck", 2));
  auto& service = binary.service<StandsStill>("StandsStill", Kind::sync_remote, stuck_pool);
  auto& other = binary.service<Double>("Double", Kind::simple, binary.pool(pool_settings("p", 1)));
  auto ask = stub(service);
  auto ask_other = stub(other);
  binary.start();
  auto answer = ask({7});
  ASSERT_TRUE(eventually([&] { return reports.has("its stack"); }));
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
  // Longer than a busy machine keeps a thread from its processor in the middle of a short handler.
  watch(2'000'000'000);
  auto& pool = binary.pool(pool_settings("p", 1, 100'000));
  auto naps = stub(binary.service<Naps>("Naps", Kind::async_remote, pool));
  auto twice = stub(binary.service<Double>("Double", Kind::simple, pool));
  binary.start();
  auto nap = naps({3000});
  while (!nap.ready()) EXPECT_EQ(twice({2}).get().value, 4);
  EXPECT_FALSE(reports.has("Naps")) << reports.text();
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
  EXPECT_EQ(naps({200}).get().value, 200);  // twenty looks
  g_stuck_gate.open();
  EXPECT_EQ(answer.get().value, 7);
  EXPECT_FALSE(reports.has("Naps")) << reports.text();
}

}  // namespace
}  // namespace penstock::watchdog_test
