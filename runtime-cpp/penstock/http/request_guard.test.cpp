#include "penstock/http/request_guard.hpp"

#include <gtest/gtest.h>

namespace penstock::http::request_guard_test {
namespace {

using Fields = std::vector<std::pair<std::string_view, std::string_view>>;

int form(const Fields& fields) {
  RequestHead head{.method = "POST", .target = "/", .fields = {{"Host", "localhost:1"}}};
  head.fields.insert(head.fields.end(), fields.begin(), fields.end());
  const auto denial = check_form(head, 1);
  return denial ? denial->status : 0;
}

int upgrade(std::string_view protocol, std::string_view key, std::string_view version = "13") {
  RequestHead head;
  head.fields = {
      {"Upgrade", protocol}, {"Sec-WebSocket-Key", key}, {"Sec-WebSocket-Version", version}};
  const auto denial = check_upgrade(head);
  return denial ? denial->status : 0;
}

TEST(RequestGuard, RefusesAContentLengthThatCanBeReadInTwoWays) {
  EXPECT_EQ(form({{"Content-Length", "2"}}), 0);
  EXPECT_EQ(form({{"Content-Length", "2,2"}}), 400);
  EXPECT_EQ(form({{"Content-Length", "2, 2"}}), 400);
  EXPECT_EQ(form({{"Content-Length", "+2"}}), 400);
  EXPECT_EQ(form({{"Content-Length", ""}}), 400);
  EXPECT_EQ(form({{"Content-Length", "2"}, {"content-length", "2"}}), 400);
}

TEST(RequestGuard, RefusesWhatDecidesWhenItIsThereTwice) {
  for (const char* name : {"Origin", "Sec-Fetch-Site", "Upgrade", "Sec-WebSocket-Key",
                           "Sec-WebSocket-Version", "Authorization"}) {
    EXPECT_EQ(form({{name, "none"}, {name, "none"}}), 400) << name;
  }
}

TEST(RequestGuard, UpgradesToAWebSocketAndNothingElse) {
  EXPECT_EQ(upgrade("websocket", "dGhlIHNhbXBsZSBub25jZQ=="), 0);
  EXPECT_EQ(upgrade("WebSocket", "dGhlIHNhbXBsZSBub25jZQ=="), 0);
  EXPECT_EQ(upgrade("websocket, h2c", "dGhlIHNhbXBsZSBub25jZQ=="), 400);
  EXPECT_EQ(upgrade("h2c", "dGhlIHNhbXBsZSBub25jZQ=="), 400);
  EXPECT_EQ(upgrade("websocket", "dGhlIHNhbXBsZSBub25jZQ==", "8"), 426);
}

TEST(RequestGuard, WantsAWebSocketKeyOfSixteenBytes) {
  EXPECT_EQ(upgrade("websocket", ""), 400);
  EXPECT_EQ(upgrade("websocket", "c2hvcnQ="), 400);
  EXPECT_EQ(upgrade("websocket", "dGhlIHNhbXBsZSBub25jZQAA"), 400);
  EXPECT_EQ(upgrade("websocket", "dGhlIHNhbXBsZSBub25j*Q=="), 400);
  EXPECT_EQ(upgrade("websocket", "dGhlIHNhbXBsZSBub25jZQ==dGhlIHNhbXBsZSBub25jZQ=="), 400);
}

}  // namespace
}  // namespace penstock::http::request_guard_test
