#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

#include "penstock/concurrent/cache_line.hpp"
#include "penstock/exec/pool.hpp"

namespace penstock::call {

/// One place of a `single-threaded` service: the right to run there. Its implementations take turns
/// at it, each with a handler object of its own.
struct Partition final : exec::Strand {
  std::uint32_t index = 0;
};

/// The places of a `single-threaded` service: one, or, when it is partitioned by a field of its
/// request, a fixed number over which the values are spread. A value always has the same place, so
/// its requests run one at a time and in order; values at different places run in parallel; values
/// that share a place wait for each other, which costs time but breaks no promise.
///
/// Set up before the first thread starts; then any thread.
class Partitions {
 public:
  Partitions() = default;
  Partitions(const Partitions&) = delete;
  Partitions& operator=(const Partitions&) = delete;
  ~Partitions() = default;

  /// `count` is a power of two up to 65536.
  void make(std::uint32_t count);
  /// False: any number of requests may run at once.
  [[nodiscard]] bool exist() const noexcept { return set_ != nullptr; }
  [[nodiscard]] bool several() const noexcept { return set_ != nullptr && set_->mask != 0; }
  [[nodiscard]] std::span<Partition> all() const noexcept {
    if (set_ == nullptr) return {};
    return {set_->places.get(), set_->mask + std::size_t{1}};
  }
  /// True for the first who asks. Where there are partitions; any thread.
  [[nodiscard]] bool first_to_prepare() const noexcept {
    return !set_->prepared.test_and_set(std::memory_order_relaxed);
  }
  /// `index` is one of theirs.
  [[nodiscard]] Partition& at(std::uint32_t index) const noexcept { return set_->places[index]; }

  /// The place of a value. Fibonacci hashing (Knuth, TAOCP 3, 6.4): neighbouring numbers come far
  /// apart, whatever power of two divides them, which taking the low bits would not give.
  [[nodiscard]] Partition& of(std::uint64_t key) const noexcept {
    key ^= key >> 32U;
    return set_->places[((key * 0x9E3779B97F4A7C15U) >> 48U) & set_->mask];
  }

 private:
  struct Set {
    std::unique_ptr<Partition[]> places;
    std::uint32_t mask = 0;
    std::atomic_flag prepared;
    // Written while requests wait, beside what all callers read: a line of its own.
    std::unique_ptr<concurrent::Padded<exec::Strand::Crowd>> crowd;
  };

  std::unique_ptr<Set> set_;  // most services have none
};

}  // namespace penstock::call
