#include "services/translate_at.hpp"

#include <gtest/gtest.h>

#include <penstock/testing.hpp>

namespace {

TEST(TranslateAt, LetsNoTextOutOfItsPlace) {
  penstock::testing::ServiceTest<mo_flow::TranslateAt> translate;
  const auto message = translate({.turn = {.command = {.id = 3,
                                                       .sender = "+94701",
                                                       .shortCode = "8080",
                                                       .keyword = "QUIZ",
                                                       .arguments = "a \"b\"\\\n"},
                                           .session = 5,
                                           .number = 2},
                                  .application = "quiz",
                                  .path = "/quiz"});
  EXPECT_EQ(message.path, "/quiz");
  EXPECT_EQ(message.body, R"({"id":3,"session":5,"turn":2,"sender":"+94701","keyword":"QUIZ",)"
                          R"("arguments":"a \"b\"\\\u000a"})");
}

}  // namespace
