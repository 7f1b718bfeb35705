#include "services/calculate.hpp"

#include <gtest/gtest.h>

#include <penstock/testing.hpp>

namespace {

mobile_money::Accounts accounts(std::int64_t payer_cents, std::int64_t cents) {
  return {.transfer = {.id = 1, .receivedUs = 1, .payer = "a", .payee = "b", .cents = cents},
          .payer = {.number = "a", .cents = payer_cents, .version = 3},
          .payee = {.number = "b", .cents = 50, .version = 4}};
}

TEST(Calculate, TakesTheFeeFromThePayer) {
  penstock::testing::ServiceTest<mobile_money::Calculate> calculate;
  const auto booking = calculate(accounts(10'000, 900));
  EXPECT_EQ(booking.feeCents, 9);
  EXPECT_EQ(booking.payerCents, 10'000 - 909);
  EXPECT_EQ(booking.payeeCents, 950);
  EXPECT_EQ(calculate(accounts(10'000, 1)).feeCents, 1);
}

TEST(Calculate, RefusesWhatCannotBePaid) {
  penstock::testing::ServiceTest<mobile_money::Calculate> calculate;
  EXPECT_EQ(calculate(accounts(909, 900)).payerCents, 0);
  try {
    static_cast<void>(calculate(accounts(908, 900)));
    FAIL() << "should have thrown";
  } catch (const penstock::Error& error) {
    EXPECT_EQ(error.code(), penstock::ErrorCode::failed_precondition);
  }
}

}  // namespace
