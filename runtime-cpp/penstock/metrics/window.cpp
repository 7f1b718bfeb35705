#include "penstock/metrics/window.hpp"

#include <algorithm>
#include <numeric>

#include "penstock/base/defaults.hpp"

namespace penstock::metrics {

namespace {

double micros(std::size_t bucket) {
  return static_cast<double>(Histogram::upper_bound(bucket)) / 1e3;
}

// Readers may come every 100 ms and more than one in a row; readings closer than this add nothing.
constexpr Nanos kReadingSpacing = 50'000'000;

}  // namespace

Latency percentiles(const HistogramSum& samples) {
  const std::vector<std::uint64_t>& buckets = samples.buckets;
  const std::uint64_t count = std::accumulate(buckets.begin(), buckets.end(), std::uint64_t{0});
  if (count == 0) return {};
  Latency latency;
  // The sample with at least this share of all at or below it.
  const auto rank = [count](std::uint64_t percent) { return (count * percent + 99) / 100; };
  std::uint64_t seen = 0;
  for (std::size_t bucket = 0; bucket < buckets.size(); ++bucket) {
    if (buckets[bucket] == 0) continue;
    seen += buckets[bucket];
    const double value = micros(bucket);
    if (!latency.p50_us && seen >= rank(50)) latency.p50_us = value;
    if (!latency.p90_us && seen >= rank(90)) latency.p90_us = value;
    if (!latency.p99_us && seen >= rank(99)) latency.p99_us = value;
    latency.max_us = value;
  }
  // Sum and buckets are read one after the other while samples come: not above what the buckets
  // allow.
  const double mean = static_cast<double>(samples.sum_ns) / static_cast<double>(count) / 1e3;
  latency.mean_us = std::min(mean, latency.max_us.value_or(mean));
  return latency;
}

LatencyTotals totals(const HistogramSum& sum, const std::vector<double>& bounds) {
  LatencyTotals totals;
  for (std::size_t bucket = 0; bucket < sum.buckets.size(); ++bucket) {
    if (sum.buckets[bucket] == 0) continue;
    const double seconds = static_cast<double>(Histogram::upper_bound(bucket)) / 1e9;
    const auto bound = std::lower_bound(bounds.begin(), bounds.end(), seconds);
    totals.buckets[static_cast<std::size_t>(bound - bounds.begin())] += sum.buckets[bucket];
  }
  totals.sum_seconds = static_cast<double>(sum.sum_ns) / 1e9;
  return totals;
}

void Window::read(Nanos now) {
  if (readings_.size() > 1 && now - readings_[readings_.size() - 2].at < kReadingSpacing) {
    readings_.pop_back();
  }
  Reading& reading = readings_.emplace_back();
  reading.at = now;
  reading.timers.resize(registry_.timers());
  for (std::uint32_t timer = 0; timer < registry_.timers(); ++timer) {
    registry_.collect(timer, reading.timers[timer]);
  }
  // Where nobody looked for long, only the first look afterwards says what was in between.
  const auto is_old = [&] {
    return now - readings_[1].at >= defaults::kLatencyWindow ||
           readings_[1].at - readings_[0].at > 2 * defaults::kLatencyWindow;
  };
  while (readings_.size() > 2 && is_old()) readings_.pop_front();
}

void Window::add_growth(std::uint32_t timer, HistogramSum& grown) const {
  const HistogramSum& now = readings_.back().timers[timer];
  const HistogramSum& before = readings_.front().timers[timer];
  if (now.buckets.empty()) return;
  if (grown.buckets.empty()) grown.buckets.resize(now.buckets.size());
  // The first reading of all stands for the start.
  const bool has_before = readings_.size() > 1 && !before.buckets.empty();
  for (std::size_t bucket = 0; bucket < now.buckets.size(); ++bucket) {
    grown.buckets[bucket] += now.buckets[bucket] - (has_before ? before.buckets[bucket] : 0);
  }
  grown.sum_ns += now.sum_ns - (has_before ? before.sum_ns : 0);
}

Latency Window::last_second(const std::vector<std::uint32_t>& timers) const {
  HistogramSum grown;
  for (const std::uint32_t timer : timers) add_growth(timer, grown);
  return percentiles(grown);
}

Latency Window::last_second(std::uint32_t timer) const {
  HistogramSum grown;
  add_growth(timer, grown);
  return percentiles(grown);
}

LatencyTotals Window::since_start(const std::vector<std::uint32_t>& timers) const {
  HistogramSum all;
  for (const std::uint32_t timer : timers) {
    const HistogramSum& one = readings_.back().timers[timer];
    if (one.buckets.empty()) continue;
    if (all.buckets.empty()) all.buckets.resize(one.buckets.size());
    for (std::size_t bucket = 0; bucket < one.buckets.size(); ++bucket) {
      all.buckets[bucket] += one.buckets[bucket];
    }
    all.sum_ns += one.sum_ns;
  }
  return totals(all, bounds_);
}

}  // namespace penstock::metrics
