#pragma once

#include <string>
#include <string_view>

namespace penstock::control {

/// True when both are the same. Takes the same time wherever they differ, so that the time says
/// nothing about how much of a guess was right (the length may be known).
[[nodiscard]] bool same_secret(std::string_view given, std::string_view secret) noexcept;

struct Token {
  std::string value;
  bool from_environment = false;  ///< false: random, nobody else knows it
};

/// The token in PENSTOCK_CONTROL_TOKEN, which is removed from the environment so that no child
/// inherits it, and overwritten so that /proc/self/environ does not show it; a random one of 32
/// bytes when it is unset or empty. Throws std::invalid_argument when it has a character that no
/// Authorization header can carry. Call before threads start.
[[nodiscard]] Token token_from_environment();

/// 32 random bytes of the kernel, in hex.
[[nodiscard]] std::string random_token();

}  // namespace penstock::control
