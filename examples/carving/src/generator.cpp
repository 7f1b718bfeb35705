#include "generator.hpp"

#include <algorithm>
#include <bit>
#include <random>

namespace carving {

namespace {

/// SplitMix64 (Steele, Lea and Flood, 2014), which makes whole states of a seed.
std::uint64_t split_mix(std::uint64_t& seed) noexcept {
  std::uint64_t mixed = seed += 0x9e3779b97f4a7c15U;
  mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
  return mixed ^ (mixed >> 31U);
}

std::uint64_t seed_of_system() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32U) | device();
}

/// Multiply and shift (Lemire, 2019) instead of a division.
constexpr std::uint32_t to_range(std::uint32_t bits) noexcept {
  return static_cast<std::uint32_t>((std::uint64_t{bits} * (Generator::kMost + 1)) >> 32U);
}

}  // namespace

Generator::Generator() : Generator(seed_of_system()) {}

Generator::Generator(std::uint64_t seed) noexcept {
  for (Lanes& words : state_)
    for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(split_mix(seed));
}

inline std::uint32_t Generator::next(State& state, std::size_t lane) noexcept {
  auto& [s0, s1, s2, s3] = state;
  const std::uint32_t bits = std::rotl(s0[lane] + s3[lane], 7) + s0[lane];
  const std::uint32_t shifted = s1[lane] << 9U;
  s2[lane] ^= s0[lane];
  s3[lane] ^= s1[lane];
  s1[lane] ^= s2[lane];
  s0[lane] ^= s3[lane];
  s2[lane] ^= shifted;
  s3[lane] = std::rotl(s3[lane], 11);
  return to_range(bits);
}

std::int64_t Generator::sum_of(std::int32_t count) noexcept {
  // So many numbers of a lane add up within 32 bits.
  constexpr std::size_t kRows = 1U << 16U;
  static_assert(std::uint64_t{kRows} * kMost <= UINT32_MAX);
  // A copy that nothing else can point into stays in registers.
  State state = state_;
  std::uint64_t total = 0;
  auto left = static_cast<std::size_t>(std::max(count, 0));
  while (left >= kLanes) {
    const std::size_t rows = std::min(left / kLanes, kRows);
    Lanes sums{};
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += next(state, lane);
    for (const std::uint32_t sum : sums) total += sum;
    left -= rows * kLanes;
  }
  for (std::size_t lane = 0; lane < left; ++lane) total += next(state, lane);
  state_ = state;
  return static_cast<std::int64_t>(total);
}

}  // namespace carving
