#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>

#include "http/hats.hpp"

// The limit of serving HTTP: one read and one write for a request, a head that is looked at for two
// fields, and messages read and written by hand.

namespace compare::epoll {

/// Value of the field whose `name` is in lower case with the colon; empty: it is not there.
inline std::string_view field(std::string_view head, std::string_view name) {
  for (std::size_t at = head.find("\r\n"); at != std::string_view::npos;
       at = head.find("\r\n", at)) {
    at += 2;
    if (strncasecmp(head.data() + at, name.data(), name.size()) != 0) continue;
    const std::string_view value = head.substr(at + name.size());
    const std::size_t begin = value.find_first_not_of(' ');
    return value.substr(begin, value.find('\r') - begin);
  }
  return {};
}

struct Connection {
  int socket = -1;
  std::string unread;
};

/// Answers what is whole; false: that is no request, or nobody takes its answer.
inline bool answer(Connection& connection) {
  constexpr std::string_view kEnd = "\r\n\r\n";
  const std::string_view all = connection.unread;
  const std::size_t end = all.find(kEnd);
  if (end == std::string_view::npos) return true;
  const std::string_view head = all.substr(0, end + 2);
  const std::string_view length = field(head, "content-length:");
  std::size_t bytes = 0;
  std::from_chars(length.data(), length.data() + length.size(), bytes);
  const std::string_view body = all.substr(end + kEnd.size());
  if (body.size() < bytes) return true;
  if (!head.starts_with("POST ") || !head.substr(5).starts_with(kHatPath)) return false;
  const Form form =
      field(head, "content-type:") == type_of(Form::json) ? Form::json : Form::protobuf;
  const std::string hat = hat_by_hand(form, body.substr(0, bytes));
  if (hat.empty()) return false;
  std::string out = "HTTP/1.1 200 OK\r\nContent-Type: ";
  out += type_of(form);
  out += "\r\nContent-Length: ";
  out += std::to_string(hat.size());
  out += kEnd;
  out += hat;
  connection.unread.clear();
  const ssize_t sent = send(connection.socket, out.data(), out.size(), MSG_NOSIGNAL);
  return sent == static_cast<ssize_t>(out.size());
}

class Loop {
 public:
  Loop() { watch(over_); }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  ~Loop() {
    const std::uint64_t one = 1;
    static_cast<void>(!write(over_, &one, sizeof one));
    thread_.join();
    for (const auto& [descriptor, connection] : connections_) close(descriptor);
    close(over_);
    close(ready_);
  }
  void watch(int descriptor) const {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = descriptor;
    epoll_ctl(ready_, EPOLL_CTL_ADD, descriptor, &event);
  }

 private:
  void run() {
    constexpr std::size_t kEvents = 64;
    std::array<epoll_event, kEvents> events{};
    for (;;) {
      const int ready = epoll_wait(ready_, events.data(), kEvents, -1);
      for (int index = 0; index < ready; ++index) {
        const int descriptor = events[static_cast<std::size_t>(index)].data.fd;
        if (descriptor == over_) return;
        read_from(descriptor);
      }
    }
  }
  void read_from(int descriptor) {
    constexpr std::size_t kRead = 2048;
    std::array<char, kRead> bytes;  // NOLINT: not to be cleared each time
    Connection& connection = connections_[descriptor];
    connection.socket = descriptor;
    const ssize_t got = recv(descriptor, bytes.data(), bytes.size(), 0);
    if (got > 0) connection.unread.append(bytes.data(), static_cast<std::size_t>(got));
    if (got > 0 && answer(connection)) return;
    connections_.erase(descriptor);
    close(descriptor);
  }

  int ready_ = epoll_create1(EPOLL_CLOEXEC);
  int over_ = eventfd(0, EFD_CLOEXEC);
  std::unordered_map<int, Connection> connections_;
  std::thread thread_{[this] { run(); }};
};

/// A server at any port, whose connections `threads` loops share.
template <std::size_t threads>
class Server {
 public:
  Server() {
    sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof here;
    auto* const address = reinterpret_cast<sockaddr*>(&here);
    if (bind(listener_, address, size) != 0 || listen(listener_, SOMAXCONN) != 0 ||
        getsockname(listener_, address, &size) != 0) {
      throw std::runtime_error("no port to listen at");
    }
    port_ = ntohs(here.sin_port);
    // Not before it listens: accept would fail.
    acceptor_ = std::thread([this] { accept_all(); });
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() {
    shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    close(listener_);
  }
  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  /// The loops take turns.
  void accept_all() {
    for (std::size_t accepted = 0;; ++accepted) {
      const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (socket < 0) return;
      const int on = 1;
      setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      loops_[accepted % threads].watch(socket);
    }
  }

  int listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::uint16_t port_ = 0;
  std::array<Loop, threads> loops_;
  std::thread acceptor_;
};

}  // namespace compare::epoll
