#include "world/explore.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <iostream>
#include <vector>

namespace penstock::world {

namespace {

// Enough to find again all that was ever found by them, few enough for every run of the tests.
constexpr std::uint64_t kSeeds = 1000;

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

void explore(const std::function<void(World&)>& body) {
  const std::uint64_t only = number_from("PENSTOCK_WORLD_SEED", 0);
  const std::uint64_t first = only != 0 ? only : number_from("PENSTOCK_WORLD_FROM", 1);
  const std::uint64_t seeds = only != 0 ? 1 : number_from("PENSTOCK_WORLD_SEEDS", kSeeds);
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
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    if (!run(seed)) return;
  }
  const double took = seconds() - begun;
  // What one world leaves to the next would make a seed worth nothing.
  for (const std::uint64_t again : {std::uint64_t{0}, seeds / 2, seeds - 1}) {
    if (!run(first + again)) return;
    EXPECT_EQ(fingerprints.back(), fingerprints[again])
        << "world " << first + again << " was another one the second time";
  }
  std::cout << seeds << " worlds from seed " << first << ", " << switches << " switches, "
            << static_cast<std::uint64_t>(static_cast<double>(seeds) / took) << " worlds/s\n";
}

}  // namespace penstock::world
