#pragma once

#include <utility>
#include <vector>

#include "penstock/call/service/service.hpp"

namespace penstock::app {

/// The first cannot go on without the second: because it calls it, or because it may need a thread
/// that the second one blocks.
using Dependency = std::pair<const call::Service*, const call::Service*>;

/// The services through which a cycle of waits may go as things are drawn and placed, and maybe
/// some between two such cycles; none where nobody on them keeps anything while it waits. Only
/// their coroutines' waits need to be listed. O(services + dependencies).
[[nodiscard]] std::vector<const call::Service*> on_cycles(
    const std::vector<Dependency>& dependencies);

}  // namespace penstock::app
