#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "penstock/concurrent/mutex.hpp"
#include "penstock/mailbox/mpsc.hpp"

namespace penstock::mailbox {

/// Many producers, many consumers, first in first out, for pools whose work blocks its thread or
/// sheds its oldest: any idle worker takes the next request. Behind a lock on purpose: its callers
/// are about to block for micro- or milliseconds, and shedding takes from the consumers' end.
/// Any thread may call anything.
class SharedQueue {
 public:
  void push(Node& node) noexcept {
    const std::lock_guard hold(mutex_);
    queue_.push(node);
    bump(1);
  }

  /// False, and nothing pushed, when `limit` are there.
  [[nodiscard]] bool push_within(Node& node, std::uint64_t limit) noexcept {
    const std::lock_guard hold(mutex_);
    if (size_.load(std::memory_order_relaxed) >= limit) return false;
    queue_.push(node);
    bump(1);
    return true;
  }

  /// Pushes, and takes the oldest out when `limit` were there: with a limit of none, `node` itself,
  /// which nobody can have popped in between.
  [[nodiscard]] Node* push_shedding(Node& node, std::uint64_t limit) noexcept {
    const std::lock_guard hold(mutex_);
    queue_.push(node);
    if (size_.load(std::memory_order_relaxed) >= limit) return queue_.pop();
    bump(1);
    return nullptr;
  }

  [[nodiscard]] Node* pop() noexcept {
    Node* const node = pop_beyond(0);
    // Relaxed: a figure of now.
    if (node != nullptr) popped_.fetch_add(1, std::memory_order_relaxed);
    return node;
  }

  /// The oldest, when there are more than `limit`.
  [[nodiscard]] Node* pop_beyond(std::uint64_t limit) noexcept {
    if (size_.load(std::memory_order_relaxed) <= limit) return nullptr;
    const std::lock_guard hold(mutex_);
    if (size_.load(std::memory_order_relaxed) <= limit) return nullptr;
    bump(-1);
    return queue_.pop();
  }
  /// How often pop() gave one so far.
  [[nodiscard]] std::uint64_t popped() const noexcept {
    return popped_.load(std::memory_order_relaxed);
  }

  /// seq_cst: the falling-asleep worker's last look; its partner is the producer's look at the map
  /// of idle workers after its push (exec/pool.cpp).
  [[nodiscard]] std::uint64_t size() const noexcept {
    return static_cast<std::uint64_t>(size_.load(std::memory_order_seq_cst));
  }

 private:
  void bump(std::int64_t by) noexcept {
    size_.fetch_add(static_cast<std::uint64_t>(by), std::memory_order_seq_cst);
  }

  concurrent::Mutex mutex_;
  std::atomic<std::uint64_t> size_{0};
  std::atomic<std::uint64_t> popped_{0};
  LocalQueue queue_;
};

}  // namespace penstock::mailbox
