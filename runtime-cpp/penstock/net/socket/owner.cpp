#include "penstock/net/socket/owner.hpp"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace penstock::net {
namespace {

/// Room for the one message that answers, with all its attributes.
constexpr std::size_t kAnswerBytes = 4096;

struct Asked {
  nlmsghdr head;
  inet_diag_req_v2 request;
};

struct End {
  sockaddr_storage address{};
  socklen_t size = sizeof address;

  [[nodiscard]] in_port_t port() const noexcept {
    return address.ss_family == AF_INET6 ? as<sockaddr_in6>().sin6_port
                                         : as<sockaddr_in>().sin_port;
  }
  void copy_host(
      __be32 (&to)[4]) const noexcept {  // NOLINT(modernize-avoid-c-arrays): the kernel's
    if (address.ss_family == AF_INET6) {
      const in6_addr host = as<sockaddr_in6>().sin6_addr;
      std::memcpy(&to, &host, sizeof host);
    } else {
      to[0] = as<sockaddr_in>().sin_addr.s_addr;
    }
  }

 private:
  template <class Address>
  [[nodiscard]] Address as() const noexcept {
    Address copy;
    std::memcpy(&copy, &address, sizeof copy);
    return copy;
  }
};

/// The other end's socket is the one that has our addresses the other way round.
Asked question(const End& here, const End& there, int protocol) noexcept {
  Asked asked{};
  asked.head.nlmsg_len = sizeof asked;
  asked.head.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  asked.head.nlmsg_flags = NLM_F_REQUEST;
  asked.request.sdiag_family = static_cast<__u8>(here.address.ss_family);
  asked.request.sdiag_protocol = static_cast<__u8>(protocol);
  asked.request.idiag_states = ~0U;
  inet_diag_sockid& id = asked.request.id;
  // The kernel has it the other way round for UDP.
  const bool turned = protocol == IPPROTO_UDP;
  const End& source = turned ? here : there;
  const End& destination = turned ? there : here;
  id.idiag_sport = source.port();
  id.idiag_dport = destination.port();
  source.copy_host(id.idiag_src);
  destination.copy_host(id.idiag_dst);
  id.idiag_cookie[0] = id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  return asked;
}

std::optional<uid_t> owner_of(const End& there, const End& here, int protocol) noexcept {
  const Descriptor kernel(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
  if (!kernel.is_open()) return std::nullopt;
  const Asked asked = question(here, there, protocol);
  if (send(kernel.number(), &asked, sizeof asked, 0) != static_cast<ssize_t>(sizeof asked))
    return std::nullopt;
  alignas(nlmsghdr) std::array<char, kAnswerBytes> answer;  // NOLINT: written before it is read
  const ssize_t bytes = recv(kernel.number(), answer.data(), answer.size(), 0);
  nlmsghdr head{};
  inet_diag_msg found{};
  if (bytes < static_cast<ssize_t>(NLMSG_HDRLEN + sizeof found)) return std::nullopt;
  std::memcpy(&head, answer.data(), sizeof head);
  if (head.nlmsg_type != SOCK_DIAG_BY_FAMILY) return std::nullopt;
  std::memcpy(&found, answer.data() + NLMSG_HDRLEN, sizeof found);
  const std::size_t host = here.address.ss_family == AF_INET6 ? sizeof(in6_addr) : sizeof(in_addr);
  // One that nobody holds any more, as its process has gone, is root's by that table. And where
  // none fits, the kernel tells of one that listens there, which is not at the other end of
  // anything.
  const inet_diag_sockid sought = question(here, there, IPPROTO_TCP).request.id;
  const bool is_it = found.idiag_state != TCP_LISTEN && found.idiag_inode != 0 &&
                     found.id.idiag_sport == sought.idiag_sport &&
                     found.id.idiag_dport == sought.idiag_dport &&
                     std::memcmp(&found.id.idiag_src, &sought.idiag_src, host) == 0 &&
                     std::memcmp(&found.id.idiag_dst, &sought.idiag_dst, host) == 0;
  if (!is_it) return std::nullopt;
  return found.idiag_uid;
}

}  // namespace

std::optional<uid_t> owner_of_other_end(const Descriptor& socket) noexcept {
  End here;
  if (getsockname(socket.number(), reinterpret_cast<sockaddr*>(&here.address), &here.size) != 0)
    return std::nullopt;
  if (here.address.ss_family == AF_UNIX) {
    // Of a process in another fence the pid is 0, and the user is known all the same.
    ucred who{};
    socklen_t size = sizeof who;
    if (getsockopt(socket.number(), SOL_SOCKET, SO_PEERCRED, &who, &size) != 0) return std::nullopt;
    return who.uid;
  }
  End there;
  if (getpeername(socket.number(), reinterpret_cast<sockaddr*>(&there.address), &there.size) != 0)
    return std::nullopt;
  int protocol = IPPROTO_TCP;
  socklen_t size = sizeof protocol;
  static_cast<void>(getsockopt(socket.number(), SOL_SOCKET, SO_PROTOCOL, &protocol, &size));
  return owner_of(there, here, protocol);
}

}  // namespace penstock::net
