#pragma once

#include <cstdint>
#include <string>

namespace penstock::net {

/// Where a service is, as people write it: `tcp://127.0.0.1:7400/Bundle/Service`. Schemes are
/// `tcp`, `tls` (also `tcp+tls`), `udp` and `udp+keys`, whose authority is a host and a port, and
/// `binary`, whose authority is a binary, and `local`, that of this host.
struct ServiceUri {
  std::string scheme;  ///< `tls` for `tcp+tls`
  std::string host;    ///< a number or a name, or that of a binary
  std::uint16_t port = 0;
  std::string service;  ///< `Bundle/Service`

  /// Throws Error(invalid_argument), whose text says what is wrong with it.
  [[nodiscard]] static ServiceUri parse(const std::string& text);
  /// Not an address: where the binary of that name is, others know.
  [[nodiscard]] bool names_binary() const noexcept;
  /// The host is a number.
  [[nodiscard]] bool is_numeric() const noexcept;
  [[nodiscard]] bool is_udp() const noexcept;
  /// Only who has a key is spoken to at that address.
  [[nodiscard]] bool is_secured() const noexcept;
  /// It is this one.
  [[nodiscard]] bool is_loopback() const noexcept;
};

}  // namespace penstock::net
