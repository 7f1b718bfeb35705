#include "penstock/json/append.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>

#include "penstock/base/utf8.hpp"

namespace penstock::json {
namespace {

template <class Number>
void append_chars(std::string& out, Number value) {
  std::array<char, 32> digits;  // the longest shortest double has 24 characters
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  out.append(digits.data(), result.ptr);
}

void append_escaped(std::string& out, char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  const auto code = static_cast<unsigned char>(c);
  if (code >= 0x20) {
    out += c;
    return;
  }
  out += "\\u00";
  out += kHex[code >> 4U];
  out += kHex[code & 15U];
}

}  // namespace

void append_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) {
      out += "\xEF\xBF\xBD";
    } else if (length == 1) {
      append_escaped(out, text.front());
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out += '"';
}

void append_number(std::string& out, std::uint64_t value) { append_chars(out, value); }
void append_number(std::string& out, std::int64_t value) { append_chars(out, value); }
void append_number(std::string& out, double value) {
  if (std::isfinite(value)) {
    append_chars(out, value);
  } else {
    out += "null";
  }
}

}  // namespace penstock::json
