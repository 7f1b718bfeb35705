#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "penstock/concurrent/cache_line.hpp"
#include "penstock/mailbox/mpsc.hpp"

namespace penstock::mailbox {

/// What a worker gave itself to do, first in first out, from which others may take the oldest: a
/// ring with one producer and many consumers that agree by one number, the place of the oldest (as
/// the run queues of Go and Tokio do). The producer neither waits nor looks at a lock. Templated on
/// the atomic, so that a test can drive its interleavings.
///
/// push(): the owner only. The other functions: any thread. What the owner wrote before its push is
/// visible to who takes the node.
template <template <class> class Atomic = std::atomic, std::uint32_t kCapacity = 256>
class BasicNearRing {
 public:
  using Node = BasicNode<Atomic>;
  static_assert((kCapacity & (kCapacity - 1)) == 0);

  BasicNearRing() = default;
  BasicNearRing(const BasicNearRing&) = delete;
  BasicNearRing& operator=(const BasicNearRing&) = delete;
  ~BasicNearRing() = default;

  /// False, and nothing pushed, when it is full. seq_cst: in the total order before what the owner
  /// looks at next (whether somebody searches for work).
  [[nodiscard]] bool push(Node& node) noexcept {
    const std::uint32_t newest = newest_.load(std::memory_order_relaxed);
    // Acquire: who moved the oldest on has read the cell that we write.
    if (newest - oldest_.load(std::memory_order_acquire) == kCapacity) return false;
    cell(newest).store(&node, std::memory_order_relaxed);
    newest_.store(newest + 1, std::memory_order_seq_cst);
    return true;
  }

  /// The oldest; null when there is none.
  [[nodiscard]] Node* pop() noexcept {
    Node* node = nullptr;
    return take({&node, 1}) == 0 ? nullptr : node;
  }

  /// The oldest, as many as there are and as fit in `into`. How many.
  std::uint32_t take(std::span<Node*> into) noexcept {
    // Acquire: who took before us was done with it.
    std::uint32_t oldest = oldest_.load(std::memory_order_acquire);
    for (;;) {
      // Acquire: pairs with push(); the cells up to here are written.
      const std::uint32_t there = newest_.load(std::memory_order_acquire) - oldest;
      // Beyond the capacity: the oldest has moved on since we read it.
      const std::uint32_t count =
          there < into.size() ? there : static_cast<std::uint32_t>(into.size());
      if (count == 0) return 0;
      // A cell may be written anew while we read it, where others took all of these: the exchange
      // fails then.
      if (there <= kCapacity) {
        for (std::uint32_t at = 0; at < count; ++at) {
          into[at] = cell(oldest + at).load(std::memory_order_relaxed);
        }
        // Release: our reads come before the owner writes the cells again.
        if (oldest_.compare_exchange_weak(oldest, oldest + count, std::memory_order_acq_rel,
                                          std::memory_order_acquire)) {
          return count;
        }
      } else {
        oldest = oldest_.load(std::memory_order_acquire);
      }
    }
  }

  /// How many were taken so far, modulo 2^32: changes with each.
  [[nodiscard]] std::uint32_t taken() const noexcept {
    return oldest_.load(std::memory_order_acquire);
  }
  /// How many were pushed so far, modulo 2^32. seq_cst: the partner of push().
  [[nodiscard]] std::uint32_t pushed() const noexcept {
    return newest_.load(std::memory_order_seq_cst);
  }
  [[nodiscard]] std::uint32_t size() const noexcept {
    // In this turn, so that it is never negative.
    const std::uint32_t taken = this->taken();
    return newest_.load(std::memory_order_relaxed) - taken;
  }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }

 private:
  [[nodiscard]] Atomic<Node*>& cell(std::uint32_t at) noexcept {
    return cells_[at & (kCapacity - 1)];
  }

  // The owner's line, and the one that consumers write.
  alignas(concurrent::kCacheLine) Atomic<std::uint32_t> newest_{0};
  alignas(concurrent::kCacheLine) Atomic<std::uint32_t> oldest_{0};
  alignas(concurrent::kCacheLine) std::array<Atomic<Node*>, kCapacity> cells_{};
};
using NearRing = BasicNearRing<>;

}  // namespace penstock::mailbox
