// The program without metrics has none, or what they cost is not what is measured.
#include <gtest/gtest.h>

#include "penstock/metrics/registry.hpp"

namespace compare {
namespace {

using penstock::metrics::Registry;

TEST(Unmetered, CountsAndSamplesNothing) {
  static_assert(!penstock::metrics::kMetered);
  Registry registry;
  const std::uint32_t counter = registry.add_counters();
  const penstock::metrics::SampledCounter calls = registry.add_sampled_counter();
  const penstock::metrics::RareCounter rare = registry.add_rare_counters();
  registry.set_sampling(128);
  registry.start();
  for (const bool own : {false, true}) {
    if (own) registry.enter();
    registry.shard().add(counter);
    registry.shard().add(rare);
    EXPECT_FALSE(registry.sampled(calls));
    if (own) registry.leave();
  }
  EXPECT_EQ(registry.count(calls), 0U);
  EXPECT_EQ(registry.count(counter), 0U);
  EXPECT_EQ(registry.count(rare), 0U);
}

}  // namespace
}  // namespace compare
