#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>

#include "penstock/app/ask_binding.hpp"
#include "penstock/edge/server.hpp"
#include "penstock/edge/twirp.hpp"
#include "penstock/net/remote/calls/remote_type.hpp"
#include "support/edge_note.hpp"
#include "support/gate.hpp"
#include "support/http_client.hpp"
#include "support/small_binary.hpp"

namespace penstock::edge::services_test {
namespace {

using namespace std::string_view_literals;
using nlohmann::json;
using penstock::testing::eventually;
using penstock::testing::Gate;
using penstock::testing::Note;
using penstock::testing::pool_settings;
using Response = penstock::testing::HttpClient::Response;
using Fields = std::vector<std::pair<std::string, std::string>>;

/// Waits for its answers, however long a busy machine keeps it.
class Client : public penstock::testing::HttpClient {
 public:
  using HttpClient::HttpClient;
  void post(std::string_view path, std::string_view body, Fields fields = {},
            std::string_view method = "POST") {
    const bool says = std::any_of(fields.begin(), fields.end(),
                                  [](const auto& field) { return field.first == kTimeout; });
    if (!says) fields.emplace_back(kTimeout, "3600000");
    HttpClient::post(path, body, fields, method);
  }
  Response ask(std::string_view path, std::string_view body, const Fields& fields = {},
               std::string_view method = "POST") {
    post(path, body, fields, method);
    return read();
  }

 private:
  static constexpr const char* kTimeout = "Twirp-Timeout";
};

constexpr const char* kEcho = "/twirp/shop.Notes/Echo";
constexpr const char* kSilent = "/twirp/shop.Notes/Silent";
const Fields kProtobuf{{"Content-Type", "application/protobuf"}};

Gate g_gate;

struct Echo : Handler {
  using request_type = Note;
  using response_type = Note;
  static Note handle(const Note& note) {
    g_gate.pass();
    if (note.text == "fail") throw Error(static_cast<ErrorCode>(note.count), "as asked");
    if (note.text == "context") {
      const std::string user(context().baggage_value("user"));
      return {context().trace.traceparent() + ' ' + user, context().deadline() ? 1 : 0, {}};
    }
    return {note.text + "!", note.count + 1, note.next_note};
  }
};
struct Silent : Handler {
  using request_type = Note;
  using response_type = void;
  static void handle(const Note& /*note*/) {}
};

// Nobody is sent away for taking his time, however long a busy machine keeps us.
ServerOptions options() {
  ServerOptions options;
  options.limits.header_time = options.limits.request_time = std::chrono::hours(1);
  options.limits.keep_alive_time = std::chrono::hours(1);
  options.limits.body_bytes_per_second = 0;
  options.exposed.origins = {"https://shop.example"};
  return options;
}

class ServicesTest : public ::testing::Test {
 protected:
  /// `asks`: the pool whose workers ask; null: the same.
  void serve(exec::PoolSettings settings = pool_settings("a", 1), exec::Pool* asks = nullptr) {
    exec::Pool& pool = binary.pool(std::move(settings));
    asking = asks != nullptr ? asks : &pool;
    echo = &expose<Echo>("Echo", pool);
    expose<Silent>("Silent", pool);
    binary.start();
    server = std::make_unique<Server>(std::vector<flow::HttpSource*>{}, binary.registry(), door);
    server->start();
    const std::string address = server->address();
    port = static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
  }
  /// The service's only worker may be held, and has no connections.
  void serve_by_others() { serve(pool_settings("a", 1), &binary.pool(pool_settings("door", 1))); }
  void TearDown() override {
    g_gate.open();
    server->drain();
    EXPECT_TRUE(eventually([this] { return server->asks_nobody(); }));
    binary.stop();
    server->stop(penstock::testing::far_from_now());
  }
  Response ask(std::string_view body, const Fields& fields = {}, std::string_view path = kEcho,
               std::string_view method = "POST") {
    return Client(port).ask(path, body, fields, method);
  }

