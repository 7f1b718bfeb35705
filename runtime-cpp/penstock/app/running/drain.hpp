#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

#include "penstock/base/time.hpp"

namespace penstock::app {

/// Looks until it is so, or the time is over.
template <class IsSo>
[[nodiscard]] bool wait_until(Nanos deadline, const IsSo& is_so) {
  while (!is_so()) {
    if (now_ns() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

/// Ends a binary: nobody begins anything more, what is under way finishes, then its threads leave.
/// False when something was still there at the end of its time. One thread, none of the binary's.
///
/// `Binary` has, as ranges of pointers, its sources() and pools(), and
///  - `bool close(Nanos deadline)`: nobody outside begins anything from now on; false: not in time;
///  - `bool quiet()`: nothing is under way, where nothing comes from outside (is_quiet());
///  - `bool alone()`: the other binaries have heard of the end, so that no call is on its way;
///  - `Nanos goodbye()`: a moment that workers give the peers of their connections.
template <class Binary>
[[nodiscard]] bool drain(const Binary& binary, Nanos patience) {
  const Nanos deadline = after(now_ns(), patience);
  if (!binary.close(deadline)) return false;
  for (const auto& source : binary.sources()) source->ask_to_stop();
  for (const auto& source : binary.sources()) {
    if (!source->stop(deadline)) return false;
  }
  const auto quiet = [&binary] { return binary.quiet(); };
  if (!wait_until(deadline, quiet)) return false;
  // Calls that were on their way when the others heard of the end are answered as well. One who
  // does not hear of it takes half of the time that is left, and is left behind.
  const Nanos now = now_ns();
  const Nanos half = now + std::max<Nanos>(deadline - now, 0) / 2;
  static_cast<void>(wait_until(half, [&binary] { return binary.alone(); }));
  if (!wait_until(deadline, quiet)) return false;
  const Nanos end = std::max(deadline, after(now_ns(), binary.goodbye()));
  for (const auto& pool : binary.pools()) {
    if (!pool->stop(end)) return false;
  }
  return true;
}

}  // namespace penstock::app
