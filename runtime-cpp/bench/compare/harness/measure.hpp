#pragma once

#include <sys/resource.h>

#include <chrono>
#include <cstdint>

namespace compare {

/// Long against a scheduler's slice, short enough for a hundred contenders.
inline constexpr std::chrono::milliseconds kWarmUp{150};
inline constexpr std::chrono::milliseconds kMeasured{400};
/// Things in the first batch.
inline constexpr std::uint64_t kFirst = 64;

/// Things a second. `batch(n)` does n of them and returns once they are done; one that can only do
/// more than asked takes n by reference and says how many. The size of the batch doubles until one
/// takes as long as the warm-up, from `first` on; then one batch of the measured length is timed,
/// so that the clock and a sleeping main thread stay out of the figure. One that was over in less
/// than a quarter of it says that the batch before it was slow for once, as the first is where
/// memory is made: it was warm-up as well.
template <class Clock = std::chrono::steady_clock, class Batch>
[[nodiscard]] double rate_of(const Batch& batch, std::uint64_t first = kFirst) {
  using Seconds = std::chrono::duration<double>;
  const auto timed = [&batch](std::uint64_t& count) {
    const auto begin = Clock::now();
    batch(count);
    return Seconds(Clock::now() - begin).count();
  };
  std::uint64_t count = first;
  double took = timed(count);
  for (;;) {
    while (took < Seconds(kWarmUp).count()) {
      count *= 2;
      took = timed(count);
    }
    const double scale = Seconds(kMeasured).count() / took;
    count = static_cast<std::uint64_t>(static_cast<double>(count) * scale) + 1;
    took = timed(count);
    if (took >= Seconds(kMeasured).count() / 4) return static_cast<double>(count) / took;
  }
}

/// Processor time of this process so far, all its threads, and of its children that have ended.
[[nodiscard]] inline double cpu_seconds() {
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  double sum = 0;
  for (const auto whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    getrusage(whose, &used);
    sum += seconds(used.ru_utime) + seconds(used.ru_stime);
  }
  return sum;
}

/// Keeps the compiler from dropping what made `value`.
template <class T>
inline void keep(T const& value) noexcept {
  asm volatile("" : : "r,m"(value) : "memory");  // NOLINT: what a benchmark needs
}

}  // namespace compare
