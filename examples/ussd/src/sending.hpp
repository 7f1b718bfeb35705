#pragma once

#include <penstock/service.hpp>
#include <string>

#include "messages.hpp"

namespace ussd {

/// Who waits at a phone will not wait for a second attempt: a screen is sent once.
inline Receipt receipt_of(const Screen& screen, const Reply& reply) {
  if (reply.status >= 500)
    throw penstock::Error(penstock::ErrorCode::unavailable,
                          "the gateway said " + std::to_string(reply.status));
  return {.id = screen.id, .receivedUs = screen.receivedUs, .status = reply.status};
}

}  // namespace ussd
