#pragma once

#include <atomic>

namespace compare {

/// Vyukov's intrusive MPSC queue (1024cores.net), as plain as it gets: what the limits and the
/// hand-made peers stand on, apart from ours, so that a change of ours does not move them.
class Vyukov {
 public:
  struct Node {
    std::atomic<Node*> next{nullptr};
  };

  void push(Node& node) noexcept {
    node.next.store(nullptr, std::memory_order_relaxed);
    Node* const previous = head_.exchange(&node, std::memory_order_acq_rel);
    previous->next.store(&node, std::memory_order_release);
  }

  /// Null when there is nothing, or nothing linked yet.
  [[nodiscard]] Node* pop() noexcept {
    Node* tail = tail_;
    Node* next = tail->next.load(std::memory_order_acquire);
    if (tail == &stub_) {
      if (next == nullptr) return nullptr;
      tail_ = next;
      tail = next;
      next = next->next.load(std::memory_order_acquire);
    }
    if (next != nullptr) {
      tail_ = next;
      return tail;
    }
    if (tail != head_.load(std::memory_order_acquire)) return nullptr;
    push(stub_);
    next = tail->next.load(std::memory_order_acquire);
    if (next == nullptr) return nullptr;
    tail_ = next;
    return tail;
  }

 private:
  alignas(64) std::atomic<Node*> head_{&stub_};
  alignas(64) Node* tail_ = &stub_;
  Node stub_;
};

}  // namespace compare
