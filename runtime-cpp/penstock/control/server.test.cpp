#include "penstock/control/server.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "penstock/control/fake_host.hpp"

namespace penstock::control::server_test {
namespace {

using boost::asio::ip::tcp;
using nlohmann::json;
using namespace std::chrono_literals;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using Clock = std::chrono::steady_clock;

const std::string kToken = "0123456789abcdef0123456789abcdef";

/// Nobody is sent away for taking his time, however long a busy machine keeps us or our clients: a
/// test shortens the time that it is about.
Limits patient() {
  Limits limits;
  limits.header_time = limits.request_time = limits.keep_alive_time = 3'600'000ms;
  limits.pong_limit = limits.stall_limit = limits.goodbye_time = 3'600'000ms;
  limits.body_bytes_per_second = 0;
  return limits;
}

/// A server on a port of its own, and plain ways to talk to it. A test that hangs ends the program
/// before whoever runs it gives up.
class ServerTest : public testing::Test {
 protected:
  void SetUp() override { ::alarm(850); }
  void serve(Limits limits = patient(), std::size_t extra_services = 0) {
    host_ = std::make_unique<fake::FakeHost>(extra_services);
    ServerOptions options;
    options.token = kToken;
    options.limits = limits;
    options.audit = [this](const std::string& line) {
      const std::lock_guard lock(audit_mutex_);
      audit_ += line + "\n";
    };
    server_ = std::make_unique<Server>(*host_, std::move(options));
    server_->start();
    const std::string address = server_->address();
    port_ = static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
  }

  void TearDown() override {
    if (host_) host_->hold(false);
    server_.reset();
    ::alarm(0);
  }

  [[nodiscard]] std::string authority() const { return "127.0.0.1:" + std::to_string(port_); }

  tcp::socket dial() {
    tcp::socket socket(io_);
    socket.connect({boost::asio::ip::make_address("127.0.0.1"), port_});
    return socket;
  }

  /// Sends the bytes, gives all that comes until the server closes.
  std::string exchange(const std::string& bytes) {
    tcp::socket socket = dial();
    boost::asio::write(socket, boost::asio::buffer(bytes));
    return read_all(socket);
  }
  static std::string read_all(tcp::socket& socket) {
    std::string text;
    boost::system::error_code error;
    boost::asio::read(socket, boost::asio::dynamic_buffer(text), error);
    return error == boost::asio::error::eof ? text : text + "<" + error.message() + ">";
  }

  struct Ask {
    std::string method = "GET";
    std::string target = "/healthz";
    std::string host{};  // empty: ours
    std::string more{};  // whole header lines
    bool with_token = true;
  };
  std::string request(const Ask& ask) const {
    std::string text = ask.method + " " + ask.target +
                       " HTTP/1.1\r\nHost: " + (ask.host.empty() ? authority() : ask.host) + "\r\n";
    if (ask.with_token) text += "Authorization: Bearer " + kToken + "\r\n";
    return text + ask.more + "Connection: close\r\n\r\n";
  }
  std::string ask(const Ask& ask) { return exchange(request(ask)); }
  static int status(const std::string& reply) {
    return reply.rfind("HTTP/1.1 ", 0) == 0 ? std::stoi(reply.substr(9, 3)) : 0;
  }
  static std::string body(const std::string& reply) {
    const std::size_t end = reply.find("\r\n\r\n");
    return end == std::string::npos ? "" : reply.substr(end + 4);
  }

  using Socket = websocket::stream<tcp::socket>;
  /// A live client; throws when it is refused.
  std::unique_ptr<Socket> live(const std::string& authorization = "Bearer " + kToken,
                               int receive_buffer = 0) {
    tcp::socket socket(io_);
    socket.open(tcp::v4());
    if (receive_buffer != 0) {
      socket.set_option(boost::asio::socket_base::receive_buffer_size(receive_buffer));
    }
    socket.connect({boost::asio::ip::make_address("127.0.0.1"), port_});
    auto stream = std::make_unique<Socket>(std::move(socket));
    stream->set_option(websocket::stream_base::decorator([&](websocket::request_type& head) {
      head.set(beast::http::field::authorization, authorization);
    }));
    stream->read_message_max(64 << 20);
    stream->handshake(authority(), "/live");
    return stream;
  }
  bool takes_one_more() {
    try {
      static_cast<void>(live());
      return true;
    } catch (const boost::system::system_error&) {
      return false;
    }
  }
  static std::string next_text(Socket& stream) {
    beast::flat_buffer buffer;
    stream.read(buffer);
    return beast::buffers_to_string(buffer.data());
  }
  static json next(Socket& stream) { return json::parse(next_text(stream)); }
  /// What comes before it is not parsed: long samples take a sanitizer a tenth of a second each.
  static json next_of(Socket& stream, const std::string& type) {
    for (;;) {
      const std::string text = next_text(stream);
      const bool typed = text.starts_with(R"({"type":")");
      if (type == "answer" ? !typed : text.starts_with(R"({"type":")" + type)) {
        return json::parse(text);
      }
    }
  }
  /// The number of the next sample, of which nothing else is read.
  static std::uint64_t next_sample(Socket& stream) {
    for (;;) {
      const std::string text = next_text(stream);
      if (!text.starts_with(R"({"type":"sample")")) continue;
      const std::string_view name = R"("seq":)";
      return std::stoull(text.substr(text.find(name) + name.size(), 20));
    }
  }
  static json command(Socket& stream, const std::string& method, const json& params) {
    send(stream,
         json{{"jsonrpc", "2.0"}, {"id", 7}, {"method", method}, {"params", params}}.dump());
    return next_of(stream, "answer");
  }
  static void send(Socket& stream, const std::string& text) {
    stream.text(true);
    stream.write(boost::asio::buffer(text));
  }
  /// Reads until the server closes; gives the code that it said, whatever became of the answer to
  /// that.
  static int close_code(Socket& stream) {
    beast::flat_buffer buffer;
    boost::system::error_code error;
    while (!error) {
      buffer.clear();
      stream.read(buffer, error);
    }
    return static_cast<int>(stream.reason().code);
  }
  /// Waits for a condition, as long as a busy machine may take.
  template <class Condition>
  static bool eventually(Condition condition) {
    const auto end = Clock::now() + 300s;
    while (!condition()) {
      if (Clock::now() > end) return false;
      std::this_thread::sleep_for(2ms);
    }
    return true;
  }
  std::string audit() {
    const std::lock_guard lock(audit_mutex_);
    return audit_;
  }

