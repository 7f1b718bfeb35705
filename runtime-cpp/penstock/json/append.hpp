#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// Pieces of JSON text appended to a string: what the live frames are made of ten times a second,
/// without a document in between.
namespace penstock::json {

/// A quoted string. Control characters, quotes and backslashes are escaped; bytes that are no UTF-8
/// become U+FFFD, so the result is always valid JSON.
void append_string(std::string& out, std::string_view text);

void append_number(std::string& out, std::uint64_t value);
void append_number(std::string& out, std::int64_t value);
inline void append_number(std::string& out, std::uint32_t value) {
  append_number(out, std::uint64_t{value});
}
inline void append_number(std::string& out, int value) { append_number(out, std::int64_t{value}); }
/// The shortest text that reads back as `value`; `null` for what JSON cannot say (NaN, infinity).
void append_number(std::string& out, double value);

}  // namespace penstock::json
