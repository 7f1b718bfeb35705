#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "penstock/json/error.hpp"

/// A JSON text as a tree: configurations, and what the control port is asked. Only .cpp files may
/// include this header, since it drags the library of the tree in; the text is read by JsonReader.
namespace penstock::json {

using Json = nlohmann::json;

/// How deep a document of ours may be nested.
inline constexpr std::size_t kDeepestDocument = 32;

/// The document that `text` is: what JsonReader takes, without duplicate keys, NUL and numbers
/// beyond double's range, and with nothing after it. Never throws on bad input; memory is linear
/// in the text, and nesting costs a counter, not stack.
[[nodiscard]] std::variant<Json, JsonError> parse_document(
    std::string_view text, std::size_t most_levels = kDeepestDocument);

/// `key` as one more token of an RFC 6901 pointer (`~` and `/` escaped).
[[nodiscard]] std::string child_pointer(std::string_view parent, std::string_view key);

/// The value as a whole number: 4, 4.0 and 4e0 are one; 1.5, "4", null, 1e300 are none.
[[nodiscard]] std::optional<std::int64_t> whole_number(const Json& value);

/// What a person calls the type of this value: "a string", "a list", "null" ...
[[nodiscard]] std::string_view type_in_words(const Json& value);

/// A short, printable piece of the value for an error text.
[[nodiscard]] std::string excerpt(const Json& value);

}  // namespace penstock::json
