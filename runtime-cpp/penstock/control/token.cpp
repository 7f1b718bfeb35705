#include "penstock/control/token.hpp"

#include <string.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <system_error>

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

std::string random_token() {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::array<unsigned char, 32> bytes{};
  // Up to 256 bytes getrandom gives all of them at once, or fails.
  while (::getrandom(bytes.data(), bytes.size(), 0) < 0) {
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "getrandom");
  }
  std::string text;
  for (const unsigned char byte : bytes) {
    text += kHex[byte >> 4U];
    text += kHex[byte & 15U];
  }
  return text;
}

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
