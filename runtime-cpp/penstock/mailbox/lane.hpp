#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <thread>

#include "penstock/concurrent/cache_line.hpp"
#include "penstock/mailbox/mpsc.hpp"

namespace penstock::mailbox {

/// One producer, one consumer, first in first out, unbounded: a ring of pointers in which a cell
/// says by itself whether it is full (null: empty), so that one cache line changes hands a hop, and
/// none of the two sides reads the other's index (FastForward: Giacomoni, Moseley, Vachharajani,
/// 2008). A ring that is full is followed by one of twice the size (the idea of the unbounded
/// queue of Aldinucci et al., 2012); the lane then keeps that size, so that after the largest burst
/// nothing is allocated any more. Templated on the atomic, so that a test can drive its
/// interleavings.
///
/// push(): the producer. pop(), pop_some(): the consumer. empty(): the consumer, or anybody while
/// there is no consumer. What the producer wrote before its push is visible to the consumer after
/// the pop. Either side may be taken over by another thread if that is ordered from outside.
template <template <class> class Atomic = std::atomic>
class BasicLane {
 public:
  using Node = BasicNode<Atomic>;

  static constexpr std::uint32_t kCells = 128;
  static constexpr std::uint32_t kMostCells = 8192;

  explicit BasicLane(std::uint32_t cells = kCells)
      : head_ring_(new Ring(cells)), tail_ring_(head_ring_) {
    head_cells_ = tail_cells_ = head_ring_->cells.get();
    head_mask_ = tail_mask_ = head_ring_->mask;
  }
  BasicLane(const BasicLane&) = delete;
  BasicLane& operator=(const BasicLane&) = delete;
  ~BasicLane() {
    while (head_ring_ != nullptr) {
      Ring* const next = head_ring_->next.load(std::memory_order_acquire);
      delete head_ring_;
      head_ring_ = next;
    }
  }

  void push(Node& node) noexcept {
    if (free_ == 0) [[unlikely]]
      look_for_room();
    --free_;
    // Release: pairs with the acquire in pop(). A store alone: a look at the cell first would
    // wait for the line, which the consumer has just written.
    tail_cells_[tail_].store(&node, std::memory_order_release);
    tail_ = (tail_ + 1) & tail_mask_;
  }

  [[nodiscard]] Node* pop() noexcept {
    for (;;) {
      Atomic<Node*>& cell = head_cells_[head_];
      // Acquire: pairs with the release in push().
      Node* const node = cell.load(std::memory_order_acquire);
      if (node != nullptr) {
        // Release: pairs with the acquire in look_for_room(). The producer that finds this cell
        // empty takes all before it for empty, too, and its next stores there must not come
        // before ours.
        cell.store(nullptr, std::memory_order_release);
        head_ = (head_ + 1) & head_mask_;
        return node;
      }
      if (!go_to_next_ring(cell)) return nullptr;
    }
  }

  /// pop() as often as there is something, at most `most` times; how often that was. In one go, so
  /// that the two sides do not write to the same line in turns while the consumer works.
  [[nodiscard]] std::uint32_t pop_some(Node** nodes, std::uint32_t most) noexcept {
    for (std::uint32_t taken = 0; taken < most; ++taken) {
      nodes[taken] = pop();
      if (nodes[taken] == nullptr) return taken;
    }
    return most;
  }

  [[nodiscard]] bool empty() const noexcept {
    return head_cells_[head_].load(std::memory_order_acquire) == nullptr &&
           head_ring_->next.load(std::memory_order_acquire) == nullptr;
  }

 private:
  using Cell = Atomic<Node*>;
  struct FreeCells {
    std::uint32_t size = 0;
    void operator()(Cell* cells) const noexcept {
      std::destroy_n(cells, size);
      ::operator delete(cells, std::align_val_t{concurrent::kLine});
    }
  };
  static Cell* make_cells(std::uint32_t size) {
    void* const memory = ::operator new(size * sizeof(Cell), std::align_val_t{concurrent::kLine});
    auto* const cells = static_cast<Cell*>(memory);
    std::uninitialized_value_construct_n(cells, size);
    return cells;
  }

  // Lines of its own for either part: the consumer looks at `next` while the producer writes cells.
  struct alignas(concurrent::kLine) Ring {
    explicit Ring(std::uint32_t size) : mask(size - 1), cells(make_cells(size), FreeCells{size}) {}
    const std::uint32_t mask;
    const std::unique_ptr<Cell[], FreeCells> cells;
    Atomic<Ring*> next{nullptr};
  };

  // The consumer found `cell` empty. False when there is no ring behind this one, or when the cell
  // was the last one filled before there was.
  [[nodiscard]] bool go_to_next_ring(const Cell& cell) noexcept {
    // Acquire: pairs with the release in grow(): behind it we see all that this ring ever got.
    Ring* const next = head_ring_->next.load(std::memory_order_acquire);
    if (next == nullptr) return false;
    if (cell.load(std::memory_order_acquire) != nullptr) return true;
    delete head_ring_;
    head_ring_ = next;
    head_cells_ = next->cells.get();
    head_mask_ = next->mask;
    head_ = 0;
    return true;
  }

  // Cells are emptied in order: where one further on is empty, all up to it are. So the producer
  // looks at one cell for many pushes, and at one that the consumer left long ago.
  void look_for_room() noexcept {
    const std::uint32_t size = tail_mask_ + 1;
    const std::uint32_t ahead = size / 4 + 1;
    // Acquire: pairs with the release in pop(): what was emptied before it comes before our stores.
    const auto is_free = [this](std::uint32_t distance) {
      return tail_cells_[(tail_ + distance - 1) & tail_mask_].load(std::memory_order_acquire) ==
             nullptr;
    };
    if (is_free(ahead)) {
      free_ = ahead;
    } else if (size >= kMostCells && is_free(1)) {
      free_ = 1;
    } else {
      // Three quarters full: from here on each push would look at a cell that the consumer has just
      // written, which costs more than the memory of a larger ring.
      grow(size);
    }
  }

  // The ring is full. Once for each doubling.
  void grow(std::uint32_t size) noexcept {
    const std::uint32_t larger = size < kMostCells ? size * 2 : size;
    for (;;) {
      Ring* ring = nullptr;
      try {
        ring = new Ring(larger);
      } catch (const std::bad_alloc&) {
        // Nothing may be lost: without memory the producer waits for room in the ring it has.
        std::this_thread::yield();
        // Relaxed: of this one cell only, which we write next.
        if (tail_cells_[tail_].load(std::memory_order_relaxed) != nullptr) continue;
        free_ = 1;
        return;
      }
      // Release: the consumer that sees the new ring sees every cell of the old one.
      tail_ring_->next.store(ring, std::memory_order_release);
      tail_ring_ = ring;
      tail_cells_ = ring->cells.get();
      tail_mask_ = ring->mask;
      tail_ = 0;
      free_ = larger;
      return;
    }
  }

  alignas(concurrent::kCacheLine) Ring* head_ring_;  // the consumer's end
  Cell* head_cells_;                                 // of head_ring_, as its mask
  std::uint32_t head_mask_;
  std::uint32_t head_ = 0;
  alignas(concurrent::kCacheLine) Ring* tail_ring_;  // the producer's end
  Cell* tail_cells_;
  std::uint32_t tail_mask_;
  std::uint32_t tail_ = 0;
  std::uint32_t free_ = 0;  // cells from tail_ on that are known to be empty
};
using Lane = BasicLane<>;

}  // namespace penstock::mailbox
