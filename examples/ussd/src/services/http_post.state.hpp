#pragma once

#include <chrono>
#include <memory>
#include <penstock/service.hpp>

#include "shared/http_client.hpp"
#include "shared/responder.hpp"
#include "shared/settings.hpp"

/// One handler object a thread, each with its own connection.
template <>
struct penstock::State<ussd::HttpPost> {
  sample::HttpClient client;
};

/// The gateway: on this port of the machine (USSD_PORT), else the built-in responder, which
/// takes USSD_REPLY_MS (10) for an answer.
template <>
struct penstock::Shared<ussd::HttpPost> {
  Shared() {
    if (const int given = sample::setting("USSD_PORT", 0); given > 0 && given < 65'536) {
      port = static_cast<std::uint16_t>(given);
      return;
    }
    const std::chrono::milliseconds latency(sample::setting("USSD_REPLY_MS", 10));
    responder = std::make_unique<sample::Responder>(latency);
    port = responder->port();
  }
  std::unique_ptr<sample::Responder> responder;
  std::uint16_t port = 0;
};
