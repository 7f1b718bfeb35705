#pragma once

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "penstock/http/secured.hpp"

namespace penstock::http {

/// The bytes of a connection: those of its socket, or those under what secures it. A stream as
/// Boost.Asio and Beast have them. On the thread of its io_context.
class Wire {
 public:
  using Socket = boost::asio::ip::tcp::socket;
  using executor_type = Socket::executor_type;
  using Error = boost::system::error_code;

  /// `security`: null for a clear one. Throws std::bad_alloc, boost::system::system_error.
  Wire(Socket socket, const Security* security);

  executor_type get_executor() { return socket_.get_executor(); }
  [[nodiscard]] Socket& socket() { return socket_; }
  [[nodiscard]] bool is_secured() const { return secured_ != nullptr; }
  /// What is written can be read by the other end: of a secured one, it has said something.
  [[nodiscard]] bool is_heard() const { return secured_ == nullptr || heard_; }

  /// Says that nothing more comes. What the other end still sends may be read, as it comes.
  void end();
  /// Reads and writes that wait end with operation_aborted.
  void close();

  template <class Buffers, class Handler>
  void async_read_some(const Buffers& to, Handler&& handler) {
    if (secured_ == nullptr) {
      socket_.async_read_some(to, std::forward<Handler>(handler));
      return;
    }
    const boost::asio::mutable_buffer room(*boost::asio::buffer_sequence_begin(to));
    attempt(
        [this, room](Secured& secured) {
          const ssize_t count = secured.receive(static_cast<char*>(room.data()), room.size());
          heard_ = heard_ || count > 0;
          return count;
        },
        handler);
  }

  template <class Buffers, class Handler>
  void async_write_some(const Buffers& from, Handler&& handler) {
    if (secured_ == nullptr) {
      socket_.async_write_some(from, std::forward<Handler>(handler));
      return;
    }
    attempt(
        [from](Secured& secured) {
          // A head and a short body are one record.
          const auto first = boost::asio::buffer_sequence_begin(from);
          const boost::asio::const_buffer whole(*first);
          if (whole.size() >= kTogether) {
            return secured.send(static_cast<const char*>(whole.data()), whole.size());
          }
          std::array<char, kTogether> together;  // NOLINT: filled as far as it is sent
          const std::size_t count = boost::asio::buffer_copy(boost::asio::buffer(together), from);
          return secured.send(together.data(), count);
        },
        handler);
  }

 private:
  static constexpr std::size_t kTogether = 4096;

  /// Tries, and waits for the socket until it goes.
  template <class Try>
  struct Attempt {
    Wire& wire;
    Try go;
    bool waited = false;
    bool reads = false;  // it waited for what comes
    bool done = false;
    Error error = {};
    std::size_t bytes = 0;

    template <class Self>
    void operator()(Self& self, const Error& failed = {}, std::size_t /*none*/ = 0) {
      if (done) return self.complete(error, bytes);
      if (failed) return self.complete(failed, 0);
      if (reads && wire.secured_ != nullptr) wire.secured_->came(false);
      if (!finished()) {
        waited = true;
        reads = !wire.secured_->waits_for_room();
        wire.socket_.async_wait(reads ? Socket::wait_read : Socket::wait_write, std::move(self));
        return;
      }
      if (waited) return self.complete(error, bytes);
      // Who asks for it has not returned yet.
      done = true;
      boost::asio::post(wire.get_executor(), std::move(self));
    }

    /// False: it has to wait.
    bool finished() {
      if (wire.secured_ == nullptr) {
        error = boost::asio::error::operation_aborted;
        return true;
      }
      const ssize_t count = go(*wire.secured_);
      if (count > 0) {
        bytes = static_cast<std::size_t>(count);
      } else if (count == 0) {
        error = boost::asio::error::eof;
      } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
        return false;
      } else {
        error = Error(errno, boost::system::system_category());
      }
      return true;
    }
  };

  template <class Try, class Handler>
  void attempt(Try go, Handler& handler) {
    boost::asio::async_compose<std::remove_reference_t<Handler>, void(Error, std::size_t)>(
        Attempt<Try>{*this, std::move(go)}, handler, socket_);
  }

  Socket socket_;
  std::unique_ptr<Secured> secured_;  // of the socket, which outlives it
  bool heard_ = false;
};

}  // namespace penstock::http
