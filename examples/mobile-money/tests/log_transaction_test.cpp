#include "services/log_transaction.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <penstock/testing.hpp>

#include "shared/clock.hpp"

namespace {

TEST(LogTransaction, WritesALineForEach) {
  const std::string path = testing::TempDir() + "money-transactions.log";
  ::setenv("MONEY_LOG", path.c_str(), 1);
  const std::int64_t received = sample::now_us() - 1'500;
  {
    penstock::testing::ServiceTest<mobile_money::LogTransaction> log;
    log({.id = 1, .receivedUs = received, .payerCents = 9900, .attempts = 1});
    log({.id = 2, .receivedUs = received, .payerCents = 12, .attempts = 2});
  }
  std::ifstream lines(path);
  for (const std::string wanted : {"1 9900 1", "2 12 2"}) {
    std::string id, cents, attempts;
    std::int64_t received_us = 0, took_us = 0;
    lines >> id >> cents >> attempts >> received_us >> took_us;
    EXPECT_EQ(id + " " + cents + " " + attempts, wanted);
    EXPECT_EQ(received_us, received);
    EXPECT_GE(took_us, 1'500);
  }
  EXPECT_EQ(std::remove(path.c_str()), 0);
}

}  // namespace
