#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

// The lines of definitions, as docs/wire.md has them. Views are of the text. Throw std::bad_alloc.

namespace penstock::net::wire {

/// Of a field whose type has no line of its own.
inline constexpr std::size_t kNoLine = std::numeric_limits<std::size_t>::max();

/// A field of a message.
struct DefinedField {
  std::uint32_t tag = 0;
  std::string_view name;
  std::string_view type;       ///< of a message or enum: `#` and the number of its line
  std::size_t line = kNoLine;  ///< that number
  std::string_view many;       ///< `*`, `?` or `[N]`
  std::string_view encoding;
  std::string_view key;
  std::string_view oneof;
};

/// A line of a text: a message, or an enum.
struct DefinedLine {
  bool is_enum = false;
  std::vector<DefinedField> fields;                 ///< by rising tag
  std::map<std::string_view, std::uint32_t> names;  ///< of those, with the tags
  std::map<std::string_view, std::int64_t> values;  ///< of an enum
};

/// None: they are malformed, or of no message.
[[nodiscard]] std::optional<std::vector<DefinedLine>> lines_of(std::string_view text);

/// Null: it has none.
[[nodiscard]] const DefinedField* by_tag(const DefinedLine& line, std::uint32_t tag);
[[nodiscard]] const DefinedField* by_name(const DefinedLine& line, std::string_view name);

/// By line: it is a message that holds a buffer, at any depth.
[[nodiscard]] std::vector<bool> with_buffers(const std::vector<DefinedLine>& lines);

}  // namespace penstock::net::wire
