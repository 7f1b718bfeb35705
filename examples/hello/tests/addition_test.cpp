#include "services/addition.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <penstock/testing.hpp>

namespace {

TEST(Addition, AddsTwoNumbers) {
  penstock::testing::ServiceTest<hello::Addition> addition;
  EXPECT_EQ(addition({.a = 2, .b = 3}).value, 5);
  EXPECT_EQ(addition({.a = -2, .b = -3}).value, -5);
}

TEST(Addition, WrapsAround) {
  penstock::testing::ServiceTest<hello::Addition> addition;
  EXPECT_EQ(addition({.a = std::numeric_limits<std::int64_t>::max(), .b = 1}).value,
            std::numeric_limits<std::int64_t>::min());
}

}  // namespace
