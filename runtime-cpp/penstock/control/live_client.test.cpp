// What a live client is told of the time, by a clock that the test turns.
#include "penstock/control/live_client.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/read.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "penstock/control/fake_host.hpp"

namespace penstock::control::live_client_test {
namespace {

using boost::asio::ip::tcp;
using namespace std::chrono_literals;
using Clock = Subscriber::Clock;

constexpr std::string_view kPing("\x89\x00", 2);
constexpr std::string_view kUpgrade =
    "GET /live HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

struct LiveClientTest : ::testing::Test {
  /// The other side, byte by byte; masked with zeros.
  struct Peer {
    void send(char opcode, std::string_view text) {
      std::string frame{opcode, static_cast<char>(0x80U | text.size()), 0, 0, 0, 0};
      frame += text;
      boost::asio::write(socket, boost::asio::buffer(frame));
    }
    void pong() { send('\x8a', ""); }
    void ask() { send('\x81', R"({"jsonrpc":"2.0","id":1,"method":"none"})"); }
    /// Nothing more comes.
    [[nodiscard]] bool ended() {
      boost::system::error_code error;
      std::string rest;
      boost::asio::read(socket, boost::asio::dynamic_buffer(rest), error);
      return error == boost::asio::error::eof || error == boost::asio::error::connection_reset;
    }
    tcp::socket socket;
    std::string got{};
    LiveClient* served = nullptr;  ///< as long as it is not dropped
  };

  Peer connect() {
    Peer peer{tcp::socket(io)};
    peer.socket.connect(door.local_endpoint());
    boost::asio::write(peer.socket, boost::asio::buffer(kUpgrade));
    tcp::socket accepted = door.accept();
    boost::beast::flat_buffer buffer;
    LiveClient::Request request;
    boost::beast::http::read(accepted, buffer, request);
    const auto client = std::make_shared<LiveClient>(std::move(accepted), shared);
    client->start(std::move(request));
    peer.served = client.get();
    run_until(peer, R"("type":"sample")");
    return peer;
  }
  /// The server's side goes on until the peer has got these bytes; what came up to them is gone.
  void run_until(Peer& peer, std::string_view bytes) {
    std::size_t at = 0;
    while ((at = peer.got.find(bytes)) == std::string::npos) {
      io.run_one_for(1ms);
      std::array<char, 4096> more{};
      const std::size_t there = std::min(peer.socket.available(), more.size());
      boost::asio::read(peer.socket, boost::asio::buffer(more, there));
      peer.got.append(more.data(), there);
    }
    peer.got.erase(0, at + bytes.size());
  }

  fake::FakeHost host;
  static Limits patient() {
    Limits patient;
    patient.close_interval = patient.far_interval = patient.stall_limit = 24h;
    patient.ping_interval = 0ms;
    patient.pong_limit = 1h;
    return patient;
  }
  const Limits limits = patient();
  AuditLog audit{[](const std::string& /*line*/) {}};
  // Before the loop, as in Server::Impl: the clients that it still owns look back at these.
  LiveShared shared{limits, feed, audit,
                    [](const RpcCall& /*call*/, const ReplyTo& /*reply*/) { return false; }};
  boost::asio::io_context io{1};
  tcp::acceptor door{io, {boost::asio::ip::make_address("127.0.0.1"), 0}};
  Feed feed{io, host, limits};
};

TEST_F(LiveClientTest, StaysAsLongAsItAnswersPings) {
  Peer alive = connect();
  Peer mute = connect();
  const Clock::time_point begun = Clock::now();
  for (Peer* const peer : {&alive, &mute}) {
    peer->served->tick(begun + 1ms);
    run_until(*peer, kPing);
  }
  alive.pong();
  alive.ask();
  run_until(alive, "-32601");  // behind the pong
  for (Peer* const peer : {&alive, &mute}) peer->served->tick(begun + limits.pong_limit + 1ns);
  EXPECT_TRUE(mute.ended());
  alive.ask();
  run_until(alive, "-32601");
}

}  // namespace
}  // namespace penstock::control::live_client_test
