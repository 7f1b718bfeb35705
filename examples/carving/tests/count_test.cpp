#include "services/count.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <penstock/testing.hpp>
#include <utility>

namespace {

using CountTest = penstock::testing::ServiceTest<carving::Count>;

/// The code of the error that this many end with.
penstock::ErrorCode refusal(CountTest& count, std::int32_t times) {
  try {
    static_cast<void>(count({.times = times}));
  } catch (const penstock::Error& error) {
    return error.code();
  }
  ADD_FAILURE() << times << " was answered";
  return penstock::ErrorCode::unknown;
}

TEST(Count, DividesTheWorkAndLeavesNothingOut) {
  CountTest count;
  std::atomic<int> jobs{0};
  std::atomic<int> longest{0};
  count.on(&carving::Count::calls_type::SumNumbers, [&](const carving::Job& job) {
    ++jobs;
    longest = std::max(longest.load(), job.numbers);
    return carving::JobSum{.sum = job.numbers};
  });
  for (const auto& [times, expected] :
       {std::pair{1, 1}, {100'000, 1}, {100'001, 2}, {1'234'567, 13}}) {
    jobs = 0;
    EXPECT_EQ(count({.times = times}).sum, times);
    EXPECT_EQ(jobs, expected) << times;
  }
  EXPECT_EQ(longest, 100'000);
}

TEST(Count, GivesTheLargestSumThereCanBe) {
  CountTest count;
  count.on(&carving::Count::calls_type::SumNumbers, [](const carving::Job& job) {
    return carving::JobSum{.sum = std::int64_t{100} * job.numbers};
  });
  EXPECT_EQ(count({.times = 21'474'836}).sum, 2'147'483'600);
}

TEST(Count, RefusesWhatCannotBeCounted) {
  CountTest count;
  EXPECT_EQ(refusal(count, 0), penstock::ErrorCode::invalid_argument);
  EXPECT_EQ(refusal(count, -1), penstock::ErrorCode::invalid_argument);
  EXPECT_EQ(refusal(count, 21'474'837), penstock::ErrorCode::out_of_range);
  EXPECT_EQ(refusal(count, std::numeric_limits<std::int32_t>::max()),
            penstock::ErrorCode::out_of_range);
}

TEST(Count, FailsAsAWholeWhenAJobDoes) {
  CountTest count;
  std::atomic<int> jobs{0};
  count.on(&carving::Count::calls_type::SumNumbers, [&](const carving::Job&) -> carving::JobSum {
    if (++jobs == 3) throw penstock::Error(penstock::ErrorCode::resource_exhausted, "full");
    return {};
  });
  EXPECT_EQ(refusal(count, 1'000'000), penstock::ErrorCode::resource_exhausted);
}

}  // namespace
