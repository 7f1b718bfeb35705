#include "penstock/base/one_host.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <cstdint>

namespace penstock {

bool is_one_host(const std::string& number) noexcept {
  in_addr four{};
  in6_addr six{};
  if (inet_pton(AF_INET, number.c_str(), &four) == 1) {
    constexpr std::uint32_t kFirstOfNone = 224;  // groups, and what is reserved
    const std::uint32_t first = ntohl(four.s_addr) >> 24U;
    return first != 0 && first < kFirstOfNone;
  }
  if (inet_pton(AF_INET6, number.c_str(), &six) != 1) return false;
  // Nor one of IPv4, which has a form of its own.
  return !(IN6_IS_ADDR_UNSPECIFIED(&six) || IN6_IS_ADDR_MULTICAST(&six) ||
           IN6_IS_ADDR_V4MAPPED(&six) || IN6_IS_ADDR_V4COMPAT(&six) || IN6_IS_ADDR_LINKLOCAL(&six));
}

}  // namespace penstock
