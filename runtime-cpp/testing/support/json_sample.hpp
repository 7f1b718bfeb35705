#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "penstock/codec/json.hpp"

/// A message with a field of every type and form, and its JSON as generated code has it.
namespace penstock::testing {

enum class Colour : std::int32_t { RED = 0, DARK = -7 };

struct Inner {
  std::int32_t number = 0;
  friend bool operator==(const Inner&, const Inner&) = default;
};
struct Sample {
  std::int64_t large = 0;
  std::uint32_t small_one = 0;
  double real = 0;
  float thin = 0;
  bool flag = false;
  std::string text;
  std::string raw;
  Buffer handled;
  Colour colour{};
  std::vector<bool> flags;
  std::vector<std::string> raws;
  std::optional<std::string> maybe;
  Inner inner;
  Boxed<Sample> next;
  friend bool operator==(const Sample&, const Sample&) = default;
};
struct Fixed {
  std::array<std::int32_t, 2> pair{};
  friend bool operator==(const Fixed&, const Fixed&) = default;
};

}  // namespace penstock::testing

namespace penstock::codec {

template <>
struct JsonEnum<testing::Colour> {
  static constexpr std::array<JsonEnumValue, 2> values{
      {{0, "COLOUR_RED", "RED"}, {-7, "COLOUR_DARK", "DARK"}}};
};
template <>
struct JsonMessage<testing::Inner> {
  static constexpr std::array<JsonName, 1> names{{{"number", "number"}}};
  static bool read(JsonReader& in, std::size_t /*field*/, testing::Inner& inner) {
    return read_json(in, inner.number);
  }
  static void write(JsonWriter& out, const testing::Inner& inner) {
    write_json(out, "number", inner.number);
  }
};
template <>
struct JsonMessage<testing::Fixed> {
  static constexpr std::array<JsonName, 1> names{{{"pair", "pair", true}}};
  static bool read(JsonReader& in, std::size_t /*field*/, testing::Fixed& fixed) {
    return read_json(in, fixed.pair);
  }
  static void write(JsonWriter& out, const testing::Fixed& fixed) {
    write_json(out, "pair", fixed.pair);
  }
};
template <>
struct JsonMessage<testing::Sample> {
  static constexpr std::array<JsonName, 14> names{{{"large", "large"},
                                                   {"smallOne", "small_one"},
                                                   {"real", "real"},
                                                   {"thin", "thin"},
                                                   {"flag", "flag"},
                                                   {"text", "text"},
                                                   {"raw", "raw"},
                                                   {"handled", "handled"},
                                                   {"colour", "colour"},
                                                   {"flags", "flags"},
                                                   {"raws", "raws"},
                                                   {"maybe", "maybe"},
                                                   {"inner", "inner"},
                                                   {"next", "next"}}};
  static bool read(JsonReader& in, std::size_t field, testing::Sample& s) {
    switch (field) {
      case 0:
        return read_json(in, s.large);
      case 1:
        return read_json(in, s.small_one);
      case 2:
        return read_json(in, s.real);
      case 3:
        return read_json(in, s.thin);
      case 4:
        return read_json(in, s.flag);
      case 5:
        return read_json(in, s.text);
      case 6:
        return read_json<true>(in, s.raw);
      case 7:
        return read_json(in, s.handled);
      case 8:
        return read_json(in, s.colour);
      case 9:
        return read_json(in, s.flags);
      case 10:
        return read_json<true>(in, s.raws);
      case 11:
        return read_json(in, s.maybe);
      case 12:
        return read_json(in, s.inner);
      default:
        return read_json(in, s.next);
    }
  }
  static void write(JsonWriter& out, const testing::Sample& s) {
    write_json(out, "large", s.large);
    write_json(out, "smallOne", s.small_one);
    write_json(out, "real", s.real);
    write_json(out, "thin", s.thin);
    write_json(out, "flag", s.flag);
    write_json(out, "text", s.text);
    write_json<true>(out, "raw", s.raw);
    write_json(out, "handled", s.handled);
    write_json(out, "colour", s.colour);
    write_json(out, "flags", s.flags);
    write_json<true>(out, "raws", s.raws);
    write_json(out, "maybe", s.maybe);
    write_json(out, "inner", s.inner);
    write_json(out, "next", s.next);
  }
};

}  // namespace penstock::codec
