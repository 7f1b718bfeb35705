#pragma once

#include <sys/types.h>

#include <optional>

#include "penstock/net/socket/descriptor.hpp"

namespace penstock::net {

/// The user whose process holds the other end of a connected stream socket; none: nobody on this
/// host that the system tells of. Over TCP the kernel is asked for its sockets (sock_diag(7)): some
/// tens of microseconds.
[[nodiscard]] std::optional<uid_t> owner_of_other_end(const Descriptor& socket) noexcept;

}  // namespace penstock::net
