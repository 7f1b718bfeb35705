#pragma once

#include <cstdint>

namespace penstock {

namespace detail {
inline constinit thread_local std::uint64_t t_random = 0x9E3779B97F4A7C15U;
}  // namespace detail

/// The calling thread draws other numbers than threads with other seeds; one that never called this
/// draws those of every such thread. Not of a clock or an address: what a test has drawn once can
/// be drawn again.
inline void seed_random(std::uint64_t seed) noexcept {
  // Steele's SplitMix64: neighbouring seeds give numbers that have nothing in common.
  seed += 0x9E3779B97F4A7C15U;
  seed = (seed ^ (seed >> 30U)) * 0xBF58476D1CE4E5B9U;
  seed = (seed ^ (seed >> 27U)) * 0x94D049BB133111EBU;
  detail::t_random = (seed ^ (seed >> 31U)) | 1U;  // never 0, from which nothing comes
}

/// A number from a generator of the thread's own (Marsaglia's xorshift64).
[[nodiscard]] inline std::uint32_t roll() noexcept {
  std::uint64_t state = detail::t_random;
  state ^= state << 13U;
  state ^= state >> 7U;
  state ^= state << 17U;
  detail::t_random = state;
  return static_cast<std::uint32_t>(state >> 32U);
}

/// roll() below `bound`.
[[nodiscard]] inline std::uint32_t random_below(std::uint32_t bound) noexcept {
  return static_cast<std::uint32_t>((std::uint64_t{roll()} * bound) >> 32U);
}

}  // namespace penstock
