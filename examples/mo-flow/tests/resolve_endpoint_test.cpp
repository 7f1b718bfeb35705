#include "services/resolve_endpoint.hpp"

#include <gtest/gtest.h>

#include <penstock/testing.hpp>

namespace {

mo_flow::Routed to(const std::string& application) {
  return {.turn = {.command = {.id = 4,
                               .sender = "a",
                               .shortCode = "8080",
                               .keyword = "QUIZ",
                               .arguments = ""},
                   .session = 1,
                   .number = 1},
          .application = application};
}

TEST(ResolveEndpoint, AsksTheDatabase) {
  penstock::testing::ServiceTest<mo_flow::ResolveEndpoint> resolve;
  const auto delivery = resolve(to("weather"));
  EXPECT_EQ(delivery.path, "/weather");
  EXPECT_EQ(delivery.turn.command.id, 4U);
}

TEST(ResolveEndpoint, SaysWhatListensNowhere) {
  penstock::testing::ServiceTest<mo_flow::ResolveEndpoint> resolve;
  try {
    static_cast<void>(resolve(to("radio")));
    FAIL() << "should have thrown";
  } catch (const penstock::Error& error) {
    EXPECT_EQ(error.code(), penstock::ErrorCode::not_found);
  }
}

}  // namespace
