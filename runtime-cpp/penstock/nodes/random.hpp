#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <random>

namespace penstock::nodes {

/// Random numbers for made-up data, not for secrets: splitmix64 (Steele, Lea, Flood 2014), which is
/// a few instructions. One thread; the thread's own is random_numbers().
class RandomNumbers {
 public:
  using result_type = std::uint64_t;

  explicit RandomNumbers(std::uint64_t seed) noexcept : state_(seed) {}
  [[nodiscard]] static constexpr result_type min() noexcept { return 0; }
  [[nodiscard]] static constexpr result_type max() noexcept { return ~result_type{0}; }
  result_type operator()() noexcept {
    std::uint64_t mixed = state_ += 0x9e3779b97f4a7c15U;
    mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31U);
  }

 private:
  std::uint64_t state_;
};

/// The calling thread's own, differently seeded in each.
[[nodiscard]] inline RandomNumbers& random_numbers() {
  thread_local RandomNumbers numbers([] {
    std::random_device seed;
    return std::uint64_t{seed()} << 32U | seed();
  }());
  return numbers;
}

/// A number between `least` and `greatest`, all equally likely: both included for whole numbers,
/// the greatest excluded for others.
template <std::integral T>
[[nodiscard]] T uniform(T least, T greatest) {
  return std::uniform_int_distribution<T>(least, greatest)(random_numbers());
}
template <std::floating_point T>
[[nodiscard]] T uniform(T least, T greatest) {
  return std::uniform_real_distribution<T>(least, greatest)(random_numbers());
}

/// One of several values, all equally likely.
template <class T, std::size_t count>
[[nodiscard]] T choice(const std::array<T, count>& values) {
  return values[uniform<std::size_t>(0, count - 1)];
}

}  // namespace penstock::nodes
