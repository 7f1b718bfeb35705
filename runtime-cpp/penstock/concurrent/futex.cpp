#include "penstock/concurrent/futex.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

namespace penstock::concurrent {

void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected,
                Nanos deadline_ns) noexcept {
  timespec deadline{};
  timespec* until = nullptr;
  if (deadline_ns != 0) {
    deadline.tv_sec = deadline_ns / 1'000'000'000;
    deadline.tv_nsec = deadline_ns % 1'000'000'000;
    until = &deadline;
  }
  // The bitset form takes an absolute monotonic time: no clock is read and nothing drifts.
  syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, expected, until, nullptr,
          FUTEX_BITSET_MATCH_ANY);
}

void futex_wake(const std::atomic<std::uint32_t>& word, int count) noexcept {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

}  // namespace penstock::concurrent
