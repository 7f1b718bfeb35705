#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "penstock/base/time.hpp"
#include "penstock/net/layers/packet.hpp"
#include "penstock/net/wire/bytes.hpp"

namespace penstock::net::layers {

/// CRC-32C (Castagnoli), as of iSCSI (RFC 3720, B.4), that begins with another one.
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes, std::uint32_t begin = 0) noexcept;

/// Drops what has changed on its way, and what is of another connection. Neither is a secret:
/// whoever can read a datagram can make one.
class Checksum {
 public:
  static constexpr std::size_t kHeader = 4;

  /// What both ends of this connection know, and no other one's do.
  explicit Checksum(std::uint64_t connection = 0) noexcept {
    char bytes[sizeof connection];
    wire::put(bytes, connection);
    begin_ = crc32c({bytes, sizeof bytes});
  }

  template <class At>
  bool send(Packet packet, At at) {
    const std::uint32_t sum = crc32c(packet.bytes(), begin_);
    wire::put(packet.prepend(kHeader), sum);
    return at.send(packet);
  }
  template <class At>
  void receive(std::string_view bytes, At at) {
    wire::Taker taker(bytes);
    std::uint32_t sum = 0;
    if (!taker.take(sum) || sum != crc32c(taker.left(), begin_)) {
      ++wrong_;
      return;
    }
    at.receive(taker.left());
  }
  template <class At>
  void timer(At /*at*/) noexcept {}
  [[nodiscard]] Nanos next() const noexcept { return 0; }
  [[nodiscard]] std::size_t room(std::size_t below) const noexcept { return below; }
  [[nodiscard]] std::size_t memory() const noexcept { return 0; }

  /// Datagrams that it dropped.
  [[nodiscard]] std::uint64_t wrong() const noexcept { return wrong_; }

 private:
  std::uint32_t begin_ = 0;
  std::uint64_t wrong_ = 0;
};

}  // namespace penstock::net::layers
