// What two threads get from a socket by themselves.
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>

#include "harness/contender.hpp"
#include "harness/wait.hpp"
#include "remote/to_and_fro.hpp"

namespace compare {
namespace {

template <Wait wait>
class Socket {
 public:
  Socket(int descriptor, bool /*connected*/) : descriptor_(descriptor) {}
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket() { close(descriptor_); }

  void send(std::size_t messages) {
    const auto bytes = static_cast<ssize_t>(messages * kMessage);
    if (::send(descriptor_, out_.data(), static_cast<std::size_t>(bytes), MSG_NOSIGNAL) != bytes)
      throw std::runtime_error("a socket that has room took less");
  }
  void end() { shutdown(descriptor_, SHUT_RDWR); }

  /// Bytes, as many as there are; none: the other end is gone.
  [[nodiscard]] ssize_t receive() {
    if constexpr (wait != Wait::park) {
      for (int look = 0; wait == Wait::spin || look < kPauses; ++look) {
        const ssize_t got = recv(descriptor_, in_.data(), in_.size(), MSG_DONTWAIT);
        if (got >= 0 || errno != EAGAIN) return got;
        pause();
      }
    }
    return recv(descriptor_, in_.data(), in_.size(), 0);
  }

 private:
  int descriptor_;
  std::array<char, kMessage * kMost> out_{};
  std::array<char, kMessage * kMost> in_{};
};

Ends unix_ends() {
  Ends ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0)
    throw std::runtime_error("no pair of sockets");
  return ends;
}

template <Ends (*ends)(), Wait wait, std::size_t window>
double rate() {
  return to_and_fro<Socket<wait>, window>(ends());
}

const Enter kUnixSpin({"remote-call/unix/spin", "limit-socket", "two threads that look for bytes",
                       &rate<&unix_ends, Wait::spin, 1>});
const Enter kUnixAdaptive({"remote-call/unix/adaptive", "limit-socket",
                           "two threads that look for a while, then sleep in recv",
                           &rate<&unix_ends, Wait::adaptive, 1>});
const Enter kUnixPark({"remote-call/unix/park", "limit-socket", "two threads that sleep in recv",
                       &rate<&unix_ends, Wait::park, 1>});
const Enter kUnixOutstanding({"remote-call/unix-64", "limit-socket",
                              "all that came answered with one write",
                              &rate<&unix_ends, Wait::spin, kMost>});
const Enter kTcpSpin({"remote-call/tcp/spin", "limit-socket", "two threads that look for bytes",
                      &rate<&tcp_ends, Wait::spin, 1>});
const Enter kTcpAdaptive({"remote-call/tcp/adaptive", "limit-socket",
                          "two threads that look for a while, then sleep in recv",
                          &rate<&tcp_ends, Wait::adaptive, 1>});
const Enter kTcpPark({"remote-call/tcp/park", "limit-socket", "two threads that sleep in recv",
                      &rate<&tcp_ends, Wait::park, 1>});
const Enter kTcpOutstanding({"remote-call/tcp-64", "limit-socket",
                             "all that came answered with one write",
                             &rate<&tcp_ends, Wait::spin, kMost>});

}  // namespace
}  // namespace compare
