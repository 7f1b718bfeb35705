#include "services/keep_session.hpp"

#include <gtest/gtest.h>

#include <penstock/testing.hpp>

namespace {

mo_flow::Command from(const std::string& sender, const std::string& keyword = "QUIZ") {
  return {.id = 1, .sender = sender, .shortCode = "8080", .keyword = keyword, .arguments = ""};
}

TEST(KeepSession, NumbersTheMessagesOfEachSender) {
  penstock::testing::ServiceTest<mo_flow::KeepSession> keep;
  const auto first = keep(from("a"));
  const auto other = keep(from("b"));
  const auto second = keep(from("a"));
  EXPECT_EQ(first.session, second.session);
  EXPECT_NE(first.session, other.session);
  EXPECT_EQ(first.number, 1U);
  EXPECT_EQ(second.number, 2U);
}

TEST(KeepSession, BeginsAnotherAfterStop) {
  penstock::testing::ServiceTest<mo_flow::KeepSession> keep;
  const auto last = keep(from("a", "STOP"));
  const auto next = keep(from("a"));
  EXPECT_NE(next.session, last.session);
  EXPECT_EQ(next.number, 1U);
}

TEST(KeepSession, ForgetsTheOldestOfTooMany) {
  penstock::testing::ServiceTest<mo_flow::KeepSession> keep;
  keep.handler().state.most = 3;
  const auto first = keep(from("first"));
  for (const char* sender : {"a", "b", "c"}) static_cast<void>(keep(from(sender)));
  EXPECT_EQ(keep.handler().state.sessions.size(), 3U);
  EXPECT_NE(keep(from("first")).session, first.session);
}

}  // namespace
