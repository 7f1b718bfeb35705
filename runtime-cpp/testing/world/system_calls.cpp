// What the runtime asks the kernel for about sockets, given by the world's (sockets.hpp): linked
// with --wrap (cmake/world.cmake), so that what is compiled is its own code as it stands. Of
// descriptors that are no world's, and in no world, it is the kernel's still.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>

#include "penstock/net/socket/owner.hpp"
#include "world/sockets.hpp"
#include "world/waiting.hpp"

namespace {

using penstock::Nanos;
using penstock::world::Sockets;

Sockets& here() noexcept { return *Sockets::current(); }

// Of a Unix socket its path is a number.
std::uint16_t port_of(const sockaddr* address) noexcept {
  if (address->sa_family == AF_UNIX) {
    sockaddr_un name{};
    std::memcpy(&name, address, sizeof name);
    return static_cast<std::uint16_t>(std::strtoul(name.sun_path, nullptr, 10));
  }
  sockaddr_in copy{};
  std::memcpy(&copy, address, sizeof copy);
  return ntohs(copy.sin_port);
}

// All are on this host.
socklen_t write_name(std::uint16_t port, void* to, std::size_t room) noexcept {
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_port = htons(port);
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::memcpy(to, &name, std::min(room, sizeof name));
  return sizeof name;
}

// Of either end.
int name_of(int number, sockaddr* address, socklen_t* size) noexcept {
  if (here().is_local(number)) {
    address->sa_family = AF_UNIX;
    *size = sizeof address->sa_family;
    return 0;
  }
  *size = write_name(here().port(number), address, *size);
  return 0;
}

// A descriptor that goes along; -1: none.
int beside(const msghdr& message) noexcept {
  const cmsghdr* const head = CMSG_FIRSTHDR(&message);
  int number = -1;
  if (head != nullptr && head->cmsg_type == SCM_RIGHTS)
    std::memcpy(&number, CMSG_DATA(head), sizeof number);
  return number;
}

void put_beside(msghdr& message, int number) noexcept {
  message.msg_flags = 0;
  cmsghdr* const head = CMSG_FIRSTHDR(&message);
  message.msg_controllen = number < 0 ? 0 : CMSG_LEN(sizeof number);
  if (number < 0) return;
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof number);
  std::memcpy(CMSG_DATA(head), &number, sizeof number);
}

}  // namespace

