#include <gtest/gtest.h>

#include <algorithm>

#include "penstock/app/ask_binding.hpp"
#include "penstock/edge/page_files.hpp"
#include "penstock/edge/server.hpp"
#include "penstock/net/remote/calls/remote_type.hpp"
#include "support/edge_note.hpp"
#include "support/http_client.hpp"
#include "support/json_word.hpp"
#include "support/one_flow.hpp"

namespace penstock::edge::page_test {
namespace {

using namespace std::chrono_literals;
using penstock::testing::eventually;
using penstock::testing::JsonWord;
using penstock::testing::Note;
using Client = penstock::testing::HttpClient;
using Response = Client::Response;
using Fields = std::vector<std::pair<std::string, std::string>>;

struct Echo : Handler {
  using request_type = Note;
  using response_type = Note;
  static Note handle(const Note& note) { return note; }
};
struct Word : Handler {
  using request_type = JsonWord;
  using response_type = JsonWord;
  static JsonWord handle(const JsonWord& word) { return word; }
};

const std::string kDocument = "{\"openapi\": \"3.1.0\"}\n" + std::string(1'000'000, ' ');

/// A service, and a flow whose events are posted to `path`.
class PageTest : public ::testing::Test {
 protected:
  void serve(const std::string& path = "/words", bool exposes = true) {
    exec::Pool& pool = one.binary.pool(penstock::testing::pool_settings("a", 1));
    one.stage<flow::Role::map, Word>("word", Kind::simple, pool, &pool);
    one.flow.fit(sizeof(JsonWord));
    call::Service& echo = one.binary.service<Echo>("Echo", Kind::simple, pool);
    if (exposes) {
      const net::RemoteType& type = net::kRemoteType<Note, Note>;
      const app::AskBinding asks = app::bind_ask<Note, Note>();
      door.exposed.services.push_back(
          {"/twirp/shop.Notes/Echo",
           {type.read_request, asks.make, type.answer_bytes, type.write_answer, asks.append},
           &one.binary.site(echo),
           &pool});
      door.exposed.openapi = kDocument;
    }
    door.exposed.origins = {"https://shop.example"};
    http::Limits& limits = door.limits;
    limits.header_time = limits.request_time = limits.keep_alive_time = 1h;
    one.start();
    words = std::make_unique<flow::HttpSource>(
        one.flow, flow::HttpSource::Settings{&flow::read_json<JsonWord>, path, false, 3'600'000});
    server = std::make_unique<Server>(std::vector{words.get()}, one.binary.registry(), door);
    server->start();
    words->start(0);
    const std::string address = server->address();
    port = static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
  }
  void TearDown() override {
    server->drain();
    words->stop(0);
    one.binary.stop();
    server->stop(penstock::testing::far_from_now());
  }
  Response get(std::string_view path, const Fields& fields = {}, std::string_view method = "GET") {
    return Client(port).ask(path, "", fields, method);
  }

