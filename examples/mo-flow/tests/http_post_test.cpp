#include "services/http_post.hpp"

#include <gtest/gtest.h>

#include <penstock/testing.hpp>

namespace {

TEST(HttpPost, PostsToTheBuiltInResponder) {
  penstock::testing::ServiceTest<mo_flow::HttpPost> post;
  EXPECT_EQ(post({.id = 1, .path = "/quiz", .body = "{}"}).status, 200);
  EXPECT_EQ(post.handler().shared->responder->answered(), 1U);
}

}  // namespace
