#include "penstock/http/listener.hpp"

#include <fcntl.h>

#include <boost/asio/error.hpp>
#include <boost/asio/ip/address.hpp>
#include <exception>
#include <memory>
#include <utility>

namespace penstock::http {
namespace {

using boost::asio::ip::tcp;
using Error = boost::system::error_code;

/// A process that a handler starts must not hold our sockets open.
template <class Socket>
void close_on_exec(Socket& socket) {
  ::fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
}

bool out_of_resources(const Error& error) {
  namespace errc = boost::system::errc;
  return error == errc::too_many_files_open || error == errc::too_many_files_open_in_system ||
         error == errc::no_buffer_space || error == errc::not_enough_memory;
}

}  // namespace

Listener::Listener(boost::asio::io_context& io, std::string purpose, const Limits& limits,
                   Connections& connections, Admit admit)
    : purpose_(std::move(purpose)),
      limits_(limits),
      connections_(connections),
      admit_(std::move(admit)),
      acceptor_(io),
      pause_(io) {}

void Listener::open(const std::string& host, std::uint16_t port, bool beyond) {
  const bool is_v6 = host.find(':') != std::string::npos;
  const std::string name = (is_v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
  Error error;
  const auto address =
      boost::asio::ip::make_address(host == "localhost" ? "127.0.0.1" : host, error);
  if (error || !(beyond || address.is_loopback())) {
    throw BindError(purpose_ + " address " + name + ": not " +
                    (beyond ? "the number of an address" : "a loopback address"));
  }
  const tcp::endpoint wanted(address, port);
  const auto check = [&](const Error& step) {
    if (!step) return;
    const bool taken = step == boost::system::errc::address_in_use;
    throw BindError(
        purpose_ + " address " + name + ": " +
        (taken ? "address in use; stop the other process, or use port 0 (any)" : step.message()));
  };
  check(acceptor_.open(wanted.protocol(), error));
  close_on_exec(acceptor_);
  // A restart may take the port over from connections that linger; Linux never lets two listen.
  check(acceptor_.set_option(tcp::acceptor::reuse_address(true), error));
  check(acceptor_.bind(wanted, error));
  check(acceptor_.listen(boost::asio::socket_base::max_listen_connections, error));
}

std::string Listener::address() const {
  const tcp::endpoint endpoint = acceptor_.local_endpoint();
  const std::string host = endpoint.address().to_string();
  return (endpoint.address().is_v6() ? "[" + host + "]" : host) + ":" +
         std::to_string(endpoint.port());
}

void Listener::accept() {
  if (arrived_ && !admit_arrived()) return pause();
  acceptor_.async_accept([this](const Error& error, tcp::socket socket) {
    if (!acceptor_.is_open()) return;
    if (!error) {
      close_on_exec(socket);
      arrived_ = std::move(socket);
    } else if (out_of_resources(error)) {
      return pause();
    }
    accept();  // any other error is of that one connection, which is gone already
  });
}

bool Listener::admit_arrived() {
  try {
    if (!make_room()) return false;
    std::optional<tcp::socket> socket = std::exchange(arrived_, std::nullopt);
    if (!socket) return true;
    Error ignored;
    socket->set_option(tcp::no_delay(true), ignored);
    admit_(std::move(*socket));
  } catch (const std::exception&) {
    // No memory for this one, or its socket is no good: it is closed, and the next may be.
    arrived_.reset();
  }
  return true;
}

bool Listener::make_room() {
  // Those that were sent away go once their threads come to it.
  if (connections_.size() >= 2 * limits_.connections) return false;
  if (connections_.staying() < limits_.connections) {
    crowded_since_.reset();
    return true;
  }
  const auto waiting = connections_.longest_awaited();
  if (waiting == nullptr) return false;
  const auto now = Connections::Clock::now();
  if (now - waiting->awaited_since() >= limits_.newcomer_time) {
    crowded_since_.reset();
  } else {
    if (!crowded_since_) crowded_since_ = now;
    if (now - *crowded_since_ < limits_.patience) return false;
  }
  waiting->send_away();
  return true;
}

void Listener::pause() {
  pause_.expires_after(limits_.accept_pause);
  pause_.async_wait([this](const Error& error) {
    if (!error && acceptor_.is_open()) accept();
  });
}

void Listener::close() {
  Error ignored;
  acceptor_.close(ignored);
  arrived_.reset();
  pause_.cancel();
}

}  // namespace penstock::http
