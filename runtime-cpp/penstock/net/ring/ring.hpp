#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "penstock/concurrent/cache_line.hpp"

namespace penstock::net {

/// What the two ends of a ring tell each other, in memory that both have: all 0 at first. Each part
/// is written by one end mostly, and has its lines for itself.
struct RingControl {
  alignas(concurrent::kCacheLine) std::atomic<std::uint32_t> reader_rests;
  alignas(concurrent::kCacheLine) std::atomic<std::uint64_t> taken;
  alignas(concurrent::kCacheLine) std::atomic<std::uint32_t> writer_waits;
};

/// A stream of bytes from one end to another one through memory that both have: records, each of
/// its length (4 bytes, 0: not written yet) and its bytes, at multiples of 8. The length is written
/// last, so that who reads looks at one place, which comes with the first bytes. Nothing that the
/// other end can write is believed: where it does what no end does, the stream is broken.
struct RingMemory {
  RingControl* control = nullptr;
  char* bytes = nullptr;     ///< 0 at first
  std::size_t capacity = 0;  ///< a power of two, kSmallest or more
  static constexpr std::size_t kSmallest = 64;
};

/// The end that writes. One thread.
class RingWriter {
 public:
  explicit RingWriter(const RingMemory& memory) noexcept : memory_(memory) {}

  /// How many of them were written: those that there was room for. -1: the stream is broken.
  [[nodiscard]] ssize_t write(std::string_view bytes) noexcept;
  /// After something was written: the other end rests, and is to be told by other means.
  [[nodiscard]] bool must_tell() noexcept {
    return memory_.control->reader_rests.exchange(0, std::memory_order_acq_rel) != 0;
  }
  /// It had no room for what was to be written last, and there is some now.
  [[nodiscard]] bool has_room_again() noexcept {
    return blocked_ && memory_.control->taken.load(std::memory_order_acquire) != taken_;
  }
  /// From now on the other end tells once when it has made room, where there was none. False: there
  /// is some already.
  [[nodiscard]] bool rest() noexcept {
    if (!blocked_) return true;
    memory_.control->writer_waits.exchange(1, std::memory_order_acq_rel);
    return !has_room_again();
  }

 private:
  [[nodiscard]] bool look_for_room() noexcept;
  [[nodiscard]] std::size_t room() const noexcept;

  RingMemory memory_;
  std::uint64_t written_ = 0;
  std::uint64_t taken_ = 0;  // as far as was looked
  bool blocked_ = false;
};

/// The end that reads. One thread.
class RingReader {
 public:
  explicit RingReader(const RingMemory& memory) noexcept : memory_(memory) {}

  /// Copies what is there, as far as there is room. 0: nothing is. -1: the stream is broken.
  [[nodiscard]] ssize_t read(char* to, std::size_t room) noexcept;
  /// After something was read: the other end waits for room, and is to be told by other means.
  [[nodiscard]] bool must_tell() noexcept {
    return memory_.control->writer_waits.exchange(0, std::memory_order_acq_rel) != 0;
  }
  [[nodiscard]] bool has_some() const noexcept { return left_ != 0 || next_length() != 0; }
  /// From now on the other end tells when it has written. False: there is something already.
  [[nodiscard]] bool rest() noexcept {
    memory_.control->reader_rests.exchange(1, std::memory_order_acq_rel);
    return !has_some();
  }
  /// It need not tell any more. A store would end what the other end's exchanges release, and the
  /// next rest() might miss what was written before one of them.
  void rest_no_more() noexcept {
    memory_.control->reader_rests.exchange(0, std::memory_order_relaxed);
  }

 private:
  [[nodiscard]] std::uint32_t next_length() const noexcept;

  RingMemory memory_;
  std::uint64_t at_ = 0;  // of the next record, or of what is left of one
  std::size_t left_ = 0;  // of the record that was begun
};

}  // namespace penstock::net
