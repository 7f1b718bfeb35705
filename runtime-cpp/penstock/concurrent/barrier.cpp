#include "penstock/concurrent/barrier.hpp"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace penstock::concurrent {

namespace {

// Both sides' read-modify-writes of one word are totally ordered, and the later one acquires what
// the earlier one released. Only where membarrier is missing: a line that all threads share.
std::atomic<unsigned> g_word{0};

bool register_membarrier() noexcept {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

}  // namespace

const bool detail::kernel_has_membarrier = register_membarrier();

void detail::locked_barrier() noexcept { g_word.fetch_add(1, std::memory_order_acq_rel); }

void heavy_barrier() noexcept {
  if (!detail::kernel_has_membarrier ||
      syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0) {
    detail::locked_barrier();
  }
}

}  // namespace penstock::concurrent
