#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <cstdint>
#include <string>

#include "penstock/base/time.hpp"
#include "penstock/net/socket/descriptor.hpp"
#include "penstock/net/socket/transport.hpp"

namespace penstock::net {

/// Where a socket listens, or is reached. What cannot be done says why as a
/// std::system_error, whose text names the place.
class Place {
 public:
  /// Bytes of that of a Unix socket.
  static constexpr std::size_t kLongestPath = sizeof(sockaddr_un::sun_path) - 1;

  /// Throws Error(invalid_argument) where the path is longer than kLongestPath.
  [[nodiscard]] static Place unix_socket(const std::string& path);
  /// `host` is a number: 127.0.0.1, ::1. Throws Error(invalid_argument).
  [[nodiscard]] static Place ip(const std::string& host, std::uint16_t port, Transport how);
  [[nodiscard]] static Place tcp(const std::string& host, std::uint16_t port) {
    return ip(host, port, {});
  }
  [[nodiscard]] static Place udp(const std::string& host, std::uint16_t port) {
    return ip(host, port, {.udp = true});
  }
  /// At all addresses of this host; nobody can be reached there. Throws std::system_error.
  [[nodiscard]] static Place everywhere(std::uint16_t port, Transport how);
  /// The same place, where only who has a key is spoken to. Of one over TCP or UDP.
  [[nodiscard]] Place secured() const;

  /// `unix:/run/user/1000/…`, `tcp://127.0.0.1:7400`, `udp://…`, `tls://10.0.0.5:7400`.
  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  /// Of the system's, which any process of the host may connect to; else a Unix socket.
  [[nodiscard]] bool is_ip() const noexcept { return address_.ss_family != AF_UNIX; }
  /// Where is_ip().
  [[nodiscard]] Transport transport() const noexcept { return how_; }
  [[nodiscard]] bool is_udp() const noexcept { return how_.udp; }
  [[nodiscard]] bool is_secured() const noexcept { return how_.secured; }

  /// Not blocking, as are those that it accepts. Of one of datagrams others can be bound at the
  /// same place from then on, by this user, and what comes says to which address it was sent
  /// (IP_PKTINFO). A Unix socket can be used by its user only.
  [[nodiscard]] Descriptor listen() const;
  /// Not blocking, and small writes leave at once; it may be connected only once it can be written
  /// to (SO_ERROR then says more).
  [[nodiscard]] Descriptor connect() const;

 private:
  void speak(Transport how);
  [[nodiscard]] Descriptor open() const;
  [[noreturn]] void fail(const char* what) const;

  sockaddr_storage address_{};
  socklen_t size_ = 0;
  std::string text_;
  Transport how_;
};

/// It is a Unix socket.
[[nodiscard]] bool is_unix_socket(const Descriptor& socket) noexcept;

/// Of a connection between hosts: one that vanishes says nothing, and is noticed after `lost`
/// nanoseconds, or, where nothing is sent, after up to twice as long, and two seconds at least.
void notice_lost_hosts(const Descriptor& socket, Nanos lost) noexcept;

/// The place of a socket that listens: with the port that it got. Throws std::system_error.
[[nodiscard]] std::uint16_t port_of(const Descriptor& listening);

/// The next connection of a socket that listens, not blocking, and small writes leave at once; none
/// open: there is none now.
[[nodiscard]] Descriptor accept_from(const Descriptor& listening) noexcept;

/// `10.0.0.5:41230`: the other end of a connection; of a Unix socket, or one that has gone,
/// `a caller`. Throws std::bad_alloc.
[[nodiscard]] std::string other_end(const Descriptor& socket);

/// `10.0.0.5`, `2001:db8::5`: the number of this host that a connection over TCP is held from; of
/// another one empty. Throws std::bad_alloc.
[[nodiscard]] std::string own_host(const Descriptor& socket);

/// At the other end of a socket, which is connected, is not a process of this user on this host, as
/// far as the system tells.
[[nodiscard]] bool is_strangers(const Descriptor& socket) noexcept;

}  // namespace penstock::net
