#include "penstock/app/running/resent_share.hpp"

#include <gtest/gtest.h>

namespace penstock::app {
namespace {

constexpr Nanos kSecond = 1'000'000'000;
constexpr Nanos kStart = 1'000 * kSecond;

TEST(ResentShares, Fault25AreOfTheLastSeconds) {
  ResentShare share;
  EXPECT_EQ(share.percent(0, 0, kStart), std::nullopt);
  EXPECT_EQ(share.percent(1000, 0, kStart + kSecond), std::nullopt) << "not so soon";
  EXPECT_EQ(share.percent(2000, 100, kStart + 5 * kSecond), 5.0);
  EXPECT_EQ(share.percent(3000, 900, kStart + 9 * kSecond), 5.0) << "until more is known";
  EXPECT_EQ(share.percent(4000, 500, kStart + 10 * kSecond), 20.0);
  EXPECT_EQ(share.percent(6000, 500, kStart + 15 * kSecond), 0.0) << "it has healed";
}

TEST(ResentShares, AreOfNoTimeInWhichNobodyAsked) {
  ResentShare share;
  EXPECT_EQ(share.percent(1000, 500, kStart), std::nullopt) << "since the start";
  EXPECT_EQ(share.percent(2000, 500, kStart + 5 * kSecond), 0.0);
  EXPECT_EQ(share.percent(9000, 5000, kStart + 3600 * kSecond), std::nullopt);
  EXPECT_EQ(share.percent(9100, 5002, kStart + 3605 * kSecond), 2.0);
}

TEST(ResentShares, AreOfEnoughPackets) {
  ResentShare share;
  EXPECT_EQ(share.percent(0, 0, kStart), std::nullopt);
  EXPECT_EQ(share.percent(49, 49, kStart + 10 * kSecond), std::nullopt);
  EXPECT_EQ(share.percent(50, 5, kStart + 20 * kSecond), 10.0);
  EXPECT_EQ(share.percent(60, 15, kStart + 49 * kSecond), 10.0);
  EXPECT_EQ(share.percent(60, 15, kStart + 50 * kSecond), std::nullopt) << "that was long ago";
}

TEST(ResentShares, AreNeverMoreThanAll) {
  ResentShare share;
  EXPECT_EQ(share.percent(0, 0, kStart), std::nullopt);
  EXPECT_EQ(share.percent(100, 101, kStart + 5 * kSecond), 100.0)
      << "the two are read one after the other";
}

}  // namespace
}  // namespace penstock::app
