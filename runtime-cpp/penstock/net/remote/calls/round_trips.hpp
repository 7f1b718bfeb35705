#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "penstock/base/time.hpp"

namespace penstock::net {

/// How long the last pings over the links to another binary took. Any thread.
class RoundTrips {
 public:
  /// Pings that are kept, of all links together: two minutes of one that is asked each second.
  static constexpr std::size_t kKept = 128;

  struct Percentiles {
    Nanos p50 = 0;  ///< 0: there was no ping yet
    Nanos p99 = 0;
  };

  void add(Nanos nanos) noexcept {
    const std::uint32_t place = added_.fetch_add(1, std::memory_order_relaxed) % kKept;
    kept_[place].store(std::max<Nanos>(nanos, 1), std::memory_order_relaxed);
    last_.store(nanos, std::memory_order_relaxed);
  }
  /// 0: none yet.
  [[nodiscard]] Nanos last() const noexcept { return last_.load(std::memory_order_relaxed); }
  /// Of those that are kept, by nearest rank.
  [[nodiscard]] Percentiles percentiles() const noexcept {
    std::array<Nanos, kKept> known{};
    std::size_t count = 0;
    for (const std::atomic<Nanos>& each : kept_) {
      if (const Nanos nanos = each.load(std::memory_order_relaxed); nanos != 0)
        known[count++] = nanos;
    }
    if (count == 0) return {};
    const auto end = known.begin() + static_cast<std::ptrdiff_t>(count);
    std::sort(known.begin(), end);
    const auto ranked = [&known, count](std::size_t percent) {
      return known[(count * percent + 99) / 100 - 1];
    };
    return {.p50 = ranked(50), .p99 = ranked(99)};
  }

 private:
  std::atomic<std::uint32_t> added_{0};
  std::atomic<Nanos> last_{0};
  std::array<std::atomic<Nanos>, kKept> kept_{};
};

}  // namespace penstock::net
