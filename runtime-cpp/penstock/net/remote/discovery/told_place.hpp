#pragma once

#include <string>

#include "penstock/net/socket/place.hpp"

namespace penstock::net {

/// Where a process listens, as others say: `10.0.0.5:7400`, `[2001:db8::5]:7400`, of one
/// host; where nobody is asked for a key, of this one. Throws std::runtime_error, whose text goes
/// on after who said it.
[[nodiscard]] Place told_place(const std::string& address, Transport how);

}  // namespace penstock::net
