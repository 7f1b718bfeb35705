#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "penstock/metrics/histogram.hpp"

namespace penstock::metrics {

/// Sampled latencies of one timer on one thread. The first ones are kept as they are, in a
/// thirtieth of a histogram's memory: most services of a big binary are asked seldom, and sampled
/// more seldom still. The histogram comes with the first sample that finds no place. One writer,
/// any readers.
class Samples {
 public:
  static constexpr std::uint32_t kFirst = 14;

  Samples() = default;
  Samples(const Samples&) = delete;
  Samples& operator=(const Samples&) = delete;
  ~Samples();

  /// For `times` of one latency. The writer only, unless `shared`: then any thread. Without memory
  /// the sample is lost.
  void record(Nanos latency, bool shared, std::uint32_t times = 1) noexcept;
  /// Any thread.
  void add_to(HistogramSum& sum) const;

 private:
  // Relaxed, all but the pointer: a reader that misses the newest sample sees it next time.
  std::array<std::atomic<std::uint64_t>, kFirst> first_{};  // one more than the latency; 0: none
  std::atomic<std::uint32_t> taken_{0};                     // of first_, and no more than that
  std::atomic<Histogram*> rest_{nullptr};
};

}  // namespace penstock::metrics
