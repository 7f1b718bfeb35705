#include "services/measure.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <penstock/testing.hpp>

namespace {

TEST(Measure, SendsABufferAsOftenAsItIsTold) {
  std::atomic<int> turned = 0;
  penstock::testing::ServiceTest<buffers::Measure> measure;
  measure.on(&buffers::Measure::calls_type::Turn, [&turned](const buffers::Parcel& parcel) {
    ++turned;
    EXPECT_EQ(parcel.data.size(), 1'000'000U);
    return parcel;
  });
  const auto times = measure({.megabytes = 1, .rounds = 3, .way = buffers::Way::COPIED});
  EXPECT_EQ(turned, 4);
  EXPECT_LE(times.medianUs, times.slowestUs);
}

TEST(Measure, RefusesWhatFitsNowhere) {
  penstock::testing::ServiceTest<buffers::Measure> measure;
  EXPECT_THROW(static_cast<void>(measure({.megabytes = 257})), penstock::Error);
}

}  // namespace
