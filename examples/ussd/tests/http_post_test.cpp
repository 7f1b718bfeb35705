#include "services/http_post.hpp"

#include <gtest/gtest.h>

#include <penstock/testing.hpp>

namespace {

TEST(HttpPost, PostsToTheBuiltInResponder) {
  penstock::testing::ServiceTest<ussd::HttpPost> post;
  EXPECT_EQ(post({.id = 1, .msisdn = "+94771", .session = 4, .text = "1 \"a\"\n2 b"}).status, 200);
  EXPECT_EQ(post.handler().shared->responder->answered(), 1U);
}

}  // namespace
