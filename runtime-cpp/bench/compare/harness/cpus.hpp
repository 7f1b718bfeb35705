#pragma once

#include <vector>

namespace compare {

/// The CPUs this process may run on, in order; never empty.
[[nodiscard]] const std::vector<int>& cpus();

/// The CPU for the n-th thread of a contender: they go round when there are more threads.
[[nodiscard]] int cpu(unsigned thread);

/// Pins the calling thread, and what it starts later, to that CPU.
void pin(unsigned thread);

/// Lets the calling thread, and what it starts later, run on the first `count` CPUs: for peers
/// that start their threads themselves.
void stay_on_first(unsigned count);

}  // namespace compare
