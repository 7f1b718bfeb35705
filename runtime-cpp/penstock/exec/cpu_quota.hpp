#pragma once

#include <optional>
#include <string>

namespace penstock::exec {

/// As many CPUs' time as the control groups of a process allow it, rounded up: what a container is
/// given where its CPUs are not counted out (`docker run --cpus 2`). None: as many as there are.
///
/// `mounted`: where the kernel shows control groups, `/sys/fs/cgroup`. `groups`: the text of
/// `/proc/self/cgroup`. Both versions of control groups; each group's own limit and those above it.
[[nodiscard]] std::optional<unsigned> cpu_quota(const std::string& mounted,
                                                const std::string& groups);

}  // namespace penstock::exec
