#include "penstock/control/routes.hpp"

#include <exception>
#include <string_view>

#include "penstock/control/limits.hpp"
#include "penstock/control/live_frames.hpp"
#include "penstock/http/bearer.hpp"
#include "penstock/json/plain_writer.hpp"
#include "penstock/metrics/prometheus.hpp"

namespace penstock::control {
namespace {

using http::Denial;
using http::RequestHead;

Reply readiness(Host& host) {
  const std::optional<std::string> reason = host.not_ready();
  if (!reason) return {200, "application/json", R"({"ready":true})"};
  json::PlainWriter body;
  body.open('{');
  body.field("ready", false);
  body.field("reason", *reason);
  return {503, "application/json", body.end()};
}

bool asks_for_upgrade(const RequestHead& head) { return field(head, "Upgrade").has_value(); }

Routed serve(const RequestHead& head, Host& host) {
  if (head.target == "/readyz") return {readiness(host)};
  if (head.target == "/metrics") {
    return {
        {200, metrics::kPrometheusType, metrics::prometheus_text(host.schema(), host.sample())}};
  }
  if (head.target == "/topology") {
    return {{200, "application/json", schema_frame(host.schema(), Limits{}.close_interval)}};
  }
  if (head.target == "/live") {
    if (!asks_for_upgrade(head)) return {refuse({426, "Ask for a WebSocket."})};
    if (const auto denial = http::check_upgrade(head)) return {refuse(*denial)};
    return {{}, true};
  }
  return {refuse({404, "There is nothing at this path."})};
}

}  // namespace

Reply refuse(const Denial& denial) {
  json::PlainWriter body;
  body.open('{');
  body.key("error");
  body.open('{');
  body.field("message", denial.reason);
  body.close('}');
  Reply reply{denial.status, "application/json", body.end()};
  if (denial.status == 401) reply.fields = {{"WWW-Authenticate", "Bearer"}};
  if (denial.status == 405) reply.fields = {{"Allow", "GET"}};
  if (denial.status == 426) reply.fields = {{"Upgrade", "websocket"}};
  return reply;
}

Routed route(const RequestHead& head, std::uint16_t port, const std::string& token, Host& host) {
  if (const auto denial = http::check_form(head, {.port = port})) return {refuse(*denial)};
  if (head.method != "GET") return {refuse({405, "Only GET is served here."})};
  if (head.has_body) return {refuse({400, "A GET has no body."})};
  // Liveness is all that can be asked without the token: it says nothing but that we run.
  if (head.target == "/healthz") return {{200, "application/json", R"({"ok":true})"}};
  if (const auto denial = http::check_bearer(head, {&token, 1})) return {refuse(*denial)};
  try {
    return serve(head, host);
  } catch (const std::exception& error) {
    return {refuse({500, std::string("The binary could not answer: ") + error.what()})};
  }
}

}  // namespace penstock::control
