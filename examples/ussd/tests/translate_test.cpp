#include "services/translate.hpp"

#include <gtest/gtest.h>

#include <penstock/testing.hpp>

namespace {

TEST(Translate, TellsACodeFromAnAnswer) {
  penstock::testing::ServiceTest<ussd::Translate> translate;
  const auto dialled = translate({.id = 7, .msisdn = "+94771", .text = "*100#"});
  EXPECT_EQ(dialled.code, "*100#");
  EXPECT_EQ(dialled.input, "");
  const auto pressed = translate({.id = 8, .msisdn = "+94771", .text = "2"});
  EXPECT_EQ(pressed.code, "");
  EXPECT_EQ(pressed.input, "2");
}

TEST(Translate, RefusesWhatIsEmpty) {
  penstock::testing::ServiceTest<ussd::Translate> translate;
  EXPECT_THROW(static_cast<void>(translate({.id = 1, .msisdn = "+94771", .text = ""})),
               penstock::Error);
}

}  // namespace
