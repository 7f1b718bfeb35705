#include "services/calibrate.hpp"

#include <gtest/gtest.h>

#include <penstock/testing.hpp>

namespace {

TEST(Calibrate, TakesOffByHowMuchOddSensorsAreWrong) {
  penstock::testing::ServiceTest<streaming::Calibrate> calibrate;
  EXPECT_EQ(calibrate({.number = 7, .sensor = 3, .celsius = 20.25}).celsius, 20);
  EXPECT_EQ(calibrate({.number = 8, .sensor = 4, .celsius = 20.25}).celsius, 20.25);
  EXPECT_EQ(calibrate({.number = 9, .sensor = 4, .celsius = 20.25}).number, 9U);
}

}  // namespace
