#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "penstock/net/socket/datagram_greeting.hpp"
#include "penstock/net/socket/descriptor.hpp"

namespace penstock::net {

/// Takes those who connect to a UDP socket that listens, each with a socket of its own, connected,
/// at the address that it asked: of a host with several it is answered from that one alone. It
/// keeps nothing of anybody who has not shown that it is at its address. On one thread.
class DatagramDoor {
 public:
  /// `secured`: what goes over its connections is sealed. Throws std::system_error.
  explicit DatagramDoor(bool secured = false);

  /// The next one; none open: errno says why, EAGAIN that nobody is there now.
  [[nodiscard]] Descriptor accept_from(const Descriptor& listening, std::uint64_t& number) noexcept;

 private:
  [[nodiscard]] bool is_taken(std::uint64_t number) const noexcept;

  const ssize_t smallest_;  // of what goes over a connection
  DatagramCookies cookies_;
  // Of those taken last: who has asked twice before the first was read is not taken twice. More
  // than can wait in a socket.
  std::array<std::uint64_t, 1024> taken_{};
  std::size_t next_ = 0;
};

}  // namespace penstock::net
