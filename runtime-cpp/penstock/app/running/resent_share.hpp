#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "penstock/base/time.hpp"

namespace penstock::app {

/// How much of what goes over a wire goes again, as it was lost or seemed to be: of the last
/// seconds, and of enough packets that a single one says little.
class ResentShare {
 public:
  static constexpr Nanos kOver = 5'000'000'000;
  static constexpr std::uint64_t kFewest = 50;
  /// Without so many for so long nothing is known any more.
  static constexpr Nanos kForgotten = 30'000'000'000;

  /// Of totals that only grow. Nothing: too few went.
  [[nodiscard]] std::optional<double> percent(std::uint64_t sent, std::uint64_t resent,
                                              Nanos now) noexcept {
    const std::uint64_t went = sent - sent_;
    if (now - since_ >= kForgotten) {
      // Also where nobody has asked for so long: that is of no last seconds.
      percent_.reset();
    } else if (went >= kFewest && now - since_ >= kOver) {
      // The two are not read in one moment.
      percent_ =
          std::min(100 * static_cast<double>(resent - resent_) / static_cast<double>(went), 100.0);
    } else {
      return percent_;
    }
    sent_ = sent;
    resent_ = resent;
    since_ = now;
    return percent_;
  }

 private:
  std::uint64_t sent_ = 0;
  std::uint64_t resent_ = 0;
  Nanos since_ = 0;
  std::optional<double> percent_;
};

}  // namespace penstock::app
