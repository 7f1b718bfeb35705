#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "penstock/concurrent/pause.hpp"

namespace compare {

/// How a thread of a limit or of a hand-made peer waits.
enum class Wait : std::uint8_t { spin, adaptive, park };

using penstock::concurrent::pause;

/// Pauses before an adaptive thread sleeps.
inline constexpr int kPauses = 500;

/// A number that one thread sets and one waits for: a cache line, and a futex where it may sleep.
template <Wait wait>
class alignas(64) Signal {
 public:
  /// The writer only.
  void set(std::uint32_t value) noexcept {
    if constexpr (wait == Wait::spin) {
      value_.store(value, std::memory_order_release);
    } else {
      value_.store(value, std::memory_order_seq_cst);
      if (sleeping_.load(std::memory_order_seq_cst) != 0) {
        syscall(SYS_futex, &value_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
      }
    }
  }

  /// The reader only: the first value that is not `old`.
  [[nodiscard]] std::uint32_t past(std::uint32_t old) noexcept {
    if constexpr (wait == Wait::spin) {
      std::uint32_t now = value_.load(std::memory_order_acquire);
      while (now == old) now = value_.load(std::memory_order_acquire);
      return now;
    } else {
      if constexpr (wait == Wait::adaptive) {
        for (int look = 0; look < kPauses; ++look) {
          if (const auto now = value_.load(std::memory_order_acquire); now != old) return now;
          pause();
        }
      }
      return slept_past(old);
    }
  }

 private:
  std::uint32_t slept_past(std::uint32_t old) noexcept {
    sleeping_.store(1, std::memory_order_seq_cst);
    std::uint32_t now = value_.load(std::memory_order_seq_cst);
    while (now == old) {
      syscall(SYS_futex, &value_, FUTEX_WAIT_PRIVATE, old, nullptr, nullptr, 0);
      now = value_.load(std::memory_order_seq_cst);
    }
    sleeping_.store(0, std::memory_order_relaxed);
    return now;
  }

  std::atomic<std::uint32_t> value_{0};
  std::atomic<std::uint32_t> sleeping_{0};
};

}  // namespace compare
