#pragma once

#include <chrono>
#include <cstdint>

namespace sample {

/// Microseconds of the steady clock: they have no date, but never jump, and all processes of a
/// machine count from the same moment.
inline std::int64_t now_us() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace sample
