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

/// Twirp's names are ours but for these.
std::string_view name_of(ErrorCode code) noexcept {
  if (code == ErrorCode::cancelled) return "canceled";
  if (code == ErrorCode::deadlock) return "aborted";
  return to_string(code);
}

http::Reply error_reply(int status, std::string_view code, std::string_view message,
                        flow::HttpErrorMeta meta) {
  http::Reply reply{status, std::string(kJsonType), flow::http_error_body(code, message, meta)};
  if (status == 429 || status == 503) reply.fields.emplace_back("Retry-After", "1");
  return reply;
}

}  // namespace

std::optional<Format> format_of(std::string_view content_type) {
  std::string_view type = content_type.substr(0, content_type.find(';'));
  while (!type.empty() && (type.back() == ' ' || type.back() == '\t')) type.remove_suffix(1);
  if (http::same_without_case(type, kProtobufType)) return Format::protobuf;
  if (http::same_without_case(type, kJsonType)) return Format::json;
  return std::nullopt;
}

http::Reply twirp_error(ErrorCode code, std::string_view message, flow::HttpErrorMeta meta) {
  return error_reply(status_of(code), name_of(code), message, meta);
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
  const auto text = http::field(head, "Twirp-Timeout");
  if (!text) return kUsualMs;
  std::int64_t milliseconds = 0;
  const auto [end, error] =
      std::from_chars(text->data(), text->data() + text->size(), milliseconds);
  if (error != std::errc() || end != text->data() + text->size()) return std::nullopt;
  if (milliseconds < 1 || milliseconds > kMostMs) return std::nullopt;
  return milliseconds;
}

}  // namespace penstock::edge
