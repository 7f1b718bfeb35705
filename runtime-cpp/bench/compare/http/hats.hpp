#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "penstock/codec/json.hpp"
#include "penstock/codec/read.hpp"
#include "penstock/codec/write.hpp"

/// What all HTTP servers here are asked: Twirp's own example, in the two forms of a body.
namespace compare {

enum class Form : std::uint8_t { protobuf, json };

inline constexpr std::string_view kHatPath = "/twirp/bench.Haberdasher/MakeHat";
inline constexpr std::string_view kColor = "red";
inline constexpr std::string_view kName = "bowler";

[[nodiscard]] constexpr std::string_view type_of(Form form) {
  return form == Form::protobuf ? "application/protobuf" : "application/json";
}
/// A size of twelve inches.
[[nodiscard]] constexpr std::string_view size_in(Form form) {
  return form == Form::protobuf ? "\x08\x0c" : R"({"inches":12})";
}

struct Size {
  std::int32_t inches = 0;
};
struct Hat {
  std::int32_t size = 0;
  std::string color;
  std::string name;
};

/// Body of the answer, made with nothing that would be in the way; empty: that is no size.
[[nodiscard]] std::string hat_by_hand(Form form, std::string_view size);

}  // namespace compare

// As generated code has them.
namespace penstock::codec {

template <>
struct Message<compare::Size> {
  static std::size_t size(const compare::Size& message) { return codec::size(1, message.inches); }
  static void write(Writer& out, const compare::Size& message) {
    codec::write(out, 1, message.inches);
  }
  static bool read(Reader in, compare::Size& message) {
    while (in.next()) {
      if (in.tag() == 1 ? !codec::read(in, message.inches) : (in.skip(), false)) return false;
    }
    return true;
  }
};

template <>
struct Message<compare::Hat> {
  static std::size_t size(const compare::Hat& hat) {
    return codec::size(1, hat.size) + codec::size(2, hat.color) + codec::size(3, hat.name);
  }
  static void write(Writer& out, const compare::Hat& hat) {
    codec::write(out, 3, hat.name);
    codec::write(out, 2, hat.color);
    codec::write(out, 1, hat.size);
  }
  static bool read(Reader in, compare::Hat& hat) {
    while (in.next()) {
      bool good = true;
      switch (in.tag()) {
        case 1:
          good = codec::read(in, hat.size);
          break;
        case 2:
          good = codec::read(in, hat.color);
          break;
        case 3:
          good = codec::read(in, hat.name);
          break;
        default:
          in.skip();
      }
      if (!good) return false;
    }
    return true;
  }
};

template <>
struct JsonMessage<compare::Size> {
  static constexpr auto names = std::to_array<JsonName>({{"inches", "inches"}});
  static bool read(JsonReader& in, std::size_t /*field*/, compare::Size& message) {
    return read_json(in, message.inches);
  }
  static void write(JsonWriter& out, const compare::Size& message) {
    write_json(out, "inches", message.inches);
  }
};

template <>
struct JsonMessage<compare::Hat> {
  static constexpr auto names =
      std::to_array<JsonName>({{"size", "size"}, {"color", "color"}, {"name", "name"}});
  static bool read(JsonReader& in, std::size_t field, compare::Hat& hat) {
    if (field == 0) return read_json(in, hat.size);
    return read_json(in, field == 1 ? hat.color : hat.name);
  }
  static void write(JsonWriter& out, const compare::Hat& hat) {
    write_json(out, "size", hat.size);
    write_json(out, "color", hat.color);
    write_json(out, "name", hat.name);
  }
};

}  // namespace penstock::codec

namespace compare {

inline void encode_json(const Size& size, std::string& out) {
  penstock::codec::append_json(size, out);
}
inline bool decode_json(std::string_view text, Size& size, penstock::JsonError& error) {
  return penstock::codec::parse_json(text, size, error);
}
inline void encode_json(const Hat& hat, std::string& out) {
  penstock::codec::append_json(hat, out);
}
inline bool decode_json(std::string_view text, Hat& hat, penstock::JsonError& error) {
  return penstock::codec::parse_json(text, hat, error);
}

}  // namespace compare
