#include "services/handle_error.hpp"

#include <gtest/gtest.h>

#include <penstock/testing.hpp>

namespace {

TEST(HandleError, CountsEachFailure) {
  penstock::testing::ServiceTest<mobile_money::HandleError> handle;
  for (int failure = 0; failure < 3; ++failure)
    handle({.code = penstock::ErrorCode::not_found,
            .message = "94770000001 has too little",
            .flow = "MoneyFlow",
            .stage = "calculate"});
  EXPECT_EQ(handle.handler().shared->failures, 3U);
}

}  // namespace
