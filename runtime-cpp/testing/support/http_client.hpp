#pragma once

#include <linux/sockios.h>
#include <sys/ioctl.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace penstock::testing {

/// A client of one connection, which blocks.
class HttpClient {
 public:
  using Response = boost::beast::http::response<boost::beast::http::string_body>;

  explicit HttpClient(std::uint16_t port) : port_(port) {
    socket_.connect({boost::asio::ip::make_address("127.0.0.1"), port});
  }

  void send_raw(std::string_view bytes) { boost::asio::write(socket_, boost::asio::buffer(bytes)); }
  void post(std::string_view path, std::string_view body,
            const std::vector<std::pair<std::string, std::string>>& fields = {},
            std::string_view method = "POST") {
    std::string text = std::string(method) + " " + std::string(path) + " HTTP/1.1\r\n";
    bool host = false;
    bool type = false;
    for (const auto& [name, value] : fields) {
      host = host || name == "Host";
      type = type || name == "Content-Type";
      if (!value.empty()) text += name + ": " + value + "\r\n";
    }
    if (!host) text += "Host: 127.0.0.1:" + std::to_string(port_) + "\r\n";
    if (!type) text += "Content-Type: application/json\r\n";
    text += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
    send_raw(text);
  }
  Response read() {
    Response response;
    boost::beast::http::read(socket_, buffer_, response);
    return response;
  }
  Response ask(std::string_view path, std::string_view body,
               const std::vector<std::pair<std::string, std::string>>& fields = {},
               std::string_view method = "POST") {
    post(path, body, fields, method);
    return read();
  }
  /// It sends nothing any more, and still reads.
  void end_writing() { socket_.shutdown(boost::asio::ip::tcp::socket::shutdown_send); }
  /// The kernel of the other end has all that was sent, the end as well.
  bool is_there() {
    int waits = -1;
    return ioctl(socket_.native_handle(), SIOCOUTQ, &waits) == 0 && waits == 0;
  }
  /// Something has come that is not read yet.
  bool has_answer() { return socket_.available() > 0; }
  /// Nothing more comes.
  bool ended() {
    boost::system::error_code error;
    char byte = 0;
    boost::asio::read(socket_, boost::asio::buffer(&byte, 1), error);
    return error == boost::asio::error::eof || error == boost::asio::error::connection_reset;
  }
  std::string read_bytes(std::size_t count) {
    std::string bytes(count, ' ');
    boost::asio::read(socket_, boost::asio::buffer(bytes));
    return bytes;
  }

 private:
  boost::asio::io_context io_;
  boost::asio::ip::tcp::socket socket_{io_};
  boost::beast::flat_buffer buffer_;
  std::uint16_t port_;
};

}  // namespace penstock::testing
