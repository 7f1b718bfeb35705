#pragma once

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/base/thread_rule.hpp"
#include "penstock/control/audit_log.hpp"
#include "penstock/control/feed.hpp"
#include "penstock/control/limits.hpp"
#include "penstock/control/rpc.hpp"

namespace penstock::control {

/// Gives the answer's text back to the client that asked, on `ps-control`.
using ReplyTo = std::function<void(std::string text)>;

class LiveClient;

/// What live clients share. Outlives them.
struct LiveShared {
  const Limits& limits;
  Feed& feed;
  AuditLog& audit;
  /// Has a checked command carried out and answered later; false: too many wait.
  std::function<bool(RpcCall call, ReplyTo reply)> command;
  std::vector<LiveClient*> clients{};  ///< live ones, handshakes included
  std::size_t answer_bytes = 0;        ///< that they have not taken
  /// The most that there ever were. One thread writes it; relaxed: a figure for others to read.
  std::atomic<std::size_t> most_answer_bytes{0};
};

/// One connection of `WS /live`. Everything on `ps-control`.
///
/// Never more than one frame is being written. What waits behind it is: the answers of commands
/// (few, as no more commands are read meanwhile), one schema, one sample. A slow client therefore
/// costs a fixed amount and gets the latest sample when it catches up.
class LiveClient final : public Subscriber, public std::enable_shared_from_this<LiveClient> {
 public:
  using Request = boost::beast::http::request<boost::beast::http::empty_body>;

  LiveClient(boost::asio::ip::tcp::socket socket, LiveShared& shared);
  ~LiveClient() override;

  /// Answers the upgrade and joins the feed.
  void start(Request request);

  void take_schema(Text frame) override;
  void take_sample(Text frame) override;
  void tick(Clock::time_point now) override;
  void say_goodbye() override;

 private:
  using Stream = boost::beast::websocket::stream<boost::asio::ip::tcp::socket>;
  using CloseCode = boost::beast::websocket::close_code;
  using Error = boost::system::error_code;

  void expect_here() const noexcept { thread_.check("a live client is used by one thread"); }
  void on_upgraded(const Error& error);
  void read();
  void on_message(std::string_view text);
  void on_command(const RpcCall& call);
  void answer(std::string text);
  /// Reads on, unless too many of its answers wait.
  void read_next();
  /// Counts bytes of its answers.
  void hold(std::size_t bytes);
  void let_go(std::size_t bytes);
  [[nodiscard]] bool within_rate();

  [[nodiscard]] std::size_t unsent() const;
  void pump();
  void on_written(const Error& error);

  /// Closes with a reason the client can read; drops it when it does not take it in time.
  void send_away(CloseCode code, std::string_view reason);
  void finish_closing();
  /// Ends the connection now.
  void drop();

  LiveShared& shared_;
  Stream stream_;
  boost::beast::flat_buffer incoming_;

  std::deque<Text> answers_;
  Text schema_;
  Text sample_;
  Text writing_;
  Clock::time_point write_started_;

  double allowance_;  // messages that may still come now; refills with time
  Clock::time_point allowance_at_;
  Clock::time_point last_ping_;
  Clock::time_point last_pong_;
  bool pinging_ = false;

  std::size_t answer_bytes_ = 0;    // of its answers, the one that is being written included
  std::size_t writing_answer_ = 0;  // bytes; 0: no answer is being written
  bool paused_ = false;             // nothing is read until answers are taken
  bool joined_ = false;
  bool closing_ = false;
  bool dropped_ = false;
  boost::beast::websocket::close_reason close_reason_;
  Clock::time_point close_deadline_;
  [[no_unique_address]] OwnThread thread_;
};

}  // namespace penstock::control
