#include "penstock/net/remote/door/refusals.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace penstock::net::refusals_test {
namespace {

constexpr Nanos kSecond = 1'000'000'000;

TEST(Refusals, AreSaidOnceAMinuteForEachReason) {
  std::vector<std::string> said;
  Refusals refusals([&said](const std::string& text) { said.push_back(text); });
  for (const Nanos at : {1, 2, 60})
    refusals.count(Refusals::Why::key, "10.0.0.5:1", "it is of nobody", at * kSecond);
  refusals.count(Refusals::Why::not_drawn, "a caller", "front may not", 60 * kSecond);
  EXPECT_EQ(said, (std::vector<std::string>{"refused 10.0.0.5:1: it is of nobody",
                                            "refused a caller: front may not"}));
  said.clear();
  refusals.count(Refusals::Why::key, "10.0.0.6:1", "it is of nobody", 61 * kSecond);
  EXPECT_EQ(said, (std::vector<std::string>{"refused 10.0.0.6:1: it is of nobody (and 2 before)"}));
  EXPECT_EQ(refusals.counted(Refusals::Why::key), 4U);
  EXPECT_EQ(refusals.counted(Refusals::Why::not_drawn), 1U);
  EXPECT_EQ(refusals.counted(Refusals::Why::crowded), 0U);
}

}  // namespace
}  // namespace penstock::net::refusals_test