namespace penstock::net {

// Stands for socket/owner.cpp.
std::optional<uid_t> owner_of_other_end(const Descriptor& /*socket*/) noexcept { return geteuid(); }

}  // namespace penstock::net

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the linker's names
extern "C" {

int __real_socket(int family, int type, int protocol);
int __real_bind(int number, const sockaddr* address, socklen_t size);
int __real_listen(int number, int backlog);
int __real_connect(int number, const sockaddr* address, socklen_t size);
int __real_accept4(int number, sockaddr* address, socklen_t* size, int flags);
int __real_getsockname(int number, sockaddr* address, socklen_t* size);
int __real_getpeername(int number, sockaddr* address, socklen_t* size);
int __real_getsockopt(int number, int level, int option, void* value, socklen_t* size);
int __real_setsockopt(int number, int level, int option, const void* value, socklen_t size);
ssize_t __real_send(int number, const void* bytes, std::size_t count, int flags);
ssize_t __real_recv(int number, void* to, std::size_t room, int flags);
ssize_t __real_sendmsg(int number, const msghdr* message, int flags);
ssize_t __real_recvmsg(int number, msghdr* message, int flags);
ssize_t __real_write(int number, const void* bytes, std::size_t count);
int __real_close(int number);
int __real_eventfd(unsigned value, int flags);
int __real_epoll_create1(int flags);
int __real_epoll_ctl(int epoll, int what, int number, epoll_event* event);
int __real_epoll_wait(int epoll, epoll_event* events, int most, int millis);
int __real_epoll_pwait2(int epoll, epoll_event* events, int most, const timespec* left,
                        const sigset_t* signals);

int __wrap_socket(int family, int type, int protocol) {
  if (Sockets::current() == nullptr) return __real_socket(family, type, protocol);
  return here().socket((type & SOCK_STREAM) != 0, family == AF_UNIX);
}
int __wrap_bind(int number, const sockaddr* address, socklen_t size) {
  if (!Sockets::has(number)) return __real_bind(number, address, size);
  return here().bind(number, port_of(address));
}
int __wrap_listen(int number, int backlog) {
  return Sockets::has(number) ? here().listen(number) : __real_listen(number, backlog);
}
int __wrap_connect(int number, const sockaddr* address, socklen_t size) {
  if (!Sockets::has(number)) return __real_connect(number, address, size);
  return here().connect(number, port_of(address));
}
int __wrap_accept4(int number, sockaddr* address, socklen_t* size, int flags) {
  if (!Sockets::has(number)) return __real_accept4(number, address, size, flags);
  return here().accept(number);
}
int __wrap_getsockname(int number, sockaddr* address, socklen_t* size) {
  if (!Sockets::has(number)) return __real_getsockname(number, address, size);
  return name_of(number, address, size);
}
int __wrap_getpeername(int number, sockaddr* address, socklen_t* size) {
  if (!Sockets::has(number)) return __real_getpeername(number, address, size);
  return name_of(number, address, size);
}
int __wrap_getsockopt(int number, int level, int option, void* value, socklen_t* size) {
  if (!Sockets::has(number)) return __real_getsockopt(number, level, option, value, size);
  if (level == SOL_SOCKET && option == SO_DOMAIN) {
    const int family = here().is_local(number) ? AF_UNIX : AF_INET;
    std::memcpy(value, &family, sizeof family);
    return 0;
  }
  errno = ENOPROTOOPT;
  return -1;
}
int __wrap_setsockopt(int number, int level, int option, const void* value, socklen_t size) {
  return Sockets::has(number) ? 0 : __real_setsockopt(number, level, option, value, size);
}
ssize_t __wrap_send(int number, const void* bytes, std::size_t count, int flags) {
  if (!Sockets::has(number)) return __real_send(number, bytes, count, flags);
  return here().send(number, {static_cast<const char*>(bytes), count});
}
ssize_t __wrap_recv(int number, void* to, std::size_t room, int flags) {
  if (!Sockets::has(number)) return __real_recv(number, to, room, flags);
  return here().receive(number, static_cast<char*>(to), room);
}
// Of one part: to one of this host, or of a stream, with up to one descriptor.
ssize_t __wrap_sendmsg(int number, const msghdr* message, int flags) {
  if (!Sockets::has(number)) return __real_sendmsg(number, message, flags);
  const iovec& part = *message->msg_iov;
  if (here().is_stream(number))
    return here().send(number, {static_cast<const char*>(part.iov_base), part.iov_len},
                       beside(*message));
  const std::uint16_t port = port_of(static_cast<const sockaddr*>(message->msg_name));
  return here().send_to(number, port, {static_cast<const char*>(part.iov_base), part.iov_len});
}
ssize_t __wrap_recvmsg(int number, msghdr* message, int flags) {
  if (!Sockets::has(number)) return __real_recvmsg(number, message, flags);
  const iovec& part = *message->msg_iov;
  if (here().is_stream(number)) {
    int came = -1;
    const ssize_t count =
        here().receive(number, static_cast<char*>(part.iov_base), part.iov_len, &came);
    put_beside(*message, came);
    return count;
  }
  std::uint16_t port = 0;
  const ssize_t count =
      here().receive_from(number, port, static_cast<char*>(part.iov_base), part.iov_len);
  if (count >= 0) message->msg_namelen = write_name(port, message->msg_name, message->msg_namelen);
  message->msg_controllen = 0;  // to which of its addresses: there is one
  return count;
}
ssize_t __wrap_write(int number, const void* bytes, std::size_t count) {
  return Sockets::has(number) ? here().raise(number) : __real_write(number, bytes, count);
}
int __wrap_close(int number) {
  return Sockets::has(number) ? here().close(number) : __real_close(number);
}
int __wrap_eventfd(unsigned value, int flags) {
  return Sockets::current() == nullptr ? __real_eventfd(value, flags) : here().make_event();
}
int __wrap_epoll_create1(int flags) {
  return Sockets::current() == nullptr ? __real_epoll_create1(flags) : here().make_epoll();
}
int __wrap_epoll_ctl(int epoll, int what, int number, epoll_event* event) {
  if (!Sockets::has(epoll)) return __real_epoll_ctl(epoll, what, number, event);
  return here().control(epoll, what, number, event);
}
int __wrap_epoll_wait(int epoll, epoll_event* events, int most, int millis) {
  if (!Sockets::has(epoll)) return __real_epoll_wait(epoll, events, most, millis);
  const Nanos until = millis < 0 ? 0 : penstock::world::now() + Nanos{millis} * 1'000'000;
  return here().wait(epoll, events, static_cast<std::size_t>(most), until);
}
int __wrap_epoll_pwait2(int epoll, epoll_event* events, int most, const timespec* left,
                        const sigset_t* signals) {
  if (!Sockets::has(epoll)) return __real_epoll_pwait2(epoll, events, most, left, signals);
  const Nanos until = left == nullptr ? 0
                                      : penstock::world::now() +
                                            Nanos{left->tv_sec} * 1'000'000'000 + left->tv_nsec;
  return here().wait(epoll, events, static_cast<std::size_t>(most), until);
}
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
