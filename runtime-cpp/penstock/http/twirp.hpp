#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "penstock/base/error.hpp"
#include "penstock/base/limits.hpp"

// What both sides of a call by Twirp's specification, version 7, say: the one that is asked
// (`edge`), and the one that asks (`http_client`).

namespace penstock::http {

/// The form of a message in a body.
enum class Format { protobuf, json };

/// `application/protobuf` or `application/json`.
[[nodiscard]] std::string_view type_of(Format format) noexcept;
/// The other way; parameters as `; charset=utf-8` say nothing. Nothing: it is none of the two.
[[nodiscard]] std::optional<Format> format_of(std::string_view content_type);

/// How long the answer is waited for, in milliseconds from 1 to kMostTimeoutMs.
inline constexpr std::string_view kTimeoutField = "Twirp-Timeout";
inline constexpr std::int64_t kMostTimeoutMs = limits::kLongestTimeoutMs;

/// The code in an error's JSON: ours but for `canceled`, and `aborted` of a `deadlock`.
[[nodiscard]] std::string_view twirp_name(ErrorCode code) noexcept;
/// The other way, with what is ours for codes that only Twirp has: `malformed` is
/// `invalid_argument`, `bad_route` is `unimplemented`. `dataloss` and `cancelled` are taken, too,
/// as the specification's text and its programs differ. Nothing: it is no code of Twirp's.
[[nodiscard]] std::optional<ErrorCode> error_of_twirp(std::string_view name) noexcept;

}  // namespace penstock::http
