#pragma once

#include <chrono>
#include <string>

#include "penstock/metrics/snapshot.hpp"

/// Snapshots as the frames of `WS /live` (codegen's `protocol/live.ts` defines them).
namespace penstock::control {

/// The `schema` frame; `interval` is how often this client is sent a sample.
[[nodiscard]] std::string schema_frame(const metrics::Schema& schema,
                                       std::chrono::milliseconds interval);

/// The `sample` frame. Latencies are rounded to whole nanoseconds.
[[nodiscard]] std::string sample_frame(const metrics::Sample& sample);

}  // namespace penstock::control
