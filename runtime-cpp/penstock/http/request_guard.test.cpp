#include "penstock/http/request_guard.hpp"

#include <gtest/gtest.h>

namespace penstock::http::request_guard_test {
namespace {

using Fields = std::vector<std::pair<std::string_view, std::string_view>>;

int form(const Fields& fields) {
  RequestHead head{.method = "POST", .target = "/", .fields = {{"Host", "localhost:1"}}};
  head.fields.insert(head.fields.end(), fields.begin(), fields.end());
  const auto denial = check_form(head, {.port = 1});
  return denial ? denial->status : 0;
}

int upgrade(std::string_view protocol, std::string_view key, std::string_view version = "13") {
  RequestHead head;
  head.fields = {
      {"Upgrade", protocol}, {"Sec-WebSocket-Key", key}, {"Sec-WebSocket-Version", version}};
  const auto denial = check_upgrade(head);
  return denial ? denial->status : 0;
}

int beyond(const Fields& fields, const std::vector<std::string>* pages) {
  const RequestHead head{.method = "POST", .target = "/", .fields = fields};
  const auto denial = check_form(head, {.port = 1, .beyond = true, .pages = pages});
  return denial ? denial->status : 0;
}

TEST(RequestGuard, TakesAnyHostBeyondThisMachineButNoPageForItsOwn) {
  const std::vector<std::string> pages{"https://shop.example"};
  EXPECT_EQ(beyond({{"Host", "ads.example"}}, &pages), 0);
  EXPECT_EQ(beyond({{"Host", "ads.example"}, {"Origin", "https://shop.example"}}, &pages), 0);
  // A page that had its own name lead here.
  EXPECT_EQ(beyond({{"Host", "evil.example:1"}, {"Origin", "http://evil.example:1"}}, &pages), 403);
  EXPECT_EQ(beyond({{"Host", "evil.example:1"}, {"Sec-Fetch-Site", "same-origin"}}, &pages), 403);
  EXPECT_EQ(beyond({{"Host", "ads.example"}, {"Origin", "https://shop.example"}}, nullptr), 403);
  EXPECT_EQ(beyond({}, &pages), 400);
  EXPECT_EQ(beyond({{"Host", ""}}, &pages), 400);
  EXPECT_EQ(beyond({{"Host", "a"}, {"Host", "b"}}, &pages), 400);
}

TEST(RequestGuard, KnowsThePagesOfItsOwnAddressOnThisMachine) {
  const std::vector<std::string> pages;
  const auto own = [&pages](std::string_view origin, bool secured) {
    const RequestHead head{
        .method = "POST", .target = "/", .fields = {{"Host", "localhost:1"}, {"Origin", origin}}};
    return !check_form(head, {.port = 1, .secured = secured, .pages = &pages});
  };
  EXPECT_TRUE(own("http://localhost:1", false));
  EXPECT_FALSE(own("https://localhost:1", false));
  EXPECT_TRUE(own("https://localhost:1", true));
  EXPECT_FALSE(own("http://localhost:1", true));
  EXPECT_FALSE(own("http://127.0.0.1:1", false));
}

TEST(RequestGuard, TakesAHostWithoutThePortThatGoesWithoutSaying) {
  const auto is_ours = [](std::string_view host, std::uint16_t port, bool secured) {
    const RequestHead head{.method = "POST", .target = "/", .fields = {{"Host", host}}};
    return !check_form(head, {.port = port, .secured = secured});
  };
  EXPECT_TRUE(is_ours("127.0.0.1", 80, false));
  EXPECT_TRUE(is_ours("127.0.0.1:80", 80, false));
  EXPECT_TRUE(is_ours("localhost", 443, true));
  EXPECT_FALSE(is_ours("localhost", 443, false));
  EXPECT_FALSE(is_ours("localhost", 80, true));
  EXPECT_FALSE(is_ours("localhost", 8080, false));
  EXPECT_FALSE(is_ours("evil.example", 80, false));
}

TEST(RequestGuard, TakesNoHostThatIsOnlyAlmostItself) {
  const auto is_ours = [](std::string_view host) {
    const RequestHead head{.method = "POST", .target = "/", .fields = {{"Host", host}}};
    return !check_form(head, {.port = 81});
  };
  for (const char* const host : {"127.0.0.1:81", "[::1]:81", "localhost:81"}) {
    EXPECT_TRUE(is_ours(host)) << host;
  }
  for (const char* const host :
       {"", ":81", "localhost", "localhost:", "localhost:081", "localhost:+81", "localhost:81 ",
        "localhost: 81", "localhost:81:81", "localhost:65617", "localhost:8", "localhost.:81",
        "LOCALHOST:81", "::1:81", "[::1]", "[::1:81", "[::1]81", "[::1]]:81", "127.0.0.1:81]"}) {
    EXPECT_FALSE(is_ours(host)) << host;
  }
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
