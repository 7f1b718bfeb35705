#include "services/read_accounts.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <penstock/testing.hpp>

namespace {

using mobile_money::Ledger;

TEST(ReadAccounts, AsksForBothAccounts) {
  ::setenv("MONEY_QUERY_MS", "1", 1);
  penstock::testing::ServiceTest<mobile_money::ReadAccounts> read;
  mobile_money::Transfer transfer{.id = 7,
                                  .receivedUs = 1,
                                  .payer = Ledger::phone(9),
                                  .payee = Ledger::phone(3),
                                  .cents = 1'000};
  const auto accounts = read(transfer);
  EXPECT_EQ(accounts.transfer.id, 7U);
  EXPECT_EQ(accounts.payer.number, Ledger::phone(9));
  EXPECT_EQ(accounts.payee.number, Ledger::phone(3));
  EXPECT_EQ(accounts.payer.cents, Ledger::kFirstCents);
  transfer.payee = Ledger::phone(Ledger::kPhones);
  try {
    static_cast<void>(read(transfer));
    FAIL() << "should have thrown";
  } catch (const penstock::Error& error) {
    EXPECT_EQ(error.code(), penstock::ErrorCode::not_found);
  }
}

}  // namespace
