#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <penstock/codec/memory.hpp>
#include <penstock/codec/message.hpp>
#include <penstock/codec/unknown_names.hpp>
#include <penstock/json/reader.hpp>
#include <penstock/json/writer.hpp>
#include <penstock/message/boxed.hpp>
#include <penstock/message/buffer.hpp>
#include <penstock/message/failure.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// JSON by proto3's rules: names in lowerCamelCase (the fields' own are read, too), 64-bit numbers
// as texts, bytes as base64, enums by the names of the .proto file (numbers and the drawn names are
// read, too), fields that are as they start left out, `null` for what is left out. Repeated keys
// are refused, and unknown ones unless somebody asked for leniency (unknown_names.hpp).

namespace penstock::codec {

using json::JsonReader;
using json::JsonWriter;

/// A field's names in JSON: the one it is written with (lowerCamelCase), and its own.
struct JsonName {
  std::string_view json;
  std::string_view field;
  /// A fixed array: it cannot be left out.
  bool required = false;
};

/// Position of the name, looked for from `likely` on; names.size(): no such field.
[[nodiscard]] std::size_t find_name(std::span<const JsonName> names, std::string_view key,
                                    std::size_t likely) noexcept;

/// How one message type is written as JSON. Generated code specialises it for each message:
///   static constexpr std::array<JsonName, n> names;         in the order of read()'s fields
///   static bool read(JsonReader&, std::size_t field, T&);   that field's value; false: it failed
///   static void write(JsonWriter&, const T&);               its members
template <class T>
struct JsonMessage;

struct JsonEnumValue {
  std::int32_t number;
  std::string_view proto;  ///< as written
  std::string_view drawn;
};
/// The values of an enum: `static constexpr std::array<JsonEnumValue, n> values`.
template <class T>
struct JsonEnum;

template <class T>
bool read_json_message(JsonReader& in, T& message) {
  using Fields = JsonMessage<T>;
  constexpr std::size_t kFields = Fields::names.size();
  std::bitset<kFields> seen;
  if (!in.enter_object()) return false;
  std::size_t likely = 0;
  while (in.next_key()) {
    const std::size_t field = find_name(Fields::names, in.key(), likely);
    if (field == kFields) {
      if (!unknown_names_ignored) return in.fail_here("is no field of this message");
      if (!in.skip()) return false;
      continue;
    }
    if (seen.test(field)) return in.fail_here("is there twice");
    seen.set(field);
    if (!Fields::read(in, field, message)) return false;
    likely = field + 1;
  }
  if (in.failed()) return false;
  for (std::size_t field = 0; field < kFields; ++field) {
    if (Fields::names[field].required && !seen.test(field)) {
      return in.fail("lacks the list \"" + std::string(Fields::names[field].json) + '"');
    }
  }
  return true;
}

template <class E>
bool read_json_enum(JsonReader& in, E& value) {
  if (in.kind() != JsonReader::Kind::text) {
    std::int32_t number = 0;
    if (!in.number(number)) return false;
    value = static_cast<E>(number);
    return true;
  }
  std::string name;
  if (!in.text(name)) return false;
  for (const JsonEnumValue& known : JsonEnum<E>::values) {
    if (known.proto != name && known.drawn != name) continue;
    value = static_cast<E>(known.number);
    return true;
  }
  return in.fail_here("is \"" + name.substr(0, 64) + "\", no value of this enum");
}

/// False: what is read takes more than it may.
inline bool take_json_memory(JsonReader& in, std::size_t bytes) {
  return take_memory(bytes) || in.fail("takes more memory than it may");
}

/// `bytes`: a std::string that is no text.
template <bool bytes, class T>
bool read_json_value(JsonReader& in, T& value) {
  if constexpr (std::same_as<T, bool>) {
    return in.boolean(value);
  } else if constexpr (std::is_enum_v<T>) {
    return read_json_enum(in, value);
  } else if constexpr (Integer<T> || Floating<T>) {
    return in.number(value);
  } else if constexpr (std::same_as<T, Buffer>) {
    std::string text;
    if (!in.bytes(text)) return false;
    if (!text.empty() && !take_json_memory(in, kMemoryOfBuffer)) return false;
    value = Buffer(text);
    return true;
  } else if constexpr (std::same_as<T, std::string>) {
    return bytes ? in.bytes(value) : in.text(value);
  } else {
    return read_json_message(in, value);
  }
}

// --- one field, by what holds it; null: as if it were left out --------------------------------

template <bool bytes = false, class T>
bool read_json(JsonReader& in, T& value) {
  return in.take_null() || (!in.failed() && read_json_value<bytes>(in, value));
}
template <bool bytes, class Holder>
bool read_json_held(JsonReader& in, Holder& value) {
  return in.take_null() || (!in.failed() && read_json_value<bytes>(in, value.emplace()));
}
template <bool bytes = false, class T>
bool read_json(JsonReader& in, std::optional<T>& value) {
  return read_json_held<bytes>(in, value);
}
template <bool bytes = false, class T>
bool read_json(JsonReader& in, Boxed<T>& value) {
  if (in.take_null()) return true;
  return take_json_memory(in, sizeof(T)) && read_json_held<bytes>(in, value);
}
template <bool bytes = false, class T>
bool read_json(JsonReader& in, std::vector<T>& elements) {
  if (in.take_null()) return true;
  if (!in.enter_list()) return false;
  while (in.next_element()) {
    if (!take_json_memory(in, sizeof(T))) return false;
    T element{};  // std::vector<bool> has no references to elements
    if (!read_json_value<bytes>(in, element)) return false;
    elements.push_back(std::move(element));
  }
  return !in.failed();
}
template <bool bytes = false, class T, std::size_t N>
bool read_json(JsonReader& in, std::array<T, N>& elements) {
  std::size_t seen = 0;
  if (!in.enter_list()) return false;
  while (in.next_element()) {
    if (seen == N) return in.fail("is one too many: " + std::to_string(N) + " are wanted");
    if (!read_json_value<bytes>(in, elements[seen++])) return false;
  }
  if (in.failed()) return false;
  return seen == N ? true
                   : in.fail("has " + std::to_string(seen) + " elements, " + std::to_string(N) +
                             " are wanted");
}

// --- writing -----------------------------------------------------------------------------------

template <class T>
void write_json_message(JsonWriter& out, const T& message) {
  out.open('{');
  JsonMessage<T>::write(out, message);
  out.close('}');
}

template <bool bytes, class T>
void write_json_value(JsonWriter& out, const T& value) {
  if constexpr (std::is_enum_v<T>) {
    const auto number = static_cast<std::int32_t>(value);
    for (const JsonEnumValue& known : JsonEnum<T>::values) {
      if (known.number == number) return out.text(known.proto);
    }
    out.number(number);
  } else if constexpr (std::same_as<T, bool>) {
    out.boolean(value);
  } else if constexpr (Integer<T> || Floating<T>) {
    out.number(value);
  } else if constexpr (std::same_as<T, Buffer>) {
    out.bytes(value.view());
  } else if constexpr (std::same_as<T, std::string>) {
    if constexpr (bytes) {
      out.bytes(value);
    } else {
      out.text(value);
    }
  } else {
    write_json_message(out, value);
  }
}

template <class T>
bool is_json_default(const T& value) {
  if constexpr (std::is_enum_v<T>) return static_cast<std::int32_t>(value) == 0;
  if constexpr (Floating<T>) return value == 0 && !std::signbit(value);
  if constexpr (!std::is_enum_v<T> && Integer<T>) return value == 0;
  if constexpr (requires { value.empty(); }) return value.empty();
  return false;
}

template <bool bytes = false, class T>
void write_json(JsonWriter& out, std::string_view name, const T& value) {
  if constexpr (Integer<T> || Floating<T> || requires { value.empty(); }) {
    if (is_json_default(value)) return;
    out.name(name);
    write_json_value<bytes>(out, value);
  } else {
    // A message without a member to say is left out as any other default.
    const JsonWriter::Mark mark = out.mark();
    out.name(name);
    const std::size_t before = out.size();
    write_json_message(out, value);
    if (out.size() == before + 2) out.go_back(mark);
  }
}
template <bool bytes, class Holder>
void write_json_held(JsonWriter& out, std::string_view name, const Holder& value) {
  if (!value.has_value()) return;
  out.name(name);
  write_json_value<bytes>(out, *value);
}
template <bool bytes = false, class T>
void write_json(JsonWriter& out, std::string_view name, const std::optional<T>& value) {
  write_json_held<bytes>(out, name, value);
}
template <bool bytes = false, class T>
void write_json(JsonWriter& out, std::string_view name, const Boxed<T>& value) {
  write_json_held<bytes>(out, name, value);
}
template <bool bytes, class Elements>
void write_json_elements(JsonWriter& out, std::string_view name, const Elements& elements) {
  using T = typename Elements::value_type;
  out.name(name);
  out.open('[');
  for (const T& element : elements) {
    out.comma();
    write_json_value<bytes, T>(out, element);
  }
  out.close(']');
}
template <bool bytes = false, class T>
void write_json(JsonWriter& out, std::string_view name, const std::vector<T>& elements) {
  if (!elements.empty()) write_json_elements<bytes>(out, name, elements);
}
template <bool bytes = false, class T, std::size_t N>
void write_json(JsonWriter& out, std::string_view name, const std::array<T, N>& elements) {
  write_json_elements<bytes>(out, name, elements);
}

/// message Failure, as in codec/failure.hpp.
template <>
struct JsonMessage<Failure> {
  static constexpr std::array<JsonName, 4> names{
      {{"code", "code"}, {"message", "message"}, {"flow", "flow"}, {"stage", "stage"}}};
  static bool read(JsonReader& in, std::size_t field, Failure& failure) {
    if (field == 0) {
      auto code = static_cast<std::int32_t>(failure.code);
      if (!read_json(in, code)) return false;
      failure.code = static_cast<ErrorCode>(code);
      return true;
    }
    return read_json(in, field == 1 ? failure.message : field == 2 ? failure.flow : failure.stage);
  }
  static void write(JsonWriter& out, const Failure& failure) {
    write_json(out, "code", static_cast<std::int32_t>(failure.code));
    write_json(out, "message", failure.message);
    write_json(out, "flow", failure.flow);
    write_json(out, "stage", failure.stage);
  }
};

/// Appends `message` to `out`.
template <class T>
void append_json(const T& message, std::string& out) {
  JsonWriter writer(out);
  write_json_message(writer, message);
}

/// Reads all of `text` into `message`, which starts afresh. False when it is no such message, with
/// the reason in `error`; what `message` holds then is of no use.
template <class T>
[[nodiscard]] bool parse_json(std::string_view text, T& message, JsonError& error) {
  message = T{};
  JsonReader reader(text);
  if (read_json_message(reader, message) && reader.end()) return true;
  error = std::move(reader).take_error();
  return false;
}

}  // namespace penstock::codec
