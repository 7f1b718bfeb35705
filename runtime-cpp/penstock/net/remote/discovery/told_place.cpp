#include "penstock/net/remote/discovery/told_place.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <stdexcept>

#include "penstock/base/error.hpp"
#include "penstock/base/one_host.hpp"

namespace penstock::net {

Place told_place(const std::string& address, Transport how) {
  const std::size_t colon = std::min(address.rfind(':'), address.size());
  std::string host = address.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string::npos) {
    host.clear();
  }
  const char* const end = address.data() + address.size();
  std::uint16_t port = 0;
  const auto read =
      std::from_chars(address.data() + std::min(colon + 1, address.size()), end, port);
  try {
    if (read.ptr != end || port == 0) throw Error(ErrorCode::invalid_argument, "no port");
    if (!is_one_host(host)) throw Error(ErrorCode::invalid_argument, "no host");
    Place place = Place::ip(host, port, how);
    if (how.secured || host == "127.0.0.1" || host == "::1") return place;
  } catch (const Error&) {
    throw std::runtime_error("has \"" + address +
                             "\" where an address belongs: a number and a port, 10.0.0.5:7400");
  }
  throw std::runtime_error("has \"" + address + "\", which is beyond this host, of a binary that " +
                           "listens on it alone");
}

}  // namespace penstock::net
