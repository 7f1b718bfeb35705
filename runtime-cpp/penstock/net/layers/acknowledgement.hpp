#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "penstock/base/time.hpp"
#include "penstock/net/wire/bytes.hpp"

namespace penstock::net::layers {

/// Numbers of packets, both included.
struct Range {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

/// The packets that have come, as far as they are still told: the latest of them.
class Received {
 public:
  static constexpr std::size_t kMostRanges = 32;

  /// `first` is of the other end's first packet.
  explicit Received(std::uint64_t first) noexcept : next_(first) {}

  /// How a packet is to be acknowledged.
  enum class Came : std::uint8_t { in_order, out_of_order, again };
  Came note(std::uint64_t number) noexcept;

  /// Highest first.
  [[nodiscard]] std::span<const Range> ranges() const noexcept { return {ranges_.data(), count_}; }

 private:
  void remove(std::size_t place) noexcept;

  std::array<Range, kMostRanges> ranges_{};
  std::size_t count_ = 0;
  std::uint64_t next_;  // in order
};

/// What one end tells the other of what has come: u32 the highest number | u16 how long ago, in
/// units of 16 us | u8 further ranges | u16 packets right below the highest one | for each further
/// range u16 packets that are missing before it, less one | u16 its packets, less one.
struct Acknowledgement {
  static constexpr std::size_t kHead = 9;
  static constexpr std::size_t kEach = 4;
  static constexpr std::size_t kMostBytes = kHead + (Received::kMostRanges - 1) * kEach;

  std::array<Range, Received::kMostRanges> ranges{};
  std::size_t count = 0;
  Nanos delay = 0;

  /// Bytes of write() for so many ranges, of which there is one at least.
  static std::size_t size_of(std::size_t ranges) noexcept { return kHead + (ranges - 1) * kEach; }
  /// The first of them, as far as they are near enough to each other.
  static char* write(char* to, std::span<const Range> ranges, Nanos delay) noexcept;
  /// False: no end sends it to one that has sent no packet from `next` on.
  [[nodiscard]] bool read(wire::Taker& taker, std::uint64_t next) noexcept;
};

}  // namespace penstock::net::layers
