#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace penstock::net::layers {

/// Bytes on their way down. Before them is room for the headers of all layers below, which may
/// write there: whoever keeps the bytes keeps that room with them.
struct Packet {
  char* begin = nullptr;
  std::size_t size = 0;

  /// Its `count` new first bytes.
  char* prepend(std::size_t count) noexcept {
    begin -= count;
    size += count;
    return begin;
  }
  [[nodiscard]] std::string_view bytes() const noexcept { return {begin, size}; }
};

/// Numbers of 32 bits on the wire are of 64 here, from 2^32 on, so that none is below another's
/// window. The one nearest to `near` with these lower bits.
[[nodiscard]] inline std::uint64_t whole_number(std::uint32_t low, std::uint64_t near) noexcept {
  const auto away = static_cast<std::int32_t>(low - static_cast<std::uint32_t>(near));
  return near + static_cast<std::uint64_t>(static_cast<std::int64_t>(away));
}
inline constexpr std::uint64_t kNumbersFrom = std::uint64_t{1} << 32U;

/// How far ahead of the oldest packet that is missing another one may be.
inline constexpr std::uint64_t kWindow = 1024;

}  // namespace penstock::net::layers
