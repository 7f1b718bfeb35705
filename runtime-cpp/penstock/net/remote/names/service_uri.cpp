#include "penstock/net/remote/names/service_uri.hpp"

#include <arpa/inet.h>

#include <array>
#include <charconv>
#include <string_view>

#include "penstock/base/error.hpp"
#include "penstock/base/one_host.hpp"

namespace penstock::net {
namespace {

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw Error(ErrorCode::invalid_argument, "\"" + text + "\" names no service: " + why);
}

bool is_number(int family, const std::string& host) noexcept {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return inet_pton(family, host.c_str(), bytes.data()) == 1;
}

// `10.0.0.5:7400`, `[2001:db8::5]:7400`, `models.example:7400`
void read_address(const std::string& text, std::string_view authority, ServiceUri& uri) {
  const std::size_t colon = authority.rfind(':');
  if (colon == std::string_view::npos || colon == 0) refuse(text, "it has no HOST:PORT");
  const char* const end = authority.data() + authority.size();
  const auto read = std::from_chars(authority.data() + colon + 1, end, uri.port);
  if (read.ec != std::errc() || read.ptr != end || uri.port == 0)
    refuse(text, "its port is no number from 1 to 65535");
  std::string_view host = authority.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    refuse(text, "an address of IPv6 stands in brackets, [::1]");
  }
  uri.host = host == "localhost" ? "127.0.0.1" : std::string(host);
  if (uri.is_numeric() && !is_one_host(uri.host))
    refuse(text, "its host is all addresses of one, or of several, or of one link alone");
}

}  // namespace

ServiceUri ServiceUri::parse(const std::string& text) {
  ServiceUri uri;
  const std::size_t colon = text.find("://");
  if (colon == std::string::npos)
    refuse(text, "it has no scheme, as tcp://HOST:PORT/BUNDLE/SERVICE");
  uri.scheme = text.substr(0, colon);
  if (uri.scheme == "tcp+tls") uri.scheme = "tls";
  const std::size_t layer = uri.scheme.find('+');
  if (layer != std::string::npos && uri.scheme != "udp+keys") {
    refuse(text, "each transport has the layers that it needs, and " +
                     uri.scheme.substr(layer + 1) + " is none that is added");
  }
  if (uri.scheme != "tcp" && uri.scheme != "tls" && !uri.is_udp() && !uri.names_binary())
    refuse(text, "schemes are binary, tcp, tls, udp, udp+keys and local");
  const std::size_t begin = colon + 3;
  const std::size_t slash = text.find('/', begin);
  if (slash == std::string::npos) refuse(text, "it has no BUNDLE/SERVICE");
  uri.service = text.substr(slash + 1);
  const std::size_t second = uri.service.find('/');
  // One implementation of several has a name of three parts.
  if (second == 0 || second == std::string::npos || second + 1 == uri.service.size())
    refuse(text, "it has no BUNDLE/SERVICE");
  const std::string_view authority = std::string_view(text).substr(begin, slash - begin);
  if (!uri.names_binary()) {
    read_address(text, authority, uri);
  } else if (authority.empty()) {
    refuse(text, "it has no binary, as " + uri.scheme + "://BINARY/BUNDLE/SERVICE");
  } else {
    uri.host = authority;
  }
  return uri;
}

bool ServiceUri::names_binary() const noexcept { return scheme == "binary" || scheme == "local"; }

bool ServiceUri::is_numeric() const noexcept {
  return is_number(AF_INET, host) || is_number(AF_INET6, host);
}

bool ServiceUri::is_udp() const noexcept { return scheme == "udp" || scheme == "udp+keys"; }

bool ServiceUri::is_secured() const noexcept {
  if (names_binary()) return false;
  return scheme == "tls" || scheme == "udp+keys" || !is_loopback();
}

bool ServiceUri::is_loopback() const noexcept {
  return host == "::1" || (host.starts_with("127.") && is_numeric());
}

}  // namespace penstock::net
