#include "penstock/json/writer.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "penstock/base/base64.hpp"
#include "penstock/json/append.hpp"

namespace penstock::json {

namespace {

template <class Number>
void append_floating(std::string& out, Number value) {
  if (std::isfinite(value)) {
    std::array<char, 32> digits;  // the longest shortest double has 24 characters
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    out.append(digits.data(), end.ptr);
  } else if (std::isnan(value)) {
    out += "\"NaN\"";
  } else {
    out += value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  }
}

}  // namespace

void JsonWriter::number(std::int32_t value) { append_number(out_, value); }
void JsonWriter::number(std::uint32_t value) { append_number(out_, value); }
void JsonWriter::number(std::int64_t value) {
  out_ += '"';
  append_number(out_, value);
  out_ += '"';
}
void JsonWriter::number(std::uint64_t value) {
  out_ += '"';
  append_number(out_, value);
  out_ += '"';
}
void JsonWriter::number(float value) { append_floating(out_, value); }
void JsonWriter::number(double value) { append_floating(out_, value); }
void JsonWriter::text(std::string_view value) { append_string(out_, value); }
void JsonWriter::bytes(std::string_view value) {
  out_ += '"';
  append_base64(out_, value);
  out_ += '"';
}

}  // namespace penstock::json
