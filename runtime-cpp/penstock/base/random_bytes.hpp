#pragma once

#include <sys/random.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>

namespace penstock {

/// Bytes of the system's that nobody can guess. Throws std::system_error.
template <std::size_t kBytes>
[[nodiscard]] std::string random_bytes() {
  // Up to 256 bytes getrandom gives all of them at once, or fails.
  static_assert(kBytes <= 256);
  std::array<char, kBytes> bytes{};
  while (::getrandom(bytes.data(), bytes.size(), 0) < 0) {
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "getrandom");
  }
  return {bytes.data(), bytes.size()};
}

/// Two digits a byte.
[[nodiscard]] inline std::string hex_of(std::string_view bytes) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char each : bytes) {
    const auto byte = static_cast<unsigned char>(each);
    text += kHex[byte >> 4U];
    text += kHex[byte & 15U];
  }
  return text;
}

}  // namespace penstock
