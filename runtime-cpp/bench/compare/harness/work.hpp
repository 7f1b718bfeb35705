#pragma once

#include <cstdint>

#include "harness/measure.hpp"

namespace compare {

/// Keeps the processor busy for about ten microseconds.
[[nodiscard]] inline std::uint32_t work(std::uint32_t seed) noexcept {
  std::uint32_t value = seed;
  for (int step = 0; step < 10'000; ++step) {
    value = value * 1664525U + 1013904223U;
    keep(value);
  }
  return value;
}

}  // namespace compare
