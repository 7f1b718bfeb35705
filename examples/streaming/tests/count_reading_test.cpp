#include "services/count_reading.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <penstock/testing.hpp>
#include <string>
#include <vector>

namespace {

TEST(CountReading, WritesTheNumberOfEach) {
  const std::string folder = testing::TempDir() + "streaming";
  std::filesystem::create_directory(folder);
  ::setenv("STREAMING_LOG", folder.c_str(), 1);
  {
    penstock::testing::ServiceTest<streaming::CountReading> count;
    for (std::uint64_t number : {4, 5, 6}) count({.number = number});
  }
  std::ifstream lines(folder + "/" + std::to_string(getpid()) + ".log");
  std::vector<int> numbers;
  for (int number = 0; lines >> number;) numbers.push_back(number);
  EXPECT_EQ(numbers, (std::vector<int>{4, 5, 6}));
  std::filesystem::remove_all(folder);
}

}  // namespace
