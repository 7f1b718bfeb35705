#pragma once

#include <string>

namespace penstock {

/// A number of IPv4 or, without brackets, of IPv6, at which one host can be reached: neither one
/// that stands for all addresses of a host, nor of a group, nor reserved, nor of a single link.
[[nodiscard]] bool is_one_host(const std::string& number) noexcept;

}  // namespace penstock
