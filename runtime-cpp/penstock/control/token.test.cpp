#include "penstock/control/token.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace penstock::control::token_test {
namespace {

constexpr const char* kVariable = "PENSTOCK_CONTROL_TOKEN";

TEST(Token, IsRandomWhenNoneIsGiven) {
  ::unsetenv(kVariable);
  const Token first = token_from_environment();
  ::setenv(kVariable, "", 1);
  const Token second = token_from_environment();
  EXPECT_FALSE(first.from_environment);
  EXPECT_FALSE(second.from_environment);
  EXPECT_EQ(first.value.size(), 64U);
  EXPECT_NE(first.value, second.value);
}

TEST(Token, IsTakenOutOfTheEnvironment) {
  ::setenv(kVariable, "0123456789abcdef", 1);
  const Token token = token_from_environment();
  EXPECT_TRUE(token.from_environment);
  EXPECT_EQ(token.value, "0123456789abcdef");
  EXPECT_EQ(std::getenv(kVariable), nullptr);
}

TEST(Token, RefusesWhatNoHeaderCarries) {
  for (const char* bad : {"two words", "line\n", "tab\t", "\xC3\xBC"}) {
    ::setenv(kVariable, bad, 1);
    EXPECT_THROW(static_cast<void>(token_from_environment()), std::invalid_argument);
  }
  ::unsetenv(kVariable);
}

}  // namespace
}  // namespace penstock::control::token_test
