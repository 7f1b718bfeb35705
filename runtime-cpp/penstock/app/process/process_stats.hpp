#pragma once

#include "penstock/metrics/snapshot.hpp"

/// What the kernel says about this process and its threads.
namespace penstock::app {

/// CPU time, resident memory, thread count.
[[nodiscard]] metrics::ProcessRow read_process();

/// CPU time of a thread of this process; 0 when it is gone. Two system calls at most.
[[nodiscard]] std::uint64_t thread_cpu_ns(int tid) noexcept;

struct Switches {
  std::uint64_t voluntary = 0;
  std::uint64_t involuntary = 0;
  int cpu = -1;  ///< where it ran last
};
/// Reads two files of /proc: about 20 us.
[[nodiscard]] Switches read_switches(int tid) noexcept;

}  // namespace penstock::app
