#pragma once

#include <cstdint>
#include <string>

#include "penstock/control/host.hpp"
#include "penstock/http/reply.hpp"
#include "penstock/http/request_guard.hpp"

namespace penstock::control {

using http::Reply;

/// A refusal as every route words it: {"error":{"message": ...}}.
[[nodiscard]] Reply refuse(const http::Denial& denial);

/// What one request gets. `upgrade` is set where the request may become a live connection, which
/// is for the caller to do; the reply then says nothing.
struct Routed {
  Reply reply;
  bool upgrade = false;
};

/// Everything a binary answers over HTTP: checks first, then the path, exactly. On `ps-control`.
[[nodiscard]] Routed route(const http::RequestHead& head, std::uint16_t port,
                           const std::string& token, Host& host);

}  // namespace penstock::control
