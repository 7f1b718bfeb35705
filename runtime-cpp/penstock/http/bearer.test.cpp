#include "penstock/http/bearer.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

namespace penstock::http::bearer_test {
namespace {

constexpr const char* kVariable = "PENSTOCK_TEST_TOKEN";
const std::vector<std::string> kTokens{"the-one-of-today-0", "that-of-yesterday"};

int answer(std::string_view authorization) {
  RequestHead head;
  head.fields = {{"Authorization", authorization}};
  const auto denial = check_bearer(head, kTokens);
  return denial ? denial->status : 0;
}

TEST(Bearer, ComparesWholeTexts) {
  EXPECT_TRUE(same_secret("secret", "secret"));
  for (const char* wrong : {"", "s", "secre", "secret1", "Secret", "secreT", "secretsecret"}) {
    EXPECT_FALSE(same_secret(wrong, "secret")) << wrong;
  }
  EXPECT_FALSE(same_secret("x", ""));
}

TEST(Bearer, LetsAnyOfTheTokensIn) {
  EXPECT_EQ(answer("Bearer the-one-of-today-0"), 0);
  EXPECT_EQ(answer("bearer that-of-yesterday"), 0);
}

TEST(Bearer, LetsNothingElseIn) {
  for (const char* wrong :
       {"", "Bearer", "Bearer ", "Bearer the-one-of-today", "Bearer the-one-of-today-00",
        "Bearer  the-one-of-today-0", "Basic the-one-of-today-0", "the-one-of-today-0",
        "Bearer the-one-of-today-0 ", "Bearer the-one-of-today-0, Bearer that-of-yesterday"}) {
    EXPECT_EQ(answer(wrong), 401) << wrong;
  }
  EXPECT_TRUE(check_bearer({}, kTokens));
  EXPECT_TRUE(check_bearer({}, {})) << "no token is known, so nobody has one";
}

TEST(Bearer, TakesATokenOutOfTheEnvironmentAndOverwritesItThere) {
  EXPECT_EQ(take_from_environment(kVariable), "");
  // As the kernel hands it over: a text that the environment only points to.
  char handed[] = "PENSTOCK_TEST_TOKEN=0123456789abcdef";
  ASSERT_EQ(::putenv(handed), 0);
  EXPECT_EQ(take_from_environment(kVariable), "0123456789abcdef");
  EXPECT_EQ(std::getenv(kVariable), nullptr);
  const std::string_view left(handed, sizeof(handed));
  EXPECT_EQ(left.find_first_not_of('\0', left.find('=') + 1), std::string_view::npos);
}

TEST(Bearer, KnowsWhatNoHeaderCarries) {
  EXPECT_TRUE(is_token("0123456789abcdef"));
  for (const char* bad : {"", "two words", "line\n", "tab\t", "\xC3\xBC"}) {
    EXPECT_FALSE(is_token(bad)) << bad;
  }
}

}  // namespace
}  // namespace penstock::http::bearer_test
