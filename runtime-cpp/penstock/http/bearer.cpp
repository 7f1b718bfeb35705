#include "penstock/http/bearer.hpp"

#include <string.h>

#include <algorithm>
#include <cstdlib>

namespace penstock::http {

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

std::optional<Denial> check_bearer(const RequestHead& head, std::span<const std::string> tokens) {
  constexpr std::string_view kScheme = "Bearer ";
  const std::string_view given = field(head, "Authorization").value_or("");
  const bool is_bearer =
      given.size() > kScheme.size() && same_without_case(given.substr(0, kScheme.size()), kScheme);
  bool known = false;
  for (const std::string& token : tokens) {
    const bool same = is_bearer && same_secret(given.substr(kScheme.size()), token);
    known = known || same;
  }
  if (known) return std::nullopt;
  return Denial{401, "The bearer token is missing or wrong."};
}

bool is_token(std::string_view text) noexcept {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

std::string take_from_environment(const char* variable) {
  char* const value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): see header
  if (value == nullptr) return {};
  std::string text = value;
  // unsetenv() takes the pointer away only: the text would stay in /proc/self/environ.
  ::explicit_bzero(value, text.size());
  ::unsetenv(variable);  // NOLINT(concurrency-mt-unsafe): see header
  return text;
}

}  // namespace penstock::http
