// An HTTP address under TLS, and who comes to it.
#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <vector>

#include "penstock/app/ask_binding.hpp"
#include "penstock/base/error.hpp"
#include "penstock/edge/server.hpp"
#include "penstock/net/remote/calls/remote_type.hpp"
#include "penstock/net/socket/security.hpp"
#include "penstock/tls.hpp"
#include "support/edge_note.hpp"
#include "support/made_keys.hpp"
#include "support/small_binary.hpp"

namespace penstock::tls_part::http_tls_test {
namespace {

namespace ssl = boost::asio::ssl;
using boost::asio::ip::tcp;
using penstock::testing::MadeKeys;
using penstock::testing::Note;
using penstock::testing::pool_settings;
using Error = boost::system::error_code;

constexpr const char* kToken = "0123456789abcdef0123456789abcdef";

struct Echo : Handler {
  using request_type = Note;
  using response_type = Note;
  static Note handle(const Note& note) { return {note.text + "!", note.count + 1, {}}; }
};

/// A client, which blocks, and trusts the authority of the keys.
class Client {
 public:
  Client(std::uint16_t port, const std::string& authority, int most = TLS1_3_VERSION,
         const std::string& protocols = {})
      : port_(port) {
    context_.load_verify_file(authority);
    context_.set_verify_mode(ssl::verify_peer);
    SSL_CTX_set_max_proto_version(context_.native_handle(), most);
    SSL_CTX_set_min_proto_version(context_.native_handle(), TLS1_VERSION);
    SSL_CTX_set_security_level(context_.native_handle(), 0);
    stream_.emplace(io_, context_);
    if (!protocols.empty()) {
      SSL_set_alpn_protos(ssl(), reinterpret_cast<const unsigned char*>(protocols.data()),
                          static_cast<unsigned>(protocols.size()));
    }
    stream_->next_layer().connect({boost::asio::ip::make_address("127.0.0.1"), port});
  }

  [[nodiscard]] Error shake_hands() {
    Error error;
    stream_->handshake(ssl::stream_base::client, error);
    return error;
  }
  void send(const std::string& bytes) { boost::asio::write(*stream_, boost::asio::buffer(bytes)); }
  /// Or as much of it as the other end takes.
  void send_clear(const std::string& bytes) {
    Error ended;
    boost::asio::write(stream_->next_layer(), boost::asio::buffer(bytes), ended);
  }
  [[nodiscard]] std::string request(const std::string& body, const std::string& more = "") const {
    return "POST /twirp/shop.Notes/Echo HTTP/1.1\r\nHost: localhost:" + std::to_string(port_) +
           "\r\nAuthorization: Bearer " + kToken + "\r\nContent-Type: application/json\r\n" + more +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }
  boost::beast::http::response<boost::beast::http::string_body> read() {
    boost::beast::http::response_parser<boost::beast::http::string_body> parser;
    parser.body_limit(std::uint64_t{8} << 20U);
    boost::beast::http::read(*stream_, buffer_, parser);
    return parser.release();
  }
  std::string ask(const std::string& body) {
    send(request(body));
    return read().body();
  }
  /// How what is read ends.
  Error end() {
    Error error;
    char byte = 0;
    boost::asio::read(*stream_, boost::asio::buffer(&byte, 1), error);
    return error;
  }
  /// What comes until the end, as it goes over the wire.
  std::string rest_of_clear() {
    Error error;
    std::string bytes;
    boost::asio::read(stream_->next_layer(), boost::asio::dynamic_buffer(bytes), error);
    return bytes;
  }
  SSL* ssl() { return stream_->native_handle(); }

