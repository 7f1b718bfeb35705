#pragma once

#include <string>
#include <vector>

namespace penstock::exec {

/// CPUs this process was allowed to use when it asked first: what "anywhere" means for a thread.
[[nodiscard]] const std::vector<int>& process_cpus();

/// How many CPUs this process may keep busy: of process_cpus() as many as its control groups have
/// time for, at least one. What it was when it asked first.
[[nodiscard]] unsigned usable_cpus();

/// CPUs the thread may run on, as the kernel says; empty when it is gone. Any thread.
[[nodiscard]] std::vector<int> affinity_of(int tid);

/// Pins a thread (`cpus` empty: anywhere). False when the kernel refuses, as for a CPU that is not
/// there: then nothing changed. Any thread.
[[nodiscard]] bool set_affinity(int tid, const std::vector<int>& cpus);

/// Those of `cpus` that this process cannot use.
[[nodiscard]] std::vector<int> absent_cpus(const std::vector<int>& cpus);

/// The name in /proc/PID/task/TID/comm, at most 15 bytes: the pool is shortened, the index never.
[[nodiscard]] std::string thread_name(const std::string& pool, unsigned index);

/// The calling thread's kernel id.
[[nodiscard]] int this_tid() noexcept;

/// Names the calling thread (cut to 15 bytes).
void name_this_thread(const std::string& name) noexcept;

}  // namespace penstock::exec
