#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

// What stands before a message whose large buffers go beside it, as docs/wire.md has it. Arithmetic
// on bytes, on any thread.

namespace penstock::net::wire {

/// The bit of a hello's features of an end that takes such messages.
inline constexpr std::uint64_t kBuffersBeside = 1;

/// One of those buffers.
struct BufferPart {
  enum class Kind : std::uint8_t {
    pieces = 0,       ///< its bytes follow in pieces
    new_segment = 1,  ///< it lies in a segment of the sender's, whose file has come
    segment = 2,      ///< it lies in one that is known
    back = 3,         ///< it lies in one of the receiver's, which has it again
  };
  Kind kind = Kind::pieces;
  std::uint32_t segment = 0;     ///< its number: a choice of whose it is
  std::uint64_t generation = 0;  ///< how often the segment was handed over, this time included
  std::uint64_t length = 0;      ///< bytes; not 0
  friend bool operator==(const BufferPart&, const BufferPart&) = default;
};

/// Of one message, at most.
inline constexpr std::size_t kMostBuffers = 64;
/// Bytes of the buffers of one message, at most.
inline constexpr std::uint64_t kMostBufferBytes = std::uint64_t{1} << 30U;

/// Bytes that write_parts() fills.
[[nodiscard]] std::size_t parts_size(std::size_t count) noexcept;
/// Returns where the message goes.
char* write_parts(char* at, const std::vector<BufferPart>& parts) noexcept;
/// Takes them off the front of `bytes`. False: they are malformed. Throws std::bad_alloc.
[[nodiscard]] bool read_parts(std::string_view& bytes, std::vector<BufferPart>& parts);

}  // namespace penstock::net::wire
