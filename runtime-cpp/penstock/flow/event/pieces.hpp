#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>

#include "penstock/concurrent/recycler.hpp"
#include "penstock/flow/event/event_end.hpp"

namespace penstock::flow {

/// What a fan-out made of one event: it ends with the last of its pieces, and as the worst of them.
struct Pieces {
  std::atomic<std::uint32_t> left{1};
  std::atomic<std::uint8_t> worst{static_cast<std::uint8_t>(End::completed)};
  std::uint8_t place = 0;  ///< in PiecesOfMany, from 1; 0: in a block of its own

  /// In a block of its own. Throws std::bad_alloc.
  [[nodiscard]] static Pieces& make() {
    return *::new (concurrent::allocate(sizeof(Pieces))) Pieces;
  }
  /// So many more, by who holds one, before they go on their way.
  void add(std::uint32_t more) noexcept { left.fetch_add(more, std::memory_order_relaxed); }
  /// Of who holds one, which ends so. How the event ends if it was the last one: then nobody else
  /// knows these any more.
  [[nodiscard]] std::optional<End> end(End how) noexcept {
    auto known = worst.load(std::memory_order_relaxed);
    while (known < static_cast<std::uint8_t>(how) &&
           !worst.compare_exchange_weak(known, static_cast<std::uint8_t>(how),
                                        std::memory_order_relaxed)) {
    }
    // Release: what became of this piece; acquire: the last one sees what became of all. Who holds
    // the only one is alone.
    if (left.load(std::memory_order_acquire) != 1 &&
        left.fetch_sub(1, std::memory_order_acq_rel) != 1) {
      return std::nullopt;
    }
    return static_cast<End>(worst.load(std::memory_order_relaxed));
  }
  /// Once end() has said how the event ends: frees them.
  void let_go() noexcept;
};

/// Those of a chunk's events, in one block.
class PiecesOfMany {
 public:
  /// Of so many events, each in one piece. Throws std::bad_alloc.
  [[nodiscard]] static PiecesOfMany& make(std::uint32_t events) {
    auto* const many = ::new (concurrent::allocate(bytes_of(events))) PiecesOfMany(events);
    for (std::uint32_t at = 0; at < events; ++at) {
      auto* const pieces = ::new (many->pieces() + at) Pieces;
      pieces->place = static_cast<std::uint8_t>(at + 1);
    }
    return *many;
  }
  [[nodiscard]] static PiecesOfMany& of(Pieces& pieces) noexcept {
    return *std::launder(reinterpret_cast<PiecesOfMany*>(&pieces - (pieces.place - 1)) - 1);
  }
  [[nodiscard]] Pieces& at(std::uint32_t place) noexcept { return pieces()[place]; }

  /// Of who was told how so many of the events have ended: frees the block with the last of them.
  void ended(std::uint32_t events) noexcept {
    if (under_way_.fetch_sub(events, std::memory_order_acq_rel) != events) return;
    const std::size_t bytes = bytes_of(events_);
    std::destroy_at(this);
    concurrent::release(this, bytes);
  }

 private:
  explicit PiecesOfMany(std::uint32_t events) noexcept : under_way_(events), events_(events) {}
  [[nodiscard]] static constexpr std::size_t bytes_of(std::uint32_t events) noexcept {
    return sizeof(PiecesOfMany) + events * sizeof(Pieces);
  }
  [[nodiscard]] Pieces* pieces() noexcept { return reinterpret_cast<Pieces*>(this + 1); }

  std::atomic<std::uint32_t> under_way_;
  const std::uint32_t events_;
};
static_assert(alignof(Pieces) <= alignof(PiecesOfMany));

inline void Pieces::let_go() noexcept {
  if (place != 0) {
    PiecesOfMany::of(*this).ended(1);
    return;
  }
  std::destroy_at(this);
  concurrent::release(this, sizeof(Pieces));
}

}  // namespace penstock::flow
