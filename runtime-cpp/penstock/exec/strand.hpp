#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "penstock/base/thread_rule.hpp"
#include "penstock/concurrent/mutex.hpp"
#include "penstock/concurrent/patience.hpp"
#include "penstock/exec/job.hpp"
#include "penstock/exec/policy.hpp"

namespace penstock::exec {

/// Keeps a `single-threaded` service to itself, wherever it runs and also while it awaits: a queue
/// of requests in front of one right to run. Nobody blocks: a request that does not get the right
/// waits as a node, and whoever leaves hands the right on, first in first out.
///
/// enter(): any thread. leave(): the holder of the right, on any thread. What a holder wrote is
/// visible to the next one.
class Strand {
 public:
  enum class Entry { granted, queued, refused };

  /// Those who wait at several strands, counted together.
  using Crowd = std::atomic<std::uint64_t>;

  /// Limits count those who wait at any strand of `crowd`. Before the first request.
  void share_limit(Crowd& crowd) noexcept { crowd_ = &crowd; }

  /// `limit` waiting requests at most, beyond the holder; `block` queues beyond it (its callers
  /// wait, which is what block means). With `shed_oldest` the oldest request that waits here is
  /// refused.
  [[nodiscard]] Entry enter(Request& request, Overflow overflow, std::uint64_t limit) noexcept {
    if (overflow == Overflow::reject && is_beyond(limit) &&
        count_.load(std::memory_order_relaxed) != 0) {
      return Entry::refused;
    }
    // Acquire: sees what the last holder wrote before its release in leave(). The first one in
    // has the right and touches no queue.
    if (count_.fetch_add(1, std::memory_order_acq_rel) == 0) return Entry::granted;
    if (crowd_ != nullptr) crowd_->fetch_add(1, std::memory_order_relaxed);
    queue_.push(request);
    if (overflow == Overflow::shed_oldest) shed(limit);
    return Entry::queued;
  }

  /// Gives up the right. The request that has it now, to be run by the caller's care; or null.
  [[nodiscard]] Request* leave() noexcept {
    expect_rule(count_.load(std::memory_order_relaxed) != 0,
                "who gives up the right of a strand has it");
    // Nobody waits, and so nobody sheds: who does counts those whom it takes until it has them.
    // Release: pairs with the acquire in enter() and try_enter(), whose caller sees what we wrote.
    // Relaxed where it fails: the count is looked at again.
    std::uint64_t alone = 1;
    if (count_.load(std::memory_order_relaxed) == 1 &&
        count_.compare_exchange_strong(alone, 0, std::memory_order_release,
                                       std::memory_order_relaxed)) {
      return nullptr;
    }
    // Taken against shed() only; nobody else consumes while we hold the right.
    const std::lock_guard hold(consumers_);
    // Release: pairs with the acquire in enter().
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) return nullptr;
    return take();
  }

  /// Takes the right if it is free: for calls that run here and now.
  [[nodiscard]] bool try_enter() noexcept {
    std::uint64_t none = 0;
    return count_.compare_exchange_strong(none, 1, std::memory_order_acq_rel);
  }

  /// Requests behind the holder.
  [[nodiscard]] std::uint64_t waiting() const noexcept {
    const std::uint64_t count = count_.load(std::memory_order_relaxed);
    return count == 0 ? 0 : count - 1;
  }
  /// As many wait as may. Relaxed: the limit is a bound, not a lock; a few racing requests may pass
  /// it.
  [[nodiscard]] bool is_beyond(std::uint64_t limit) const noexcept {
    return (crowd_ == nullptr ? waiting() : crowd_->load(std::memory_order_relaxed)) >= limit;
  }

 private:
  // The count says that a request is announced; its producer is at most a few instructions away
  // from having pushed it.
  Request* take() noexcept {
    mailbox::Node* node = queue_.pop();
    concurrent::Patience patience;
    while (node == nullptr) {
      patience.wait();
      node = queue_.pop();
    }
    if (crowd_ != nullptr) crowd_->fetch_sub(1, std::memory_order_relaxed);
    return static_cast<Request*>(node);
  }

  void shed(std::uint64_t limit) noexcept {
    for (;;) {
      Request* oldest = nullptr;
      {
        const std::lock_guard hold(consumers_);
        if (!is_beyond(limit + 1) || waiting() == 0) return;
        oldest = take();
        count_.fetch_sub(1, std::memory_order_acq_rel);
      }
      oldest->owner->refuse(*oldest);
    }
  }

  std::atomic<std::uint64_t> count_{0};  // the holder and those who wait
  mailbox::MpscQueue<> queue_;
  concurrent::Mutex consumers_;
  Crowd* crowd_ = nullptr;
};

}  // namespace penstock::exec