 private:
  std::uint16_t port_;
  boost::asio::io_context io_;
  ssl::context context_{ssl::context::tls_client};
  std::optional<ssl::stream<tcp::socket>> stream_;
  boost::beast::flat_buffer buffer_;
};

class HttpTls : public ::testing::Test {
 protected:
  HttpTls() { keys.add("ads"); }
  void serve(unsigned threads = 1) {
    pool = &binary.pool(pool_settings("a", threads));
    call::Service& service = binary.service<Echo>("Echo", Kind::simple, *pool);
    const net::RemoteType& type = net::kRemoteType<Note, Note>;
    const app::AskBinding asks = app::bind_ask<Note, Note>();
    options.exposed.services.push_back(
        {"/twirp/shop.Notes/Echo",
         {type.read_request, asks.make, type.answer_bytes, type.write_answer, asks.append},
         &binary.site(service),
         pool});
    options.tokens = {kToken};
    options.security = http_tls({"test", "ads"}, keys.folder(), {});
    binary.start();
    server = std::make_unique<edge::Server>(std::vector<flow::HttpSource*>{}, binary.registry(),
                                            options);
    server->start();
    const std::string address = server->address();
    port = static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
  }
  void TearDown() override {
    std::filesystem::remove_all(folder);
    if (!server) return;
    server->drain();
    EXPECT_TRUE(penstock::testing::eventually([this] { return server->asks_nobody(); }));
    binary.stop();
    server->stop(penstock::testing::far_from_now());
  }
  [[nodiscard]] Client client(int most = TLS1_3_VERSION, const std::string& protocols = {}) const {
    return {port, keys.folder() + "/ca.crt", most, protocols};
  }
  /// Somebody else is served as if nothing were.
  void expect_served() {
    Client other = client();
    ASSERT_FALSE(other.shake_hands());
    EXPECT_EQ(other.ask(R"({"text":"a"})"), R"({"text":"a!","count":"1"})");
  }
  /// Why the keys cannot be used; the folder is left out.
  [[nodiscard]] std::string fault(const http::KeyFiles& files) const {
    try {
      static_cast<void>(http_tls({"test", "ads"}, keys.folder(), files));
    } catch (const penstock::Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::failed_precondition);
      std::string text = error.message();
      for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder))
        text.erase(at, folder.size() + std::string_view("/keys/").size());
      return text;
    }
    return {};
  }

  static std::string made_folder() {
    char name[] = "/tmp/penstock-https-XXXXXX";
    return mkdtemp(name);
  }

  const std::string folder = made_folder();
  MadeKeys keys{folder + "/keys"};
  edge::ServerOptions options = [] {
    edge::ServerOptions patient;
    patient.limits.header_time = patient.limits.request_time = std::chrono::hours(1);
    patient.limits.keep_alive_time = std::chrono::hours(1);
    patient.limits.body_bytes_per_second = 0;
    return patient;
  }();
  penstock::testing::SmallBinary binary;
  exec::Pool* pool = nullptr;
  std::unique_ptr<edge::Server> server;
  std::uint16_t port = 0;
};

TEST_F(HttpTls, AnswersRequestAfterRequest) {
  serve();
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    Client client = this->client(version);
    ASSERT_FALSE(client.shake_hands());
    EXPECT_EQ(SSL_version(client.ssl()), version);
    for (int count = 0; count < 20; ++count) {
      EXPECT_EQ(client.ask(R"({"text":"a","count":)" + std::to_string(count) + "}"),
                R"({"text":"a!","count":")" + std::to_string(count + 1) + "\"}");
    }
  }
}

// What secures it goes along.
TEST_F(HttpTls, GoesOnAtAnotherWorkerWhereItsOwnLeaves) {
  serve(2);
  std::vector<std::unique_ptr<Client>> clients;
  for (int index = 0; index < 4; ++index) {
    clients.push_back(std::make_unique<Client>(port, keys.folder() + "/ca.crt"));
    // One of each worker's has not come farther than this.
    if (index < 2) continue;
    ASSERT_FALSE(clients.back()->shake_hands());
    EXPECT_EQ(clients.back()->ask(R"({"text":"a"})"), R"({"text":"a!","count":"1"})");
  }
  exec::Worker& gone = pool->worker(1);
  ASSERT_EQ(pool->resize(1), 1U);
  EXPECT_TRUE(penstock::testing::eventually([&gone] { return gone.exited(); }));
  for (int index = 0; index < 4; ++index) {
    Client& client = *clients[static_cast<std::size_t>(index)];
    if (index < 2) {
      ASSERT_FALSE(client.shake_hands());
    }
    EXPECT_EQ(client.ask(R"({"text":"b"})"), R"({"text":"b!","count":"1"})");
  }
}

TEST_F(HttpTls, FindsRequestsThatCameTogether) {
  serve();
  Client client = this->client();
  ASSERT_FALSE(client.shake_hands());
  std::string all;
  for (int count = 0; count < 10; ++count)
    all += client.request(R"({"text":"a","count":)" + std::to_string(count) + "}");
  client.send(all);
  for (int count = 0; count < 10; ++count)
    EXPECT_EQ(client.read().body(),
              R"({"text":"a!","count":")" + std::to_string(count + 1) + "\"}");
}

TEST_F(HttpTls, CarriesLongRequestsAndAnswers) {
  serve();
  Client client = this->client();
  ASSERT_FALSE(client.shake_hands());
  const std::string text(1'000'000, 'x');
  for (int time = 0; time < 3; ++time)
    EXPECT_EQ(client.ask(R"({"text":")" + text + "\"}"),
              R"({"text":")" + text + R"(!","count":"1"})");
}

TEST_F(HttpTls, SaysThatAConnectionEnds) {
  serve();
  Client client = this->client();
  ASSERT_FALSE(client.shake_hands());
  client.send(client.request("{}", "Connection: close\r\n"));
  EXPECT_EQ(client.read().result_int(), 200U);
  EXPECT_EQ(client.end(), boost::asio::error::eof) << "and not cut off";
}

