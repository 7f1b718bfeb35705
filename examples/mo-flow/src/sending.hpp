#pragma once

#include <cstdint>

#include "messages.hpp"

namespace mo_flow {

/// How often a message is sent before it is given up.
constexpr std::uint32_t kMostAttempts = 2;

/// An application in trouble (5xx) is asked again.
inline bool went_through(const Reply& reply) noexcept { return reply.status < 500; }

}  // namespace mo_flow
