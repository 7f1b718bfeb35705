#include "penstock/edge/twirp.hpp"

#include <charconv>
#include <string>

namespace penstock::edge {

namespace {

/// Twirp's statuses are the HTTP source's but for these.
int status_of(ErrorCode code) noexcept {
  if (code == ErrorCode::deadline_exceeded) return 408;
  if (code == ErrorCode::deadlock) return 409;
  return flow::http_status(code);
}

http::Reply error_reply(int status, std::string_view code, std::string_view message,
                        flow::HttpErrorMeta meta) {
  http::Reply reply{status, std::string(http::type_of(Format::json)),
                    flow::http_error_body(code, message, meta)};
  if (status == 429 || status == 503) reply.fields.emplace_back("Retry-After", "1");
  return reply;
}

}  // namespace

http::Reply twirp_error(ErrorCode code, std::string_view message, flow::HttpErrorMeta meta) {
  return error_reply(status_of(code), http::twirp_name(code), message, meta);
}

http::Reply twirp_no_memory() {
  return twirp_error(ErrorCode::unavailable, "There is no memory for more requests; try again.");
}

http::Reply twirp_malformed(const JsonError& error) {
  const std::string line = std::to_string(error.line);
  const std::string column = std::to_string(error.column);
  return error_reply(400, "malformed", error.text(),
                     {{"pointer", error.pointer}, {"line", line}, {"column", column}});
}

http::Reply twirp_malformed(std::string_view message) {
  return error_reply(400, "malformed", message, {});
}

http::Reply twirp_bad_route(const http::RequestHead& head, std::string_view message) {
  const std::string route = std::string(head.method) + ' ' + std::string(head.target);
  return error_reply(404, "bad_route", message, {{"twirp_invalid_route", route}});
}

std::optional<std::int64_t> timeout_of(const http::RequestHead& head) {
  const auto text = http::field(head, http::kTimeoutField);
  if (!text) return kUsualMs;
  std::int64_t milliseconds = 0;
  const auto [end, error] =
      std::from_chars(text->data(), text->data() + text->size(), milliseconds);
  if (error != std::errc() || end != text->data() + text->size()) return std::nullopt;
  if (milliseconds < 1 || milliseconds > http::kMostTimeoutMs) return std::nullopt;
  return milliseconds;
}

}  // namespace penstock::edge
