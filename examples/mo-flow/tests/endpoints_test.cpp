#include "endpoints.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;

TEST(Endpoints, KnowsWhereApplicationsListen) {
  mo_flow::Endpoints pool(2, 0ms);
  EXPECT_EQ(pool.path_of("quiz"), "/quiz");
  EXPECT_EQ(pool.path_of("quiz'; DROP TABLE endpoint; --"), std::nullopt);
  EXPECT_EQ(pool.path_of("vote"), "/vote");
}

/// Time that twelve queries of 5 ms from four threads take.
std::chrono::steady_clock::duration twelve_queries(int connections) {
  mo_flow::Endpoints pool(connections, 5ms);
  const auto begun = std::chrono::steady_clock::now();
  std::vector<std::thread> threads;
  for (int index = 0; index < 4; ++index)
    threads.emplace_back([&pool] {
      for (int query = 0; query < 3; ++query) EXPECT_EQ(pool.path_of("help"), "/help");
    });
  for (auto& thread : threads) thread.join();
  return std::chrono::steady_clock::now() - begun;
}

TEST(Endpoints, LetsOneThreadThroughAtATimeWithOneConnection) {
  EXPECT_GE(twelve_queries(1), 60ms);
}

}  // namespace
