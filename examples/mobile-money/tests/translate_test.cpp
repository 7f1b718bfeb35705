#include "services/translate.hpp"

#include <gtest/gtest.h>

#include <penstock/testing.hpp>

namespace {

mobile_money::Order order(const std::string& text) {
  return {.id = 7, .receivedUs = 1, .sender = "94770000001", .text = text};
}

TEST(Translate, ReadsPayeeAndAmount) {
  penstock::testing::ServiceTest<mobile_money::Translate> translate;
  const auto transfer = translate(order("PAY 250.05 TO 94770000042"));
  EXPECT_EQ(transfer.id, 7U);
  EXPECT_EQ(transfer.payer, "94770000001");
  EXPECT_EQ(transfer.payee, "94770000042");
  EXPECT_EQ(transfer.cents, 25'005);
  EXPECT_EQ(translate(order("PAY 3 TO 94770000042")).cents, 300);
}

TEST(Translate, RefusesWhatIsNoTransfer) {
  penstock::testing::ServiceTest<mobile_money::Translate> translate;
  for (const char* text :
       {"", "PAY", "PAY TO 94770000042", "PAY -1.00 TO 94770000042", "PAY 1.0 TO 94770000042",
        "PAY 0 TO 94770000042", "PAY 1.00 TO 94770000001", "PAY 9999999999999999999 TO 1"})
    EXPECT_THROW(static_cast<void>(translate(order(text))), penstock::Error) << text;
}

}  // namespace
