#pragma once

#include <array>
#include <cstdint>

namespace penstock::testing {

/// What flows carry where they are measured: a cache line.
struct Parcel {
  std::array<std::uint64_t, 8> words{};
};

}  // namespace penstock::testing
