#pragma once

#include <cstddef>
#include <cstdint>
#include <penstock/base/context.hpp>
#include <string_view>

// Frames of a link, as docs/wire.md has them byte by byte. Everything here is arithmetic on bytes:
// it may be called on any thread, and nothing is trusted that a peer has sent.

namespace penstock::net::wire {

enum class FrameKind : std::uint8_t {
  call = 1,
  answer = 2,
  error = 3,
  cancel = 4,
  credit = 5,
  ping = 6,
  pong = 7,
  drain = 8,
  definitions = 9,
  piece = 10,
  calls = 11,
  answers = 12,
};

/// What a frame says in its flags: kBuffers of calls and answers, kLate of cancellations, the
/// others of calls.
enum FrameFlags : std::uint8_t {
  kTraced = 1,
  kSampled = 2,
  kBaggage = 4,
  kBuffers = 8,
  kLate = 16
};

/// The bit of a hello's features of an end that takes kLate.
inline constexpr std::uint64_t kSaysLate = 8;

/// The head of each frame.
struct FrameHead {
  std::uint32_t body = 0;  ///< bytes that follow the head
  FrameKind kind = FrameKind::call;
  std::uint8_t flags = 0;
  std::uint16_t service = 0;  ///< its number in the table of the binary that offers it
  std::uint64_t call = 0;     ///< the caller's number of the call; what a ping asks to have back
  friend bool operator==(const FrameHead&, const FrameHead&) = default;
};

inline constexpr std::size_t kHeadBytes = 16;

/// Writes the 16 bytes of `head` and returns where the body goes.
char* write_head(char* at, const FrameHead& head) noexcept;

/// What is at the beginning of bytes that came in.
struct FrameRead {
  enum class Found : std::uint8_t {
    frame,
    part,       ///< of a frame: `bytes` says how many there are of it, as far as is known
    malformed,  ///< `why` says it; the link is of no use any more
  };
  Found found = Found::part;
  std::size_t bytes = kHeadBytes;  ///< of the whole frame, head and body
  FrameHead head;
  std::string_view body;  ///< in the bytes that were read
  std::string_view why;
};

/// The first frame of `bytes`. One whose body is longer than `largest_body` is malformed before any
/// of it has come.
[[nodiscard]] FrameRead read_frame(std::string_view bytes, std::uint32_t largest_body) noexcept;

/// What stands before the message in the body of a call.
struct CallEnvelope {
  /// Microseconds until nobody waits for the answer any more; 0: somebody always does. 4,294 s and
  /// more are written as 4,294 s.
  std::uint32_t left_us = 0;
  TraceIds trace;
  std::shared_ptr<const Baggage> baggage;

  /// Of a context, `now` on the clock of its deadline. One that has passed leaves 1 microsecond.
  [[nodiscard]] static CallEnvelope of(const Context& context, Nanos now) noexcept;
  /// Makes it the context of whoever answers, `now` on that one's clock.
  void give_to(Context& context, Nanos now) const noexcept;

  [[nodiscard]] std::uint8_t flags() const noexcept;
  /// Bytes that write() fills.
  [[nodiscard]] std::size_t size() const noexcept;
  /// Returns where the message goes.
  char* write(char* at) const noexcept;
};

struct CallBody {
  CallEnvelope envelope;
  std::string_view message;  ///< in the bytes that were read
};
/// Takes the body of a call apart. False: it is malformed. Throws std::bad_alloc.
[[nodiscard]] bool read_call(const FrameHead& head, std::string_view body, CallBody& out);

/// The body of an error: what an Error of the service says.
struct ErrorBody {
  std::int32_t code = 0;
  std::string_view text;
};
/// Texts of errors are cut there, between two characters.
inline constexpr std::size_t kLongestErrorText = 4096;
[[nodiscard]] std::size_t size(const ErrorBody& error) noexcept;
char* write(char* at, const ErrorBody& error) noexcept;
[[nodiscard]] bool read_error(std::string_view body, ErrorBody& out) noexcept;

inline constexpr std::size_t kCreditBytes = 4;
/// The body of a credit: how many more calls of the service the callee takes.
char* write_credit(char* at, std::uint32_t more) noexcept;
[[nodiscard]] bool read_credit(std::string_view body, std::uint32_t& more) noexcept;

}  // namespace penstock::net::wire
