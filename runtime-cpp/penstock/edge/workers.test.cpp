// Connections that workers have, where the pool of those changes.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "penstock/app/ask_binding.hpp"
#include "penstock/edge/server.hpp"
#include "penstock/net/remote/calls/remote_type.hpp"
#include "support/edge_note.hpp"
#include "support/gate.hpp"
#include "support/http_client.hpp"
#include "support/small_binary.hpp"

namespace penstock::edge::workers_test {
namespace {

using penstock::testing::eventually;
using penstock::testing::far_from_now;
using penstock::testing::Gate;
using penstock::testing::HttpClient;
using penstock::testing::Note;
using penstock::testing::pool_settings;

constexpr const char* kEcho = "/twirp/shop.Notes/Echo";
constexpr const char* kHere = "/twirp/shop.Notes/Here";
constexpr const char* kNap = "/twirp/shop.Notes/Nap";
constexpr const char* kWaits = "/twirp/shop.Notes/Waits";
constexpr const char* kLong = "/twirp/shop.Notes/Long";

/// How many of this process's sockets are connected to this port, or by it.
int ends_of_connections(std::uint16_t port) {
  const auto is_at_port = [port](auto name, int number) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    return name(number, reinterpret_cast<sockaddr*>(&address), &size) == 0 &&
           address.sin_family == AF_INET && ntohs(address.sin_port) == port;
  };
  int count = 0;
  for (int number = 0; number < 256; ++number) {
    sockaddr_storage peer{};
    socklen_t size = sizeof peer;
    const bool is_connected = getpeername(number, reinterpret_cast<sockaddr*>(&peer), &size) == 0;
    if (is_connected && (is_at_port(getsockname, number) || is_at_port(getpeername, number)))
      ++count;
  }
  return count;
}

Gate g_gate;
std::atomic<int> g_queued_began{0};

struct Echo : Handler {
  using request_type = Note;
  using response_type = Note;
  static Note handle(const Note& note) {
    if (note.text == "held") g_gate.pass();
    if (note.text == "queued") ++g_queued_began;
    return {note.text + "!", note.count + 1, {}};
  }
};
std::atomic<int> g_waiting{0};
std::atomic<int> g_cancelled{0};

struct Nap : Handler {
  using request_type = Note;
  using response_type = Note;
  static Task<Note> handle(const Note& note) {
    co_await sleep_for(std::chrono::milliseconds(5));
    co_return note;
  }
};
/// For what never comes.
struct Waits : Handler {
  using request_type = Note;
  using response_type = Note;
  static Task<Note> handle(const Note& note) {
    ++g_waiting;
    try {
      co_await sleep_for(std::chrono::hours(1));
    } catch (const Error& error) {
      if (error.code() == ErrorCode::cancelled) ++g_cancelled;
      throw;
    }
    co_return note;
  }
};
/// More than the kernel keeps for a peer that reads nothing.
std::string long_text() {
  std::string text;
  text.resize(12'000'000, 'x');
  return text;
}
struct Long : Handler {
  using request_type = Note;
  using response_type = Note;
  static Note handle(const Note& /*note*/) { return {long_text(), 0, {}}; }
};

class WorkersTest : public ::testing::Test {
 protected:
  static ServerOptions patient() {
    ServerOptions patient;
    patient.limits.header_time = patient.limits.request_time = std::chrono::hours(1);
    patient.limits.keep_alive_time = std::chrono::hours(1);
    return patient;
  }
  /// Echo is served by the pool "a", or by "b" of one thread.
  void serve(unsigned threads, bool apart = false) {
    pool = &binary.pool(pool_settings("a", threads));
    expose<Echo>(kEcho, apart ? binary.pool(pool_settings("b", 1)) : *pool);
    expose<Echo>(kHere, *pool);
    expose<Nap>(kNap, *pool);
    expose<Long>(kLong, *pool);
    expose<Waits>(kWaits, apart ? binary.pool(pool_settings("c", 1)) : *pool);
    g_waiting = g_cancelled = g_queued_began = 0;
    binary.start();
    server = std::make_unique<Server>(std::vector<flow::HttpSource*>{}, binary.registry(), options);
    server->start();
    const std::string address = server->address();
    port = static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
  }
  void TearDown() override {
    g_gate.open();
    server->drain();
    EXPECT_TRUE(eventually([this] { return server->asks_nobody(); }));
    binary.stop();
    server->stop(far_from_now());
  }
  void expect_served(HttpClient& client, int count) const {
    const auto answer = client.ask(kEcho, R"({"count":)" + std::to_string(count) + "}");
    EXPECT_EQ(answer.result_int(), 200U);
    EXPECT_EQ(answer.body(), R"({"text":"!","count":")" + std::to_string(count + 1) + R"("})");
    EXPECT_TRUE(answer.keep_alive());
  }

