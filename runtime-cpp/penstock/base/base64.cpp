#include "penstock/base/base64.hpp"

#include <cstdint>

namespace penstock {

namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// 0 to 63; 64: no digit.
std::uint32_t digit_of(char c) noexcept {
  if (c >= 'A' && c <= 'Z') return static_cast<std::uint32_t>(c - 'A');
  if (c >= 'a' && c <= 'z') return static_cast<std::uint32_t>(c - 'a') + 26;
  if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0') + 52;
  if (c == '+' || c == '-') return 62;
  if (c == '/' || c == '_') return 63;
  return 64;
}

}  // namespace

void append_base64(std::string& out, std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view group = bytes.substr(at, 3);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      bits = bits << 8U | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      out += i <= group.size() ? kAlphabet[bits >> (18U - 6U * i) & 63U] : '=';
    }
  }
}

bool from_base64(std::string_view text, std::string& out) {
  std::size_t padding = 0;
  while (padding < 2 && text.ends_with('=')) {
    text.remove_suffix(1);
    ++padding;
  }
  if (text.size() % 4 == 1) return false;
  if (padding != 0 && (text.size() + padding) % 4 != 0) return false;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : text) {
    const std::uint32_t digit = digit_of(c);
    if (digit == 64) return false;
    bits = bits << 6U | digit;
    count += 6;
    if (count >= 8) {
      count -= 8;
      out += static_cast<char>(bits >> count & 0xFFU);
    }
  }
  return true;
}

}  // namespace penstock
