#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include "penstock/http/line.hpp"
#include "penstock/http/wire.hpp"

namespace penstock::http {

/// A line on the thread of an io_context.
class AsioLine final : public Line {
 public:
  using Socket = boost::asio::ip::tcp::socket;

  /// `security`: what its bytes are secured with, which outlives it; null: nothing. Throws
  /// std::bad_alloc, boost::system::system_error.
  explicit AsioLine(Socket socket, const Security* security = nullptr);

  [[nodiscard]] Socket& socket() { return wire_.socket(); }
  /// Of one that is not secured, whose connection has given it up.
  [[nodiscard]] Socket give_socket();

  void read(std::span<char> room) override;
  void write(Pieces pieces) override;
  void cancel() override;
  void wake_at(Time time) override;
  void end() override { wire_.end(); }
  void close() override;
  [[nodiscard]] bool is_secured() const noexcept override { return wire_.is_secured(); }
  [[nodiscard]] bool is_heard() const noexcept override { return wire_.is_heard(); }
  [[nodiscard]] bool is_here() const noexcept override;
  void poke() override;

 private:
  Wire wire_;
  const Socket::executor_type executor_;
  boost::asio::steady_timer timer_;
};

}  // namespace penstock::http
