#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "penstock/base/time.hpp"
#include "penstock/net/layers/packet.hpp"
#include "penstock/net/wire/bytes.hpp"

namespace penstock::net::layers {

/// The messages of which some slices have come. One thread.
class Reassembly {
 public:
  struct Bounds {
    std::size_t messages = 64;
    std::size_t bytes = std::size_t{4} << 20U;
    Nanos time = 5'000'000'000;  ///< from the first slice of a message on; 0: for ever
  };
  struct Figures {
    std::uint64_t given_up = 0;   ///< messages that were too old, or too many at a time
    std::uint64_t again = 0;      ///< slices that had come before
    std::uint64_t malformed = 0;  ///< slices that no end sends: dropped
  };
  struct Slice {
    std::uint32_t message = 0;
    std::uint16_t place = 0;
    std::uint16_t count = 0;  ///< of the message, 2 or more
    std::string_view bytes;
  };

  explicit Reassembly(const Bounds& bounds) noexcept : bounds_(bounds) {}

  /// The message that is complete by this slice, until the next call; empty: none. Slices but the
  /// last one have `full` bytes each. Throws std::bad_alloc.
  [[nodiscard]] std::string_view take(const Slice& slice, std::size_t full, Nanos now);
  void give_up_old(Nanos now) noexcept;
  [[nodiscard]] Nanos next() const noexcept {
    return parts_.empty() || bounds_.time == 0 ? 0 : parts_.front().begun + bounds_.time;
  }
  [[nodiscard]] std::size_t memory() const noexcept;
  [[nodiscard]] const Figures& figures() const noexcept { return figures_; }
  void malformed() noexcept { ++figures_.malformed; }

 private:
  /// Kept when its message is done, for the next one.
  struct Memory {
    std::unique_ptr<char[]> bytes;
    std::size_t capacity = 0;
    std::vector<bool> has;
  };
  struct Part {
    std::uint32_t message = 0;
    std::uint16_t count = 0;
    std::uint16_t missing = 0;
    std::size_t last = 0;  ///< bytes of the last slice
    Nanos begun = 0;
    Memory memory;
  };

  [[nodiscard]] Part* find(std::uint32_t message) noexcept;
  [[nodiscard]] Part* begin(const Slice& slice, std::size_t bytes, Nanos now);
  [[nodiscard]] Memory memory_of(std::size_t bytes, std::size_t slices);
  void give_up_first() noexcept;
  void keep(Memory memory) noexcept;

  Bounds bounds_;
  Figures figures_;
  std::vector<Part> parts_;  // the oldest first
  std::vector<Memory> spare_;
  Memory done_;            // of the message that was given last
  std::size_t bytes_ = 0;  // of all memories
};

/// Messages of more than a packet takes, in slices of `size` bytes with their headers, or of as
/// much as the layer below takes. A message of which a slice is lost is lost. On the wire: u32 the
/// message, u16 the place of the slice, u16 how many there are.
template <std::size_t size = 1200>
class Slicing {
 public:
  static constexpr std::size_t kHeader = 8;
  static constexpr std::size_t kMostSlices = 1024;

  explicit Slicing(const Reassembly::Bounds& bounds = {}, std::uint32_t first_message = 0) noexcept
      : reassembly_(bounds), message_(first_message) {}

  template <class At>
  static constexpr std::size_t full() noexcept {
    return std::min(size, At::kMost) - kHeader;
  }
  /// Bytes of the largest message.
  template <class At>
  static constexpr std::size_t most() noexcept {
    return full<At>() * kMostSlices;
  }

  template <class At>
  bool send(std::string_view message, At at) {
    constexpr std::size_t kFull = full<At>();
    const std::size_t count = std::max<std::size_t>(1, (message.size() + kFull - 1) / kFull);
    if (count > kMostSlices || at.room() < count) return false;
    std::array<char, At::kHeadroom + kHeader + kFull> bytes;  // NOLINT: written before it is read
    for (std::size_t place = 0; place < count; ++place) {
      const std::string_view slice = message.substr(place * kFull, kFull);
      char* const begin = bytes.data() + At::kHeadroom;
      char* to = wire::put(begin, message_);
      to = wire::put(to, static_cast<std::uint16_t>(place));
      to = wire::put(to, static_cast<std::uint16_t>(count));
      wire::put_text(to, slice);
      if (!at.send(Packet{begin, kHeader + slice.size()})) return false;  // there is room: not
    }
    ++message_;
    return true;
  }
  template <class At>
  bool send(Packet packet, At at) {
    return send(packet.bytes(), at);
  }
  template <class At>
  void receive(std::string_view bytes, At at) {
    wire::Taker taker(bytes);
    Reassembly::Slice slice;
    if (!taker.take(slice.message) || !taker.take(slice.place) || !taker.take(slice.count) ||
        slice.count > kMostSlices)
      return reassembly_.malformed();
    slice.bytes = taker.left();
    if (slice.count == 1 && slice.place == 0 && slice.bytes.size() <= full<At>())
      return at.receive(slice.bytes);
    const std::string_view whole = reassembly_.take(slice, full<At>(), at.now());
    if (!whole.empty()) at.receive(whole);
  }
  template <class At>
  void timer(At at) noexcept {
    reassembly_.give_up_old(at.now());
  }
  [[nodiscard]] Nanos next() const noexcept { return reassembly_.next(); }
  [[nodiscard]] std::size_t room(std::size_t below) const noexcept { return below; }
  [[nodiscard]] std::size_t memory() const noexcept { return reassembly_.memory(); }
  [[nodiscard]] const Reassembly::Figures& figures() const noexcept {
    return reassembly_.figures();
  }

 private:
  Reassembly reassembly_;
  std::uint32_t message_;
};

}  // namespace penstock::net::layers
