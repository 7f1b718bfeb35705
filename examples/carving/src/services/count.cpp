#include "services/count.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "generator.hpp"

namespace carving {

namespace {

/// Long enough that handing over a job is nothing beside it (some 40 us), short enough that all
/// threads of the pool have something to do until the end.
constexpr std::int32_t kNumbersOfJob = 100'000;

/// Whatever the numbers are, their sum is an int32.
constexpr std::int32_t kMostTimes =
    std::numeric_limits<std::int32_t>::max() / static_cast<std::int32_t>(Generator::kMost);

void check(std::int32_t times) {
  if (times <= 0)
    throw penstock::Error(penstock::ErrorCode::invalid_argument, "times has to be more than 0");
  if (times > kMostTimes)
    throw penstock::Error(
        penstock::ErrorCode::out_of_range,
        "times can be " + std::to_string(kMostTimes) + " at most: the sum of more is no int32");
}

}  // namespace

// All jobs are sent at once; the pool's threads take them as they come to them. While they work
// this thread is free for other requests. If one of them fails the others are called off.
penstock::Task<Sum> Count::handle(const Times& request) {
  check(request.times);
  std::vector<penstock::Future<JobSum>> jobs;
  jobs.reserve(static_cast<std::size_t>((request.times - 1) / kNumbersOfJob + 1));
  for (std::int32_t left = request.times; left > 0; left -= kNumbersOfJob)
    jobs.push_back(calls.SumNumbers({.numbers = std::min(left, kNumbersOfJob)}));
  std::int64_t sum = 0;
  for (penstock::Future<JobSum>& job : jobs) sum += (co_await job).sum;
  co_return Sum{.sum = static_cast<std::int32_t>(sum)};
}

}  // namespace carving
