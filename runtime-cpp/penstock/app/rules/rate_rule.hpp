#pragma once

#include <cstdint>
#include <optional>

#include "penstock/base/time.hpp"

namespace penstock::app {

/// Decides between two ways to be arranged, one for a rate below a threshold and one for a rate
/// above a higher one, from looks at a count several times a second. It knows no clock: times come
/// with the looks.
///
/// What is between the two thresholds is the hysteresis: a rate there changes nothing. A rate
/// counts once it was beyond its threshold in each of so many seconds in a row, so that neither a
/// burst nor a gap does it. A side that was chosen is not chosen again before the other one was.
class RateRule {
 public:
  /// So long is each rate measured.
  static constexpr Nanos kInterval = 1'000'000'000;

  enum class Side : std::uint8_t { below, above };
  struct Settings {
    double below = 0;  ///< a second; less than `above`
    double above = 0;
    unsigned seconds = 1;  ///< in a row, at least 1
  };

  explicit RateRule(const Settings& settings) noexcept : settings_(settings) {}

  /// The count so far, at some moment: both grow from look to look. None: all stays as it is; else
  /// the side that is to be in force from now on.
  [[nodiscard]] std::optional<Side> look(Nanos at, std::uint64_t count) noexcept;
  /// Of the last interval that ended, a second.
  [[nodiscard]] double rate() const noexcept { return rate_; }

 private:
  Settings settings_;
  // The interval: it begins with a look, and ends with the first one that is late enough.
  bool begun_ = false;
  Nanos first_at_ = 0;
  std::uint64_t first_count_ = 0;
  double rate_ = 0;
  unsigned below_ = 0;  // intervals in a row
  unsigned above_ = 0;
  std::optional<Side> chosen_;
};

}  // namespace penstock::app
