#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <memory>
#include <string>

#include "penstock/http_client/client.hpp"

namespace penstock::http_client {

/// A connection that is kept open between exchanges. The I/O thread's.
struct Connection {
  explicit Connection(boost::asio::io_context& context) : socket(context) {}

  boost::asio::ip::tcp::socket socket;
  boost::beast::flat_buffer buffer;
  bool used = false;  ///< it has carried an exchange
  bool idle = false;
};

/// One exchange while it is carried out. Keeps itself alive by what it waits for. The I/O thread's.
class Transfer : public std::enable_shared_from_this<Transfer> {
 public:
  using SystemError = boost::system::error_code;
  using Tcp = boost::asio::ip::tcp;

  /// Who gives connections and takes them back.
  class Owner {
   public:
    Owner() = default;
    Owner(const Owner&) = delete;
    Owner& operator=(const Owner&) = delete;
    virtual ~Owner() = default;
    /// With the connection when it can be used again, else null.
    virtual void ended(Transfer& transfer, std::shared_ptr<Connection> reusable) = 0;
  };

  Transfer(boost::asio::io_context& context, std::shared_ptr<Exchange> exchange, Owner& owner,
           const ClientSettings& settings);

  /// Starts the clock: from here on it ends by itself at the deadline.
  void wait_for_turn();
  /// It has its turn. `kept`: an open connection; null: it makes one.
  void begin(std::shared_ptr<Connection> kept);
  void end_with(ErrorCode code, const std::string& message);

  [[nodiscard]] bool begun() const noexcept { return begun_; }
  [[nodiscard]] bool over() const noexcept { return exchange_ == nullptr; }
  /// Not once it is over.
  [[nodiscard]] const Url& url() const noexcept { return exchange_->url; }

 private:
  using Message = boost::beast::http::request<boost::beast::http::string_body>;
  using Parser = boost::beast::http::response_parser<boost::beast::http::string_body>;

  void connect();
  void connect_to(const Tcp::resolver::results_type& found);
  void write();
  void read();
  void on_header(const SystemError& error);
  void on_read(const SystemError& error);
  void on_broken(const SystemError& error, const char* doing);
  void end(std::shared_ptr<Connection> reusable);

  boost::asio::io_context& context_;
  std::shared_ptr<Exchange> exchange_;  // null: it has ended
  Owner& owner_;
  const ClientSettings& settings_;
  boost::asio::steady_timer timer_;
  Tcp::resolver resolver_;
  std::shared_ptr<Connection> connection_;
  Message message_;
  std::unique_ptr<Parser> parser_;
  bool begun_ = false;
  bool retried_ = false;
};

}  // namespace penstock::http_client
