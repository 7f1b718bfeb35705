#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "penstock/http/bind_error.hpp"
#include "penstock/http/connection.hpp"
#include "penstock/http/limits.hpp"

namespace penstock::http {

/// Accepts connections on an address; waits a moment when file descriptors run out instead
/// of spinning; sends the one that keeps us waiting longest away when there are too many, be it for
/// its headers, for its body or to take its answer. When all of them wait for us, or have only
/// just come, who comes waits, in the kernel's queue. On the thread of its io_context.
class Listener final {
 public:
  using Admit = std::function<void(boost::asio::ip::tcp::socket socket)>;

  /// `purpose` is for errors: "control". `admit` makes a connection of a socket.
  Listener(boost::asio::io_context& io, std::string purpose, const Limits& limits,
           Connections& connections, Admit admit);

  /// `beyond`: other machines may reach it; else any other address than a loopback one is refused.
  /// Throws BindError. Before the thread runs.
  void open(const std::string& host, std::uint16_t port, bool beyond = false);
  [[nodiscard]] std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
  /// `127.0.0.1:41234`, `[::1]:41234`
  [[nodiscard]] std::string address() const;
  void accept();
  void close();

 private:
  /// False: there is no room for it yet.
  bool admit_arrived();
  bool make_room();
  void pause();

  const std::string purpose_;
  const Limits& limits_;
  Connections& connections_;
  const Admit admit_;
  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::steady_timer pause_;
  std::optional<boost::asio::ip::tcp::socket> arrived_;  // and waits for room
  // All of them have only just come, or been answered.
  std::optional<Connections::Clock::time_point> crowded_since_;
};

}  // namespace penstock::http
