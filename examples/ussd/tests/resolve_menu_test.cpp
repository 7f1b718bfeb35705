#include "services/resolve_menu.hpp"

#include <gtest/gtest.h>

#include <penstock/testing.hpp>

namespace {

ussd::Placed pressed(std::vector<std::string> inputs) {
  return {.turn = {.request = {.id = 3, .msisdn = "+94771", .code = "", .input = ""},
                   .session = 9,
                   .code = "*100#",
                   .inputs = std::move(inputs)},
          .menu = "account"};
}

TEST(ResolveMenu, GoesThroughTheMenusByWhatWasPressed) {
  penstock::testing::ServiceTest<ussd::ResolveMenu> resolve;
  const auto first = resolve(pressed({}));
  EXPECT_EQ(first.id, 3U);
  EXPECT_EQ(first.session, 9U);
  EXPECT_EQ(first.text, "1 Balance\n2 Bundles");
  EXPECT_FALSE(first.ends);
  EXPECT_EQ(resolve(pressed({"2"})).text, "1 One day\n2 One week");
  const auto last = resolve(pressed({"2", "1"}));
  EXPECT_EQ(last.text, "1 GB until midnight is yours.");
  EXPECT_TRUE(last.ends);
}

TEST(ResolveMenu, ShowsTheDefaultWhereThereIsNothing) {
  penstock::testing::ServiceTest<ussd::ResolveMenu> resolve;
  const auto screen = resolve(pressed({"2", "7"}));
  EXPECT_EQ(screen.text, "There is nothing here. Dial *100# or *200#.");
  EXPECT_TRUE(screen.ends);
}

}  // namespace
