#pragma once

#include <atomic>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace penstock::nodes {

/// Appends a text without the characters that could end a line, hide or colour it: those are
/// written as `\n` or `\x1b`.
void append_printable(std::string& line, std::string_view text);

/// A value that came in with an event, as one sees it in a line.
template <class T>
void append_value(std::string& line, const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    line += value ? "true" : "false";
  } else if constexpr (std::is_enum_v<T>) {
    append_value(line, static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::is_arithmetic_v<T>) {
    char digits[32];
    line.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  } else {
    append_printable(line, value);
  }
}

/// Writes `<name>: <line>` to standard error in one piece. Any thread.
void write_log_line(std::string_view name, std::string_view line);

/// Picks the first of each `every` events. Any thread.
class EveryNth {
 public:
  explicit EveryNth(std::uint64_t every) noexcept : every_(every) {}
  // Relaxed: a count, nothing else is ordered by it.
  [[nodiscard]] bool take() noexcept {
    return count_.fetch_add(1, std::memory_order_relaxed) % every_ == 0;
  }

 private:
  const std::uint64_t every_;
  std::atomic<std::uint64_t> count_{0};
};

}  // namespace penstock::nodes
