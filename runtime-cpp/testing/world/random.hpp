#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace penstock::world {

/// The numbers that a world is drawn from (Steele, Lea and Flood, "Fast Splittable Pseudorandom
/// Number Generators", 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

  std::uint64_t next() noexcept {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
    return mixed ^ (mixed >> 31U);
  }
  /// Below `bound`, which is at least 1.
  std::uint64_t below(std::uint64_t bound) noexcept { return (next() >> 11U) % bound; }
  /// From `least` to `most`, both included.
  int between(int least, int most) noexcept {
    return least + static_cast<int>(below(static_cast<std::uint64_t>(most - least) + 1));
  }
  /// Once in so many times; 0: never.
  bool once_in(std::uint64_t times) noexcept { return times != 0 && below(times) == 0; }
  template <class T>
  T one_of(std::initializer_list<T> values) noexcept {
    return *(values.begin() + below(values.size()));
  }

 private:
  std::uint64_t state_;
};

}  // namespace penstock::world
