#pragma once

#include <cstddef>
#include <string>

namespace penstock {

/// Why a JSON text is not the message that was asked for, and where.
struct JsonError {
  std::string pointer;     ///< RFC 6901; empty: the whole text
  std::string reason;      ///< one phrase
  std::size_t line = 0;    ///< from 1
  std::size_t column = 0;  ///< from 1, in characters

  /// `line 1, column 42`
  [[nodiscard]] std::string place() const {
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
  }
  /// `/lines/3/score: is a string, not a number (line 1, column 42)`
  [[nodiscard]] std::string text() const {
    return (pointer.empty() ? std::string() : pointer + ": ") + reason + " (" + place() + ")";
  }
};

}  // namespace penstock
