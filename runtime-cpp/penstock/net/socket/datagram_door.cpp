#include "penstock/net/socket/datagram_door.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

#include "penstock/base/random_bytes.hpp"
#include "penstock/net/socket/datagrams.hpp"

namespace penstock::net {

using Greeted = DatagramGreeting::Kind;

namespace {

/// Of what goes over a connection: a ping. One that is sealed is larger, and the answer to what
/// another host has sent is below three times as large (RFC 9000, 8).
constexpr ssize_t kSmallestDatagram = 9;
constexpr ssize_t kSmallestSealed = layers::Sealed::kHeader + 5;
/// More than wait in a socket, as a rule: who sends without end is not waited for.
constexpr int kMostOfOthers = 1024;

/// A socket of one who has come, at the address of the one that listens.
Descriptor connected(const Descriptor& listening, const sockaddr_storage& peer,
                     socklen_t size) noexcept {
  sockaddr_storage here{};
  socklen_t here_size = sizeof here;
  if (getsockname(listening.number(), reinterpret_cast<sockaddr*>(&here), &here_size) != 0)
    return {};
  Descriptor socket(
      ::socket(here.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_UDP));
  const int yes = 1;
  if (!socket.is_open() ||
      setsockopt(socket.number(), SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes) != 0 ||
      bind(socket.number(), reinterpret_cast<const sockaddr*>(&here), here_size) != 0 ||
      ::connect(socket.number(), reinterpret_cast<const sockaddr*>(&peer), size) != 0)
    return {};
  // What came between the two calls was others', who say it again.
  char byte = 0;
  for (int left = kMostOfOthers; left > 0; --left)
    if (recv(socket.number(), &byte, 1, MSG_TRUNC) < 0) break;
  return socket;
}

}  // namespace

DatagramDoor::DatagramDoor(bool secured)
    : smallest_(secured ? kSmallestSealed : kSmallestDatagram), cookies_(random_bytes<16>()) {}

bool DatagramDoor::is_taken(std::uint64_t number) const noexcept {
  return std::find(taken_.begin(), taken_.end(), number) != taken_.end();
}

Descriptor DatagramDoor::accept_from(const Descriptor& listening, std::uint64_t& number) noexcept {
  std::array<char, 2 * Udp::kMost> datagram;  // NOLINT: written before it is read
  sockaddr_storage peer{};
  socklen_t size = sizeof peer;
  auto* const address = reinterpret_cast<sockaddr*>(&peer);
  const ssize_t count =
      recvfrom(listening.number(), datagram.data(), datagram.size(), 0, address, &size);
  if (count < 0) return {};
  const auto answer = [&](Greeted kind, const DatagramGreeting& to) {
    const auto bytes = DatagramGreeting{kind, to.number, to.cookie}.bytes();
    static_cast<void>(
        sendto(listening.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL, address, size));
  };
  const std::string_view where(reinterpret_cast<const char*>(&peer), size);
  auto greeting = DatagramGreeting::read({datagram.data(), static_cast<std::size_t>(count)});
  const Nanos now = now_ns();
  if (!greeting) {
    if (count >= smallest_) answer(Greeted::unknown, {Greeted::unknown, 1, {}});
  } else if (greeting->kind == Greeted::still) {
    answer(Greeted::gone, *greeting);
  } else if (greeting->kind == Greeted::asks) {
    if (cookies_.is_good(greeting->cookie, where, greeting->number, now)) {
      number = greeting->number;
      if (!is_taken(number)) {
        Descriptor socket = connected(listening, peer, size);
        // Without one, as where there are no descriptors left, it asks again.
        if (socket.is_open()) taken_[next_++ % taken_.size()] = number;
        return socket;
      }
    } else {
      greeting->cookie = cookies_.make(where, greeting->number, now);
      answer(Greeted::cookie, *greeting);
    }
  }
  errno = ECONNABORTED;  // nobody yet
  return {};
}

}  // namespace penstock::net