  ServerOptions options = patient();
  penstock::testing::SmallBinary binary;
  std::unique_ptr<Server> server;
  exec::Pool* pool = nullptr;
  std::uint16_t port = 0;

 private:
  template <class H>
  void expose(const char* path, exec::Pool& runs) {
    call::Service& service = binary.service<H>(path, Kind::simple, runs);
    const net::RemoteType& type = net::kRemoteType<Note, Note>;
    const app::AskBinding asks = app::bind_ask<Note, Note>();
    options.exposed.services.push_back(
        {path,
         {type.read_request, asks.make, type.answer_bytes, type.write_answer, asks.append},
         &binary.site(service),
         pool});
  }
};

TEST_F(WorkersTest, GivesConnectionsToThoseWhoStayWhenSomeLeave) {
  serve(4);
  std::vector<std::unique_ptr<HttpClient>> clients;
  for (int index = 0; index < 8; ++index) {
    clients.push_back(std::make_unique<HttpClient>(port));
    expect_served(*clients.back(), index);
  }
  // Of a head that has come in part, too.
  clients.front()->send_raw("POST /twirp/shop.Notes/Echo HTTP/1.1\r\nHo");
  exec::Worker& gone = pool->worker(3);
  ASSERT_EQ(pool->resize(1), 1U);
  EXPECT_TRUE(eventually([&gone] { return gone.exited(); }));
  clients.front()->send_raw("st: 127.0.0.1:" + std::to_string(port) +
                            "\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
  EXPECT_EQ(clients.front()->read().result_int(), 200U);
  for (const auto& client : clients) expect_served(*client, 7);
  ASSERT_EQ(pool->resize(3), 3U);
  for (const auto& client : clients) expect_served(*client, 8);
  HttpClient later(port);
  expect_served(later, 9);
}

// All of them have come to the only worker there was.
TEST_F(WorkersTest, SpreadsConnectionsOverAPoolThatGrows) {
  serve(4);
  ASSERT_EQ(pool->resize(1), 1U);
  std::vector<std::unique_ptr<HttpClient>> clients;
  for (int index = 0; index < 4; ++index) {
    clients.push_back(std::make_unique<HttpClient>(port));
    expect_served(*clients.back(), index);
  }
  ASSERT_EQ(pool->resize(4), 4U);
  for (const auto& client : clients) expect_served(*client, 5);
  g_gate.close();
  clients.front()->post(kEcho, R"({"text":"held"})");
  g_gate.wait_for_one();
  for (std::size_t index = 1; index < clients.size(); ++index)
    clients[index]->post(kEcho, R"({"count":6})");
  // The worker that is held may be that of one of these: a request that waits is taken by others.
  EXPECT_TRUE(eventually([&clients] {
    return std::ranges::count_if(clients, [](auto& one) { return one->has_answer(); }) >= 2;
  }));
  g_gate.open();
  for (const auto& client : clients) EXPECT_EQ(client->read().result_int(), 200U);
}

// Those that are sent away hear of it once their worker is back.
TEST_F(WorkersTest, TakesNoMoreConnectionsThanTwiceTheLimitWhileItsWorkerIsBusy) {
  options.limits.connections = 2;
  options.limits.newcomer_time = http::Limits::Time(0);
  options.limits.accept_pause = http::Limits::Time(1);
  serve(1);
  g_gate.close();
  HttpClient held(port);
  held.post(kEcho, R"({"text":"held"})");
  g_gate.wait_for_one();
  std::vector<std::unique_ptr<HttpClient>> others;
  for (int index = 0; index < 6; ++index) others.push_back(std::make_unique<HttpClient>(port));
  // Both ends of four and of the one that waits for room; of two in the kernel's queue the
  // clients'.
  EXPECT_TRUE(eventually([this] { return ends_of_connections(port) == 2 * 4 + 2 + 2; }));
  g_gate.open();
  EXPECT_EQ(held.read().result_int(), 200U);
  EXPECT_TRUE(others.front()->ended());
  expect_served(*others.back(), 0);
}

// It stays for the answer, and the connection goes on elsewhere.
TEST_F(WorkersTest, AnswersWhatWasAskedBeforeItLeaves) {
  serve(2, true);
  g_gate.close();
  std::vector<std::unique_ptr<HttpClient>> clients;
  for (int index = 0; index < 2; ++index) {
    clients.push_back(std::make_unique<HttpClient>(port));
    clients.back()->post(kEcho, R"({"text":"held"})");
  }
  g_gate.wait_for_one();
  exec::Worker& leaves = pool->worker(1);
  ASSERT_EQ(pool->resize(1, 0), 1U);
  g_gate.open();
  for (const auto& client : clients) {
    const auto answer = client->read();
    EXPECT_EQ(answer.result_int(), 200U);
    EXPECT_TRUE(answer.keep_alive());
  }
  EXPECT_TRUE(eventually([&leaves] { return leaves.exited(); }));
  for (const auto& client : clients) expect_served(*client, 1);
}

TEST_F(WorkersTest, LosesNoRequestOfManyClientsWhileThePoolChanges) {
  serve(4);
  constexpr int kClients = 64;
  constexpr int kThreads = 4;
  constexpr int kRounds = 40;
  std::atomic<int> good{0};
  std::atomic<int> done{0};
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&] {
      std::vector<std::unique_ptr<HttpClient>> clients;
      clients.reserve(kClients / kThreads);
      for (int index = 0; index < kClients / kThreads; ++index) {
        clients.push_back(std::make_unique<HttpClient>(port));
      }
      for (int round = 0; round < kRounds; ++round) {
        const std::string count = std::to_string(round);
        for (const auto& client : clients) client->post(kEcho, R"({"count":)" + count + "}");
        for (const auto& client : clients) {
          const auto answer = client->read();
          const bool fits =
              answer.body() == R"({"text":"!","count":")" + std::to_string(round + 1) + R"("})";
          if (answer.result_int() == 200U && fits && answer.keep_alive()) ++good;
        }
      }
      ++done;
    });
  }
  unsigned size = 0;
  do {
    size = size % 4 + 1;
    EXPECT_EQ(pool->resize(size), size);
  } while (done < kThreads);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, kClients * kRounds);
}

