#include "services/multiplication.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <penstock/testing.hpp>

namespace {

TEST(Multiplication, AsksAdditionOnceForEachX) {
  std::atomic<int> asked = 0;
  penstock::testing::ServiceTest<hello::Multiplication> multiplication;
  multiplication.on(&hello::Multiplication::calls_type::Addition,
                    [&asked](const hello::Terms& terms) {
                      ++asked;
                      return hello::Sum{.value = terms.a + terms.b};
                    });
  EXPECT_EQ(multiplication({.x = 6, .y = 7}).value, 42);
  EXPECT_EQ(asked, 6);
}

TEST(Multiplication, RefusesAnXItWouldTakeForEverTo) {
  penstock::testing::ServiceTest<hello::Multiplication> multiplication;
  try {
    static_cast<void>(multiplication({.x = -1, .y = 7}));
    FAIL() << "should have thrown";
  } catch (const penstock::Error& error) {
    EXPECT_EQ(error.code(), penstock::ErrorCode::invalid_argument);
  }
}

}  // namespace
