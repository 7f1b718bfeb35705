#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

#include "penstock/net/remote/calls/round_trips.hpp"

namespace penstock::net {

/// What the links of this binary to another one do, all together. Written by the workers that own
/// them. Any thread. Counters are totals.
class LinkFigures {
 public:
  /// Links that stand: one a worker that calls and a process, and those that drain.
  std::atomic<std::uint32_t> open{0};
  /// What goes over the link that opened last goes through memory.
  std::atomic<bool> in_memory{true};
  std::atomic<std::uint64_t> waiting{0};  ///< calls that no process takes yet
  std::atomic<std::uint64_t> sent_bytes{0};
  std::atomic<std::uint64_t> received_bytes{0};
  std::atomic<std::uint64_t> broken{0};  ///< links that neither end meant to end
  RoundTrips round_trips;                ///< of pings over any of them
  /// Where packets can be lost: those that went, each time, and those of them that went again.
  /// Counted with each ping, and when a link ends.
  std::atomic<std::uint64_t> sent_packets{0};
  std::atomic<std::uint64_t> resent_packets{0};

  /// No process is reached, unless another worker reaches one. Throws std::bad_alloc.
  void is_down(const std::string& why) {
    const std::lock_guard lock(mutex_);
    if (open.load(std::memory_order_relaxed) != 0 || why_ == why) return;
    why_ = why;
    changes_.fetch_add(1, std::memory_order_relaxed);
  }
  void is_up() noexcept {
    const std::lock_guard lock(mutex_);
    if (why_.empty()) return;
    why_.clear();
    changes_.fetch_add(1, std::memory_order_relaxed);
  }
  /// Why no process is reached, where somebody needed one; empty: one is, or nobody did.
  [[nodiscard]] std::string why_down() const {
    if (open.load(std::memory_order_relaxed) != 0) return {};
    const std::lock_guard lock(mutex_);
    return why_;
  }
  /// Grows whenever why_down() may have changed.
  [[nodiscard]] std::uint64_t changes() const noexcept {
    return changes_.load(std::memory_order_relaxed);
  }

 private:
  mutable std::mutex mutex_;
  std::string why_;
  std::atomic<std::uint64_t> changes_{0};
};

}  // namespace penstock::net
