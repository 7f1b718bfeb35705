#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>

namespace penstock {

/// Monotonic time in nanoseconds; the same clock as std::chrono::steady_clock.
using Nanos = std::int64_t;

#ifdef PENSTOCK_WORLD
[[nodiscard]] Nanos now_ns() noexcept;  // a simulated world's (testing/world)
#else
[[nodiscard]] inline Nanos now_ns() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<Nanos>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}
#endif

[[nodiscard]] constexpr Nanos to_ns(std::chrono::nanoseconds duration) noexcept {
  return duration.count();
}

// In microseconds, as figures are shown.
[[nodiscard]] constexpr double to_us(Nanos nanos) noexcept {
  return static_cast<double>(nanos) / 1e3;
}

/// `now + duration` without overflow, for durations up to the largest.
[[nodiscard]] constexpr Nanos after(Nanos now, Nanos duration) noexcept {
  constexpr Nanos kFar = std::int64_t{1} << 62;
  if (duration <= 0) return now;
  return duration > kFar - now ? kFar : now + duration;
}

}  // namespace penstock
