#include "penstock/control/token.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

namespace penstock::control::token_test {
namespace {

constexpr const char* kVariable = "PENSTOCK_CONTROL_TOKEN";

TEST(Token, ComparesWholeTexts) {
  EXPECT_TRUE(same_secret("secret", "secret"));
  for (const char* wrong : {"", "s", "secre", "secret1", "Secret", "secreT", "secretsecret"}) {
    EXPECT_FALSE(same_secret(wrong, "secret")) << wrong;
  }
  EXPECT_FALSE(same_secret("x", ""));
}

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

TEST(Token, IsOverwrittenWhereItStood) {
  // As the kernel hands it over: a text that the environment only points to.
  char handed[] = "PENSTOCK_CONTROL_TOKEN=0123456789abcdef";
  ASSERT_EQ(::putenv(handed), 0);
  EXPECT_EQ(token_from_environment().value, "0123456789abcdef");
  const std::string_view left(handed, sizeof(handed));
  EXPECT_EQ(left.find_first_not_of('\0', left.find('=') + 1), std::string_view::npos);
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
