// The main of ordinary tests that run in simulated worlds as they stand: all that were chosen, in
// one world after another. They wait for their deadlines in no time, and for nothing that a busy
// machine could hold up.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "world/explore.hpp"

namespace {

// A test of many threads has shown most of what it has to show after a few.
constexpr std::uint64_t kWorlds = 25;

}  // namespace

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (GTEST_FLAG_GET(list_tests)) return RUN_ALL_TESTS();
  int result = 0;
  const auto run = [&result](penstock::world::World&) { result = RUN_ALL_TESTS(); };
  for (const std::uint64_t seed : penstock::world::seeds(kWorlds)) {
    penstock::world::World world(seed);
    const auto outcome = world.run(run);
    if (result == 0 && outcome.failure.empty()) continue;
    std::cout << world.report();
    // Threads that wait for ever hold what they hold.
    std::cout.flush();
    std::_Exit(1);
  }
  return 0;
}
