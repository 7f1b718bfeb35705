#include "services/send_reply.hpp"

#include <gtest/gtest.h>

#include <penstock/testing.hpp>

namespace {

constexpr auto kGateway = &ussd::SendReply::calls_type::HttpPost;

TEST(SendReply, SaysWhatTheGatewaySaid) {
  penstock::testing::ServiceTest<ussd::SendReply> send;
  send.on(kGateway, [](const ussd::Screen&) { return ussd::Reply{.status = 202}; });
  const auto receipt = send({.id = 9, .msisdn = "+94771", .text = ""});
  EXPECT_EQ(receipt.id, 9U);
  EXPECT_EQ(receipt.status, 202);
}

TEST(SendReply, FailsWithTheGateway) {
  penstock::testing::ServiceTest<ussd::SendReply> send;
  send.on(kGateway, [](const ussd::Screen&) { return ussd::Reply{.status = 503}; });
  EXPECT_THROW(static_cast<void>(send({.id = 1, .msisdn = "+94771", .text = ""})), penstock::Error);
}

}  // namespace