  /// Of a request in JSON, but for `more` of it and what ends it.
  [[nodiscard]] std::string head_of_echo(const std::string& more) const {
    return std::string("POST ") + kEcho + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
           "\r\nContent-Type: application/json\r\n" + more;
  }

  ServerOptions door = options();
  penstock::testing::SmallBinary binary;
  std::unique_ptr<Server> server;
  const call::Service* echo = nullptr;
  exec::Pool* asking = nullptr;
  std::uint16_t port = 0;

 private:
  template <class H>
  const call::Service& expose(const std::string& name, exec::Pool& pool) {
    using Request = typename H::request_type;
    using Answer = typename H::response_type;
    call::Service& service = binary.service<H>(name, Kind::simple, pool);
    const net::RemoteType& type = net::kRemoteType<Request, Answer>;
    const app::AskBinding asks = app::bind_ask<Request, Answer>();
    door.exposed.services.push_back(
        {"/twirp/shop.Notes/" + name,
         {type.read_request, asks.make, type.answer_bytes, type.write_answer, asks.append},
         &binary.site(service),
         asking});
    return service;
  }
};

std::string protobuf_of(const Note& note) {
  std::string bytes(codec::Message<Note>::size(note), '\0');
  codec::Writer writer(bytes.data() + bytes.size());
  codec::Message<Note>::write(writer, note);
  return bytes;
}
json error_of(const Response& answer) {
  EXPECT_EQ(answer["Content-Type"], "application/json");
  return json::parse(answer.body());
}

TEST_F(ServicesTest, AnswersInTheFormThatItIsAskedIn) {
  serve();
  Client client(port);
  const Response text = client.ask(kEcho, R"({"text":"a","count":1,"nextNote":{"count":"2"}})");
  EXPECT_EQ(text.result_int(), 200U);
  EXPECT_EQ(text["Content-Type"], "application/json");
  EXPECT_EQ(text.body(), R"({"text":"a!","count":"2","nextNote":{"count":"2"}})");
  const Response bytes = client.ask(kEcho, protobuf_of({"a", 1, Note{"", 2, {}}}), kProtobuf);
  EXPECT_EQ(bytes.result_int(), 200U);
  EXPECT_EQ(bytes["Content-Type"], "application/protobuf");
  EXPECT_EQ(bytes.body(), protobuf_of({"a!", 2, Note{"", 2, {}}}));
  EXPECT_TRUE(bytes.keep_alive());
  EXPECT_EQ(binary.done(*echo), 2U);
}

TEST_F(ServicesTest, AnswersAnEmptyMessageWhereThereIsNoResponse) {
  serve();
  EXPECT_EQ(ask("{}", {}, kSilent).body(), "{}");
  const Response bytes = ask("", kProtobuf, kSilent);
  EXPECT_EQ(bytes.result_int(), 200U);
  EXPECT_EQ(bytes.body(), "");
  // Clients of others look for it, whatever the answer's size.
  EXPECT_EQ(bytes["Content-Type"], "application/protobuf");
  // What has no fields set is no byte in protobuf.
  EXPECT_EQ(ask("", kProtobuf).body(), protobuf_of({"!", 1, {}}));
}

TEST_F(ServicesTest, TakesWhatOtherPeoplesClientsSend) {
  serve();
  for (const char* const type :
       {"application/json; charset=utf-8", "application/json;charset=UTF-8", "APPLICATION/JSON",
        "application/json ; a=b"}) {
    EXPECT_EQ(ask("{}", {{"Content-Type", type}}).result_int(), 200U) << type;
  }
  EXPECT_EQ(ask("", {{"Content-Type", "application/protobuf; proto=x"}}).result_int(), 200U);
  // A newer client's fields are left out, whatever they hold; a field's two spellings are taken.
  const Response newer =
      ask(R"({"new":{"a":[1e999,{"b":null}],"\u0062":"\"}"},"next_note":{"x":true,"text":"in"},)"
          R"("later":-0.5,"text":"a","count":null})");
  EXPECT_EQ(newer.body(), R"({"text":"a!","count":"1","nextNote":{"text":"in"}})");
  // Yet they are JSON.
  EXPECT_EQ(ask(R"({"new":[1,]})").result_int(), 400U);
  EXPECT_EQ(ask(R"({"new":01})").result_int(), 400U);
}

