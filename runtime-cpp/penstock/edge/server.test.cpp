#include "penstock/edge/server.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "support/gate.hpp"
#include "support/http_client.hpp"
#include "support/json_word.hpp"
#include "support/one_flow.hpp"

namespace penstock::edge {
namespace {

using namespace std::chrono_literals;
using penstock::testing::eventually;
using penstock::testing::JsonWord;
using penstock::testing::pool_settings;
using Client = penstock::testing::HttpClient;
using Response = Client::Response;

/// Nobody is sent away for taking his time, however long a busy machine keeps us, our clients or a
/// sanitizer that makes long answers: a test shortens the time that it is about.
http::Limits patient() {
  http::Limits limits = default_limits();
  limits.header_time = limits.request_time = limits.keep_alive_time = 1h;
  limits.body_bytes_per_second = 0;
  return limits;
}
constexpr std::int32_t kPatientMs = 3'600'000;

std::atomic<bool> g_hold{false};
std::atomic<int> g_begun{0};
std::atomic<int> g_held{0};  // handlers that were begun while it was set
penstock::testing::Gate g_read;

struct Echo : Handler {
  using request_type = JsonWord;
  using response_type = JsonWord;
  static JsonWord handle(const JsonWord& word) {
    ++g_begun;
    if (g_hold.load()) ++g_held;
    while (g_hold.load()) std::this_thread::yield();
    if (word.text == "long") return {std::string(static_cast<std::size_t>(word.number), 'x'), 0};
    if (word.text == "context") {
      return {context().trace.traceparent() + ' ' + std::string(context().baggage_value("user")),
              context().deadline().has_value() ? 1 : 0};
    }
    return {word.text + "!", word.number + 1};
  }
};

/// Who has the connections: the server's thread, or workers, as where services are exposed, too.
enum class Has : std::uint8_t { server, workers };

class EdgeTest : public ::testing::TestWithParam<Has> {
 protected:
  void serve(exec::PoolSettings settings = pool_settings("a", 1, 8),
             std::int32_t timeout_ms = kPatientMs, http::Limits limits = patient(),
             std::uint32_t max_bytes = 1000, flow::ReadJson read = &flow::read_json<JsonWord>) {
    g_hold = false;
    g_begun = 0;
    g_held = 0;
    auto& pool = one.binary.pool(std::move(settings));
    exec::Pool* const door =
        GetParam() == Has::workers ? &one.binary.pool(pool_settings("door", 2)) : nullptr;
    one.stage<flow::Role::map, Echo>("echo", Kind::simple, pool, &pool);
    one.flow.fit(sizeof(JsonWord));
    one.start();
    words = std::make_unique<flow::HttpSource>(
        one.flow, flow::HttpSource::Settings{read, "/words", false, timeout_ms, max_bytes});
    ServerOptions options{.host = "127.0.0.1", .port = 0, .limits = limits};
    if (door != nullptr) options.exposed.services.push_back({"/none", {}, nullptr, door});
    server = std::make_unique<Server>(std::vector{words.get()}, one.binary.registry(), options);
    server->start();
    words->start(0);
    const std::string address = server->address();
    port = static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
  }
  void TearDown() override {
    g_read.open();
    g_hold = false;
    if (server) server->drain();
    if (words) words->stop(0);
    one.binary.stop();
    if (server) server->stop(penstock::testing::far_from_now());
  }
  [[nodiscard]] Client client() const { return Client(port); }
  /// What comes of a request that is in the flow: where this machine is so busy that its time is
  /// over before, that is said (503), and another one is sent.
  [[nodiscard]] Response ask_the_flow() const {
    Response answer = client().ask("/words", "{}");
    for (int again = 0; again < 100 && answer.result_int() == 503U; ++again)
      answer = client().ask("/words", "{}");
    return answer;
  }
  /// All that came into the flow, of so many events, has ended; who was refused did not come.
  [[nodiscard]] bool all_of_it_ended(std::uint64_t events) {
    return one.all_ended() && one.emitted() - one.dropped() == events;
  }
  [[nodiscard]] bool takes_clients() const {
    try {
      const Client another(port);
      return true;
    } catch (const boost::system::system_error&) {
      return false;
    }
  }
  [[nodiscard]] std::string head(const std::string& more) const {
    return "POST /words HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
           "\r\nContent-Type: application/json\r\n" + more;
  }
  /// Of a message of so many bytes, which has blanks at its end.
  [[nodiscard]] std::string head_of_body(std::size_t bytes) const {
    return head("Content-Length: " + std::to_string(bytes) + "\r\n\r\n");
  }
  // The one worker, by an event without deadline: it begins however late it comes to run.
  void hold_worker() {
    g_hold = true;
    EXPECT_EQ(words->submit("{}", {}, [](const flow::HttpAnswer& /*answer*/) {}), std::nullopt);
    ASSERT_TRUE(eventually([] { return g_held == 1; }));
  }

