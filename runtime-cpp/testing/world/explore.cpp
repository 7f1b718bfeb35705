#include "world/explore.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <iostream>
#include <numeric>
#include <vector>

namespace penstock::world {

namespace {

// What a few seconds allow a test. AddressSanitizer makes each world ten times as slow.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::uint64_t kSeeds = 200;
#else
constexpr std::uint64_t kSeeds = 1000;
#endif

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): one thread
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

double seconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

}  // namespace

std::vector<std::uint64_t> seeds(std::uint64_t otherwise) {
  const std::uint64_t only = number_from("PENSTOCK_WORLD_SEED", 0);
  if (only != 0) return {only};
  std::vector<std::uint64_t> all(number_from("PENSTOCK_WORLD_SEEDS", otherwise));
  std::iota(all.begin(), all.end(), number_from("PENSTOCK_WORLD_FROM", 1));
  return all;
}

void explore(const std::vector<std::uint64_t>& kept, const std::function<void(World&)>& body) {
  std::vector<std::uint64_t> all = seeds(kSeeds);
  if (all.size() > 1) all.insert(all.begin(), kept.begin(), kept.end());
  const double begun = seconds();
  std::uint64_t switches = 0;
  std::vector<std::uint64_t> fingerprints;
  const auto run = [&](std::uint64_t seed) {
    World world(seed);
    const World::Outcome outcome = world.run(body);
    switches += outcome.switches;
    fingerprints.push_back(outcome.fingerprint);
    if (outcome.failure.empty() && !::testing::Test::HasFailure()) return true;
    ADD_FAILURE() << world.report();
    return false;
  };
  for (const std::uint64_t seed : all) {
    if (!run(seed)) return;
  }
  const double took = seconds() - begun;
  // What one world leaves to the next would make a seed worth nothing.
  for (const std::size_t again : {std::size_t{0}, all.size() / 2, all.size() - 1}) {
    if (!run(all[again])) return;
    EXPECT_EQ(fingerprints.back(), fingerprints[again])
        << "world " << all[again] << " was another one the second time";
  }
  std::cout << all.size() << " worlds up to seed " << all.back() << ", " << switches
            << " switches, " << static_cast<std::uint64_t>(static_cast<double>(all.size()) / took)
            << " worlds/s\n";
}

}  // namespace penstock::world