TEST_F(ServicesTest, GivesErrorsByTwirpsNames) {
  serve();
  const std::vector<std::pair<std::string, unsigned>> expected{{"canceled", 408},
                                                               {"unknown", 500},
                                                               {"invalid_argument", 400},
                                                               {"deadline_exceeded", 408},
                                                               {"not_found", 404},
                                                               {"already_exists", 409},
                                                               {"permission_denied", 403},
                                                               {"resource_exhausted", 429},
                                                               {"failed_precondition", 412},
                                                               {"aborted", 409},
                                                               {"out_of_range", 400},
                                                               {"unimplemented", 501},
                                                               {"internal", 500},
                                                               {"unavailable", 503},
                                                               {"data_loss", 500},
                                                               {"unauthenticated", 401},
                                                               {"aborted", 409}};
  ASSERT_EQ(expected.size() + 1, kErrorCodes);
  Client client(port);
  for (std::size_t code = 1; code < kErrorCodes; ++code) {
    const Response answer =
        client.ask(kEcho, R"({"text":"fail","count":)" + std::to_string(code) + "}");
    EXPECT_EQ(answer.result_int(), expected[code - 1].second) << code;
    const json error = error_of(answer);
    EXPECT_EQ(error["code"], expected[code - 1].first);
    EXPECT_NE(error["msg"].get<std::string>().find("as asked"), std::string::npos) << error;
    EXPECT_TRUE(answer.keep_alive());
  }
  // An error is JSON, whatever was asked in.
  EXPECT_EQ(error_of(ask(protobuf_of({"fail", 5, {}}), kProtobuf))["code"], "not_found");
}

