// The clock of the day is set while calls are under way.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <string>

#include "support/calls_between.hpp"

namespace {

std::atomic<std::int64_t> g_set_ahead_s{0};

}  // namespace

// In place of the system's, for all of this program.
extern "C" int clock_gettime(clockid_t clock, timespec* now) noexcept {
  const auto got = static_cast<int>(syscall(SYS_clock_gettime, clock, now));
  if (got == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
    now->tv_sec += g_set_ahead_s.load();
  return got;
}

namespace penstock::net::remote_test {
namespace {

class TimeOfDay : public Calls {
 protected:
  ~TimeOfDay() override { g_set_ahead_s = 0; }
  /// Sets it, and has both binaries look at all that they wait for.
  void set_ahead(std::chrono::seconds by) {
    const auto before = std::chrono::system_clock::now();
    const std::chrono::seconds was(g_set_ahead_s.exchange(by.count()));
    const auto moved = std::chrono::system_clock::now() - before - (by - was);
    EXPECT_LT(std::chrono::abs(moved), std::chrono::minutes(10)) << "it is not read from here";
    for (int call = 0; call < 20; ++call) EXPECT_EQ(end_of(inside({"x"})), "x!");
  }
};

TEST_F(TimeOfDay, Fault39EndsNoCallWhereItIsSetAnHourOnOrBack) {
  Ads ads(*directory);
  echo_service->deadline_ns = gated_service->deadline_ns = 900 * kSecond;
  reach(1);
  Future<Word> under_way = outside_gated({"waits"});
  ASSERT_TRUE(eventually([&] { return ads.seen.times("waits") == 1; }));
  set_ahead(std::chrono::hours(1));
  set_ahead(-std::chrono::hours(1));
  ads.seen.gate.open();
  EXPECT_EQ(end_of(std::move(under_way)), "waits!");
}

TEST_F(TimeOfDay, Fault39LetsADeadlineComeWhereItIsSetBack) {
  Ads ads(*directory);
  reach(1);
  echo_service->deadline_ns = kSecond / 20;
  g_set_ahead_s = -3600;
  EXPECT_TRUE(end_of(outside({"stay"})).starts_with("deadline_exceeded: "));
}

}  // namespace
}  // namespace penstock::net::remote_test
