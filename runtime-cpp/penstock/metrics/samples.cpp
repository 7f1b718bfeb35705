#include "penstock/metrics/samples.hpp"

#include <algorithm>
#include <new>

namespace penstock::metrics {

void HistogramSum::add(const Histogram& histogram) {
  if (buckets.empty()) buckets.resize(Histogram::kBuckets);
  for (std::size_t bucket = 0; bucket < Histogram::kBuckets; ++bucket) {
    buckets[bucket] += histogram.count(bucket);
  }
  sum_ns += histogram.sum();
}

void HistogramSum::add(Nanos latency) {
  if (buckets.empty()) buckets.resize(Histogram::kBuckets);
  ++buckets[Histogram::bucket_of(latency)];
  sum_ns += static_cast<std::uint64_t>(latency);
}

void HistogramSum::add(const HistogramSum& other) {
  if (other.buckets.empty()) return;
  if (buckets.empty()) buckets.resize(Histogram::kBuckets);
  for (std::size_t bucket = 0; bucket < Histogram::kBuckets; ++bucket) {
    buckets[bucket] += other.buckets[bucket];
  }
  sum_ns += other.sum_ns;
}

Samples::~Samples() { delete rest_.load(std::memory_order_relaxed); }

void Samples::record(Nanos latency, bool shared, std::uint32_t times) noexcept {
  std::uint32_t place = taken_.load(std::memory_order_relaxed);
  if (place < kFirst && times == 1) {
    if (shared) {
      place = taken_.fetch_add(1, std::memory_order_relaxed);
    } else {
      taken_.store(place + 1, std::memory_order_relaxed);
    }
    // Beyond its end where several threads came at once.
    if (place < kFirst) {
      first_[place].store(static_cast<std::uint64_t>(std::max<Nanos>(latency, 0)) + 1,
                          std::memory_order_relaxed);
      return;
    }
  }
  Histogram* histogram = rest_.load(std::memory_order_acquire);
  if (histogram == nullptr) {
    auto* const fresh = new (std::nothrow) Histogram;
    if (fresh == nullptr) return;
    // Release: a reader that sees the pointer sees zeroed buckets. The exchange can only fail where
    // the writers are several threads, and another one was first.
    if (rest_.compare_exchange_strong(histogram, fresh, std::memory_order_acq_rel)) {
      histogram = fresh;
    } else {
      delete fresh;
    }
  }
  histogram->record(latency, shared, times);
}

void Samples::add_to(HistogramSum& sum) const {
  for (const auto& sample : first_) {
    const std::uint64_t known = sample.load(std::memory_order_relaxed);
    if (known != 0) sum.add(static_cast<Nanos>(known - 1));
  }
  if (const Histogram* const histogram = rest_.load(std::memory_order_acquire)) {
    sum.add(*histogram);
  }
}

}  // namespace penstock::metrics
