#include "penstock/control/token.hpp"

#include <string.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "penstock/base/random_bytes.hpp"

namespace penstock::control {

bool same_secret(std::string_view given, std::string_view secret) noexcept {
  // volatile: the compiler must not leave the loop at the first difference.
  volatile unsigned difference = given.size() == secret.size() ? 0U : 1U;
  for (std::size_t i = 0; i < given.size() && !secret.empty(); ++i) {
    const auto a = static_cast<unsigned char>(given[i]);
    const auto b = static_cast<unsigned char>(secret[i % secret.size()]);
    difference = difference | static_cast<unsigned>(a ^ b);
  }
  return difference == 0;
}

std::string random_token() { return hex_of(random_bytes<32>()); }

Token token_from_environment() {
  const char* const variable = "PENSTOCK_CONTROL_TOKEN";
  char* const value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): see header
  if (value == nullptr || *value == '\0') return {random_token(), false};
  Token token{value, true};
  // unsetenv() takes the pointer away only: the text would stay in /proc/self/environ.
  ::explicit_bzero(value, token.value.size());
  ::unsetenv(variable);  // NOLINT(concurrency-mt-unsafe): see header
  if (!std::all_of(token.value.begin(), token.value.end(),
                   [](char c) { return c > 0x20 && c < 0x7f; })) {
    throw std::invalid_argument(
        "PENSTOCK_CONTROL_TOKEN has a blank or a character that is not ASCII; "
        "use 32 random bytes in hex");
  }
  return token;
}

}  // namespace penstock::control
