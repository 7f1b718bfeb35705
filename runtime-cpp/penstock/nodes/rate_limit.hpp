#pragma once

#include <algorithm>
#include <atomic>

#include "penstock/base/time.hpp"

namespace penstock::nodes {

/// Lets `per_second` events through in the long run, and `burst` at once after a quiet time. Any
/// number of threads; no lock. The generic cell rate algorithm (ITU-T I.371): one number says when
/// the next event would be due if all came at the even pace; the burst is how far ahead it may be.
class RateLimit {
 public:
  /// `per_second` above 0, `burst` 1 or more.
  RateLimit(double per_second, double burst) noexcept
      : pace_(static_cast<Nanos>(1e9 / per_second)),
        lead_(static_cast<Nanos>(std::min(1e9 / per_second * (burst - 1), kLongestLead))) {}

  /// Takes a place at the rate: how long its event has to wait, 0 when it may go at once.
  [[nodiscard]] Nanos reserve(Nanos now = now_ns()) noexcept {
    // Relaxed: the number alone is shared, nothing is published with it.
    Nanos due = due_.load(std::memory_order_relaxed);
    Nanos next = 0;
    do {
      next = (due > now ? due : now) + pace_;
    } while (!due_.compare_exchange_weak(due, next, std::memory_order_relaxed));
    const Nanos wait = next - pace_ - lead_ - now;
    return wait > 0 ? wait : 0;
  }

  /// Takes a place only when its event may go at once.
  [[nodiscard]] bool admit(Nanos now = now_ns()) noexcept {
    Nanos due = due_.load(std::memory_order_relaxed);
    Nanos next = 0;
    do {
      if (due - lead_ > now) return false;
      next = (due > now ? due : now) + pace_;
    } while (!due_.compare_exchange_weak(due, next, std::memory_order_relaxed));
    return true;
  }

 private:
  static constexpr double kLongestLead = 4e18;  // a century, within Nanos

  const Nanos pace_;  // between two events
  const Nanos lead_;
  std::atomic<Nanos> due_{0};
};

}  // namespace penstock::nodes
