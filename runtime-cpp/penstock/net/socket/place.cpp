#include "penstock/net/socket/place.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "penstock/base/error.hpp"
#include "penstock/net/socket/owner.hpp"

namespace penstock::net {
namespace {

constexpr int kBacklog = 1024;
constexpr mode_t kForTheUser = 0600;

void set(const Descriptor& socket, int level, int option, int value) noexcept {
  setsockopt(socket.number(), level, option, &value, sizeof value);
}

/// Of a Unix socket the system refuses it.
void send_at_once(const Descriptor& socket) noexcept { set(socket, IPPROTO_TCP, TCP_NODELAY, 1); }

}  // namespace

void notice_lost_hosts(const Descriptor& socket, Nanos lost) noexcept {
  // What was sent and not acknowledged for so long, or not taken, was lost. A host acknowledges
  // while its process computes, as long as there is room.
  constexpr Nanos kMs = 1'000'000;
  constexpr int kLongestSilenceS = 5;
  const auto lost_ms = static_cast<int>(std::max<Nanos>(lost / kMs, 1));
  const int silence_s = std::clamp(lost_ms / 4000, 1, kLongestSilenceS);
  set(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, lost_ms);
  set(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  set(socket, IPPROTO_TCP, TCP_KEEPIDLE, silence_s);
  set(socket, IPPROTO_TCP, TCP_KEEPINTVL, silence_s);
}

Place Place::unix_socket(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() > kLongestPath) {
    throw Error(ErrorCode::invalid_argument,
                "the path of a Unix socket has 1 to 107 bytes: '" + path + "'");
  }
  path.copy(address.sun_path, path.size());
  Place place;
  std::memcpy(&place.address_, &address, sizeof address);
  place.size_ = sizeof address;
  place.text_ = "unix:" + path;
  return place;
}

Place Place::ip(const std::string& host, std::uint16_t port, Transport how) {
  Place place;
  sockaddr_in four{};
  sockaddr_in6 six{};
  std::string shown = host;
  if (inet_pton(AF_INET, host.c_str(), &four.sin_addr) == 1) {
    four.sin_family = AF_INET;
    four.sin_port = htons(port);
    std::memcpy(&place.address_, &four, sizeof four);
    place.size_ = sizeof four;
  } else if (inet_pton(AF_INET6, host.c_str(), &six.sin6_addr) == 1) {
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(port);
    std::memcpy(&place.address_, &six, sizeof six);
    place.size_ = sizeof six;
    shown = "[" + host + "]";
  } else {
    throw Error(ErrorCode::invalid_argument, "'" + host + "' is no IP address");
  }
  place.text_ = "tcp://" + shown + ":" + std::to_string(port);
  place.speak(how);
  return place;
}

Place Place::everywhere(std::uint16_t port, Transport how) {
  const Descriptor six(::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
  Place place = tcp(six.is_open() ? "::" : "0.0.0.0", port);
  place.text_ = "tcp://*:" + std::to_string(port);
  place.speak(how);
  return place;
}

Place Place::secured() const {
  Place place = *this;
  place.speak({.udp = how_.udp, .secured = true});
  return place;
}

void Place::speak(Transport how) {
  how_ = how;
  text_.replace(0, 3, how.udp ? "udp" : name_of(how));
}

void Place::fail(const char* what) const {
  throw std::system_error(errno, std::generic_category(), text_ + ": " + what);
}

Descriptor Place::open() const {
  const int type = how_.udp ? SOCK_DGRAM : SOCK_STREAM;
  Descriptor socket(::socket(address_.ss_family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket.is_open()) fail("no socket");
  return socket;
}

Descriptor Place::listen() const {
  Descriptor socket = open();
  const auto* const address = reinterpret_cast<const sockaddr*>(&address_);
  const bool is_six = address_.ss_family == AF_INET6;
  // Where it is all addresses, those of IPv4, too, whatever the system is set to.
  if (is_six) set(socket, IPPROTO_IPV6, IPV6_V6ONLY, 0);
  if (is_udp()) {
    // Who asks one of several addresses is answered from that.
    set(socket, is_six ? IPPROTO_IPV6 : IPPROTO_IP, is_six ? IPV6_RECVPKTINFO : IP_PKTINFO, 1);
    // Whoever is there already is found by bind(): only then may others be bound there as well.
    if (bind(socket.number(), address, size_) != 0) fail("cannot listen");
    set(socket, SOL_SOCKET, SO_REUSEPORT, 1);
    return socket;
  }
  if (is_ip()) {
    set(socket, SOL_SOCKET, SO_REUSEADDR, 1);
  } else {
    // Of the socket, which the name takes over: there is no moment at which others may use it.
    fchmod(socket.number(), kForTheUser);
  }
  if (bind(socket.number(), address, size_) != 0) fail("cannot listen");
  if (::listen(socket.number(), kBacklog) != 0) fail("cannot listen");
  return socket;
}

Descriptor Place::connect() const {
  Descriptor socket = open();
  if (is_ip() && !is_udp()) send_at_once(socket);
  const auto* const address = reinterpret_cast<const sockaddr*>(&address_);
  if (::connect(socket.number(), address, size_) != 0 && errno != EINPROGRESS)
    fail("cannot connect");
  return socket;
}

std::uint16_t port_of(const Descriptor& listening) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (getsockname(listening.number(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw std::system_error(errno, std::generic_category(), "the port of a socket");
  in_port_t port = 0;
  if (address.ss_family == AF_INET) {
    port = reinterpret_cast<const sockaddr_in*>(&address)->sin_port;
  } else if (address.ss_family == AF_INET6) {
    port = reinterpret_cast<const sockaddr_in6*>(&address)->sin6_port;
  }
  return ntohs(port);
}

Descriptor accept_from(const Descriptor& listening) noexcept {
  Descriptor next(accept4(listening.number(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (next.is_open()) send_at_once(next);
  return next;
}

std::string other_end(const Descriptor& socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> port{};
  const auto* const at = reinterpret_cast<sockaddr*>(&address);
  if (getpeername(socket.number(), reinterpret_cast<sockaddr*>(&address), &size) != 0 ||
      address.ss_family == AF_UNIX ||
      getnameinfo(at, size, host.data(), host.size(), port.data(), port.size(),
                  NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return "a caller";
  const std::string number = host.data();
  const bool is_six = number.find(':') != std::string::npos;
  return (is_six ? "[" + number + "]" : number) + ":" + port.data();
}

std::string own_host(const Descriptor& socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  std::array<char, NI_MAXHOST> host{};
  auto* const at = reinterpret_cast<sockaddr*>(&address);
  if (getsockname(socket.number(), at, &size) != 0 || address.ss_family == AF_UNIX ||
      getnameinfo(at, size, host.data(), host.size(), nullptr, 0, NI_NUMERICHOST) != 0)
    return {};
  return host.data();
}

bool is_unix_socket(const Descriptor& socket) noexcept {
  int family = AF_UNSPEC;
  socklen_t size = sizeof family;
  return getsockopt(socket.number(), SOL_SOCKET, SO_DOMAIN, &family, &size) == 0 &&
         family == AF_UNIX;
}

bool is_strangers(const Descriptor& socket) noexcept {
  return owner_of_other_end(socket) != geteuid();
}

}  // namespace penstock::net
