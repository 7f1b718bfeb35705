#include "penstock/app/peers/peers.hpp"

#include <gtest/gtest.h>

namespace penstock::app {
namespace {

constexpr Nanos kMs = 1'000'000;

TEST(LimitsOfLinks, AreWhatIsDrawnInNanoseconds) {
  const net::Link::Limits limits =
      limits_of({.ping_ms = 20, .lost_ms = 50, .host_lost_ms = 3'600'000});
  EXPECT_EQ(limits.silence, 20 * kMs);
  EXPECT_EQ(limits.lost, 50 * kMs);
  EXPECT_EQ(limits.host_lost, 3'600'000 * kMs);
  EXPECT_EQ(limits.greet, 2000 * kMs);
}

TEST(LimitsOfLinks, AreTheLinksOwnWhereNothingIsDrawn) {
  const net::Link::Limits limits = limits_of({});
  const net::Link::Limits own;
  EXPECT_EQ(limits.silence, own.silence);
  EXPECT_EQ(limits.lost, own.lost);
  EXPECT_EQ(limits.host_lost, own.host_lost);
}

TEST(LimitsOfLinks, LeaveALinkAsMuchTimeForItsHelloAsForAnAnswer) {
  EXPECT_EQ(limits_of({.lost_ms = 60'000}).greet, 60'000 * kMs);
}

}  // namespace
}  // namespace penstock::app
