#include "penstock/config/address.hpp"

#include <charconv>
#include <string>

namespace penstock::config {

std::optional<Address> parse_loopback(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);

  if (host == "[::1]") {
    host = "::1";
  } else if (host != "127.0.0.1" && host != "localhost") {
    return std::nullopt;
  }
  // No sign, no blanks, no leading zero: one way to write a port.
  if (port.empty() || (port.size() > 1 && port.front() == '0')) return std::nullopt;
  std::uint16_t number = 0;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
  if (error != std::errc{} || end != port.data() + port.size()) return std::nullopt;
  return Address{std::string(host), number};
}

std::optional<Address> parse_tcp(std::string_view text) {
  constexpr std::string_view kScheme = "tcp://";
  if (!text.starts_with(kScheme)) return std::nullopt;
  std::optional<Address> address = parse_loopback(text.substr(kScheme.size()));
  // Nobody could know which one it got.
  if (address && address->port == 0) return std::nullopt;
  return address;
}

}  // namespace penstock::config
