#pragma once

#include <cstddef>
#include <string_view>

namespace penstock {

/// Length of the well-formed UTF-8 sequence that `text` (not empty) starts with, 0 if there is none
/// (Unicode 15, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF).
[[nodiscard]] inline std::size_t utf8_length(std::string_view text) noexcept {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (text.size() < length) return 0;
  const unsigned char low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned char high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < low || byte(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xBF) return 0;
  }
  return length;
}

/// Code units of well-formed UTF-8 in UTF-16, as JavaScript counts a text's length: two for what
/// takes four bytes, one for everything else.
[[nodiscard]] inline std::size_t utf16_length(std::string_view text) noexcept {
  std::size_t units = 0;
  for (const char each : text) {
    const auto byte = static_cast<unsigned char>(each);
    if ((byte & 0xC0U) != 0x80U) ++units;
    if (byte >= 0xF0) ++units;
  }
  return units;
}

}  // namespace penstock
