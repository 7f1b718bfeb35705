#pragma once

#include <cstdint>

#include "penstock/net/socket/descriptor.hpp"

namespace penstock::net {

/// What one end sent over a wire that may lose it, since the connection began: packets with
/// something in them, each time they went. From 2^32 on they begin at 0 again.
struct SentPackets {
  std::uint32_t all = 0;
  std::uint32_t again = 0;  ///< of those, as the first one was lost or seemed to be
};

/// Of a TCP socket, as the kernel counts them; none of any other one. Any thread.
[[nodiscard]] SentPackets sent_packets(const Descriptor& socket) noexcept;

}  // namespace penstock::net
