#include "penstock/net/wire/definition_lines.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>

#include "penstock/net/wire/hello.hpp"

namespace penstock::net::wire {
namespace {

template <class Number>
bool take_number(std::string_view& text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take(std::string_view& text, char what) {
  if (text.empty() || text.front() != what) return false;
  text.remove_prefix(1);
  return true;
}

/// Of a field, or a value: no longer than a name in a hello.
bool is_word(std::string_view text) { return !text.empty() && text.size() <= kLongestName; }

/// As far as there is none of `ends`.
std::string_view take_until(std::string_view& text, std::string_view ends) {
  const std::string_view taken = text.substr(0, text.find_first_of(ends));
  text.remove_prefix(taken.size());
  return taken;
}

std::string_view take_many(std::string_view& text) {
  const std::string_view before = text;
  if (take(text, '*') || take(text, '?')) return before.substr(0, 1);
  if (!take(text, '[')) return {};
  take_until(text, "]");
  if (!take(text, ']')) text = "?";  // malformed, and found so
  return before.substr(0, before.size() - text.size());
}

bool read_field(std::string_view text, DefinedField& field) {
  if (!take_number(text, field.tag) || !take(text, '=')) return false;
  field.name = take_until(text, ":");
  if (!take(text, ':')) return false;
  field.type = take_until(text, "*?[~^|");
  field.many = take_many(text);
  if (take(text, '~')) field.encoding = take_until(text, "^|");
  if (take(text, '^')) field.key = take_until(text, "|");
  if (take(text, '|')) field.oneof = take_until(text, {});
  const std::size_t longest =
      std::max({field.encoding.size(), field.key.size(), field.oneof.size(), field.many.size()});
  if (!text.empty() || !is_word(field.name) || !is_word(field.type) || longest > kLongestName)
    return false;
  std::string_view type = field.type;
  return !take(type, '#') || (take_number(type, field.line) && type.empty());
}

bool read_value(std::string_view text, DefinedLine& line) {
  std::int64_t number = 0;
  if (!take_number(text, number) || !take(text, '=') || !is_word(text)) return false;
  return line.values.emplace(text, number).second;
}

bool read_line(std::string_view text, DefinedLine& line) {
  const std::string_view kind = take_until(text, " ");
  line.is_enum = kind == "enum";
  if (!line.is_enum && kind != "message") return false;
  while (take(text, ' ')) {
    const std::string_view item = take_until(text, " ");
    if (item.empty() && text.empty() && !line.is_enum) break;  // no field
    if (line.is_enum) {
      if (!read_value(item, line)) return false;
      continue;
    }
    DefinedField field;
    if (!read_field(item, field)) return false;
    if (!line.fields.empty() && line.fields.back().tag >= field.tag) return false;
    if (!line.names.emplace(field.name, field.tag).second) return false;
    line.fields.push_back(field);
  }
  return true;
}

}  // namespace

std::optional<std::vector<DefinedLine>> lines_of(std::string_view text) {
  std::vector<DefinedLine> lines;
  while (!text.empty()) {
    const std::string_view line = take_until(text, "\n");
    if (!take(text, '\n') || !read_line(line, lines.emplace_back())) return std::nullopt;
  }
  if (lines.empty() || lines.front().is_enum) return std::nullopt;
  for (const DefinedLine& line : lines) {
    for (const DefinedField& field : line.fields) {
      if (field.line != kNoLine && field.line >= lines.size()) return std::nullopt;
    }
  }
  return lines;
}

const DefinedField* by_tag(const DefinedLine& line, std::uint32_t tag) {
  const auto found = std::lower_bound(
      line.fields.begin(), line.fields.end(), tag,
      [](const DefinedField& field, std::uint32_t wanted) { return field.tag < wanted; });
  return found != line.fields.end() && found->tag == tag ? &*found : nullptr;
}

const DefinedField* by_name(const DefinedLine& line, std::string_view name) {
  const auto found = line.names.find(name);
  return found != line.names.end() ? by_tag(line, found->second) : nullptr;
}

std::vector<bool> with_buffers(const std::vector<DefinedLine>& lines) {
  std::vector<bool> holds(lines.size());
  std::vector<std::vector<std::size_t>> held_by(lines.size());
  std::vector<std::size_t> left;
  for (std::size_t at = 0; at < lines.size(); ++at) {
    for (const DefinedField& field : lines[at].fields) {
      if (field.line != kNoLine) held_by[field.line].push_back(at);
      if (field.type == "buffer" && !holds[at]) {
        holds[at] = true;
        left.push_back(at);
      }
    }
  }
  while (!left.empty()) {
    const std::size_t at = left.back();
    left.pop_back();
    for (const std::size_t holder : held_by[at]) {
      if (holds[holder]) continue;
      holds[holder] = true;
      left.push_back(holder);
    }
  }
  return holds;
}

}  // namespace penstock::net::wire
