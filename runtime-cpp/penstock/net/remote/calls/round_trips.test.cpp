#include "penstock/net/remote/calls/round_trips.hpp"

#include <gtest/gtest.h>

namespace penstock::net {
namespace {

TEST(RoundTrips, AreNoneBeforeTheFirst) {
  const RoundTrips trips;
  EXPECT_EQ(trips.last(), 0);
  EXPECT_EQ(trips.percentiles().p50, 0);
  EXPECT_EQ(trips.percentiles().p99, 0);
}

TEST(RoundTrips, OfOneAreThatOne) {
  RoundTrips trips;
  trips.add(84'000);
  EXPECT_EQ(trips.last(), 84'000);
  EXPECT_EQ(trips.percentiles().p50, 84'000);
  EXPECT_EQ(trips.percentiles().p99, 84'000);
}

TEST(RoundTrips, HaveThePercentilesOfThoseThatAreKept) {
  RoundTrips trips;
  for (Nanos nanos = 100; nanos >= 1; --nanos) trips.add(nanos);
  EXPECT_EQ(trips.last(), 1);
  EXPECT_EQ(trips.percentiles().p50, 50);
  EXPECT_EQ(trips.percentiles().p99, 99);
}

TEST(RoundTrips, ForgetTheOldest) {
  RoundTrips trips;
  for (std::size_t trip = 0; trip < RoundTrips::kKept; ++trip) trips.add(1'000'000);
  for (std::size_t trip = 0; trip < RoundTrips::kKept; ++trip) trips.add(7);
  EXPECT_EQ(trips.percentiles().p99, 7);
}

}  // namespace
}  // namespace penstock::net
