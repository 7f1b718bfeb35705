#include "services/translate.hpp"

#include <gtest/gtest.h>

#include <penstock/testing.hpp>

namespace {

TEST(Translate, SplitsKeywordFromArguments) {
  penstock::testing::ServiceTest<mo_flow::Translate> translate;
  const auto command =
      translate({.id = 7, .sender = "+94701", .shortCode = "8080", .text = "  Quiz  b and c "});
  EXPECT_EQ(command.id, 7U);
  EXPECT_EQ(command.keyword, "QUIZ");
  EXPECT_EQ(command.arguments, "b and c");
}

TEST(Translate, RefusesATextWithoutAWord) {
  penstock::testing::ServiceTest<mo_flow::Translate> translate;
  try {
    static_cast<void>(translate({.id = 1, .sender = "", .shortCode = "", .text = " \t"}));
    FAIL() << "should have thrown";
  } catch (const penstock::Error& error) {
    EXPECT_EQ(error.code(), penstock::ErrorCode::invalid_argument);
  }
}

}  // namespace
