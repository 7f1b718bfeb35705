#pragma once

#include <chrono>
#include <cstdint>
#include <random>
#include <string_view>

namespace ads {

/// What stands for a real model: it blocks its thread for a while and gives a score, both decided
/// by the cookie, so that every run sees the same.
struct ModelBehaviour {
  std::chrono::microseconds latency;
  double score;
};

inline ModelBehaviour behave(std::string_view cookie, std::uint32_t seed,
                             std::chrono::microseconds at_least,
                             std::chrono::microseconds at_most) {
  // FNV-1a: the same on every machine, which std::hash need not be.
  std::uint32_t hash = 2166136261U ^ seed;
  for (const char letter : cookie) hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619U;
  std::minstd_rand random(hash == 0 ? 1 : hash);
  random.discard(3);
  const auto share = [&random] {
    return static_cast<double>(random() - std::minstd_rand::min()) /
           static_cast<double>(std::minstd_rand::max() - std::minstd_rand::min());
  };
  const auto spread = static_cast<double>((at_most - at_least).count());
  const auto extra = static_cast<std::chrono::microseconds::rep>(spread * share());
  return {.latency = at_least + std::chrono::microseconds(extra), .score = share()};
}

}  // namespace ads
