#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <type_traits>

namespace penstock::http_client {

/// Appends a text to a URL, percent-encoded. Throws Error(invalid_argument) when it makes a piece
/// of the path `.` or `..`, which are other paths in any encoding.
void append_url_value(std::string& url, std::string_view text);

/// Numbers as they are written in C++, enums by their number.
template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
void append_url_value(std::string& url, T value) {
  if constexpr (std::is_same_v<T, bool>) {
    append_url_value(url, std::string_view(value ? "true" : "false"));
  } else if constexpr (std::is_enum_v<T>) {
    append_url_value(url, static_cast<std::underlying_type_t<T>>(value));
  } else {
    char digits[32];
    char* const end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    append_url_value(url, std::string_view(digits, end));
  }
}

}  // namespace penstock::http_client