TEST_F(ServicesTest, Fault61RefusesADeepBodyAndServesOn) {
  serve();
  std::string text;
  for (int level = 0; level < 10'000; ++level) text += R"({"nextNote":)";
  const std::string unknown = R"({"new":)" + std::string(10'000, '[');
  std::string bytes;
  for (int level = 0; level < 200; ++level) {
    std::string size;
    for (std::size_t left = bytes.size();; left >>= 7U) {
      size += static_cast<char>((left & 0x7FU) | (left > 0x7FU ? 0x80U : 0U));
      if (left <= 0x7FU) break;
    }
    bytes = '\x1a' + size + bytes;  // field 3 holds what there was
  }
  for (const Response& answer : {ask(text), ask(unknown), ask(bytes, kProtobuf)}) {
    EXPECT_EQ(answer.result_int(), 400U);
    EXPECT_EQ(error_of(answer)["code"], "malformed");
  }
  EXPECT_EQ(ask("{}").result_int(), 200U);
  EXPECT_EQ(binary.done(*echo), 1U);
}

// A million bytes that would be a hundred times as much in memory, or a little more each.
TEST_F(ServicesTest, Fault61RefusesABodyThatUnpacksAndServesOn) {
  serve();
  std::string text = R"({"more":[{})";
  while (text.size() < kMostRequestBytes - 8) text += ",{}";
  text += "]}";
  std::string bytes;
  while (bytes.size() < kMostRequestBytes) bytes += "\x22\0"sv;
  for (const Response& answer : {ask(text), ask(bytes, kProtobuf)}) {
    EXPECT_EQ(answer.result_int(), 429U);
    EXPECT_EQ(error_of(answer)["code"], "resource_exhausted");
    EXPECT_EQ(error_of(answer)["meta"], json({{"max_memory_bytes", "16777216"}}));
  }
  bytes.resize(20'000);
  EXPECT_EQ(ask(bytes, kProtobuf).result_int(), 200U);
  EXPECT_EQ(binary.done(*echo), 1U);
}

// They wait for a worker that is at work, and are counted as what they became.
TEST_F(ServicesTest, BoundsWhatWaitingRequestsBecameInMemory) {
  std::string bytes;
  while (bytes.size() < 20'000) bytes += "\x22\0"sv;
  constexpr std::size_t kNotes = 10'000;
  door.limits.held_bytes = 3 * kNotes * sizeof(Note);
  serve_by_others();
  g_gate.close();
  Client held(port);
  held.post(kEcho, "{}");
  g_gate.wait_for_one();
  for (int left = 0; left < 2; ++left) {
    EXPECT_EQ(ask(bytes, {kProtobuf.front(), {"Twirp-Timeout", "1"}}).result_int(), 408U);
  }
  const Response refused = ask(bytes, kProtobuf);
  EXPECT_EQ(refused.result_int(), 503U);
  EXPECT_EQ(error_of(refused)["code"], "unavailable");
  g_gate.open();
  EXPECT_EQ(held.read().result_int(), 200U);
  EXPECT_TRUE(eventually([&] { return ask(bytes, kProtobuf).result_int() == 200U; }));
}

TEST_F(ServicesTest, Fault62AnswersBadRouteToAWrongTypeMethodOrPath) {
  serve();
  const auto refused = [&](const Response& answer, const std::string& route) {
    EXPECT_EQ(answer.result_int(), 404U);
    const json error = error_of(answer);
    EXPECT_EQ(error["code"], "bad_route");
    EXPECT_EQ(error["meta"], json({{"twirp_invalid_route", route}}));
  };
  refused(ask("", {}, kEcho, "GET"), std::string("GET ") + kEcho);
  refused(ask("{}", {}, kEcho, "PUT"), std::string("PUT ") + kEcho);
  for (const char* const path :
       {"/twirp/shop.Notes/echo", "/twirp/shop.Notes/Echo/", "/shop.Notes/Echo",
        "/twirp/shop.Notes/Echo?a=b", "/twirp//shop.Notes/Echo"}) {
    refused(ask("{}", {}, path), std::string("POST ") + path);
  }
  for (const char* const type : {"text/plain", "application/x-protobuf", "application/json5", ""}) {
    refused(ask("{}", {{"Content-Type", type}}), std::string("POST ") + kEcho);
  }
  EXPECT_EQ(ask("{}").result_int(), 200U);
}

TEST_F(ServicesTest, SaysWhatIsMalformed) {
  serve();
  Client client(port);
  for (const char* const body : {"", " ", "[]", "{", "{\"count\":\"x\"}", "{} {}"}) {
    const Response answer = client.ask(kEcho, body);
    EXPECT_EQ(answer.result_int(), 400U) << body;
    EXPECT_EQ(error_of(answer)["code"], "malformed") << body;
    EXPECT_TRUE(answer.keep_alive());
  }
  EXPECT_EQ(error_of(client.ask(kEcho, ""))["msg"],
            "The body is empty; a message without values is {} in JSON.");
  EXPECT_EQ(error_of(Client(port).ask(kEcho + std::string("?a=1"), "{}"))["msg"],
            "A service is asked without a query (?).");
  EXPECT_EQ(error_of(client.ask(kEcho, R"({"nextNote":{"count":1.5}})"))["meta"],
            json({{"pointer", "/nextNote/count"}, {"line", "1"}, {"column", "22"}}));
  EXPECT_EQ(error_of(client.ask(kEcho, "\x0a\x7f", kProtobuf))["code"], "malformed");
  EXPECT_EQ(error_of(ask("{}", {{"Content-Encoding", "gzip"}}))["code"], "malformed");
}

TEST_F(ServicesTest, BoundsABodyBeforeItReadsIt) {
  serve();
  for (const char* const body :
       {"Content-Length: 1048577\r\n\r\n", "Content-Length: 16777217\r\n\r\n",
        "Content-Length: 18446744073709551615\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n100001\r\n",
        "Transfer-Encoding: chunked\r\n\r\n1\r\n \r\n100000\r\n"}) {
    Client client(port);
    client.send_raw(head_of_echo("Origin: https://shop.example\r\n") + body);
    const Response answer = client.read();
    EXPECT_EQ(answer.result_int(), 429U) << body;
    EXPECT_EQ(error_of(answer)["code"], "resource_exhausted");
    EXPECT_EQ(error_of(answer)["meta"], json({{"max_bytes", "1048576"}}));
    EXPECT_EQ(answer["Access-Control-Allow-Origin"], "https://shop.example");
  }
}

// Each is answered in time and leaves its request behind, in the queue of a worker that is at work.
TEST_F(ServicesTest, BoundsWhatImpatientClientsLeaveBehind) {
  door.limits.held_bytes = 100'000;
  serve_by_others();
  g_gate.close();
  Client held(port);
  held.post(kEcho, "{}");
  g_gate.wait_for_one();
  const std::string body = "{}" + std::string(24'998, ' ');
  for (int left = 0; left < 3; ++left) {
    EXPECT_EQ(ask(body, {{"Twirp-Timeout", "1"}}).result_int(), 408U);
  }
  const Response refused = ask(body, {{"Twirp-Timeout", "1"}});
  EXPECT_EQ(refused.result_int(), 503U);
  EXPECT_EQ(error_of(refused)["code"], "unavailable");
  EXPECT_EQ(refused["Retry-After"], "1");
  g_gate.open();
  EXPECT_EQ(held.read().result_int(), 200U);
  EXPECT_TRUE(eventually([&] { return ask(body).result_int() == 200U; }));
}

// At two workers, and one in several pieces.
TEST_F(ServicesTest, GivesEachOfManyThatComeTogetherItsOwnAnswer) {
  serve(pool_settings("a", 2));
  constexpr std::size_t kMany = 30;
  std::vector<std::unique_ptr<Client>> clients;
  for (std::size_t index = 0; index < kMany; ++index) {
    clients.push_back(std::make_unique<Client>(port));
  }
  const std::string large(20'000, 'x');
  for (int round = 0; round < 3; ++round) {
    const auto text = [&](std::size_t index) {
      return std::to_string(round) + '/' + std::to_string(index) + (index == 5 ? large : "");
    };
    for (std::size_t index = 0; index < kMany; ++index) {
      clients[index]->post(kEcho, protobuf_of({text(index), 1, {}}), kProtobuf);
    }
    for (std::size_t index = 0; index < kMany; ++index) {
      EXPECT_EQ(clients[index]->read().body(), protobuf_of({text(index) + "!", 2, {}}));
    }
  }
}

TEST_F(ServicesTest, RefusesPagesOfOriginsThatAreNotListed) {
  serve();
  const auto origin = [&](const std::string& text, std::string_view method = "POST") {
    const std::string_view body = method == "POST" ? "{}" : "";
    return ask(body, {{"Origin", text}, {"Sec-Fetch-Site", "cross-site"}}, kEcho, method);
  };
  for (const char* const other : {"https://evil.example", "null", "https://shop.example.evil",
                                  "http://shop.example", "https://shop.example:444"}) {
    const Response answer = origin(other);
    EXPECT_EQ(answer.result_int(), 403U) << other;
    EXPECT_EQ(error_of(answer)["code"], "permission_denied");
    EXPECT_EQ(answer["Access-Control-Allow-Origin"], "");
    EXPECT_EQ(origin(other, "OPTIONS").result_int(), 403U);
  }
  const Response listed = origin("https://shop.example");
  EXPECT_EQ(listed.result_int(), 200U);
  EXPECT_EQ(listed["Access-Control-Allow-Origin"], "https://shop.example");
  const Response before = origin("https://shop.example", "OPTIONS");
  EXPECT_EQ(before.result_int(), 204U);
  EXPECT_EQ(before["Access-Control-Allow-Methods"], "POST");
  EXPECT_EQ(origin("http://127.0.0.1:" + std::to_string(port)).result_int(), 200U);
  EXPECT_EQ(ask("{}", {{"Host", "evil.example"}}).result_int(), 403U);
}

TEST_F(ServicesTest, GivesItsServiceTheContextOfTheRequest) {
  serve();
  const std::string trace = "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01";
  const Response answer =
      ask(R"({"text":"context"})", {{"traceparent", trace}, {"baggage", "user=ann"}});
  EXPECT_EQ(answer.body(), R"({"text":")" + trace + R"( ann","count":"1"})");
}

TEST_F(ServicesTest, WaitsNoLongerThanItsClientDoes) {
  serve_by_others();
  g_gate.close();
  Client held(port);
  held.post(kEcho, "{}");
  g_gate.wait_for_one();
  // It waits for the only worker, which is at work.
  const Response late = ask("{}", {{"Twirp-Timeout", "1"}});
  EXPECT_EQ(late.result_int(), 408U);
  EXPECT_EQ(error_of(late)["code"], "deadline_exceeded");
  g_gate.open();
  EXPECT_EQ(held.read().result_int(), 200U);
  for (const char* const wrong : {"0", "-1", "1.5", "1s", "3600001", "99999999999999999999"}) {
    EXPECT_EQ(error_of(ask("{}", {{"Twirp-Timeout", wrong}}))["code"], "invalid_argument") << wrong;
  }
  EXPECT_EQ(ask("{}", {{"Twirp-Timeout", "3600000"}}).result_int(), 200U);
}

TEST_F(ServicesTest, AnswersPipelinedRequestsInTheirOrder) {
  serve(pool_settings("a", 2));
  Client client(port);
  for (int i = 0; i < 20; ++i) client.post(kEcho, "{\"count\":" + std::to_string(i) + "}");
  for (int i = 1; i <= 20; ++i) {
    EXPECT_EQ(client.read().body(), R"({"text":"!","count":")" + std::to_string(i) + R"("})");
  }
}

TEST_F(ServicesTest, Fault46AnswersResourceExhaustedWhereTheQueueRejects) {
  serve(pool_settings("a", 1, 1, exec::Overflow::reject), &binary.pool(pool_settings("door", 1)));
  g_gate.close();
  constexpr std::size_t kMore = 6;
  std::vector<std::unique_ptr<Client>> clients;
  for (std::size_t asked = 0; asked <= kMore; ++asked) {
    clients.push_back(std::make_unique<Client>(port));
    clients.back()->post(kEcho, "{}");
    if (asked == 0) g_gate.wait_for_one();
  }
  EXPECT_TRUE(eventually([this] { return echo->sent_count() == kMore + 1; }));
  g_gate.open();
  std::size_t refused = 0;
  for (const auto& client : clients) {
    const Response answer = client->read();
    if (answer.result_int() == 200U) continue;
    ++refused;
    EXPECT_EQ(answer.result_int(), 429U);
    EXPECT_EQ(error_of(answer)["code"], "resource_exhausted");
    EXPECT_EQ(answer["Retry-After"], "1");
  }
  EXPECT_GT(refused, 0U);
  EXPECT_LT(refused, clients.size());
}

TEST_F(ServicesTest, AnswersWhatWasAskedWhenItDrainsAndNothingElse) {
  serve_by_others();
  Client idle(port);
  EXPECT_EQ(idle.ask(kSilent, "{}").result_int(), 200U);
  g_gate.close();
  Client held(port);
  held.post(kEcho, "{}");
  g_gate.wait_for_one();
  Client half(port);
  half.send_raw(head_of_echo("Expect: 100-continue\r\nContent-Length: 2\r\n") + "\r\n");
  EXPECT_EQ(half.read_bytes(25), "HTTP/1.1 100 Continue\r\n\r\n");
  server->drain();
  half.send_raw("{}");
  const Response refused = half.read();
  EXPECT_EQ(refused.result_int(), 503U);
  EXPECT_EQ(error_of(refused)["code"], "unavailable");
  EXPECT_FALSE(refused.keep_alive());
  EXPECT_TRUE(idle.ended());
  EXPECT_FALSE(server->asks_nobody());
  g_gate.open();
  const Response answer = held.read();
  EXPECT_EQ(answer.result_int(), 200U);
  EXPECT_FALSE(answer.keep_alive());
  EXPECT_TRUE(eventually([this] { return server->asks_nobody(); }));
}

// --- who has a token ---

const std::string kToken = "0123456789abcdef0123456789abcdef";

TEST_F(ServicesTest, AnswersWhoHasOneOfTheTokens) {
  door.tokens = {kToken, "fedcba9876543210"};
  serve();
  for (const std::string& token : *door.tokens) {
    EXPECT_EQ(ask("{}", {{"Authorization", "Bearer " + token}}).result_int(), 200U);
  }
}

TEST_F(ServicesTest, RefusesWhoHasNoneBeforeItLooksForWhatIsAsked) {
  door.tokens = {kToken};
  serve();
  for (const std::string& wrong :
       {std::string(), "Bearer " + kToken.substr(1), "Bearer " + kToken + "0",
        std::string("Bearer 0"), "Basic " + kToken, std::string("Bearer "),
        "Bearer " + std::string(8'000, 'x')}) {
    for (const char* const path : {kEcho, "/nothing"}) {
      const Response answer = ask("{}", {{"Authorization", wrong}}, path);
      EXPECT_EQ(answer.result_int(), 401U) << wrong << path;
      EXPECT_EQ(answer["WWW-Authenticate"], "Bearer");
      EXPECT_EQ(error_of(answer)["code"], "unauthenticated");
      EXPECT_FALSE(answer.keep_alive());
    }
  }
  EXPECT_EQ(ask("{}", {{"Authorization", "Bearer " + std::string(20'000, 'x')}}).result_int(),
            431U);
  EXPECT_EQ(ask("{}", {{"Authorization", "Bearer " + kToken}}).result_int(), 200U);
}

TEST_F(ServicesTest, TellsAPageThatItMayBeforeItHasSentItsToken) {
  door.tokens = {kToken};
  serve();
  const Fields page{{"Origin", "https://shop.example"}};
  const Response may = ask("", page, kEcho, "OPTIONS");
  EXPECT_EQ(may.result_int(), 204U);
  EXPECT_NE(may["Access-Control-Allow-Headers"].find("Authorization"),
            boost::beast::string_view::npos);
  const Response refused = ask("{}", page);
  EXPECT_EQ(refused.result_int(), 401U);
  EXPECT_EQ(refused["Access-Control-Allow-Origin"], "https://shop.example");
}

TEST_F(ServicesTest, TakesAnyHostBeyondThisMachineAndNoPageForItsOwn) {
  door.host = "0.0.0.0";
  door.beyond = true;
  serve();
  EXPECT_EQ(ask("{}", {{"Host", "ads.example"}}).result_int(), 200U);
  EXPECT_EQ(ask("{}", {{"Host", "evil.example"}, {"Origin", "http://evil.example"}}).result_int(),
            403U);
  EXPECT_EQ(ask("{}", {{"Host", "a.example"}, {"Origin", "https://shop.example"}}).result_int(),
            200U);
  EXPECT_EQ(server->address(), "0.0.0.0:" + std::to_string(port));
}

}  // namespace
}  // namespace penstock::edge::services_test
