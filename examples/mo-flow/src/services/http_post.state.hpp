#pragma once

#include <chrono>
#include <memory>
#include <penstock/service.hpp>

#include "shared/http_client.hpp"
#include "shared/responder.hpp"
#include "shared/settings.hpp"

/// One handler object a thread, each with its own connection.
template <>
struct penstock::State<mo_flow::HttpPost> {
  sample::HttpClient client;
};

/// The applications: on this port of the machine (MO_FLOW_PORT), else the built-in responder, which
/// takes MO_FLOW_REPLY_MS (20) for an answer.
template <>
struct penstock::Shared<mo_flow::HttpPost> {
  Shared() {
    if (const int given = sample::setting("MO_FLOW_PORT", 0); given > 0 && given < 65'536) {
      port = static_cast<std::uint16_t>(given);
      return;
    }
    const std::chrono::milliseconds latency(sample::setting("MO_FLOW_REPLY_MS", 20));
    responder = std::make_unique<sample::Responder>(latency);
    port = responder->port();
  }
  std::unique_ptr<sample::Responder> responder;
  std::uint16_t port = 0;
};