  ServerOptions door;
  penstock::testing::OneFlow one;
  std::unique_ptr<flow::HttpSource> words;
  std::unique_ptr<Server> server;
  std::uint16_t port = 0;
};

TEST_F(PageTest, GivesItsFilesAndTheDocumentOnOneConnection) {
  serve();
  Client client(port);
  const std::vector<std::pair<std::string, std::string>> expected{
      {"/", "text/html; charset=utf-8"},
      {"/page/page.css", "text/css; charset=utf-8"},
      {"/page/page.js", "text/javascript; charset=utf-8"},
      {"/page/schema.js", "text/javascript; charset=utf-8"},
      {"/openapi.json", "application/json"}};
  for (const auto& [path, type] : expected) {
    const Response answer = client.ask(path, "", {}, "GET");
    EXPECT_EQ(answer.result_int(), 200U) << path;
    EXPECT_EQ(answer["Content-Type"], type);
    EXPECT_EQ(answer["X-Content-Type-Options"], "nosniff");
    EXPECT_TRUE(answer.keep_alive());
    const PageFile* const file = find_page_file(path);
    EXPECT_EQ(answer.body(), file == nullptr ? kDocument : file->text);
  }
  // A constant that was sent is not sent again behind it.
  EXPECT_EQ(client.ask("/twirp/shop.Notes/Echo", R"({"text":"a"})").body(), R"({"text":"a"})");
}

TEST_F(PageTest, LetsThePageLoadNothingButItsOwnFiles) {
  serve();
  for (const char* const path : {"/", "/page/page.js"}) {
    const Response answer = get(path);
    const std::string policy(answer["Content-Security-Policy"]);
    EXPECT_EQ(policy.find("default-src 'none'; script-src 'self';"), 0U) << policy;
    EXPECT_NE(policy.find("frame-ancestors 'none'"), std::string::npos);
    EXPECT_EQ(policy.find("unsafe"), std::string::npos);
  }
  const std::string html(find_page_file("/")->text);
  EXPECT_EQ(html.find("://"), std::string::npos);
  EXPECT_EQ(html.find("<style"), std::string::npos);
  EXPECT_EQ(html.find(" on"), html.find(" on ")) << "no handlers in markup";
}

// The document is a megabyte; what the door holds is a fraction of it.
TEST_F(PageTest, GivesTheDocumentToManyWithoutMemoryForEach) {
  serve();
  constexpr std::size_t kClients = 20;
  std::vector<std::unique_ptr<Client>> clients;
  for (std::size_t asked = 0; asked < kClients; ++asked) {
    clients.push_back(std::make_unique<Client>(port));
    clients.back()->post("/openapi.json", "", {}, "GET");
  }
  for (const auto& client : clients) EXPECT_EQ(client->read().body(), kDocument);
  EXPECT_LT(server->most_held_bytes(), kDocument.size());
}

TEST_F(PageTest, IsOpenedByAPersonAndReadByNoOtherPage) {
  serve();
  const auto from = [&](std::string_view path, Fields fields) {
    return get(path, fields).result_int();
  };
  for (const char* const site : {"cross-site", "same-site", "none", "same-origin"}) {
    const Fields opened{
        {"Sec-Fetch-Site", site}, {"Sec-Fetch-Mode", "navigate"}, {"Sec-Fetch-Dest", "document"}};
    EXPECT_EQ(from("/", opened), 200U) << site;
    EXPECT_EQ(from("/openapi.json", opened), 200U) << site;
  }
  for (const char* const path : {"/", "/openapi.json", "/page/page.js"}) {
    EXPECT_EQ(from(path, {{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Mode", "no-cors"}}), 403U);
    EXPECT_EQ(from(path, {{"Sec-Fetch-Site", "same-site"},
                          {"Sec-Fetch-Mode", "navigate"},
                          {"Sec-Fetch-Dest", "iframe"}}),
              403U);
    EXPECT_EQ(from(path, {{"Origin", "https://evil.example"}}), 403U);
    EXPECT_EQ(from(path, {{"Host", "evil.example"}}), 403U);
  }
  // A form of another page that is sent here is no call, whatever it opens.
  EXPECT_EQ(Client(port)
                .ask("/twirp/shop.Notes/Echo", "{}",
                     {{"Sec-Fetch-Site", "cross-site"},
                      {"Sec-Fetch-Mode", "navigate"},
                      {"Sec-Fetch-Dest", "document"}})
                .result_int(),
            403U);
  const Response listed = get("/openapi.json", {{"Origin", "https://shop.example"}});
  EXPECT_EQ(listed.result_int(), 200U);
  EXPECT_EQ(listed["Access-Control-Allow-Origin"], "https://shop.example");
}

TEST_F(PageTest, IsThereByGetAtItsPathsAlone) {
  serve();
  for (const char* const method : {"POST", "PUT", "DELETE", "OPTIONS"}) {
    EXPECT_EQ(get("/", {}, method).result_int(), 404U) << method;
  }
  for (const char* const path : {"/page", "/page/", "/page/page.html", "/openapi.json?a=b",
                                 "/page/../openapi.json", "//", "/OpenAPI.json"}) {
    EXPECT_EQ(get(path).result_int(), 404U) << path;
  }
}

TEST_F(PageTest, LeavesAPathToTheFlowThatHasIt) {
  serve("/");
  EXPECT_EQ(get("/").result_int(), 405U);
  EXPECT_EQ(Client(port).ask("/", R"({"text":"a"})").result_int(), 200U);
  EXPECT_EQ(get("/openapi.json").result_int(), 200U);
}

const std::string kToken = "0123456789abcdef0123456789abcdef";

TEST_F(PageTest, IsReadWithoutATokenOnThisMachine) {
  door.tokens = {kToken};
  serve();
  EXPECT_EQ(get("/").result_int(), 200U);
  EXPECT_EQ(get("/page/page.js").result_int(), 200U);
  EXPECT_EQ(get("/openapi.json").result_int(), 200U);
  EXPECT_EQ(get("/other").result_int(), 401U);
}

TEST_F(PageTest, IsNotGivenToOtherMachinesAndTheDocumentToThoseWithAToken) {
  door.tokens = {kToken};
  door.beyond = true;
  serve();
  const Fields known{{"Authorization", "Bearer " + kToken}};
  EXPECT_EQ(get("/").result_int(), 401U);
  EXPECT_EQ(get("/", known).result_int(), 404U);
  EXPECT_EQ(get("/openapi.json").result_int(), 401U);
  EXPECT_EQ(get("/openapi.json", known).body(), kDocument);
}

// Not even a page that may ask services.
TEST_F(PageTest, TellsNobodyWithoutATokenWhichPathsAreFlows) {
  door.tokens = {kToken};
  door.beyond = true;
  serve();
  for (const char* const path : {"/words", "/other"}) {
    for (const Fields& who : {Fields{}, Fields{{"Origin", "https://shop.example"}}})
      EXPECT_EQ(Client(port).ask(path, "{}", who).result_int(), 401U) << path;
  }
  const Fields page{{"Origin", "https://shop.example"}, {"Authorization", "Bearer " + kToken}};
  EXPECT_EQ(Client(port).ask("/words", "{}", page).result_int(), 403U) << "events are no calls";
}

TEST_F(PageTest, IsNotThereWhereNothingIsExposed) {
  serve("/words", false);
  EXPECT_EQ(get("/").result_int(), 404U);
  EXPECT_EQ(get("/openapi.json").result_int(), 404U);
  EXPECT_EQ(get("/", {{"Sec-Fetch-Site", "cross-site"},
                      {"Sec-Fetch-Mode", "navigate"},
                      {"Sec-Fetch-Dest", "document"}})
                .result_int(),
            403U);
}

}  // namespace
}  // namespace penstock::edge::page_test
