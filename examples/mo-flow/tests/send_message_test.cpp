#include "services/send_message.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <penstock/testing.hpp>

namespace {

using mo_flow::AtMessage;
using mo_flow::Reply;
using mo_flow::SendMessage;

constexpr auto kPost = &SendMessage::calls_type::HttpPost;

TEST(SendMessage, SendsOnceWhatGoesThrough) {
  penstock::testing::ServiceTest<SendMessage> send;
  send.on(kPost, [](const AtMessage&) { return Reply{.status = 202}; });
  const auto receipt = send({.id = 9, .path = "/quiz", .body = "{}"});
  EXPECT_EQ(receipt.id, 9U);
  EXPECT_EQ(receipt.status, 202);
  EXPECT_EQ(receipt.attempts, 1U);
}

TEST(SendMessage, TriesASecondTime) {
  penstock::testing::ServiceTest<SendMessage> send;
  std::atomic<int> asked = 0;
  send.on(kPost, [&asked](const AtMessage&) {
    if (++asked == 1) throw penstock::Error(penstock::ErrorCode::unavailable, "no answer");
    return Reply{.status = 200};
  });
  EXPECT_EQ(send({.id = 1, .path = "/quiz", .body = "{}"}).attempts, 2U);
}

TEST(SendMessage, GivesUpAfterTheSecond) {
  penstock::testing::ServiceTest<SendMessage> send;
  std::atomic<int> asked = 0;
  send.on(kPost, [&asked](const AtMessage&) {
    ++asked;
    return Reply{.status = 503};
  });
  EXPECT_THROW(static_cast<void>(send({.id = 1, .path = "/quiz", .body = "{}"})), penstock::Error);
  EXPECT_EQ(asked, 2);
}

}  // namespace
