#pragma once

#include <atomic>

namespace penstock::concurrent {

/// The two halves of a store-load barrier of which one side pays everything (the idea of
/// sys_membarrier(2) and of Dice, Huang and Yang, "Asymmetric Dekker Synchronization"): if thread A
/// stores x, calls light_barrier() and loads y, and thread B stores y, calls heavy_barrier() and
/// loads x, at least one of them sees the other's store.
///
/// light_barrier(): nothing but an order for the compiler where the kernel has membarrier, else a
/// locked operation. heavy_barrier(): a system call, microseconds. Any thread.
void heavy_barrier() noexcept;

namespace detail {
/// Whether heavy_barrier() works by the kernel alone; set before main().
extern const bool kernel_has_membarrier;
void locked_barrier() noexcept;
}  // namespace detail

inline void light_barrier() noexcept {
  if (detail::kernel_has_membarrier) [[likely]] {
    std::atomic_signal_fence(std::memory_order_seq_cst);
  } else {
    detail::locked_barrier();
  }
}

}  // namespace penstock::concurrent
