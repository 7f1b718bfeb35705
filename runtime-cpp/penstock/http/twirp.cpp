#include "penstock/http/twirp.hpp"

#include "penstock/http/request_guard.hpp"

namespace penstock::http {

std::string_view type_of(Format format) noexcept {
  return format == Format::protobuf ? "application/protobuf" : "application/json";
}

std::optional<Format> format_of(std::string_view content_type) {
  std::string_view type = content_type.substr(0, content_type.find(';'));
  while (!type.empty() && (type.back() == ' ' || type.back() == '\t')) type.remove_suffix(1);
  for (const Format format : {Format::protobuf, Format::json}) {
    if (same_without_case(type, type_of(format))) return format;
  }
  return std::nullopt;
}

std::string_view twirp_name(ErrorCode code) noexcept {
  if (code == ErrorCode::cancelled) return "canceled";
  if (code == ErrorCode::deadlock) return "aborted";
  return to_string(code);
}

std::optional<ErrorCode> error_of_twirp(std::string_view name) noexcept {
  if (name == "malformed") return ErrorCode::invalid_argument;
  if (name == "bad_route") return ErrorCode::unimplemented;
  if (name == "dataloss") return ErrorCode::data_loss;
  // Neither `ok`, the first, nor `deadlock`, the last, is one of Twirp's.
  for (int number = 1; number < static_cast<int>(ErrorCode::deadlock); ++number) {
    const auto code = static_cast<ErrorCode>(number);
    if (name == twirp_name(code) || name == to_string(code)) return code;
  }
  return std::nullopt;
}

}  // namespace penstock::http
