#include "services/route.hpp"

#include <gtest/gtest.h>

#include <penstock/testing.hpp>

namespace {

mo_flow::Turn turn(const std::string& short_code, const std::string& keyword) {
  return {.command = {.id = 1,
                      .sender = "a",
                      .shortCode = short_code,
                      .keyword = keyword,
                      .arguments = ""},
          .session = 1,
          .number = 1};
}

TEST(Route, GoesByShortCodeThenByKeyword) {
  penstock::testing::ServiceTest<mo_flow::Route> route;
  EXPECT_EQ(route(turn("7070", "QUIZ")).application, "vote");
  EXPECT_EQ(route(turn("8080", "QUIZ")).application, "quiz");
  EXPECT_EQ(route(turn("8080", "STOP")).application, "help");
}

TEST(Route, RefusesWhatNoApplicationTakes) {
  penstock::testing::ServiceTest<mo_flow::Route> route;
  EXPECT_THROW(static_cast<void>(route(turn("8080", "NOTHING"))), penstock::Error);
}

}  // namespace
