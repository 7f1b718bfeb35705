#include "services/log_transaction.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <penstock/testing.hpp>

#include "shared/clock.hpp"

namespace {

TEST(LogTransaction, WritesALineForEach) {
  const std::string path = testing::TempDir() + "mo-flow-transactions.log";
  ::setenv("MO_FLOW_LOG", path.c_str(), 1);
  const std::int64_t received = sample::now_us() - 1'500;
  {
    penstock::testing::ServiceTest<mo_flow::LogTransaction> log;
    log({.id = 1, .receivedUs = received, .status = 200, .attempts = 1});
    log({.id = 2, .receivedUs = received, .status = 404, .attempts = 2});
  }
  std::ifstream lines(path);
  for (const std::string wanted : {"1 200 1", "2 404 2"}) {
    std::string id, status, attempts;
    std::int64_t received_us = 0, took_us = 0;
    lines >> id >> status >> attempts >> received_us >> took_us;
    EXPECT_EQ(id + " " + status + " " + attempts, wanted);
    EXPECT_EQ(received_us, received);
    EXPECT_GE(took_us, 1'500);
  }
  EXPECT_EQ(std::remove(path.c_str()), 0);
}

}  // namespace
