#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace carving {

/// Random numbers from 0 to 100, all equally likely (to one part in 42 million). One thread at a
/// time: nothing is shared, so nothing is locked.
///
/// xoshiro128++ (Blackman and Vigna, Scrambled Linear Pseudorandom Number Generators, 2019),
/// sixteen of them side by side: the compiler makes vector instructions of the loops over the
/// lanes.
class Generator {
 public:
  static constexpr std::uint32_t kMost = 100;

  /// Seeded by the system, so that no two threads and no two runs have the same numbers.
  Generator();
  /// The same seed gives the same numbers.
  explicit Generator(std::uint64_t seed) noexcept;

  /// The sum of the next `count` numbers; 0 where there are none to sum. Less than a nanosecond a
  /// number.
  [[nodiscard]] std::int64_t sum_of(std::int32_t count) noexcept;

 private:
  static constexpr std::size_t kLanes = 16;
  using Lanes = std::array<std::uint32_t, kLanes>;
  using State = std::array<Lanes, 4>;

  /// The next number of one of them.
  static std::uint32_t next(State& state, std::size_t lane) noexcept;

  State state_{};
};

}  // namespace carving
