#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "penstock/http/request_guard.hpp"

namespace penstock::http {

/// True when both are the same. Takes the same time wherever they differ, so that the time says
/// nothing about how much of a guess was right (the length may be known).
[[nodiscard]] bool same_secret(std::string_view given, std::string_view secret) noexcept;

/// What is wrong with the bearer token of a request: it is none of these. Looks at each of them,
/// whichever it is.
[[nodiscard]] std::optional<Denial> check_bearer(const RequestHead& head,
                                                 std::span<const std::string> tokens);

/// Every Authorization header can carry it.
[[nodiscard]] bool is_token(std::string_view text) noexcept;

/// What an environment variable says; empty: nothing. It is removed, so that no child inherits it,
/// and overwritten, so that /proc/self/environ does not show it. Call before threads start.
[[nodiscard]] std::string take_from_environment(const char* variable);

}  // namespace penstock::http
