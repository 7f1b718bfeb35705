#pragma once

#include <sys/socket.h>

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "penstock/error.hpp"

/// Who is asked by the tests of the HTTP client.
namespace penstock::testing {

/// What the other side does with a request; an empty answer: it says nothing and closes.
using Answer = std::function<std::string(const std::string& request)>;

/// A server that answers byte by byte what a test says; one thread a connection.
class Other {
 public:
  explicit Other(Answer answer, bool close_after_each = false)
      : answer_(std::move(answer)),
        close_after_each_(close_after_each),
        acceptor_(context_,
                  boost::asio::ip::tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0)),
        port_(acceptor_.local_endpoint().port()),
        accepting_([this] { accept(); }) {}
  Other(const Other&) = delete;
  Other& operator=(const Other&) = delete;
  ~Other() {
    shutdown(acceptor_.native_handle(), SHUT_RDWR);
    accepting_.join();
    hang_up();
    for (std::thread& thread : serving_) thread.join();
  }

  [[nodiscard]] std::string url(const std::string& target = "/") const {
    return "http://127.0.0.1:" + std::to_string(port_) + target;
  }
  [[nodiscard]] int connections() const { return connections_; }
  /// Answers that are written.
  [[nodiscard]] int answered() const { return answered_; }
  /// Closes what is open.
  void hang_up() {
    const std::scoped_lock lock(mutex_);
    for (const auto& socket : sockets_) shutdown(socket->native_handle(), SHUT_RDWR);
  }
  [[nodiscard]] std::vector<std::string> requests() {
    const std::scoped_lock lock(mutex_);
    return requests_;
  }

 private:
  void accept() {
    for (;;) {
      boost::system::error_code error;
      auto socket = std::make_shared<boost::asio::ip::tcp::socket>(context_);
      acceptor_.accept(*socket, error);
      if (error) return;
      ++connections_;
      const std::scoped_lock lock(mutex_);
      sockets_.push_back(socket);
      serving_.emplace_back([this, socket] { serve(*socket); });
    }
  }
  void serve(boost::asio::ip::tcp::socket& socket) {
    std::string bytes;
    for (;;) {
      boost::system::error_code error;
      const std::size_t head =
          boost::asio::read_until(socket, boost::asio::dynamic_buffer(bytes), "\r\n\r\n", error);
      if (error) return;
      const std::size_t at = bytes.find("Content-Length: ");
      const std::size_t body = at < head ? std::stoul(bytes.substr(at + 16)) : 0;
      if (bytes.size() < head + body) {
        boost::asio::read(socket, boost::asio::dynamic_buffer(bytes),
                          boost::asio::transfer_exactly(head + body - bytes.size()), error);
      }
      const std::string request = bytes.substr(0, head + body);
      bytes.erase(0, head + body);
      {
        const std::scoped_lock lock(mutex_);
        requests_.push_back(request);
      }
      const std::string answer = answer_(request);
      boost::asio::write(socket, boost::asio::buffer(answer), error);
      ++answered_;
      if (answer.empty() || close_after_each_) {
        shutdown(socket.native_handle(), SHUT_RDWR);
        return;
      }
    }
  }

  const Answer answer_;
  const bool close_after_each_;
  boost::asio::io_context context_;
  boost::asio::ip::tcp::acceptor acceptor_;
  const std::uint16_t port_;
  std::atomic<int> connections_{0};
  std::atomic<int> answered_{0};
  std::mutex mutex_;
  std::vector<std::string> requests_;
  std::vector<std::shared_ptr<boost::asio::ip::tcp::socket>> sockets_;
  std::vector<std::thread> serving_;
  std::thread accepting_;
};

/// An answer with 200 and this body.
inline std::string ok(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

/// What `run` throws.
template <class Run>
Error error_of(Run run) {
  try {
    run();
  } catch (const Error& error) {
    return error;
  }
  return {ErrorCode::ok, "no error"};
}

}  // namespace penstock::testing
