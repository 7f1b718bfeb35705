#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

#include "penstock/base/time.hpp"

namespace penstock::metrics {

/// Latencies in log-linear buckets: 32 equal steps for each power of two, so that any value is
/// known within 3 %, from a nanosecond to two minutes (the idea of HdrHistogram, Tene).
/// One writer, any readers.
class Histogram {
 public:
  static constexpr unsigned kStepBits = 5;
  static constexpr std::uint64_t kSteps = 1U << kStepBits;
  static constexpr std::uint64_t kLargest = (std::uint64_t{1} << 37U) - 1;  // 137 s
  static constexpr std::size_t kBuckets = (37 - kStepBits + 1) * kSteps;

  [[nodiscard]] static constexpr std::size_t bucket_of(Nanos latency) noexcept {
    auto value = latency < 0 ? std::uint64_t{0} : static_cast<std::uint64_t>(latency);
    if (value > kLargest) value = kLargest;
    if (value < kSteps) return static_cast<std::size_t>(value);
    const auto shift = static_cast<unsigned>(std::bit_width(value)) - kStepBits - 1;
    return static_cast<std::size_t>((shift + 1) * kSteps + ((value >> shift) - kSteps));
  }
  /// The largest value that falls into the bucket, nanoseconds.
  [[nodiscard]] static constexpr std::uint64_t upper_bound(std::size_t bucket) noexcept {
    if (bucket < kSteps) return bucket;
    const std::uint64_t shift = bucket / kSteps - 1;
    return ((bucket % kSteps + kSteps + 1) << shift) - 1;
  }

  /// For `times` of one latency. The writer only, unless `shared`: then any thread.
  void record(Nanos latency, bool shared, std::uint32_t times = 1) noexcept {
    std::atomic<std::uint64_t>& bucket = buckets_[bucket_of(latency)];
    const auto value =
        times * (latency < 0 ? std::uint64_t{0} : static_cast<std::uint64_t>(latency));
    // Relaxed throughout: a reader that misses the newest sample sees it next time.
    if (shared) {
      bucket.fetch_add(times, std::memory_order_relaxed);
      sum_.fetch_add(value, std::memory_order_relaxed);
    } else {
      bucket.store(bucket.load(std::memory_order_relaxed) + times, std::memory_order_relaxed);
      sum_.store(sum_.load(std::memory_order_relaxed) + value, std::memory_order_relaxed);
    }
  }

  [[nodiscard]] std::uint64_t count(std::size_t bucket) const noexcept {
    return buckets_[bucket].load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t sum() const noexcept { return sum_.load(std::memory_order_relaxed); }

 private:
  friend struct HistogramTest;

  // At a hundred thousand samples a second 32 bits would be full in half a day.
  std::array<std::atomic<std::uint64_t>, kBuckets> buckets_{};
  std::atomic<std::uint64_t> sum_{0};
};

/// A reader's copy: several histograms added up. Empty until something is added.
struct HistogramSum {
  std::vector<std::uint64_t> buckets;
  std::uint64_t sum_ns = 0;

  void add(const Histogram& histogram);
  /// One sample; not negative.
  void add(Nanos latency);
  void add(const HistogramSum& other);
};

}  // namespace penstock::metrics
