#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

/// JSON as the product reads it everywhere: no comments, no duplicate keys, no NUL, valid UTF-8,
/// bounded depth, nothing after the document. Only .cpp files may include this header, since it
/// drags the JSON library in.
namespace penstock::json {

using Json = nlohmann::json;

/// Why a text is no document of ours.
struct ParseFailure {
  std::string pointer;  ///< RFC 6901; empty for a plain syntax error
  std::string reason;   ///< one phrase, names line and column where the syntax is at fault
};

inline constexpr std::size_t kMaxDepth = 32;

/// Parses `text` (a byte order mark is skipped). Never throws on bad input; memory is linear in
/// the text, and nesting costs a counter, not stack.
[[nodiscard]] std::variant<Json, ParseFailure> parse_strict(std::string_view text,
                                                            std::size_t max_depth = kMaxDepth);

/// `key` as one more token of an RFC 6901 pointer (`~` and `/` escaped).
[[nodiscard]] std::string child_pointer(std::string_view parent, std::string_view key);

/// The value as a whole number: 4, 4.0 and 4e0 are one; 1.5, "4", null, 1e300 are none.
[[nodiscard]] std::optional<std::int64_t> whole_number(const Json& value);

/// What a person calls the type of this value: "a string", "a list", "null" ...
[[nodiscard]] std::string_view type_in_words(const Json& value);

/// A short, printable piece of the value for an error text.
[[nodiscard]] std::string excerpt(const Json& value);

}  // namespace penstock::json
