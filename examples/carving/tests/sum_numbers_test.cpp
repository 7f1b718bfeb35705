#include "services/sum_numbers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <penstock/testing.hpp>
#include <vector>

namespace {

using carving::Generator;

TEST(Generator, GivesTheSameNumbersForTheSameSeed) {
  Generator one(7);
  Generator same(7);
  Generator other(8);
  const auto sum = one.sum_of(100'000);
  EXPECT_EQ(same.sum_of(100'000), sum);
  EXPECT_NE(other.sum_of(100'000), sum);
}

TEST(Generator, GivesOtherNumbersEachTimeItIsAsked) {
  Generator generator(7);
  const auto first = generator.sum_of(100'000);
  EXPECT_NE(generator.sum_of(100'000), first);
}

TEST(Generator, GivesEveryNumberFrom0To100AboutAsOften) {
  Generator generator(7);
  std::vector<int> seen(Generator::kMost + 1);
  for (int i = 0; i < 1'010'000; ++i) ++seen.at(static_cast<std::size_t>(generator.sum_of(1)));
  for (std::size_t number = 0; number < seen.size(); ++number)
    EXPECT_NEAR(seen[number], 10'000, 500) << number;
}

// The mean of n such numbers is 50, with a standard deviation of 29.2 / sqrt(n).
TEST(Generator, SumsAsManyAsItIsAskedFor) {
  Generator generator(7);
  EXPECT_EQ(generator.sum_of(0), 0);
  EXPECT_EQ(generator.sum_of(-1), 0);
  for (const int count : {15, 16, 17, 1'000'003, 21'474'836}) {
    const double n = count;
    EXPECT_NEAR(static_cast<double>(generator.sum_of(count)), 50 * n, 5 * 29.2 * std::sqrt(n))
        << count;
  }
}

TEST(SumNumbers, SumsWithAGeneratorOfItsOwn) {
  penstock::testing::ServiceTest<carving::SumNumbers> sum_numbers;
  EXPECT_EQ(sum_numbers({.numbers = 0}).sum, 0);
  const auto sum = sum_numbers({.numbers = 100'000}).sum;
  EXPECT_GT(sum, 4'900'000);
  EXPECT_LT(sum, 5'100'000);
}

}  // namespace
