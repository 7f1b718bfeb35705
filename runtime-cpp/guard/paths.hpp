#pragma once

#include <cstdint>

#include "support/small_binary.hpp"

namespace penstock::guard {

inline exec::PoolSettings parking(std::size_t threads) {
  auto settings = testing::pool_settings("one", threads);
  settings.idle = exec::Idle::park;
  return settings;
}

/// The hot paths of flows go `count` times and give it back. In a file of their own: what a
/// compiler inlines into calls hangs on what else is in theirs.
std::int64_t event(std::int64_t count);
std::int64_t event_9_fused(std::int64_t count);
std::int64_t event_9_composed(std::int64_t count);
std::int64_t event_9_joined(std::int64_t count);
std::int64_t event_9_branched(std::int64_t count);
std::int64_t event_9_fanned(std::int64_t count);
std::int64_t event_9_fanned_joined(std::int64_t count);

}  // namespace penstock::guard
