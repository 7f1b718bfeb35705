#pragma once

#include <string>

namespace penstock::control {

struct Token {
  std::string value;
  bool from_environment = false;  ///< false: random, nobody else knows it
};

/// The token in PENSTOCK_CONTROL_TOKEN, which is taken out of the environment; a random one of 32
/// bytes when it is unset or empty. Throws std::invalid_argument when it has a character that no
/// Authorization header can carry. Call before threads start.
[[nodiscard]] Token token_from_environment();

/// 32 random bytes of the kernel, in hex.
[[nodiscard]] std::string random_token();

}  // namespace penstock::control
