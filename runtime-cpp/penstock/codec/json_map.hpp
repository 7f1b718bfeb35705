#pragma once

#include <map>
#include <penstock/codec/json.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace penstock::codec {

// A map is an object, whose names are its keys: numbers and truth values as texts, as proto3 says.

template <class Key>
bool read_json_key(JsonReader& in, Key& key) {
  if constexpr (std::same_as<Key, std::string>) {
    key = in.key();
    return true;
  } else if constexpr (std::same_as<Key, bool>) {
    key = in.key() == "true";
    return key || in.key() == "false" || in.fail_here("has a name that is neither true nor false");
  } else {
    // It is a number as a value would be one.
    JsonReader number(in.key());
    const std::string_view text = number.peek_number();
    if (text.size() == in.key().size() && number.number(key) && number.end()) return true;
    return in.fail_here("has a name that is no number of its field");
  }
}

template <bool bytes = false, class Key, class T>
bool read_json_map(JsonReader& in, std::map<Key, T>& entries) {
  if (in.take_null()) return true;
  if (in.failed() || !in.enter_object()) return false;
  while (in.next_key()) {
    Key key{};
    if (!take_json_memory(in, kMemoryOfEntry<Key, T>) || !read_json_key(in, key)) return false;
    if (entries.contains(key)) return in.fail_here("is there twice");
    T value{};
    if (!read_json_value<bytes>(in, value)) return false;
    entries.emplace(std::move(key), std::move(value));
  }
  return !in.failed();
}

template <class Key>
void write_json_key(JsonWriter& out, const Key& key) {
  out.comma();
  if constexpr (std::same_as<Key, std::string>) {
    out.text(key);
  } else if constexpr (std::same_as<Key, bool>) {
    out.text(key ? "true" : "false");
  } else {
    out.text(std::to_string(key));
  }
  out.colon();
}

template <bool bytes = false, class Key, class T>
void write_json_map(JsonWriter& out, std::string_view name, const std::map<Key, T>& entries) {
  if (entries.empty()) return;
  out.name(name);
  out.open('{');
  for (const auto& [key, value] : entries) {
    write_json_key(out, key);
    write_json_value<bytes>(out, value);
  }
  out.close('}');
}

// --- oneof -------------------------------------------------------------------------------------

/// After a member of a oneof was read: two of them would be two answers to one question.
template <class Holder, class... Others>
bool only_one(JsonReader& in, const Holder& value, const Others&... others) {
  return !value.has_value() || none(others...) ||
         in.fail_here("is of a oneof of which another one is there");
}

}  // namespace penstock::codec