// Those of whom a time has passed go with the others, and are told in time there.
TEST_F(WorkersTest, EndsConnectionsThatAreSilentWhileThePoolChanges) {
  options.limits.keep_alive_time = options.limits.header_time = std::chrono::milliseconds(2);
  serve(4);
  std::atomic<bool> over{false};
  std::thread changes([&] {
    for (unsigned size = 1; !over; size = size % 4 + 1) EXPECT_EQ(pool->resize(size), size);
  });
  for (int round = 0; round < 30; ++round) {
    std::vector<std::unique_ptr<HttpClient>> clients;
    for (int index = 0; index < 16; ++index) clients.push_back(std::make_unique<HttpClient>(port));
    for (const auto& client : clients) EXPECT_EQ(client->read().result_int(), 408U);
  }
  over = true;
  changes.join();
}

TEST_F(WorkersTest, LetsThePoolStopWhateverItsPeersDo) {
  serve(2);
  HttpClient idle(port);
  expect_served(idle, 1);
  HttpClient begins(port);
  begins.send_raw("POST ");
  HttpClient deaf(port);
  deaf.post(kLong, "{}");
  ASSERT_TRUE(eventually([this] { return server->held_bytes() >= 12'000'000; }));
  EXPECT_TRUE(pool->stop(far_from_now()));
  EXPECT_TRUE(idle.ended());
  EXPECT_TRUE(begins.ended());
  // Nobody is there to have it but the server.
  EXPECT_EQ(HttpClient(port).ask(kEcho, "{}").result_int(), 503U);
}

