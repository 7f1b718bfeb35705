#include "penstock/exec/timer_wheel.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace penstock::exec::timer_wheel_test {
namespace {

struct Probe : Timer {
  Nanos asked = 0;
  Nanos fired = -1;
  static inline Nanos now = 0;
  static void fire(Timer& timer) noexcept { static_cast<Probe&>(timer).fired = now; }
};

constexpr Nanos kTick = Nanos{1} << defaults::kTickBits;

TEST(TimerWheelTest, FiresInTimeAndNeverEarly) {
  std::mt19937_64 random(42);
  Probe::now = 123'456'789'012;
  TimerWheel wheel(Probe::now);
  std::vector<Probe> probes(2000);
  Nanos last = 0;
  for (Probe& probe : probes) {
    // From microseconds to half an hour, so that every wheel is used.
    const auto scale = static_cast<double>(random() % 1000) / 1000;
    probe.asked = Probe::now + static_cast<Nanos>(1000.0 * std::pow(1.8e9, scale));
    last = std::max(last, probe.asked);
    wheel.arm(probe, probe.asked, &Probe::fire);
  }
  while (!wheel.empty()) {
    const Nanos look = wheel.next_look();
    ASSERT_GT(look, Probe::now - kTick);
    Probe::now = std::max(look, Probe::now + 1);
    wheel.advance(Probe::now);
    ASSERT_LE(Probe::now, last + 2 * kTick);
  }
  for (const Probe& probe : probes) {
    ASSERT_GE(probe.fired, probe.asked);
    ASSERT_LE(probe.fired, probe.asked + kTick + 1);
  }
}

TEST(TimerWheelTest, FiresInOrderWhenTimeJumps) {
  Probe::now = 0;
  TimerWheel wheel(0);
  Probe soon;
  Probe later;
  wheel.arm(later, 5'000'000'000, &Probe::fire);
  wheel.arm(soon, 1'000'000, &Probe::fire);
  Probe::now = 10'000'000'000;
  wheel.advance(Probe::now);
  EXPECT_EQ(soon.fired, Probe::now);
  EXPECT_EQ(later.fired, Probe::now);
  EXPECT_TRUE(wheel.empty());
}

TEST(TimerWheelTest, FiresTimersOfOneTickInTheOrderInWhichTheyWereArmed) {
  struct Numbered : Timer {
    int number = 0;
    std::vector<int>* order = nullptr;
    static void fire(Timer& timer) noexcept {
      const auto& self = static_cast<Numbered&>(timer);
      self.order->push_back(self.number);
    }
  };
  // Of the first three wheels.
  for (const std::uint64_t ticks : {5U, 5U * 64, 5U * 64 * 64 + 70}) {
    const auto at = static_cast<Nanos>(ticks << defaults::kTickBits);
    TimerWheel wheel(0);
    std::vector<int> order;
    std::array<Numbered, 6> timers;
    for (int number = 0; number < 6; ++number) {
      timers[static_cast<std::size_t>(number)].number = number;
      timers[static_cast<std::size_t>(number)].order = &order;
      wheel.arm(timers[static_cast<std::size_t>(number)], at, &Numbered::fire);
    }
    // The first, one between others, and the last; one goes to the end.
    for (const std::size_t gone : {0U, 3U, 5U}) timers[gone].cancel();
    wheel.arm(timers[1], at, &Numbered::fire);
    wheel.arm(timers[0], at, &Numbered::fire);
    wheel.advance(at + 2 * kTick);
    EXPECT_EQ(order, (std::vector<int>{2, 4, 1, 0})) << ticks;
    EXPECT_TRUE(wheel.empty());
  }
}

TEST(TimerWheelTest, DoesNotFireWhatWasCancelledOrDestroyed) {
  Probe::now = 0;
  TimerWheel wheel(0);
  Probe cancelled;
  Probe kept;
  wheel.arm(cancelled, 1'000'000, &Probe::fire);
  wheel.arm(kept, 1'000'000, &Probe::fire);
  {
    Probe gone;
    wheel.arm(gone, 1'000'000, &Probe::fire);
  }
  cancelled.cancel();
  Probe::now = 2'000'000;
  wheel.advance(Probe::now);
  EXPECT_EQ(cancelled.fired, -1);
  EXPECT_EQ(kept.fired, Probe::now);
}

TEST(TimerWheelTest, ReachesBeyondItsLargestWheel) {
  Probe::now = 77;
  TimerWheel wheel(Probe::now);
  Probe probe;
  const Nanos year = Nanos{365} * 24 * 3600 * 1'000'000'000;
  wheel.arm(probe, year, &Probe::fire);
  int looks = 0;
  while (!wheel.empty()) {
    Probe::now = std::max(wheel.next_look(), Probe::now + 1);
    wheel.advance(Probe::now);
    ASSERT_LT(++looks, 1000);
  }
  EXPECT_GE(probe.fired, year);
  EXPECT_LE(probe.fired, year + kTick + 1);
}

TEST(TimerWheelTest, ATimerMayArmItselfAgain) {
  struct Again : Timer {
    TimerWheel* wheel = nullptr;
    int fired = 0;
    static void fire(Timer& timer) noexcept {
      auto& self = static_cast<Again&>(timer);
      if (++self.fired < 3) self.wheel->arm(self, 0, &fire);
    }
  };
  TimerWheel wheel(0);
  Again again;
  again.wheel = &wheel;
  wheel.arm(again, 1, &Again::fire);
  wheel.advance(1'000'000'000);
  EXPECT_EQ(again.fired, 3);
}

}  // namespace
}  // namespace penstock::exec::timer_wheel_test