  /// Commands that named a pool that there is not.
  std::size_t refused() {
    const std::string all = audit();
    std::size_t count = 0;
    for (auto at = all.find("PS750"); at != std::string::npos; at = all.find("PS750", at + 1)) {
      ++count;
    }
    return count;
  }

  boost::asio::io_context io_;
  std::unique_ptr<fake::FakeHost> host_;
  std::mutex audit_mutex_;
  std::string audit_;
  std::unique_ptr<Server> server_;
  std::uint16_t port_ = 0;
};

// ---- HTTP

TEST_F(ServerTest, AnswersHealthWithoutTokenAndTheRestWithIt) {
  serve();
  EXPECT_EQ(status(ask({.target = "/healthz", .with_token = false})), 200);
  for (const char* path : {"/readyz", "/metrics", "/topology", "/live", "/nothing"}) {
    EXPECT_EQ(status(ask({.target = path, .with_token = false})), 401) << path;
  }
  for (const char* path : {"/readyz", "/metrics", "/topology"}) {
    EXPECT_EQ(status(ask({.target = path})), 200) << path;
  }
}

TEST_F(ServerTest, RefusesWrongTokens) {
  serve();
  for (const std::string& line :
       {"Authorization: Bearer " + kToken + "0", "Authorization: Bearer " + kToken.substr(1),
        "Authorization: Basic " + kToken, std::string("Authorization: Bearer "),
        "Authorization: " + kToken, "Authorization: Bearer  " + kToken}) {
    const std::string reply =
        ask({.target = "/readyz", .more = line + "\r\n", .with_token = false});
    EXPECT_EQ(status(reply), 401) << line;
    EXPECT_NE(reply.find("WWW-Authenticate: Bearer"), std::string::npos);
  }
}

TEST_F(ServerTest, SaysWhyItIsNotReady) {
  serve();
  EXPECT_EQ(json::parse(body(ask({.target = "/readyz"})))["ready"], true);
  host_->set_not_ready("draining \"now\"");
  const std::string reply = ask({.target = "/readyz"});
  EXPECT_EQ(status(reply), 503);
  EXPECT_EQ(json::parse(body(reply))["reason"], "draining \"now\"");
}

TEST_F(ServerTest, ServesMetricsAndTopology) {
  serve();
  const std::string metrics = ask({.target = "/metrics"});
  EXPECT_NE(metrics.find("Content-Type: text/plain; version=0.0.4"), std::string::npos);
  EXPECT_NE(metrics.find("penstock_queue_depth{pool=\"front\""), std::string::npos);
  const json topology = json::parse(body(ask({.target = "/topology"})));
  EXPECT_EQ(topology["pools"][1]["threads"].size(), 2U);
}

TEST_F(ServerTest, Fault80RefusesOtherHostsAndWebPages) {
  serve();
  const std::string port = std::to_string(port_);
  for (const std::string& host : {"127.0.0.1:" + port, "[::1]:" + port, "localhost:" + port}) {
    EXPECT_EQ(status(ask({.host = host})), 200) << host;
  }
  for (const std::string& host :
       {std::string("evil.example:") + port, std::string("127.0.0.1"), std::string("localhost"),
        "localhost.:" + port, "127.0.0.1.evil.example:" + port, "LOCALHOST:" + port,
        "127.0.0.1:1" + port, "0.0.0.0:" + port, "127.0.0.2:" + port}) {
    EXPECT_EQ(status(ask({.host = host})), 403) << host;
  }
  for (const char* path : {"/healthz", "/readyz", "/metrics", "/topology", "/live"}) {
    EXPECT_EQ(status(ask({.target = path, .more = "Origin: http://evil.example\r\n"})), 403);
    EXPECT_EQ(status(ask({.target = path, .more = "Origin: http://" + authority() + "\r\n"})), 403);
    EXPECT_EQ(status(ask({.target = path, .more = "Origin: null\r\n"})), 403);
  }
  EXPECT_NE(audit().find("\"status\":403"), std::string::npos);
  EXPECT_EQ(audit().find(kToken), std::string::npos);
}

TEST_F(ServerTest, RefusesOddRequests) {
  serve();
  const std::string host = "Host: " + authority() + "\r\n";
  const std::string token = "Authorization: Bearer " + kToken + "\r\n";
  EXPECT_EQ(status(ask({.more = host})), 400) << "Host twice";
  EXPECT_EQ(status(ask({.more = token})), 400) << "Authorization twice";
  EXPECT_EQ(status(ask({.target = "http://" + authority() + "/healthz"})), 400);
  EXPECT_EQ(status(ask({.method = "OPTIONS", .target = "*"})), 400);
  EXPECT_EQ(status(exchange("GET /healthz HTTP/1.0\r\n" + host + "\r\n")), 505);
  EXPECT_EQ(status(exchange("GET /healthz HTTP/3.7\r\n" + host + "\r\n")), 505);
  EXPECT_EQ(status(exchange("GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n")), 403);
  EXPECT_EQ(status(exchange("\x16\x03\x01\x02\r\n\r\n")), 400) << "TLS hello";
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE"}) {
    EXPECT_EQ(status(ask({.method = method, .target = "/metrics"})), 405) << method;
  }
  for (const char* path : {"/Healthz", "/healthz/", "//healthz", "/healthz?x=1", "/%68ealthz",
                           "/readyz;x", "/../metrics", "/"}) {
    EXPECT_EQ(status(ask({.target = path})), 404) << path;
  }
  EXPECT_EQ(status(ask({.target = "/live"})), 426);
}

TEST_F(ServerTest, RefusesBodiesAndLongHeaders) {
  serve();
  EXPECT_EQ(status(exchange(request({.more = "Content-Length: 3\r\n"}) + "abc")), 400);
  EXPECT_EQ(status(exchange(request({.more = "Transfer-Encoding: chunked\r\n"}))), 400);
  EXPECT_EQ(status(ask({.more = "Content-Length: 102401\r\n"})), 413);
  EXPECT_EQ(status(ask({.more = "Content-Length: 1\r\nContent-Length: 2\r\n"})), 400);
  EXPECT_EQ(status(ask({.more = "X-Long: " + std::string(20'000, 'x') + "\r\n"})), 431);
}

TEST_F(ServerTest, BoundsHeadersThatComeLineByLine) {
  serve();
  tcp::socket socket = dial();
  boost::asio::write(socket, boost::asio::buffer(std::string("GET /healthz HTTP/1.1\r\n")));
  const std::string line = "X-H: " + std::string(200, 'x') + "\r\n";
  // The last one is the one too many: what came behind it could meet a closed door.
  for (std::size_t sent = 0; sent <= Limits().header_bytes; sent += line.size()) {
    boost::asio::write(socket, boost::asio::buffer(line));
  }
  EXPECT_EQ(status(read_all(socket)), 431);
  EXPECT_LT(server_->most_held_bytes(), 1'000'000U);
}

TEST_F(ServerTest, RefusesWhatCanBeReadInTwoWays) {
  serve();
  EXPECT_EQ(status(ask({.more = "Content-Length: 0,0\r\n"})), 400);
  EXPECT_EQ(status(ask({.more = "Sec-Fetch-Site: none\r\nSec-Fetch-Site: none\r\n"})), 400);
  const auto upgrade = [this](const std::string& protocol, const std::string& key) {
    return status(ask({.target = "/live",
                       .more = "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nUpgrade: " +
                               protocol + "\r\nSec-WebSocket-Key: " + key + "\r\n"}));
  };
  EXPECT_EQ(upgrade("websocket", "c2hvcnQ="), 400);
  EXPECT_EQ(upgrade("websocket, h2c", "dGhlIHNhbXBsZSBub25jZQ=="), 400);
}

TEST_F(ServerTest, LeavesPipelinedRequestsInTheSocket) {
  serve();
  tcp::socket socket = dial();
  const std::string one = "GET /healthz HTTP/1.1\r\nHost: " + authority() + "\r\n\r\n";
  std::thread sender([&] {
    for (int i = 0; i < 2000; ++i) boost::asio::write(socket, boost::asio::buffer(one));
    boost::asio::write(socket, boost::asio::buffer(request({})));
  });
  const std::string all = read_all(socket);
  sender.join();
  std::size_t replies = 0;
  for (std::size_t at = 0; (at = all.find("HTTP/1.1 200", at)) != std::string::npos; ++at)
    ++replies;
  EXPECT_EQ(replies, 2001U);
  EXPECT_LT(server_->most_held_bytes(), 40'000U);
}

TEST_F(ServerTest, KeepsAConnectionForSeveralRequests) {
  serve();
  tcp::socket socket = dial();
  const std::string one = "GET /healthz HTTP/1.1\r\nHost: " + authority() + "\r\n\r\n";
  // The first two arrive in one piece.
  boost::asio::write(socket, boost::asio::buffer(one + one + request({})));
  const std::string all = read_all(socket);
  std::size_t replies = 0;
  for (std::size_t at = 0; (at = all.find("HTTP/1.1 200", at)) != std::string::npos; ++at)
    ++replies;
  EXPECT_EQ(replies, 3U) << all;
}

TEST_F(ServerTest, Fault23ServesOthersBesideASlowLoris) {
  serve();
  tcp::socket slow = dial();
  boost::asio::write(slow, boost::asio::buffer(std::string("GET /healthz HT")));
  tcp::socket silent = dial();
  EXPECT_EQ(status(ask({})), 200);
}

TEST_F(ServerTest, Fault23AnswersASlowLoris408) {
  Limits limits = patient();
  limits.header_time = 50ms;
  serve(limits);
  tcp::socket slow = dial();
  tcp::socket silent = dial();
  boost::system::error_code late;
  boost::asio::write(slow, boost::asio::buffer(std::string("GET /healthz HT")), late);
  EXPECT_EQ(status(read_all(slow)), 408);
  EXPECT_EQ(status(read_all(silent)), 408);
}

TEST_F(ServerTest, ClosesASilentConnectionAfterItsKeepAliveTime) {
  Limits limits = patient();
  limits.keep_alive_time = 50ms;
  serve(limits);
  tcp::socket socket = dial();
  boost::asio::write(
      socket, boost::asio::buffer("GET /healthz HTTP/1.1\r\nHost: " + authority() + "\r\n\r\n"));
  EXPECT_EQ(status(read_all(socket)), 200);  // and then the end, without a second answer
}

TEST_F(ServerTest, SendsTheLongestWaitingAwayWhenThereAreTooMany) {
  Limits limits = patient();
  limits.connections = 8;
  serve(limits);
  std::vector<tcp::socket> crowd;
  for (int i = 0; i < 20; ++i) crowd.push_back(dial());
  EXPECT_EQ(status(ask({})), 200);
  EXPECT_EQ(read_all(crowd.front()).find("HTTP"), std::string::npos);
}

TEST_F(ServerTest, Fault17NamesABusyPort) {
  serve();
  ServerOptions options;
  options.token = kToken;
  options.port = port_;
  Server second(*host_, std::move(options));
  try {
    second.start();
    FAIL() << "started on a busy port";
  } catch (const BindError& error) {
    EXPECT_EQ(
        std::string(error.what()).rfind("control address " + authority() + ": address in use", 0),
        0U)
        << error.what();
  }
  EXPECT_EQ(status(ask({})), 200);
}

TEST_F(ServerTest, ServesOnIpv6Loopback) {
  host_ = std::make_unique<fake::FakeHost>();
  ServerOptions options;
  options.token = kToken;
  options.host = "::1";
  Server server(*host_, std::move(options));
  try {
    server.start();
  } catch (const BindError& error) {
    // A machine without IPv6: then this very reason must be named.
    EXPECT_NE(std::string(error.what()).find("[::1]"), std::string::npos);
    return;
  }
  EXPECT_EQ(server.address().rfind("[::1]:", 0), 0U);
}

/// How often a thread of this process went to sleep by itself; from a file that is open already,
/// since none can be opened without descriptors.
class Sleeps {
 public:
  explicit Sleeps(const std::string& thread) {
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
      std::ifstream comm(task.path() / "comm");
      std::string name;
      if (!std::getline(comm, name) || name != thread) continue;
      file_ = ::open((task.path() / "status").c_str(), O_RDONLY | O_CLOEXEC);
    }
  }
  Sleeps(const Sleeps&) = delete;
  Sleeps& operator=(const Sleeps&) = delete;
  ~Sleeps() { ::close(file_); }

  [[nodiscard]] long count() const {
    std::array<char, 4096> text{};
    if (::pread(file_, text.data(), text.size() - 1, 0) <= 0) return -1;
    constexpr std::string_view kName = "\nvoluntary_ctxt_switches:";
    const char* const found = std::strstr(text.data(), kName.data());
    return found == nullptr ? -1 : std::strtol(found + kName.size(), nullptr, 10);
  }

 private:
  int file_ = -1;
};

TEST_F(ServerTest, Fault78PausesAcceptingWithoutFileDescriptors) {
  serve();
  tcp::socket client(io_);
  client.open(tcp::v4());
  const Sleeps sleeps("ps-control");
  const long slept = sleeps.count();
  ASSERT_GE(slept, 0);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit none = before;
  // Open files go on working above the limit; no new one can be had.
  none.rlim_cur = 3;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  client.connect({boost::asio::ip::make_address("127.0.0.1"), port_});
  boost::asio::write(client, boost::asio::buffer(request({})));
  // Who asks again and again never sleeps; once it may have before the client came.
  EXPECT_TRUE(eventually([&] { return sleeps.count() >= slept + 3; }))
      << "spun while it could not accept";
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(status(read_all(client)), 200) << "the waiting client was not served afterwards";
}

// ---- WebSocket

TEST_F(ServerTest, AsksAServiceAndGivesItsAnswer) {
  serve();
  const auto stream = live();
  const auto call = [&](const std::string& request, const std::string& service = "GetAd") {
    return command(*stream, "service.call", {{"service", service}, {"request", request}});
  };
  EXPECT_EQ(call("{}")["result"], json::parse(R"({"answer":{"text":"best"},"tookMs":2.5,"trace":[
                [null,"GetAd","","front·0",0,10,2400.5,0],
                [0,"ProduceAd","ModelA","",20,null,null,1]]})"));
  EXPECT_EQ(call("fail")["result"],
            json::parse(R"({"error":{"code":"unavailable","message":"\"gone\""},"tookMs":1.5})"));
  EXPECT_EQ(call("nothing")["error"]["data"]["code"], "PS758");
  EXPECT_EQ(call("{}", "Getad")["error"]["data"]["code"], "PS757");
  EXPECT_EQ(command(*stream, "service.call",
                    {{"service", "GetAd"},
                     {"request", "{}"},
                     {"deadlineMs", 60'001}})["error"]["data"]["code"],
            "PS760");
  EXPECT_NE(audit().find(R"("method":"service.call","result":"in force"})"), std::string::npos);
}

TEST_F(ServerTest, KeepsNoCommandWaitingForAServiceThatTakesItsTime) {
  Limits limits = patient();
  limits.asks = 2;
  limits.waiting_asks = 1;
  serve(limits);
  const auto stream = live();
  host_->hold(true);
  const auto ask = [&](int id) {
    send(*stream, json{{"jsonrpc", "2.0"},
                       {"id", id},
                       {"method", "service.call"},
                       {"params", {{"service", "GetAd"}, {"request", "hold"}}}}
                      .dump());
  };
  const Nanos before = now_ns();
  ask(101);
  ask(102);
  ASSERT_TRUE(eventually([&] { return host_->asks() == 2; }));
  ask(103);
  EXPECT_EQ(command(*stream, "sampling.set", {{"per128", 5}})["result"]["actual"], 5.0);
  ask(104);
  const json busy = next_of(*stream, "answer");
  EXPECT_EQ(busy["id"], 104);
  EXPECT_EQ(busy["error"]["data"]["code"], "PS755");
  host_->hold(false);
  std::vector<int> answered;
  for (int i = 0; i < 3; ++i) answered.push_back(next_of(*stream, "answer")["id"].get<int>());
  std::sort(answered.begin(), answered.end());
  EXPECT_EQ(answered, (std::vector<int>{101, 102, 103}));
  EXPECT_GE(host_->first_asked_ns(), before) << "their deadlines count from when they came";
}

TEST_F(ServerTest, SendsASchemaThenSamples) {
  serve();
  const auto stream = live();
  const json schema = next(*stream);
  EXPECT_EQ(schema["type"], "schema");
  EXPECT_EQ(schema["version"], 1);
  EXPECT_EQ(schema["intervalMs"], 100);
  EXPECT_EQ(schema["flows"][0]["source"], (json{{"kind", "rate"}, {"perSecond", 200.0}}));
  EXPECT_EQ(schema["flows"][0]["stages"][1]["pool"], nullptr);
  const json first = next(*stream);
  const json second = next(*stream);
  EXPECT_EQ(first["type"], "sample");
  EXPECT_EQ(first["services"][0], json::parse("[0,10,2,1,0,12.346,20.0,30.0,40.0,22.5]"));
  EXPECT_EQ(first["implementations"][0], json::parse("[0,0,10,2,null,null,null,null,null]"));
  EXPECT_EQ(first["pools"][1], json::parse("[1,0,0,2,7,21]"));
  EXPECT_EQ(first["threads"][1], json::parse("[1,1,5,6,7,8,1,21]"));
  EXPECT_EQ(first["stuck"], json::parse("[[1,0,1,7250]]"));
  EXPECT_EQ(first["waits"][1], json::parse("[0,1,null,null,null,null,null]"));
  EXPECT_EQ(
      first["traces"],
      json::parse(R"([[0,12.5,130.25,"failed",[[0,0,0,0,10.5,100,0],[1,1,1,110,5,15.25,1]]]])"));
  EXPECT_EQ(first["process"]["rssBytes"], 12345678);
  EXPECT_EQ(second["seq"].get<int>(), first["seq"].get<int>() + 1);
}

TEST_F(ServerTest, RefusesAnUpgradeWithoutTheToken) {
  serve();
  EXPECT_THROW(static_cast<void>(live("Bearer wrong")), boost::system::system_error);
  EXPECT_NO_THROW(static_cast<void>(live()));
}

TEST_F(ServerTest, TakesNoSamplesWhileNobodyLooks) {
  serve();
  {
    const auto stream = live();
    next_sample(*stream);
  }
  ASSERT_TRUE(eventually([this] {
    const int before = host_->samples();
    std::this_thread::sleep_for(350ms);
    return host_->samples() == before;
  }));
}

TEST_F(ServerTest, SendsFewerSamplesToWhoLooksFromAfar) {
  Limits limits = patient();
  limits.close_interval = 10ms;
  limits.far_interval = 60'000ms;
  serve(limits);
  const auto stream = live();
  next_sample(*stream);
  EXPECT_EQ(command(*stream, "live.watch", {{"close", false}})["result"]["intervalMs"], 60'000);
  EXPECT_EQ(next_of(*stream, "schema")["intervalMs"], 60'000);
  const auto near = live();
  for (int i = 0; i < 10; ++i) next_sample(*near);  // others are not slowed
  EXPECT_EQ(command(*stream, "live.watch", {{"close", true}})["result"]["intervalMs"], 10);
  next_sample(*stream);
}

TEST_F(ServerTest, CarriesCommandsOutAndSendsTheNewSchema) {
  serve();
  const auto stream = live();
  next_of(*stream, "schema");
  send(*stream, R"({"jsonrpc":"2.0","id":9,"method":"pool.resize",
                    "params":{"pool":"models","threads":4}})");
  json answer;
  json schema;
  while (answer.is_null() || schema.is_null()) {  // they may come in either order
    json frame = next(*stream);
    if (frame.contains("id")) answer = frame;
    if (frame.value("type", "") == "schema") schema = frame;
  }
  EXPECT_EQ(answer, json::parse(R"({"jsonrpc":"2.0","id":9,"result":{"asked":4,"actual":4}})"));
  EXPECT_EQ(schema["pools"][1]["threads"].size(), 4U);
  EXPECT_EQ(
      command(*stream, "pool.pin", {{"pool", "models"}, {"thread", 3}, {"cpus", {1}}})["result"],
      json::parse(R"({"asked":[1],"actual":[1]})"));
  EXPECT_EQ(
      command(*stream, "pool.pin",
              {{"pool", "front"}, {"thread", 0}, {"cpus", json::array()}})["result"]["actual"],
      json::parse("[0,1]"));
  EXPECT_EQ(
      command(*stream, "source.set", {{"flow", "Impressions"}, {"perSecond", 0.25}})["result"],
      json::parse(R"({"asked":0.25,"actual":0.25})"));
  EXPECT_EQ(command(*stream, "sampling.set", {{"per128", 0}})["result"]["actual"], 0);
  EXPECT_NE(audit().find(R"("method":"pool.resize","result":"in force",)"
                         R"("params":{"pool":"models","threads":4},"before":2,"actual":4})"),
            std::string::npos)
      << audit();
  std::string cpus;
  for (int cpu = 2; cpu < 200; ++cpu) cpus += (cpu == 2 ? "" : ",") + std::to_string(cpu);
  command(*stream, "pool.pin",
          {{"pool", "front"}, {"thread", 0}, {"cpus", json::parse("[" + cpus + "]")}});
  EXPECT_EQ(audit().find(cpus), std::string::npos);  // a line stays short
}

TEST_F(ServerTest, SetsAndRemovesJoinsAndWritesThemIntoTheAuditLog) {
  serve();
  const auto stream = live();
  const auto pool_of_log = [this] {
    return json::parse(body(ask({.target = "/topology"})))["flows"][0]["stages"][1]["pool"];
  };
  EXPECT_EQ(
      command(
          *stream, "join.set",
          {{"flow", "Impressions"}, {"stage", "log"}, {"join", {{"pool", "models"}}}})["result"],
      json::parse(R"({"pool":"models","threads":2,"tookMs":0.5})"));
  EXPECT_EQ(pool_of_log(), 1);
  const json error =
      command(*stream, "join.set",
              {{"flow", "Impressions"}, {"stage", "log"}, {"join", {{"threads", 1}}}})["error"];
  EXPECT_EQ(error["code"], -32000);
  EXPECT_EQ(error["data"]["code"], "PS515");
  EXPECT_EQ(pool_of_log(), 1);  // nothing has changed
  EXPECT_EQ(command(*stream, "join.remove",
                    {{"flow", "Impressions"}, {"stage", "log"}})["result"]["pool"],
            nullptr);
  EXPECT_EQ(pool_of_log(), nullptr);
  EXPECT_NE(audit().find(R"("method":"join.set","result":"in force")"), std::string::npos);
  EXPECT_NE(audit().find(R"("method":"join.set","result":"PS515")"), std::string::npos);
  EXPECT_NE(audit().find(R"("method":"join.remove","result":"in force")"), std::string::npos);
}

TEST_F(ServerTest, Fault50RefusesSizesOutOfRangeAndKeepsTheOld) {
  serve();
  const auto stream = live();
  for (const json& threads : {json(0), json(-1), json(1e9), json(1.5), json("4"), json(nullptr)}) {
    const json error =
        command(*stream, "pool.resize", {{"pool", "models"}, {"threads", threads}})["error"];
    EXPECT_EQ(error["code"], -32602) << threads;
    EXPECT_EQ(error["data"]["code"], "PS501") << threads;
    EXPECT_NE(error["data"]["help"].get<std::string>().find("from 1 to 1024"), std::string::npos);
  }
  const json error = command(*stream, "pool.resize", {{"pool", "modles"}, {"threads", 4}})["error"];
  EXPECT_EQ(error["data"]["code"], "PS750");
  EXPECT_NE(error["message"].get<std::string>().find("\"modles\""), std::string::npos);
  EXPECT_NE(error["data"]["help"].get<std::string>().find("front, models"), std::string::npos);
  EXPECT_EQ(json::parse(body(ask({.target = "/topology"})))["pools"][1]["threads"].size(), 2U);
}

TEST_F(ServerTest, Fault51RefusesAPinToAnAbsentCpu) {
  serve();
  const auto stream = live();
  const json error =
      command(*stream, "pool.pin", {{"pool", "models"}, {"thread", 1}, {"cpus", {0, 77}}})["error"];
  EXPECT_EQ(error["code"], -32000);
  EXPECT_EQ(error["data"]["code"], "PS753");
  EXPECT_NE(error["message"].get<std::string>().find("models-1"), std::string::npos);
  EXPECT_NE(error["message"].get<std::string>().find("77"), std::string::npos);
}

TEST_F(ServerTest, TellsWhoAskedWhenTheBinaryFailsACommand) {
  serve();
  const auto stream = live();
  const json error =
      command(*stream, "source.set", {{"flow", "Impressions"}, {"perSecond", 13}})["error"];
  EXPECT_EQ(error["data"]["code"], "PS754");
  EXPECT_NE(error["message"].get<std::string>().find("the clock has stopped"), std::string::npos);
}

TEST_F(ServerTest, GoesOnSamplingWhileACommandTakesItsTimeAndBoundsThoseThatWait) {
  Limits limits = patient();
  limits.close_interval = 5ms;
  limits.waiting_commands = 3;
  serve(limits);
  host_->hold(true);
  const auto stream = live();
  const std::string resize =
      R"({"jsonrpc":"2.0","id":1,"method":"pool.resize","params":{"pool":"front","threads":2}})";
  for (int i = 0; i < 10; ++i) send(*stream, resize);
  const json busy = next_of(*stream, "answer");
  EXPECT_EQ(busy["error"]["code"], -32001);
  EXPECT_EQ(busy["error"]["data"]["code"], "PS755");
  for (int i = 0; i < 5; ++i) next_sample(*stream);
  EXPECT_EQ(status(ask({})), 200);
  host_->hold(false);
  json answer = next_of(*stream, "answer");
  while (answer.contains("error")) answer = next_of(*stream, "answer");
  EXPECT_EQ(answer["result"]["actual"], 2);
}

TEST_F(ServerTest, AnswersAnUnknownMethodAndClosesWhatIsNoRequest) {
  serve();
  const auto stream = live();
  EXPECT_EQ(command(*stream, "binary.explode", json::object())["error"]["code"], -32601);
  for (const std::string& text :
       {std::string("hello"), std::string("[]"), std::string("{}"),
        std::string(R"({"jsonrpc":"2.0","method":"pool.resize"})"),
        std::string(R"({"jsonrpc":"1.0","id":1,"method":"x"})"), std::string(100, '[')}) {
    const auto bad = live();
    send(*bad, text);
    EXPECT_EQ(close_code(*bad), 1008) << text;
  }
  const auto binary = live();
  binary->binary(true);
  binary->write(boost::asio::buffer(std::string("abc")));
  EXPECT_EQ(close_code(*binary), 1003);
}

TEST_F(ServerTest, ClosesWhoSendsTooLongOrTooManyMessages) {
  Limits limits = patient();
  limits.close_interval = limits.far_interval = 60'000ms;
  // So few that the slowest client sends more, and no pause earns it more than so many.
  limits.messages_per_second = 2;
  serve(limits);
  const auto longer = live();
  send(*longer, std::string(64 * 1024 + 1, ' '));
  EXPECT_EQ(close_code(*longer), 1009);

  const auto many = live();
  boost::system::error_code error;
  const std::string text = R"({"jsonrpc":"2.0","id":1,"method":"none"})";
  for (int i = 0; i < 300 && !error; ++i) many->write(boost::asio::buffer(text), error);
  EXPECT_EQ(close_code(*many), 1008);

  const auto pings = live();
  for (int i = 0; i < 300 && !error; ++i) pings->ping({}, error);
  EXPECT_EQ(close_code(*pings), 1008);
}

TEST_F(ServerTest, Fault22RefusesOneClientMoreBeforeTheUpgrade) {
  serve();
  std::vector<std::unique_ptr<Socket>> clients;
  for (int i = 0; i < 100; ++i) clients.push_back(live());
  const std::string reply = ask({.target = "/live",
                                 .more = "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                                         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"});
  EXPECT_EQ(status(reply), 503) << reply;
  EXPECT_NE(reply.find("100 live clients"), std::string::npos);
  next_of(*clients.front(), "sample");
  next_of(*clients.back(), "sample");
  clients.pop_back();
  EXPECT_TRUE(eventually([this] { return takes_one_more(); }))
      << "the place of a client that left is not free again";
}

TEST_F(ServerTest, Fault20SkipsSamplesForASlowClientAndNotForOthers) {
  Limits limits = patient();
  limits.close_interval = 5ms;
  limits.send_buffer_bytes = 16 * 1024;
  serve(limits, 2'000);  // frames of about 60 kB
  const auto slow = live("Bearer " + kToken, 16 * 1024);
  const std::uint64_t before = next_sample(*slow);
  const auto quick = live();
  std::uint64_t last = next_sample(*quick);
  const std::uint64_t target = last + 24;
  while (last < target) last = next_sample(*quick);
  // The slow one finds the few that were on their way, then the newest: no backlog.
  std::uint64_t received = 0;
  std::uint64_t seen = before;
  while (seen < target) {
    seen = next_sample(*slow);
    ++received;
  }
  EXPECT_LT(received, (target - before) / 2)
      << "samples were queued for a client that did not read";
}

TEST_F(ServerTest, ClosesAClientThatTakesNothing) {
  Limits limits = patient();
  limits.close_interval = 5ms;
  limits.stall_limit = 100ms;
  limits.send_buffer_bytes = 16 * 1024;
  limits.live_clients = 1;
  serve(limits, 2'000);
  const auto stuck = live("Bearer " + kToken, 16 * 1024);
  EXPECT_TRUE(eventually([this] { return takes_one_more(); })) << "its place is not free";
}

/// Limits with which a client that does not read is stuck at its first sample, and stays so.
Limits stuck_at_once() {
  Limits limits = patient();
  limits.close_interval = 20ms;
  limits.send_buffer_bytes = 16 * 1024;
  return limits;
}
const std::string kRefused =
    R"({"jsonrpc":"2.0","id":1,"method":"pool.resize","params":{"pool":"none","threads":2}})";

TEST_F(ServerTest, ReadsNoMoreOfAClientThatTakesNoAnswers) {
  Limits limits = stuck_at_once();
  constexpr std::size_t kMostWaiting = 4;
  limits.waiting_answers = kMostWaiting;
  serve(limits, 2'000);
  const auto slow = live("Bearer " + kToken, 16 * 1024);
  ASSERT_TRUE(eventually([this] { return host_->samples() > 10; }));
  for (int i = 0; i < 40; ++i) send(*slow, kRefused);
  ASSERT_TRUE(eventually([this] { return refused() >= kMostWaiting; }));
  // Had it read on, it would have while it served somebody else.
  const auto honest = live();
  for (int i = 0; i < 3; ++i) command(*honest, "sampling.set", {{"per128", 5}});
  EXPECT_EQ(refused(), kMostWaiting);
  // Nothing is lost.
  for (int i = 0; i < 40; ++i)
    EXPECT_EQ(next_of(*slow, "answer")["error"]["data"]["code"], "PS750");
}

TEST_F(ServerTest, DropsTheOneWhoseAnswersTakeMostOfTheRoom) {
  Limits limits = stuck_at_once();
  limits.answer_bytes = 4 * 1024;
  serve(limits, 2'000);
  const auto stuck = live("Bearer " + kToken, 16 * 1024);
  const auto honest = live();
  ASSERT_TRUE(eventually([this] { return host_->samples() > 10; }));
  boost::system::error_code gone;
  for (int i = 0; i < 60 && !gone; ++i) stuck->write(boost::asio::buffer(kRefused), gone);
  ASSERT_TRUE(eventually([&] { return server_->most_answer_bytes() > limits.answer_bytes; }));
  EXPECT_EQ(close_code(*stuck), 0) << "it was told to go in words that it does not take";
  EXPECT_LE(server_->most_answer_bytes(), limits.answer_bytes + 1024);
  EXPECT_EQ(command(*honest, "sampling.set", {{"per128", 5}})["result"]["actual"], 5.0);
}

// Who answers stays: live_client.test.cpp.
TEST_F(ServerTest, DropsAClientWhosePongsStop) {
  Limits limits = patient();
  limits.close_interval = 10ms;
  limits.ping_interval = 20ms;
  limits.pong_limit = 100ms;
  serve(limits);
  tcp::socket mute = dial();
  boost::asio::write(
      mute,
      boost::asio::buffer(
          "GET /live HTTP/1.1\r\nHost: " + authority() + "\r\nAuthorization: Bearer " + kToken +
          "\r\nConnection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"));
  EXPECT_EQ(status(read_all(mute)), 101);
}

TEST_F(ServerTest, SaysGoodbyeWhenItStops) {
  serve();
  const auto stream = live();
  next_sample(*stream);
  std::thread stopper([this] { server_->stop(); });
  EXPECT_EQ(close_code(*stream), 1001);
  stopper.join();
  server_->stop();  // once more does nothing
}

TEST_F(ServerTest, StopsWithClientsThatDoNotAnswer) {
  serve();
  const auto stream = live();
  tcp::socket idle = dial();
  server_->stop();  // comes back
}

TEST_F(ServerTest, NamesItsThreads) {
  serve();
  const auto names = [] {
    std::string all;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
      std::ifstream file(task.path() / "comm");
      std::string name;
      std::getline(file, name);
      all += name + "|";
    }
    return all;
  };
  EXPECT_TRUE(eventually([&] { return names().find("ps-control|") != std::string::npos; }));
  const auto stream = live();
  static_cast<void>(command(*stream, "sampling.set", {{"per128", 5}}));
  EXPECT_NE(names().find("ps-command|"), std::string::npos);
}

}  // namespace
}  // namespace penstock::control::server_test
