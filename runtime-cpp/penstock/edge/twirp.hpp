#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "penstock/base/error.hpp"
#include "penstock/codec/memory.hpp"
#include "penstock/flow/source/http_source.hpp"
#include "penstock/http/reply.hpp"
#include "penstock/http/request_guard.hpp"
#include "penstock/http/twirp.hpp"
#include "penstock/json/error.hpp"

// What a request for a service is answered with when it fails, by Twirp's specification, version 7.

namespace penstock::edge {

using http::Format;

/// The error of a service, or why it was not asked.
[[nodiscard]] http::Reply twirp_error(ErrorCode code, std::string_view message,
                                      flow::HttpErrorMeta meta = {});
/// All requests together take too much.
[[nodiscard]] http::Reply twirp_no_memory();
/// The body is no request.
[[nodiscard]] http::Reply twirp_malformed(const JsonError& error);
[[nodiscard]] http::Reply twirp_malformed(std::string_view message);
/// Nothing is asked in this way at this place.
[[nodiscard]] http::Reply twirp_bad_route(const http::RequestHead& head, std::string_view message);

/// A longer body is no request.
inline constexpr std::size_t kMostRequestBytes = std::size_t{1} << 20;
inline constexpr std::string_view kMostRequestText = "1048576";
inline constexpr std::string_view kMostMessageMemoryText = "16777216";
static_assert(codec::kMostMessageMemory == 16'777'216);

/// How long an answer is waited for, by the header http::kTimeoutField; of a request without it
/// kUsualMs. Nothing: it says something else.
inline constexpr std::int64_t kUsualMs = 30'000;
[[nodiscard]] std::optional<std::int64_t> timeout_of(const http::RequestHead& head);

}  // namespace penstock::edge
