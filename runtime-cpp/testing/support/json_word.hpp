#pragma once

#include <array>
#include <string>

#include "penstock/codec/json.hpp"

/// A message with JSON, as generated code has it, for the tests of sources.
namespace penstock::testing {

struct JsonWord {
  std::string text;
  std::int32_t number = 0;
};

}  // namespace penstock::testing

namespace penstock::codec {

template <>
struct JsonMessage<testing::JsonWord> {
  static constexpr auto names = std::to_array<JsonName>({{"text", "text"}, {"number", "number"}});
  static bool read(JsonReader& in, std::size_t field, testing::JsonWord& message) {
    return field == 0 ? read_json(in, message.text) : read_json(in, message.number);
  }
  static void write(JsonWriter& out, const testing::JsonWord& message) {
    write_json(out, "text", message.text);
    write_json(out, "number", message.number);
  }
};

}  // namespace penstock::codec

namespace penstock::testing {

inline void encode_json(const JsonWord& message, std::string& out) {
  codec::append_json(message, out);
}
inline bool decode_json(std::string_view text, JsonWord& message, JsonError& error) {
  return codec::parse_json(text, message, error);
}

}  // namespace penstock::testing