TEST_F(HttpTls, AsksForATokenAsWell) {
  serve();
  Client client = this->client();
  ASSERT_FALSE(client.shake_hands());
  client.send("POST /twirp/shop.Notes/Echo HTTP/1.1\r\nHost: localhost:" + std::to_string(port) +
              "\r\nContent-Length: 0\r\n\r\n");
  const auto answer = client.read();
  EXPECT_EQ(answer.result_int(), 401U);
  EXPECT_EQ(answer["WWW-Authenticate"], "Bearer");
}

TEST_F(HttpTls, SpeaksHttpOneAndSaysSo) {
  serve();
  Client both = client(TLS1_3_VERSION, "\x02h2\x08http/1.1");
  ASSERT_FALSE(both.shake_hands());
  const unsigned char* chosen = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(both.ssl(), &chosen, &size);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(chosen), size), "http/1.1");
  EXPECT_TRUE(client(TLS1_3_VERSION, "\x02h2").shake_hands()) << "who speaks nothing else";
}

TEST_F(HttpTls, RefusesOldVersions) {
  serve();
  EXPECT_TRUE(client(TLS1_1_VERSION).shake_hands());
  expect_served();
}

TEST_F(HttpTls, EndsWhoSaysGarbageInsteadOfHello) {
  serve();
  for (const std::string& garbage :
       {std::string("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"), std::string(100, '\xff'),
        std::string("\x16\x03\x01\xff\xff", 5) + std::string(70'000, 'x'),
        std::string("\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00", 10)}) {
    Client client = this->client();
    client.send_clear(garbage);
    const std::string said = client.rest_of_clear();
    EXPECT_EQ(said.find("HTTP"), std::string::npos) << "nothing is said in the clear";
  }
  expect_served();
}

TEST_F(HttpTls, OutlivesWhoLeavesInTheMiddleOfAHandshake) {
  serve();
  for (int time = 0; time < 10; ++time) {
    Client client = this->client();
    client.send_clear(std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11));
  }
  expect_served();
}

TEST_F(HttpTls, EndsWhoBeginsAHandshakeAndWaits) {
  options.limits.header_time = std::chrono::milliseconds(20);
  serve();
  Client client = this->client();
  client.send_clear(std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11));
  EXPECT_EQ(client.rest_of_clear(), "") << "no 408, which could not be read";
  Client silent = this->client();
  EXPECT_EQ(silent.rest_of_clear(), "");
}

TEST_F(HttpTls, CountsWhatConnectionsHoldUnderIt) {
  serve();
  {
    Client client = this->client();
    ASSERT_FALSE(client.shake_hands());
    EXPECT_EQ(client.ask(R"({"text":"a"})"), R"({"text":"a!","count":"1"})");
    EXPECT_GE(server->held_bytes(), 12U * 1024);
  }
  EXPECT_TRUE(penstock::testing::eventually([this] { return server->held_bytes() == 0; }));
}

TEST_F(HttpTls, ShowsACertificateOfItsOwn) {
  keys.add("site", {.uri = "https://shop.example"});
  EXPECT_EQ(fault({"site.crt", "site.key"}), "");
  EXPECT_EQ(fault({}), "");
}

TEST_F(HttpTls, SaysWhatIsWrongWithKeysAndWhatHelps) {
  EXPECT_EQ(
      fault({"site.crt", "site.key"}),
      "site.crt: is not there; put it there, or name the folder that has it in PENSTOCK_KEYS");
  keys.add("old", {.seconds = -10});
  EXPECT_EQ(fault({"old.crt", "old.key"}),
            "old.crt: has expired: put a new one there, and start the binary again");
  EXPECT_EQ(fault({"ads.crt", "old.key"}), "old.key: is not the key of ads.crt");
  EXPECT_EQ(fault({"ads.key", "ads.key"}), "ads.key: is no certificate");
  std::ofstream(keys.folder() + "/site.crt")
      << std::ifstream(keys.folder() + "/ads.crt").rdbuf()
      << "-----BEGIN CERTIFICATE-----\nZm9v*\n-----END CERTIFICATE-----\n";
  EXPECT_EQ(fault({"site.crt", "ads.key"}), "site.crt: certificate 2 in it is damaged");
  EXPECT_EQ(fault({"ads.crt", "ads.crt"}),
            "ads.crt: others may read it: `chmod 600` it, or make a "
            "new one with `penstock keys`");
  keys.add("ads", {.uri = "penstock://test/other"});
  EXPECT_EQ(fault({}), "ads.crt: is of penstock://test/other, and not of penstock://test/ads");
}

}  // namespace
}  // namespace penstock::tls_part::http_tls_test
