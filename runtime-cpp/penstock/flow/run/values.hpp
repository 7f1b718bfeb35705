#pragma once

#include <bit>
#include <cstdint>

#include "penstock/base/defaults.hpp"

namespace penstock::flow {

/// Values of a chunk, a bit each.
using Values = std::uint64_t;
static_assert(defaults::kMostInChunk <= 64);

template <class Do>
void for_each_value(Values values, Do what) noexcept {
  for (; values != 0; values &= values - 1) {
    what(static_cast<std::uint32_t>(std::countr_zero(values)));
  }
}

}  // namespace penstock::flow
