#pragma once

#include <string_view>

namespace penstock::net {

/// How one speaks at an address of IP.
struct Transport {
  bool udp = false;      ///< in datagrams; else over TCP
  bool secured = false;  ///< only with who has a key
};

/// As drawings name it.
[[nodiscard]] constexpr std::string_view name_of(Transport how) noexcept {
  if (how.udp) return how.secured ? "udp+keys" : "udp";
  return how.secured ? "tls" : "tcp";
}

}  // namespace penstock::net