TEST_F(WorkersTest, AnswersManyPipelinedRequests) {
  serve(2);
  constexpr int kRequests = 2000;
  HttpClient client(port);
  std::thread sender([&] {
    for (int index = 0; index < kRequests; ++index) client.post(kEcho, "{}");
  });
  int good = 0;
  for (int index = 0; index < kRequests; ++index) {
    good += client.read().result_int() == 200U ? 1 : 0;
  }
  sender.join();
  EXPECT_EQ(good, kRequests);
  // Some 200 kB were on their way.
  EXPECT_LT(server->most_held_bytes(), 40'000U);
}

// `ab` speaks it.
TEST_F(WorkersTest, SpeaksHttp10) {
  serve(1);
  const auto old = [this](const std::string& fields, const std::string& body = "{}") {
    return "POST /twirp/shop.Notes/Echo HTTP/1.0\r\nHost: 127.0.0.1:" + std::to_string(port) +
           "\r\nContent-Type: application/json\r\n" + fields + "\r\n" + body;
  };
  const std::string length = "Content-Length: 2\r\n";
  HttpClient stays(port);
  for (int twice = 0; twice < 2; ++twice) {
    stays.send_raw(old(length + "Connection: Keep-Alive\r\nExpect: 100-continue\r\n"));
    const auto answer = stays.read();
    EXPECT_EQ(answer.result_int(), 200U);
    EXPECT_EQ(answer[boost::beast::http::field::connection], "keep-alive");
  }
  stays.send_raw(old(length));
  const auto last = stays.read();
  EXPECT_EQ(last.result_int(), 200U);
  EXPECT_EQ(last[boost::beast::http::field::connection], "close");
  EXPECT_TRUE(stays.ended());
  // Whoever stands before us knows no chunks of it, and would read another body.
  HttpClient chunked(port);
  chunked.send_raw(old("Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n"));
  EXPECT_EQ(chunked.read().result_int(), 400U);
  EXPECT_TRUE(chunked.ended());
}

// --- at the end of what a peer says ---

TEST_F(WorkersTest, OutlivesPeersThatLeaveInTheMidst) {
  serve(1, true);
  g_gate.close();
  {
    HttpClient gone(port);
    gone.post(kEcho, R"({"text":"held"})");
    g_gate.wait_for_one();
    HttpClient half(port);
    half.send_raw("POST /twirp/shop.Notes/Echo HTTP/1.1\r\nContent-Length: 10\r\n\r\n{");
  }
  g_gate.open();
  HttpClient client(port);
  expect_served(client, 1);
  EXPECT_TRUE(eventually([this] { return server->asks_nobody(); }));
}

TEST_F(WorkersTest, TellsAServiceThatItsAskerHasLeft) {
  serve(1);
  {
    HttpClient gone(port);
    gone.post(kWaits, "{}");
    ASSERT_TRUE(eventually([] { return g_waiting == 1; }));
  }
  EXPECT_TRUE(eventually([] { return g_cancelled == 1; }));
  EXPECT_TRUE(eventually([this] { return server->asks_nobody(); }));
}

// Who has only closed its side can hear of it.
TEST_F(WorkersTest, TellsAServiceOfAnotherPoolThatItsAskerHasLeft) {
  serve(1, true);
  HttpClient half(port);
  half.post(kWaits, "{}");
  ASSERT_TRUE(eventually([] { return g_waiting == 1; }));
  half.end_writing();
  const auto answer = half.read();
  EXPECT_EQ(answer.result_int(), 408U);
  EXPECT_NE(answer.body().find(R"("code":"canceled")"), std::string::npos) << answer.body();
  EXPECT_TRUE(half.ended());
  EXPECT_EQ(g_cancelled, 1);
}

TEST_F(WorkersTest, DoesNotBeginWhatNobodyWaitsForAnyMore) {
  serve(1, true);
  g_gate.close();
  HttpClient held(port);
  held.post(kEcho, R"({"text":"held"})");
  g_gate.wait_for_one();
  HttpClient other(port);
  HttpClient gone(port);
  // The worker has it: what waits to be accepted would be read with its end, as if it came with it.
  gone.ask(kHere, "{}");
  // What is there is seen by the only worker before it has served another one twice.
  const auto is_seen = [&gone, &other] {
    ASSERT_TRUE(eventually([&gone] { return gone.is_there(); }));
    for (int twice = 0; twice < 2; ++twice) other.ask(kHere, "{}");
  };
  gone.post(kEcho, R"({"text":"queued"})");
  is_seen();
  gone.end_writing();
  is_seen();
  g_gate.open();
  EXPECT_EQ(held.read().result_int(), 200U);
  EXPECT_TRUE(eventually([this] { return server->asks_nobody(); }));
  EXPECT_EQ(g_queued_began, 0);
}

// `nc -N` does so, and waits for the answer.
TEST_F(WorkersTest, AnswersWhoClosesItsSideWithTheRequest) {
  serve(1);
  g_gate.close();
  HttpClient held(port);
  HttpClient half(port);
  for (HttpClient* const client : {&held, &half}) client->ask(kHere, "{}");
  held.post(kHere, R"({"text":"held"})");
  g_gate.wait_for_one();
  half.post(kHere, "{}");
  half.post(kHere, "{}");
  half.end_writing();
  ASSERT_TRUE(eventually([&half] { return half.is_there(); }));
  g_gate.open();
  for (int twice = 0; twice < 2; ++twice) EXPECT_EQ(half.read().result_int(), 200U);
  EXPECT_EQ(held.read().result_int(), 200U);
}

// Also on a connection that its worker has just got.
TEST_F(WorkersTest, AnswersWhoClosesItsSideWithItsFirstRequest) {
  serve(1);
  g_gate.close();
  HttpClient held(port);
  held.post(kHere, R"({"text":"held"})");
  g_gate.wait_for_one();
  HttpClient half(port);
  half.post(kNap, "{}");
  half.end_writing();
  ASSERT_TRUE(eventually([&half] { return half.is_there(); }));
  g_gate.open();
  EXPECT_EQ(half.read().result_int(), 200U);
  EXPECT_EQ(held.read().result_int(), 200U);
}

// What it sent behind the first request begins when its end is known already.
TEST_F(WorkersTest, CancelsEachRequestOfAPeerThatIsGone) {
  serve(1);
  {
    HttpClient gone(port);
    for (int requests = 0; requests < 3; ++requests) gone.post(kWaits, "{}");
    ASSERT_TRUE(eventually([] { return g_waiting == 1; }));
  }
  EXPECT_TRUE(eventually([this] { return server->asks_nobody(); }));
  EXPECT_EQ(g_cancelled, g_waiting);
}

TEST_F(WorkersTest, CancelsWhatIsNotDoneInItsTime) {
  serve(1);
  HttpClient client(port);
  const auto answer = client.ask(kWaits, "{}", {{"Twirp-Timeout", "5"}});
  EXPECT_EQ(answer.result_int(), 408U);
  EXPECT_NE(answer.body().find(R"("code":"deadline_exceeded")"), std::string::npos);
  EXPECT_TRUE(eventually([this] { return server->asks_nobody(); }));
}

TEST_F(WorkersTest, OutlivesPeersThatLeaveWhileTheyAreAnswered) {
  serve(2, true);
  for (int round = 0; round < 300; ++round) {
    HttpClient gone(port);
    for (int requests = 0; requests <= round % 3; ++requests) gone.post(kEcho, "{}");
  }
  HttpClient client(port);
  expect_served(client, 1);
  EXPECT_TRUE(eventually([this] { return server->asks_nobody(); }));
}

}  // namespace
}  // namespace penstock::edge::workers_test
