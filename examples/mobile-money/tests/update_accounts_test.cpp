#include "services/update_accounts.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <penstock/testing.hpp>
#include <thread>
#include <vector>

#include "booking.hpp"
#include "services/read_accounts.hpp"

namespace {

using mobile_money::Ledger;

mobile_money::Transfer pay(std::uint64_t id, std::uint64_t payer, std::uint64_t payee) {
  return {.id = id,
          .receivedUs = 1,
          .payer = Ledger::phone(payer),
          .payee = Ledger::phone(payee),
          .cents = 1'000};
}

TEST(UpdateAccounts, WritesWhatReadAccountsReads) {
  ::setenv("MONEY_QUERY_MS", "1", 1);
  penstock::testing::ServiceTest<mobile_money::ReadAccounts> read;
  penstock::testing::ServiceTest<mobile_money::UpdateAccounts> update;
  const auto receipt = update(mobile_money::book(read(pay(5, 1, 2))));
  EXPECT_EQ(receipt.id, 5U);
  EXPECT_EQ(receipt.payerCents, Ledger::kFirstCents - 1'010);
  EXPECT_EQ(receipt.attempts, 1U);
  const auto now = read(pay(6, 2, 1));
  EXPECT_EQ(now.payer.cents, Ledger::kFirstCents + 1'000);
  EXPECT_EQ(now.payer.version, 1);
}

TEST(Ledger, CalculatesAnewWhatSomebodyElseChanged) {
  Ledger ledger(2, std::chrono::milliseconds(0));
  const auto old = mobile_money::book(ledger.read(pay(1, 1, 2)));
  static_cast<void>(ledger.write(mobile_money::book(ledger.read(pay(2, 2, 3)))));
  const auto receipt = ledger.write(old);
  EXPECT_EQ(receipt.attempts, 2U);
  EXPECT_EQ(ledger.read(pay(3, 2, 1)).payer.cents, Ledger::kFirstCents - 1'010 + 1'000);
}

TEST(Ledger, NeitherMakesNorLosesMoneyWhateverTheThreads) {
  Ledger ledger(4, std::chrono::milliseconds(0));
  const std::int64_t before = ledger.total_cents();
  std::vector<std::thread> threads;
  for (std::uint64_t thread = 0; thread < 4; ++thread)
    threads.emplace_back([&ledger, thread] {
      for (std::uint64_t turn = 0; turn < 50; ++turn) {
        const auto transfer = pay(thread * 50 + turn, turn % 3, (turn + 1) % 3);
        static_cast<void>(ledger.write(mobile_money::book(ledger.read(transfer))));
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(ledger.total_cents(), before);
  EXPECT_EQ(ledger.read(pay(0, 0, 1)).payer.cents + ledger.read(pay(0, 1, 2)).payer.cents +
                ledger.read(pay(0, 2, 0)).payer.cents,
            3 * Ledger::kFirstCents - 200 * 10);
}

}  // namespace
