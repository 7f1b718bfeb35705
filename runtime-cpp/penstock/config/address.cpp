#include "penstock/config/address.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstring>
#include <string>
#include <utility>

#include "penstock/base/one_host.hpp"

namespace penstock::config {
namespace {

/// The host as it stands there, IPv6 in brackets, and the port.
struct Parts {
  std::string_view host;
  std::uint16_t port = 0;
};

std::optional<Parts> split(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view port = text.substr(colon + 1);
  // No sign, no blanks, no leading zero: one way to write a port.
  if (port.empty() || (port.size() > 1 && port.front() == '0')) return std::nullopt;
  Parts parts{text.substr(0, colon)};
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), parts.port);
  if (error != std::errc{} || end != port.data() + port.size()) return std::nullopt;
  return parts;
}

/// Without brackets; nothing: it is no number, or one of no certain host.
std::optional<std::string> number_of(std::string_view host) {
  const bool is_six = host.size() > 2 && host.front() == '[' && host.back() == ']';
  const std::string number(is_six ? host.substr(1, host.size() - 2) : host);
  const bool has_colon = number.find(':') != std::string::npos;
  if (has_colon != is_six || !is_one_host(number)) return std::nullopt;
  return number;
}

/// Labels of letters, digits and hyphens between dots; the last one is no number (RFC 1123).
bool is_name(std::string_view host) {
  constexpr std::size_t kLongestName = 253;
  constexpr std::size_t kLongestLabel = 63;
  if (host.size() > kLongestName) return false;
  std::string_view label;
  for (std::string_view rest = host;;) {
    const std::size_t dot = rest.find('.');
    label = rest.substr(0, dot);
    if (label.empty() || label.size() > kLongestLabel || label.front() == '-' ||
        label.back() == '-' || !std::all_of(label.begin(), label.end(), [](unsigned char c) {
          return (std::isalnum(c) != 0 && c < 0x80U) || c == '-';
        }))
      return false;
    if (dot == std::string_view::npos) break;
    rest.remove_prefix(dot + 1);
  }
  return label.find_first_not_of("0123456789") != std::string_view::npos;
}

}  // namespace

std::optional<Address> parse_loopback(std::string_view text) {
  const std::optional<Parts> parts = split(text);
  if (!parts) return std::nullopt;
  std::string_view host = parts->host;
  if (host == "[::1]") {
    host = "::1";
  } else if (host != "127.0.0.1" && host != "localhost") {
    return std::nullopt;
  }
  return Address{std::string(host), parts->port};
}

std::optional<AnyAddress> parse_any(std::string_view text) {
  if (std::optional<Address> here = parse_loopback(text))
    return AnyAddress{std::move(*here), false};
  const std::optional<Parts> parts = split(text);
  if (!parts) return std::nullopt;
  for (const std::string_view all : {"0.0.0.0", "[::]"}) {
    if (parts->host == all)
      return AnyAddress{{all == "[::]" ? "::" : "0.0.0.0", parts->port}, true};
  }
  std::optional<std::string> number = number_of(parts->host);
  if (!number) return std::nullopt;
  return AnyAddress{{std::move(*number), parts->port}, true};
}

namespace {

constexpr std::string_view kUdp = "udp://";

bool is_spoken(std::string_view scheme) {
  return scheme == "tcp://" || scheme == "tls://" || scheme == kUdp;
}

/// One host, at that port.
std::optional<PeerAddress> parse_host(std::string_view scheme, const Parts& parts,
                                      std::string_view text) {
  PeerAddress address;
  address.datagrams = scheme == kUdp;
  address.secured = true;
  address.port = parts.port;
  if (const std::optional<Address> here = parse_loopback(text)) {
    address.host = here->host;
    address.secured = scheme == "tls://";
  } else if (std::optional<std::string> number = number_of(parts.host)) {
    address.host = std::move(*number);
  } else if (is_name(parts.host)) {
    address.host = parts.host;
    address.named = true;
  } else {
    return std::nullopt;
  }
  return address;
}

constexpr std::size_t kSchemeSize = 6;

/// What stands before a file or a server that says where somebody is: how that one is spoken to.
struct Way {
  std::string_view scheme;
  bool secured;
  bool datagrams;
};
constexpr std::array<Way, 4> kWays{{{"tcp+", false, false},
                                    {"tls+", true, false},
                                    {"udp+keys+", true, true},
                                    {"udp+", false, true}}};

/// `file:run/peers.json`, `nats://10.0.0.5:4222`
std::optional<PeerAddress> parse_finder(const Way& way, std::string_view text) {
  constexpr std::string_view kFile = "file:";
  PeerAddress address;
  address.secured = way.secured;
  address.datagrams = way.datagrams;
  if (text.starts_with(kFile) && text.size() > kFile.size()) {
    address.file = text.substr(kFile.size());
    return address;
  }
  std::optional<Address> server = parse_nats(text);
  if (!server) return std::nullopt;
  address.host = std::move(server->host);
  address.port = server->port;
  address.nats = true;
  return address;
}

}  // namespace

std::optional<PeerAddress> parse_listen(std::string_view text) {
  std::optional<PeerAddress> address = parse_announced_listen(text);
  // Nobody could know which port it got.
  if (address && address->port == 0) return std::nullopt;
  return address;
}

std::optional<PeerAddress> parse_announced_listen(std::string_view text) {
  const std::string_view scheme = text.substr(0, kSchemeSize);
  const std::string_view rest = text.substr(scheme.size());
  const std::optional<Parts> parts = split(rest);
  if (!is_spoken(scheme) || !parts) return std::nullopt;
  if (parts->host == "0.0.0.0" || parts->host == "[::]") {
    return PeerAddress{
        {std::string(parts->host), parts->port}, true, true, {}, false, scheme == kUdp};
  }
  return parse_host(scheme, *parts, rest);
}

std::optional<Address> parse_nats(std::string_view text) {
  constexpr std::string_view kScheme = "nats://";
  if (!text.starts_with(kScheme)) return std::nullopt;
  const std::string_view rest = text.substr(kScheme.size());
  const std::optional<Parts> parts = split(rest);
  if (!parts || parts->port == 0) return std::nullopt;
  std::optional<PeerAddress> address = parse_host("tcp://", *parts, rest);
  if (!address) return std::nullopt;
  return Address{std::move(address->host), address->port};
}

std::optional<PeerAddress> parse_peer(std::string_view text) {
  for (const Way& way : kWays)
    if (text.starts_with(way.scheme)) return parse_finder(way, text.substr(way.scheme.size()));
  const std::string_view scheme = text.substr(0, kSchemeSize);
  const std::string_view rest = text.substr(scheme.size());
  const std::optional<Parts> parts = split(rest);
  if (!is_spoken(scheme) || !parts || parts->port == 0) return std::nullopt;
  return parse_host(scheme, *parts, rest);
}

}  // namespace penstock::config
