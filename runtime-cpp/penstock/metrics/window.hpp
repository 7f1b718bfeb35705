#pragma once

#include <deque>
#include <utility>
#include <vector>

#include "penstock/metrics/latency_bounds.hpp"
#include "penstock/metrics/registry.hpp"
#include "penstock/metrics/snapshot.hpp"

namespace penstock::metrics {

/// Percentiles and mean of samples, microseconds; all none when there are none.
[[nodiscard]] Latency percentiles(const HistogramSum& samples);

/// The same samples in the buckets that Prometheus gets.
[[nodiscard]] LatencyTotals totals(const HistogramSum& sum, const std::vector<double>& bounds);

/// Keeps what the timers of a registry have shown in the last second, so that a reader gets the
/// latencies of now instead of those since the start. One reader thread.
class Window {
 public:
  /// `bounds` of since_start(): latency_bounds().
  explicit Window(const Registry& registry, std::vector<double> bounds = latency_bounds())
      : registry_(registry), bounds_(std::move(bounds)) {}

  [[nodiscard]] const std::vector<double>& bounds() const { return bounds_; }

  /// Reads all timers. Call it before last_second() and since_start(), for each sample once.
  void read(Nanos now);

  /// Samples of some timers together, as far as they grew within the last second.
  [[nodiscard]] Latency last_second(const std::vector<std::uint32_t>& timers) const;
  [[nodiscard]] Latency last_second(std::uint32_t timer) const;
  [[nodiscard]] LatencyTotals since_start(const std::vector<std::uint32_t>& timers) const;

 private:
  struct Reading {
    Nanos at = 0;
    std::vector<HistogramSum> timers;
  };
  void add_growth(std::uint32_t timer, HistogramSum& grown) const;

  const Registry& registry_;
  const std::vector<double> bounds_;
  std::deque<Reading> readings_;  // the oldest one is a second old, or the first
};

}  // namespace penstock::metrics
