#pragma once

#include <optional>
#include <string_view>

namespace penstock {

/// A thread of a pool.
struct ThisWorker {
  std::string_view pool;  ///< its name; valid as long as the binary runs
  unsigned thread = 0;    ///< its index in the pool, as in the drawing
  int cpu = -1;           ///< where it runs at this moment; -1: the system does not say

  friend bool operator==(const ThisWorker&, const ThisWorker&) = default;
};

/// The worker whose thread this is; none on any other thread. Also while a handler, its State or
/// what they consist of is made: an object of its own lives on each thread that runs its service.
/// A pool may get and lose threads while the binary runs.
[[nodiscard]] std::optional<ThisWorker> this_worker() noexcept;

}  // namespace penstock
