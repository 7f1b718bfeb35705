#include "services/handle_error.hpp"

#include <gtest/gtest.h>

#include <penstock/testing.hpp>

namespace {

TEST(HandleError, CountsEachFailure) {
  penstock::testing::ServiceTest<mo_flow::HandleError> handle;
  for (int failure = 0; failure < 3; ++failure)
    handle({.code = penstock::ErrorCode::not_found,
            .message = "no application takes RADIO",
            .flow = "MoFlow",
            .stage = "route"});
  EXPECT_EQ(handle.handler().shared->failures, 3U);
}

}  // namespace
