#pragma once

#include <penstock/codec/message.hpp>
#include <string>
#include <string_view>
#include <type_traits>

// How messages are defined, as docs/wire.md has it: what two binaries compare whose drawings
// differ.

namespace penstock::codec {

/// Of a message and all that it holds; empty: of no message, or of one that was generated without.
/// Throws std::bad_alloc.
template <class M>
[[nodiscard]] std::string definitions() {
  // No specialization of Message is of void.
  if constexpr (requires { Message<M>::definitions(); }) {
    return std::string(Message<M>::definitions());
  } else {
    return {};
  }
}

/// Of a message whose only line is `first` (`message 1=value:#1?`), which holds the one that
/// `inner` defines. Throws std::bad_alloc.
[[nodiscard]] inline std::string definitions_around(std::string_view first,
                                                    std::string_view inner) {
  if (inner.empty()) return {};
  std::string text = std::string(first) + "\n";
  while (!inner.empty()) {
    const std::size_t before = inner.find('#');
    text += inner.substr(0, before);
    if (before == std::string_view::npos) break;
    inner.remove_prefix(before + 1);
    std::size_t line = 0;
    while (!inner.empty() && inner.front() >= '0' && inner.front() <= '9') {
      line = line * 10 + static_cast<std::size_t>(inner.front() - '0');
      inner.remove_prefix(1);
    }
    text += '#' + std::to_string(line + 1);
  }
  return text;
}

}  // namespace penstock::codec