  penstock::testing::OneFlow one;
  std::unique_ptr<flow::HttpSource> words;
  std::unique_ptr<Server> server;
  std::uint16_t port = 0;
};

TEST_P(EdgeTest, AnswersRequestAfterRequestOnOneConnection) {
  serve();
  Client client = this->client();
  for (int i = 0; i < 100; ++i) {
    const Response answer = client.ask("/words", "{\"number\":" + std::to_string(i) + "}");
    ASSERT_EQ(answer.result_int(), 200U);
    ASSERT_EQ(answer.body(), "{\"text\":\"!\",\"number\":" + std::to_string(i + 1) + "}");
    ASSERT_EQ(answer["Content-Type"], "application/json");
    ASSERT_TRUE(answer.keep_alive());
  }
  // The answer leaves before its event is counted.
  EXPECT_TRUE(eventually([&] { return one.all_ended(); }));
  EXPECT_EQ(one.completed(), 100U);
}

TEST_P(EdgeTest, KeepsAConnectionAfterAMalformedBodyAndSaysWhereItIs) {
  serve();
  Client client = this->client();
  const Response answer = client.ask("/words", "{\"number\":}");
  EXPECT_EQ(answer.result_int(), 400U);
  EXPECT_NE(answer.body().find("\"pointer\":\"/number\",\"line\":\"1\",\"column\":\"11\""),
            std::string::npos)
      << answer.body();
  EXPECT_EQ(client.ask("/words", "{}").result_int(), 200U);
  EXPECT_EQ(one.failed(), 1U);
}

TEST_P(EdgeTest, TurnsAwayWhatIsNoEventOfAProgram) {
  serve();
  using Fields = std::vector<std::pair<std::string, std::string>>;
  const auto status = [&](const Fields& fields, std::string_view path = "/words",
                          std::string_view method = "POST") {
    Client client = this->client();
    const Response answer = client.ask(path, "{}", fields, method);
    EXPECT_TRUE(client.ended());
    return answer.result_int();
  };
  EXPECT_EQ(status({}, "/word"), 404U);
  EXPECT_EQ(status({}, "/words/"), 404U);
  EXPECT_EQ(status({}, "/words?a=1"), 404U);
  EXPECT_EQ(status({}, "/%77ords"), 404U);
  EXPECT_EQ(status({}, "/words", "PUT"), 405U);
  EXPECT_EQ(status({}, "/words", "OPTIONS"), 405U);
  EXPECT_EQ(status({{"Content-Type", "text/plain"}}), 415U);
  EXPECT_EQ(status({{"Content-Type", ""}}), 415U);
  EXPECT_EQ(status({{"Content-Type", "application/json; charset=latin1"}}), 415U);
  EXPECT_EQ(status({{"Content-Encoding", "gzip"}}), 415U);
  EXPECT_EQ(status({{"Origin", "http://127.0.0.1"}}), 403U);
  EXPECT_EQ(status({{"Host", "evil.example"}}), 403U);
  EXPECT_EQ(status({{"Sec-Fetch-Site", "cross-site"}}), 403U);
  EXPECT_EQ(one.emitted(), 0U);
  Client fine = client();
  EXPECT_EQ(
      fine.ask("/words", "{}", {{"Content-Type", "application/JSON; charset=UTF-8"}}).result_int(),
      200U);
}

TEST_P(EdgeTest, BoundsABodyBeforeItReadsIt) {
  serve();
  Client announced = client();
  announced.send_raw("POST /words HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                     "\r\nContent-Type: application/json\r\nContent-Length: 1001\r\n\r\n");
  EXPECT_EQ(announced.read().result_int(), 413U);
  Client chunked = client();
  chunked.send_raw(
      "POST /words HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
      "\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n" +
      std::string(1001, ' ') + "\r\n0\r\n\r\n");
  EXPECT_EQ(chunked.read().result_int(), 413U);
  Client small = client();
  small.send_raw(
      "POST /words HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
      "\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"
      "0\r\n\r\n");
  EXPECT_EQ(small.read().result_int(), 200U);
}

TEST_P(EdgeTest, TakesNoBodyOfAnUnknownTransferEncodingForTheNextRequest) {
  serve();
  const std::string head = "POST /words HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                           "\r\nContent-Type: application/json\r\n";
  const std::string hidden = head + "Content-Length: 2\r\n\r\n{}";
  const auto status = [&](const std::string& encoding) {
    Client client = this->client();
    client.send_raw(head + encoding + "\r\n" + hidden);
    const Response answer = client.read();
    EXPECT_TRUE(client.ended()) << encoding;
    return answer.result_int();
  };
  EXPECT_EQ(status("Transfer-Encoding: identity\r\n"), 501U);
  EXPECT_EQ(status("Transfer-Encoding: gzip\r\n"), 501U);
  EXPECT_EQ(status("Transfer-Encoding: gzip, chunked\r\n"), 501U);
  EXPECT_EQ(status("Transfer-Encoding: chunked, identity\r\n"), 501U);
  EXPECT_EQ(status("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n"), 400U);
  EXPECT_EQ(status("Transfer-Encoding: chunked\r\nContent-Length: 2\r\n"), 400U);
  EXPECT_EQ(one.emitted(), 0U);
}

TEST_P(EdgeTest, AsksForABodyThatWaitsToBeAsked) {
  serve();
  Client client = this->client();
  client.send_raw("POST /words HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                  "\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"
                  "Content-Length: 2\r\n\r\n");
  EXPECT_EQ(client.read_bytes(25), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send_raw("{}");
  EXPECT_EQ(client.read().result_int(), 200U);
}

TEST_P(EdgeTest, Row23AnswersASlowHead408) {
  http::Limits limits = patient();
  limits.header_time = 100ms;
  serve(pool_settings("a", 1, 8), kPatientMs, limits);
  Client client = this->client();
  client.send_raw("POST /words HT");
  EXPECT_EQ(client.read().result_int(), 408U);
}

TEST_P(EdgeTest, Row23DropsASlowBodyWith408) {
  http::Limits limits = patient();
  limits.request_time = 100ms;
  serve(pool_settings("a", 1, 8), kPatientMs, limits);
  Client client = this->client();
  client.send_raw("POST /words HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                  "\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{");
  EXPECT_EQ(client.read().result_int(), 408U);
}

// Three ways to send without end and without a byte of the body.
TEST_P(EdgeTest, BoundsWhatAChunkedBodySendsBesideItsData) {
  http::Limits limits = patient();
  limits.framing_bytes = 2000;
  serve(pool_settings("a", 1, 8), kPatientMs, limits);
  const std::string chunked = head("Transfer-Encoding: chunked\r\n\r\n");
  std::string extensions;
  for (int i = 0; i < 30; ++i) extensions += "1;" + std::string(100, 'x') + "\r\n \r\n";
  std::string trailers = "0\r\n";
  for (int i = 0; i < 30; ++i) trailers += "X-T: " + std::string(100, 'x') + "\r\n";
  for (const std::string& attack : {"1;" + std::string(3000, 'x'), extensions, trailers}) {
    Client client = this->client();
    client.send_raw(chunked + attack);
    const Response answer = client.read();
    EXPECT_EQ(answer.result_int(), 413U) << attack.substr(0, 10);
    EXPECT_NE(answer.body().find("The chunks' extensions or the trailers are too long."),
              std::string::npos);
    EXPECT_TRUE(client.ended());
  }
  EXPECT_EQ(one.emitted(), 0U);
  EXPECT_LT(server->most_held_bytes(), 40'000U);
}

TEST_P(EdgeTest, TakesABodyInChunksOfOneByteWithAFewExtensionsAndATrailer) {
  http::Limits limits = patient();
  limits.framing_bytes = 100;
  serve(pool_settings("a", 1, 8), kPatientMs, limits);
  std::string body = "1;a=b\r\n{\r\n";
  for (int i = 0; i < 500; ++i) body += "1\r\n \r\n";
  Client client = this->client();
  client.send_raw(head("Transfer-Encoding: chunked\r\n\r\n") + body +
                  "1\r\n}\r\n0\r\nX-Sum: 1\r\n\r\n");
  EXPECT_EQ(client.read().result_int(), 200U);
  EXPECT_EQ(client.ask("/words", "{}").result_int(), 200U);
}

TEST_P(EdgeTest, BoundsHeadersThatComeLineByLine) {
  serve();
  Client client = this->client();
  client.send_raw("POST /words HTTP/1.1\r\n");
  const std::string line = "X-H: " + std::string(200, 'x') + "\r\n";
  // The last one is the one too many: what came behind it could meet a closed door.
  for (std::size_t sent = 0; sent <= http::Limits().header_bytes; sent += line.size()) {
    client.send_raw(line);
  }
  EXPECT_EQ(client.read().result_int(), 431U);
  EXPECT_TRUE(client.ended());
  Client many = this->client();
  std::string fields;
  for (int i = 0; i < 100; ++i) fields += "a:\r\n";
  many.send_raw(head(fields) + "\r\n");
  EXPECT_EQ(many.read().result_int(), 431U);
}

TEST_P(EdgeTest, RefusesALengthThatCanBeReadInTwoWays) {
  serve();
  for (const char* length :
       {"Content-Length: 2,2\r\n", "Content-Length: 2\r\nContent-Length: 2\r\n"}) {
    Client client = this->client();
    client.send_raw(head(length) + "\r\n{}");
    EXPECT_EQ(client.read().result_int(), 400U) << length;
    EXPECT_TRUE(client.ended());
  }
}

TEST_P(EdgeTest, TurnsAwayWhatIsMoreThanAllConnectionsMayHoldTogether) {
  http::Limits limits = patient();
  limits.held_bytes = 100'000;
  limits.patience = 1h;
  serve(pool_settings("a", 1, 8), kPatientMs, limits, 50'000);
  Client first = client();
  first.send_raw(head_of_body(31'000) + "{}" + std::string(29'998, ' '));
  ASSERT_TRUE(eventually([&] { return server->held_bytes() >= 60'000; }));
  const Response answer = client().ask("/words", "{}" + std::string(24'998, ' '));
  EXPECT_EQ(answer.result_int(), 503U);
  EXPECT_EQ(answer["Retry-After"], "1");
  first.send_raw(std::string(1'000, ' '));
  EXPECT_EQ(first.read().result_int(), 200U);
  EXPECT_LT(server->most_held_bytes(), 200'000U);
  // What was held is given back.
  EXPECT_EQ(client().ask("/words", "{}" + std::string(24'998, ' ')).result_int(), 200U);
}

TEST_P(EdgeTest, SendsTheLargestBodyAwayThatKeepsItWaitingWhenTheirMemoryIsUsedUp) {
  http::Limits limits = patient();
  limits.held_bytes = 100'000;
  limits.patience = 0ms;
  serve(pool_settings("a", 1, 8), kPatientMs, limits, 50'000);
  Client slow = client();
  slow.send_raw(head_of_body(31'000) + "{}" + std::string(29'998, ' '));
  ASSERT_TRUE(eventually([&] { return server->held_bytes() >= 60'000; }));
  EXPECT_EQ(client().ask("/words", "{}" + std::string(24'998, ' ')).result_int(), 200U);
  EXPECT_TRUE(slow.ended());
}

TEST_P(EdgeTest, SendsASlowBodyAwayWhenThereAreTooManyConnections) {
  http::Limits limits = patient();
  limits.connections = 4;
  serve(pool_settings("a", 1, 8), kPatientMs, limits);
  std::vector<std::unique_ptr<Client>> slow;
  for (int i = 0; i < 4; ++i) {
    slow.push_back(std::make_unique<Client>(port));
    slow.back()->send_raw(head("Expect: 100-continue\r\nContent-Length: 2\r\n\r\n"));
    EXPECT_EQ(slow.back()->read_bytes(25), "HTTP/1.1 100 Continue\r\n\r\n");
  }
  EXPECT_EQ(client().ask("/words", "{}").result_int(), 200U);
  EXPECT_TRUE(slow.front()->ended());
  slow.back()->send_raw("{}");
  EXPECT_EQ(slow.back()->read().result_int(), 200U);
}

TEST_P(EdgeTest, LetsWhoComesWaitWhileAllConnectionsWaitForTheBinary) {
  http::Limits limits = patient();
  limits.connections = 2;
  limits.newcomer_time = limits.patience = 1h;
  limits.accept_pause = 1ms;
  serve(pool_settings("a", 1, 8), kPatientMs, limits);
  hold_worker();
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 8; ++i) {
    clients.push_back(std::make_unique<Client>(port));
    clients.back()->post("/words", "{}");
  }
  ASSERT_TRUE(eventually([&] { return one.emitted() == 3; }));
  g_hold = false;
  for (auto& client : clients) {
    EXPECT_EQ(client->read().result_int(), 200U);
    client.reset();
  }
}

TEST_P(EdgeTest, LetsWhoComesWaitForThoseWhoHaveJustComeNoLongerThanItsPatience) {
  http::Limits limits = patient();
  limits.connections = 2;
  limits.newcomer_time = 1h;
  limits.patience = limits.accept_pause = 1ms;
  serve(pool_settings("a", 1, 8), kPatientMs, limits);
  const Client first(port);
  const Client second(port);
  EXPECT_EQ(client().ask("/words", "{}").result_int(), 200U);
}

/// More bytes than the kernel keeps for a peer that reads nothing: up to 4 MB on the way out, 6 MB
/// at it.
constexpr std::size_t kMuch = 12'000'000;
constexpr std::string_view kAskForMuch = R"({"text":"long","number":12000000})";

TEST_P(EdgeTest, SendsPeersAwayThatTakeNoAnswerWhenThereAreTooManyConnections) {
  http::Limits limits = patient();
  limits.connections = 2;
  limits.held_bytes = std::size_t{1} << 30;
  serve(pool_settings("a", 1, 8), kPatientMs, limits);
  std::vector<std::unique_ptr<Client>> deaf;
  for (int i = 0; i < 2; ++i) {
    deaf.push_back(std::make_unique<Client>(port));
    deaf.back()->post("/words", kAskForMuch);
  }
  ASSERT_TRUE(eventually([&] { return server->held_bytes() >= 2 * kMuch; }));
  EXPECT_EQ(client().ask("/words", "{}").result_int(), 200U);
}

TEST_P(EdgeTest, SendsPeersAwayThatTakeNoAnswerWhenMemoryIsUsedUp) {
  http::Limits limits = patient();
  limits.held_bytes = kMuch + kMuch / 4;
  limits.patience = 0ms;
  serve(pool_settings("a", 1, 8), kPatientMs, limits);
  Client deaf = client();
  deaf.post("/words", kAskForMuch);
  ASSERT_TRUE(eventually([&] { return server->held_bytes() >= kMuch; }));
  EXPECT_EQ(client().ask("/words", R"({"text":"long","number":3500000})").result_int(), 200U);
  // Another thread may have it, and comes to that.
  EXPECT_TRUE(eventually([&] { return server->held_bytes() < kMuch; }));
}

TEST_P(EdgeTest, GivesNoLongAnswerThatThereIsNoMemoryFor) {
  http::Limits limits = patient();
  limits.held_bytes = kMuch + kMuch / 4;
  limits.patience = 1h;
  serve(pool_settings("a", 1, 8), kPatientMs, limits);
  Client deaf = client();
  deaf.post("/words", kAskForMuch);
  ASSERT_TRUE(eventually([&] { return server->held_bytes() >= kMuch; }));
  Client second = client();
  const Response answer = second.ask("/words", kAskForMuch);
  EXPECT_EQ(answer.result_int(), 500U);
  EXPECT_NE(answer.body().find("no memory for the answer"), std::string::npos);
  EXPECT_NE(answer.body().find(R"("code":"internal")"), std::string::npos);
  // What is small goes on, on the same connection too.
  EXPECT_EQ(second.ask("/words", "{}").result_int(), 200U);
}

TEST_P(EdgeTest, Row23DropsABodyThatComesTooSlowly) {
  http::Limits limits = patient();
  limits.body_grace = 0ms;
  limits.body_bytes_per_second = 1'000'000'000;
  serve(pool_settings("a", 1, 8), kPatientMs, limits);
  Client client = this->client();
  client.send_raw(head_of_body(2) + "{");
  const Response answer = client.read();
  EXPECT_EQ(answer.result_int(), 408U);
  EXPECT_NE(answer.body().find("The body comes too slowly."), std::string::npos);
}

TEST_P(EdgeTest, LeavesPipelinedRequestsInTheSocket) {
  serve();
  constexpr int kRequests = 2000;
  Client client = this->client();
  std::thread sender([&] {
    for (int i = 0; i < kRequests; ++i) client.post("/words", "{}");
  });
  int good = 0;
  for (int i = 0; i < kRequests; ++i) good += client.read().result_int() == 200U ? 1 : 0;
  sender.join();
  EXPECT_EQ(good, kRequests);
  // Some 200 kB were on their way.
  EXPECT_LT(server->most_held_bytes(), 40'000U);
}

TEST_P(EdgeTest, AnswersPipelinedRequestsInTheirOrder) {
  serve();
  Client client = this->client();
  for (int i = 0; i < 20; ++i) client.post("/words", "{\"number\":" + std::to_string(i) + "}");
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(client.read().body(), "{\"text\":\"!\",\"number\":" + std::to_string(i + 1) + "}");
  }
}

TEST_P(EdgeTest, Answers504WhenTheFlowTakesTooLongAndWhatHasBegunGoesOn) {
  serve(pool_settings("a", 1, 8), 1000);
  g_hold = true;
  const Response answer = ask_the_flow();
  EXPECT_EQ(answer.result_int(), 504U);
  // A machine that was so busy that the handler did not begin in time: DoesNotBegin... below.
  EXPECT_TRUE(g_begun == 0 ||
              answer.body().find("The flow took longer than 1000 ms.") != std::string::npos);
  g_hold = false;
  ASSERT_TRUE(eventually([&] { return all_of_it_ended(1); }));
  EXPECT_EQ(one.completed(), static_cast<std::uint64_t>(g_begun));
}

TEST_P(EdgeTest, DoesNotBeginWhatNobodyWaitsForAnyMore) {
  serve(pool_settings("a", 1, 8), 100);
  hold_worker();
  EXPECT_EQ(ask_the_flow().result_int(), 504U);
  g_hold = false;
  ASSERT_TRUE(eventually([&] { return all_of_it_ended(2); }));
  EXPECT_EQ(one.completed(), 1U);
  EXPECT_EQ(one.failed(), 1U);
}

TEST_P(EdgeTest, GivesAnEventTheContextOfItsRequest) {
  serve();
  Client client = this->client();
  const std::string parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const Response answer =
      client.ask("/words", R"({"text":"context"})",
                 {{"traceparent", parent}, {"baggage", "user=ann%20b;ttl=1,tier=gold"}});
  EXPECT_EQ(answer.body(), "{\"text\":\"" + parent + " ann b\",\"number\":1}");
  // The next request on the connection has nothing of it.
  EXPECT_EQ(client.ask("/words", R"({"text":"context"})").body(), R"({"text":" ","number":1})");
}

TEST_P(EdgeTest, Row46MakesRequestsWaitForRoomInABlockingQueue) {
  serve(pool_settings("a", 1, 2));
  g_hold = true;
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 30; ++i) {
    clients.push_back(std::make_unique<Client>(port));
    clients.back()->post("/words", "{}");
  }
  ASSERT_TRUE(eventually([&] { return one.emitted() >= 2; }));
  // One runs, two wait in the queue (and one slips in while it is looked at); the others wait here.
  EXPECT_LE(one.emitted(), 4U);
  g_hold = false;
  for (const auto& client : clients) EXPECT_EQ(client->read().result_int(), 200U);
  EXPECT_EQ(one.emitted(), 30U);
  EXPECT_EQ(one.dropped(), 0U);
}

TEST_P(EdgeTest, Row46Answers503WhenRoomDoesNotComeInTime) {
  serve(pool_settings("a", 1, 1), 150);
  hold_worker();
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 10; ++i) {
    clients.push_back(std::make_unique<Client>(port));
    clients.back()->post("/words", "{}");
  }
  int unavailable = 0;
  for (const auto& client : clients) {
    const Response answer = client->read();
    if (answer.result_int() == 503U) {
      ++unavailable;
      EXPECT_EQ(answer["Retry-After"], "1");
    }
  }
  EXPECT_GE(unavailable, 6);
  EXPECT_EQ(one.dropped(), static_cast<std::uint64_t>(unavailable));
}

TEST_P(EdgeTest, Row46Answers503WhereTheQueueRejects) {
  serve(pool_settings("a", 1, 1, exec::Overflow::reject));
  g_hold = true;
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 10; ++i) {
    clients.push_back(std::make_unique<Client>(port));
    clients.back()->post("/words", "{}");
  }
  ASSERT_TRUE(eventually([&] { return one.dropped() >= 7; }));
  g_hold = false;
  int rejected = 0;
  for (const auto& client : clients) {
    const Response answer = client->read();
    if (answer.result_int() == 200U) continue;
    ++rejected;
    EXPECT_EQ(answer.result_int(), 503U);
    EXPECT_EQ(answer["Retry-After"], "1");
    EXPECT_EQ(answer.body(), "{\"code\":\"unavailable\",\"msg\":\"A queue of the flow is full.\"}");
  }
  // Who is answered may know before it is counted.
  EXPECT_TRUE(eventually([&] { return one.dropped() == static_cast<std::uint64_t>(rejected); }));
}

TEST_P(EdgeTest, AnswersWhatIsInTheFlowWhenItDrainsAndNothingElse) {
  serve();
  g_hold = true;
  Client under_way = client();
  Client idle = client();
  EXPECT_EQ(idle.ask("/word", "{}").result_int(), 404U);
  Client waiting = client();
  under_way.post("/words", "{\"number\":1}");
  ASSERT_TRUE(eventually([&] { return one.emitted() == 1; }));
  server->drain();
  words->stop(0);
  EXPECT_TRUE(waiting.ended());
  // A worker may know of the end before the door is closed.
  EXPECT_TRUE(eventually([this] { return !takes_clients(); }));
  g_hold = false;
  const Response answer = under_way.read();
  EXPECT_EQ(answer.body(), "{\"text\":\"!\",\"number\":2}");
  EXPECT_FALSE(answer.keep_alive());
  EXPECT_TRUE(under_way.ended());
}

bool read_behind_a_gate(std::string_view text, flow::Event& event, JsonError& error) {
  if (text == "{\"number\":7}") g_read.pass();
  return flow::read_json<JsonWord>(text, event, error);
}

TEST_P(EdgeTest, AsksSomebodyWhileARequestMayStillComeIntoAFlow) {
  serve(pool_settings("a", 1, 8), kPatientMs, patient(), 1000, &read_behind_a_gate);
  g_read.close();
  Client late = client();
  late.post("/words", "{\"number\":7}");
  g_read.wait_for_one();
  // The server's thread is on the way into the flow with it.
  server->drain();
  EXPECT_EQ(one.emitted(), 0U);
  EXPECT_FALSE(server->asks_nobody());
  g_read.open();
  EXPECT_TRUE(eventually([this] { return server->asks_nobody(); }));
  EXPECT_EQ(one.emitted(), 1U);
  EXPECT_EQ(late.read().body(), "{\"text\":\"!\",\"number\":8}");
}

TEST_P(EdgeTest, OutlivesClientsThatLeaveWithoutTheirAnswer) {
  serve();
  g_hold = true;
  for (int i = 0; i < 5; ++i) client().post("/words", "{}");
  ASSERT_TRUE(eventually([&] { return one.emitted() == 5; }));
  g_hold = false;
  ASSERT_TRUE(eventually([&] { return one.completed() == 5; }));
  EXPECT_EQ(client().ask("/words", "{}").result_int(), 200U);
}

TEST_P(EdgeTest, SaysThatAnAddressIsTaken) {
  serve();
  Server second({}, one.binary.registry(), {.host = "127.0.0.1", .port = port});
  try {
    second.start();
    FAIL();
  } catch (const http::BindError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("http address 127.0.0.1:" + std::to_string(port) + ": address in use"),
              std::string::npos)
        << error.what();
  }
}

// Answers come from many workers while connections come and go.
TEST_P(EdgeTest, LosesNoAnswerAmongManyConnections) {
  serve(pool_settings("a", 3, 64));
  std::atomic<int> good{0};
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int round = 0; round < 10; ++round) {
        Client client(port);
        for (int i = 0; i < 25; ++i) {
          const int number = t * 1000 + round * 25 + i;
          const Response answer =
              client.ask("/words", "{\"number\":" + std::to_string(number) + "}");
          if (answer.body() == "{\"text\":\"!\",\"number\":" + std::to_string(number + 1) + "}")
            ++good;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good.load(), 1000);
  EXPECT_TRUE(eventually([&] { return one.all_ended(); }));
  EXPECT_EQ(one.completed(), 1000U);
}

INSTANTIATE_TEST_SUITE_P(Connections, EdgeTest, ::testing::Values(Has::server, Has::workers),
                         [](const auto& has) {
                           return std::string(has.param == Has::server ? "OfTheServer"
                                                                       : "OfWorkers");
                         });

}  // namespace
}  // namespace penstock::edge
