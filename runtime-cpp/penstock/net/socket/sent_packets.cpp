#include "penstock/net/socket/sent_packets.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <cstring>

namespace penstock::net {
namespace {

// Of the struct tcp_info of <linux/tcp.h>, which goes on after the end of that of <netinet/tcp.h>
// and cannot be included beside it.
constexpr std::size_t kTotalRetrans = 100;
constexpr std::size_t kDataSegsOut = 156;

}  // namespace

SentPackets sent_packets(const Descriptor& socket) noexcept {
  std::array<char, kDataSegsOut + sizeof(std::uint32_t)> info;  // NOLINT: written before it is read
  socklen_t size = info.size();
  if (getsockopt(socket.number(), IPPROTO_TCP, TCP_INFO, info.data(), &size) != 0 ||
      size < info.size())
    return {};
  SentPackets sent;
  std::memcpy(&sent.all, info.data() + kDataSegsOut, sizeof sent.all);
  std::memcpy(&sent.again, info.data() + kTotalRetrans, sizeof sent.again);
  return sent;
}

}  // namespace penstock::net
