#pragma once

#include <algorithm>

#include "penstock/base/time.hpp"

namespace penstock::net::layers {

/// How long it takes until an acknowledgement comes (RFC 6298), less what the other end waited with
/// it (RFC 9002, 5.3).
class RoundTrip {
 public:
  /// What is expected until it is known.
  explicit RoundTrip(Nanos expected) noexcept : smoothed_(expected), varies_(expected / 2) {}

  void measured(Nanos took, Nanos waited) noexcept {
    latest_ = std::max<Nanos>(took, 1);
    least_ = least_ == 0 ? latest_ : std::min(least_, latest_);
    const Nanos own = latest_ - waited >= least_ ? latest_ - waited : latest_;
    if (!known_) {
      known_ = true;
      smoothed_ = own;
      varies_ = own / 2;
      return;
    }
    const Nanos off = smoothed_ > own ? smoothed_ - own : own - smoothed_;
    varies_ = (3 * varies_ + off) / 4;
    smoothed_ = (7 * smoothed_ + own) / 8;
  }

  [[nodiscard]] bool known() const noexcept { return known_; }
  [[nodiscard]] Nanos smoothed() const noexcept { return smoothed_; }
  /// By then an acknowledgement has come that is not late by itself.
  [[nodiscard]] Nanos timeout() const noexcept {
    return smoothed_ + std::max<Nanos>(4 * varies_, kLeast);
  }
  /// A packet that is as much older than one that was acknowledged is lost (RFC 9002, 6.1.2).
  [[nodiscard]] Nanos lost_after() const noexcept {
    return std::max<Nanos>(std::max(smoothed_, latest_) * 9 / 8, kLeast);
  }

 private:
  static constexpr Nanos kLeast = 500'000;

  bool known_ = false;
  Nanos latest_ = 0;
  Nanos least_ = 0;
  Nanos smoothed_;
  Nanos varies_;
};

}  // namespace penstock::net::layers
