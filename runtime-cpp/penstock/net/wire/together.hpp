#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "penstock/net/wire/bytes.hpp"

// The bodies of frames that have several calls of one service, or their answers, as docs/wire.md
// has them. Arithmetic on bytes, on any thread.

namespace penstock::net::wire {

/// The bit of a hello's features of an end that takes such frames.
inline constexpr std::uint64_t kCallsTogether = 4;

/// Calls of one frame, at most: the first has the number of the frame, each other one the next.
inline constexpr std::uint32_t kMostTogether = 64;
/// Bytes of a message among others.
inline constexpr std::size_t kLargestTogether = 0xFFFF;
/// What such a message takes besides its bytes.
inline constexpr std::size_t kTogetherHead = 2;

/// Of calls, one a bit, the place of the lowest; there is one.
[[nodiscard]] constexpr std::uint32_t first_of(std::uint64_t calls) noexcept {
  return static_cast<std::uint32_t>(std::countr_zero(calls));
}

/// Returns where its `bytes`, at most kLargestTogether, go.
inline char* begin_message(char* at, std::size_t bytes) noexcept {
  return put(at, static_cast<std::uint16_t>(bytes));
}

/// Messages one behind the other.
class Messages {
 public:
  explicit Messages(std::string_view bytes) noexcept : in_(bytes) {}

  /// False: there is none, or what is left is none.
  [[nodiscard]] bool next(std::string_view& message) noexcept {
    Taker in = in_;
    std::uint16_t size = 0;
    if (!in.take(size) || !in.take(size, message)) return false;
    in_ = in;
    return true;
  }
  /// Not read yet.
  [[nodiscard]] std::string_view left() const noexcept { return in_.left(); }

 private:
  Taker in_;
};

/// How many calls a body has; 0: it is malformed.
[[nodiscard]] std::uint32_t count_calls(std::string_view body) noexcept;

/// What answers calls that have numbers in a row, one for each bit, from the lowest on.
struct AnswersBody {
  std::uint64_t answered = 0;  ///< those that it answers
  std::uint64_t filled = 0;    ///< those of them whose answers have bytes
  std::string_view messages;   ///< their answers: Messages, none of them empty
};
inline constexpr std::size_t kAnswersHead = 16;
/// Returns where its messages go.
char* write_answers(char* at, std::uint64_t answered, std::uint64_t filled) noexcept;
/// False: it is malformed.
[[nodiscard]] bool read_answers(std::string_view body, AnswersBody& out) noexcept;

}  // namespace penstock::net::wire
