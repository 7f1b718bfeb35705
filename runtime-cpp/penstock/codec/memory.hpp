#pragma once

#include <cstddef>
#include <limits>
#include <utility>

namespace penstock::codec {

// What is two bytes on the wire may be hundreds in memory: an element of a list, a message in a
// box. Who reads what anybody may have sent bounds what it all takes together.

/// What lists, maps and messages in messages of one request from outside may take: elements of two
/// bytes each become hundreds.
inline constexpr std::size_t kMostMessageMemory = std::size_t{16} << 20;

/// Bytes that lists, maps and boxes may still take of what is read on this thread.
inline constinit thread_local std::size_t memory_left = std::numeric_limits<std::size_t>::max();

/// False: there is not so much left, and nothing from then on.
[[nodiscard]] inline bool take_memory(std::size_t bytes) noexcept {
  if (bytes <= memory_left) {
    memory_left -= bytes;
    return true;
  }
  memory_left = 0;
  return false;
}

/// Of an entry of a map, with the node that it lies in.
template <class Key, class T>
inline constexpr std::size_t kMemoryOfEntry = sizeof(std::pair<const Key, T>) + 4 * sizeof(void*);

/// Of a Buffer that is not empty, beside its bytes: where they lie, as the allocator gives it.
inline constexpr std::size_t kMemoryOfBuffer = 48;

/// While it is there, on its thread: what is read takes at most so many bytes, or is refused.
/// Texts are not counted: they take about what they have on the wire. Lists that grow have room for
/// twice as much at most.
class BoundsMemory {
 public:
  explicit BoundsMemory(std::size_t most) noexcept
      : most_(most), before_(std::exchange(memory_left, most)) {}
  BoundsMemory(const BoundsMemory&) = delete;
  BoundsMemory& operator=(const BoundsMemory&) = delete;
  ~BoundsMemory() { memory_left = before_; }

  /// Bytes, so far.
  [[nodiscard]] std::size_t taken() const noexcept { return most_ - memory_left; }
  /// Of what was refused: for that reason.
  [[nodiscard]] bool is_passed() const noexcept { return memory_left == 0; }

 private:
  const std::size_t most_;
  const std::size_t before_;
};

}  // namespace penstock::codec
