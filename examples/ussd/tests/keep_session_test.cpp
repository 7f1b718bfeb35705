#include "services/keep_session.hpp"

#include <gtest/gtest.h>

#include <penstock/testing.hpp>

namespace {

using Inputs = std::vector<std::string>;

ussd::Request dial(const std::string& phone, const std::string& code = "*100#") {
  return {.id = 1, .msisdn = phone, .code = code, .input = ""};
}

ussd::Request press(const std::string& phone, const std::string& input) {
  return {.id = 1, .msisdn = phone, .code = "", .input = input};
}

TEST(KeepSession, KeepsWhatEachPhonePressed) {
  penstock::testing::ServiceTest<ussd::KeepSession> keep;
  const auto begun = keep(dial("a"));
  EXPECT_NE(keep(dial("b")).session, begun.session);
  EXPECT_EQ(keep(press("a", "2")).inputs, (Inputs{"2"}));
  const auto last = keep(press("a", "1"));
  EXPECT_EQ(last.session, begun.session);
  EXPECT_EQ(last.code, "*100#");
  EXPECT_EQ(last.inputs, (Inputs{"2", "1"}));
}

TEST(KeepSession, BeginsAnotherWhenAPhoneDials) {
  penstock::testing::ServiceTest<ussd::KeepSession> keep;
  const auto first = keep(dial("a"));
  static_cast<void>(keep(press("a", "2")));
  const auto second = keep(dial("a", "*200#"));
  EXPECT_NE(second.session, first.session);
  EXPECT_EQ(second.code, "*200#");
  EXPECT_EQ(second.inputs, Inputs{});
}

TEST(KeepSession, ForgetsTheOldestOfTooMany) {
  penstock::testing::ServiceTest<ussd::KeepSession> keep;
  keep.handler().state.most = 3;
  const auto first = keep(dial("first"));
  for (const char* phone : {"a", "b", "c"}) static_cast<void>(keep(dial(phone)));
  EXPECT_EQ(keep.handler().state.sessions.size(), 3U);
  EXPECT_NE(keep(press("first", "1")).session, first.session);
}

}  // namespace
