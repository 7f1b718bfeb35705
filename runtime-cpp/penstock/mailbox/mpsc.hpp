#pragma once

#include <atomic>

#include "penstock/concurrent/cache_line.hpp"
#include "penstock/concurrent/patience.hpp"

namespace penstock::mailbox {

/// A hook that makes its owner a message: derive from it. One queue at a time.
template <template <class> class Atomic = std::atomic>
struct BasicNode {
  Atomic<BasicNode*> next{nullptr};
};
using Node = BasicNode<>;

/// Many producers, one consumer, first in first out, unbounded, intrusive: the message is the
/// node, so that a push allocates nothing and is one exchange (Vyukov, "Intrusive MPSC node-based
/// queue", 1024cores.net). Templated on the atomic, so that a test can drive its interleavings.
///
/// push(): any thread. The other functions: the consumer only. What a producer wrote before its
/// push is visible to the consumer after the pop that returned the node.
template <template <class> class Atomic = std::atomic>
class MpscQueue {
 public:
  using Node = BasicNode<Atomic>;

  MpscQueue() noexcept : newest_(&stub_), oldest_(&stub_) {}
  MpscQueue(const MpscQueue&) = delete;
  MpscQueue& operator=(const MpscQueue&) = delete;
  ~MpscQueue() = default;

  void push(Node& node) noexcept {
    // Relaxed: published by the release below.
    node.next.store(nullptr, std::memory_order_relaxed);
    // seq_cst for two reasons. Release towards the next producer, which writes our `next`; and a
    // place in the single total order, so that either the consumer that is falling asleep sees
    // this node in maybe_nonempty(), or we see in the load that follows that it sleeps
    // (exec/worker.cpp). Without it a wake-up could be lost. On x86 the exchange is a full barrier
    // in any case.
    Node* const previous = newest_.exchange(&node, std::memory_order_seq_cst);
    // Release: pairs with the acquire of `next` in pop(); without it the consumer could read the
    // message before it was written.
    previous->next.store(&node, std::memory_order_release);
  }

  /// The oldest node, or null when there is none. Waits, a few instructions long unless a producer
  /// was preempted in the middle of its push (then it lets that one run), for a node that is
  /// announced but not linked yet.
  [[nodiscard]] Node* pop() noexcept {
    Node* oldest = oldest_;
    Node* next = oldest->next.load(std::memory_order_acquire);
    if (oldest == &stub_) {
      if (next == nullptr) {
        // Acquire is not needed: nothing is read through the pointer.
        if (newest_.load(std::memory_order_relaxed) == &stub_) return nullptr;
        next = linked(*oldest);
      }
      oldest_ = next;
      oldest = next;
      next = oldest->next.load(std::memory_order_acquire);
    }
    if (next == nullptr) {
      if (newest_.load(std::memory_order_relaxed) == oldest) {
        // The last node: the stub goes behind it, so that it can leave.
        push(stub_);
      }
      next = linked(*oldest);
    }
    oldest_ = next;
    return oldest;
  }

  /// False only if nothing was pushed before, in the total order of sequentially consistent
  /// operations: the last look before the consumer goes to sleep.
  [[nodiscard]] bool maybe_nonempty() const noexcept {
    if (oldest_ != &stub_) return true;
    return newest_.load(std::memory_order_seq_cst) != &stub_;
  }

  /// Any thread: true from a pop() that found nothing until the next push, in the total order of
  /// sequentially consistent operations.
  [[nodiscard]] bool untouched() const noexcept {
    return newest_.load(std::memory_order_seq_cst) == &stub_;
  }

 private:
  // The successor of a node that has one or is about to get it.
  static Node* linked(Node& node) noexcept {
    Node* const next = node.next.load(std::memory_order_acquire);
    return next != nullptr ? next : wait_for_link(node);
  }
  // Out of line: it is seldom needed, and pop() costs a few instructions.
  [[gnu::noinline]] static Node* wait_for_link(Node& node) noexcept {
    concurrent::Patience patience;
    for (;;) {
      patience.wait();
      if (Node* const next = node.next.load(std::memory_order_acquire)) return next;
    }
  }

  alignas(concurrent::kCacheLine) Atomic<Node*> newest_;  // the producers' end
  alignas(concurrent::kCacheLine) Node* oldest_;          // the consumer's end
  Node stub_;  // so that the queue is never without a node
};

/// First in, first out, for one thread: the same nodes, no atomics.
class LocalQueue {
 public:
  [[nodiscard]] bool empty() const noexcept { return oldest_ == nullptr; }
  /// What pop() gives next.
  [[nodiscard]] const Node* oldest() const noexcept { return oldest_; }

  void push(Node& node) noexcept {
    node.next.store(nullptr, std::memory_order_relaxed);
    if (oldest_ == nullptr) {
      oldest_ = &node;
    } else {
      newest_->next.store(&node, std::memory_order_relaxed);
    }
    newest_ = &node;
  }

  [[nodiscard]] Node* pop() noexcept {
    Node* const node = oldest_;
    if (node != nullptr) oldest_ = node->next.load(std::memory_order_relaxed);
    return node;
  }

 private:
  Node* oldest_ = nullptr;
  Node* newest_ = nullptr;
};

}  // namespace penstock::mailbox
