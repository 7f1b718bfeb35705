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

/// What has come to a socket that listens, from whom, and to which address of this host: what is
/// said to that one leaves from there, as it hears nobody else.
class Arrived {
 public:
  Arrived() noexcept {
    head_.msg_name = &peer_;
    head_.msg_namelen = sizeof peer_;
    head_.msg_iov = &part_;
    head_.msg_iovlen = 1;
    head_.msg_control = about_.data();
    head_.msg_controllen = about_.size();
  }
  Arrived(const Arrived&) = delete;
  Arrived& operator=(const Arrived&) = delete;
  ~Arrived() = default;

  /// Below 0: there is nothing, errno says why.
  [[nodiscard]] ssize_t receive(const Descriptor& listening) noexcept {
    const ssize_t count = recvmsg(listening.number(), &head_, 0);
    if (count >= 0) part_.iov_len = static_cast<std::size_t>(count);
    forget_device();
    return count;
  }
  [[nodiscard]] std::string_view bytes() const noexcept { return {bytes_.data(), part_.iov_len}; }
  /// The address that it says it is from.
  [[nodiscard]] std::string_view from() const noexcept {
    return {reinterpret_cast<const char*>(&peer_), head_.msg_namelen};
  }
  /// It was sent to an address that is this host's alone, and not to all of a network or of a
  /// group, each of which would answer; nor to one of a single link, which takes a device to be
  /// bound to.
  [[nodiscard]] bool is_to_this_host() const noexcept;
  void answer(const Descriptor& listening, const DatagramGreeting& greeting) const noexcept {
    auto bytes = greeting.bytes();
    iovec part{bytes.data(), bytes.size()};
    msghdr said = head_;
    said.msg_iov = &part;
    said.msg_flags = 0;
    static_cast<void>(sendmsg(listening.number(), &said, MSG_NOSIGNAL));
  }
  /// A socket of who has said it, at the address that it was said to; not open: errno says why.
  [[nodiscard]] Descriptor connected(const Descriptor& listening) const noexcept;

 private:
  template <class About>
  [[nodiscard]] About* about(int level, int type) const noexcept {
    cmsghdr* const said = CMSG_FIRSTHDR(&head_);
    const bool is_it = said != nullptr && said->cmsg_level == level && said->cmsg_type == type;
    return is_it ? reinterpret_cast<About*>(CMSG_DATA(said)) : nullptr;
  }
  [[nodiscard]] auto* four() const noexcept { return about<in_pktinfo>(IPPROTO_IP, IP_PKTINFO); }
  [[nodiscard]] auto* six() const noexcept {
    return about<in6_pktinfo>(IPPROTO_IPV6, IPV6_PKTINFO);
  }
  /// By which one an answer leaves is not said by where this came in.
  void forget_device() noexcept {
    if (in_pktinfo* const to = four()) to->ipi_ifindex = 0;
    if (in6_pktinfo* const to = six()) to->ipi6_ifindex = 0;
  }

  std::array<char, 2 * Udp::kMost> bytes_;  // NOLINT: written before it is read
  iovec part_{bytes_.data(), bytes_.size()};
  sockaddr_storage peer_{};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(in6_pktinfo))> about_{};
  msghdr head_{};
};

bool Arrived::is_to_this_host() const noexcept {
  if (const in_pktinfo* const to = four()) return to->ipi_addr.s_addr == to->ipi_spec_dst.s_addr;
  const in6_pktinfo* const to = six();
  if (to == nullptr) return true;
  if (IN6_IS_ADDR_V4MAPPED(&to->ipi6_addr)) {
    constexpr std::uint8_t kFirstOfNone = 224;  // groups, and all of a network
    const std::uint8_t first = to->ipi6_addr.s6_addr[12];
    // From the last address of a network the system sends nothing.
    return first != 0 && first < kFirstOfNone;
  }
  return !(IN6_IS_ADDR_MULTICAST(&to->ipi6_addr) || IN6_IS_ADDR_LINKLOCAL(&to->ipi6_addr));
}

Descriptor Arrived::connected(const Descriptor& listening) const noexcept {
  sockaddr_storage here{};
  socklen_t size = sizeof here;
  auto* const address = reinterpret_cast<sockaddr*>(&here);
  if (getsockname(listening.number(), address, &size) != 0) return {};
  if (const in_pktinfo* const to = four())
    reinterpret_cast<sockaddr_in*>(address)->sin_addr = to->ipi_spec_dst;
  if (const in6_pktinfo* const to = six())
    reinterpret_cast<sockaddr_in6*>(address)->sin6_addr = to->ipi6_addr;
  Descriptor socket(
      ::socket(here.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_UDP));
  const int yes = 1;
  const int no = 0;
  if (!socket.is_open() ||
      setsockopt(socket.number(), SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes) != 0)
    return {};
  // As the one that listens: of an address of IPv4, too.
  if (here.ss_family == AF_INET6)
    static_cast<void>(setsockopt(socket.number(), IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no));
  if (bind(socket.number(), address, size) != 0 ||
      ::connect(socket.number(), reinterpret_cast<const sockaddr*>(&peer_), head_.msg_namelen) != 0)
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
  Arrived arrived;
  const ssize_t count = arrived.receive(listening);
  if (count < 0) return {};
  if (!arrived.is_to_this_host()) {
    errno = ECONNABORTED;  // nobody at all
    return {};
  }
  auto greeting = DatagramGreeting::read(arrived.bytes());
  const Nanos now = now_ns();
  if (!greeting) {
    if (count >= smallest_) arrived.answer(listening, {Greeted::unknown, 1, {}});
  } else if (greeting->kind == Greeted::still) {
    arrived.answer(listening, {Greeted::gone, greeting->number, greeting->cookie});
  } else if (greeting->kind == Greeted::asks) {
    if (cookies_.is_good(greeting->cookie, arrived.from(), greeting->number, now)) {
      number = greeting->number;
      if (!is_taken(number)) {
        Descriptor socket = arrived.connected(listening);
        // Without one, as where there are no descriptors left, it asks again.
        if (!socket.is_open()) return socket;
        taken_[next_++ % taken_.size()] = number;
        // Before its worker has it: what it asked again meanwhile lies behind this one, and its
        // answer must not be the first to come.
        const auto accepted = DatagramGreeting{Greeted::accepted, number, {}}.bytes();
        static_cast<void>(
            send(socket.number(), accepted.data(), accepted.size(), MSG_DONTWAIT | MSG_NOSIGNAL));
        return socket;
      }
      // What has that connection does not hear of this: it has ended, as a rule, and who asks has
      // not heard that it began.
      arrived.answer(listening, {Greeted::gone, number, greeting->cookie});
    } else {
      const auto cookie = cookies_.make(arrived.from(), greeting->number, now);
      arrived.answer(listening, {Greeted::cookie, greeting->number, cookie});
    }
  }
  errno = ECONNABORTED;  // nobody yet
  return {};
}

}  // namespace penstock::net
