#pragma once

#include <atomic>
#include <cstdint>

#include "penstock/concurrent/futex.hpp"
#include "penstock/concurrent/pause.hpp"

namespace penstock::concurrent {

/// A four-byte mutex for short sections off the hot path (Drepper, "Futexes Are Tricky", mutex 2,
/// with a short spin). Meets BasicLockable: use std::lock_guard.
class Mutex {
 public:
  void lock() noexcept {
    std::uint32_t state = kFree;
    // Acquire: sees what the previous holder wrote before its release in unlock().
    if (word_.compare_exchange_strong(state, kHeld, std::memory_order_acquire)) return;
    for (int look = 0; look < kSpin; ++look) {
      pause();
      state = kFree;
      if (word_.load(std::memory_order_relaxed) == kFree &&
          word_.compare_exchange_strong(state, kHeld, std::memory_order_acquire)) {
        return;
      }
    }
    // From here on the holder has to wake somebody, maybe in vain.
    while (word_.exchange(kContended, std::memory_order_acquire) != kFree) {
      futex_wait(word_, kContended);
    }
  }

  void unlock() noexcept {
    // Release: pairs with the acquire of the next lock().
    if (word_.exchange(kFree, std::memory_order_release) == kContended) futex_wake(word_);
  }

 private:
  static constexpr std::uint32_t kFree = 0;
  static constexpr std::uint32_t kHeld = 1;
  static constexpr std::uint32_t kContended = 2;
  static constexpr int kSpin = 40;
  std::atomic<std::uint32_t> word_{kFree};
};

}  // namespace penstock::concurrent
