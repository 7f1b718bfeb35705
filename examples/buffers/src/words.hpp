#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace buffers {

/// The XOR of all words of 8 bytes.
inline std::uint64_t combined(std::span<const std::byte> bytes) {
  std::uint64_t all = 0;
  for (; bytes.size() >= sizeof all; bytes = bytes.subspan(sizeof all)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    all ^= word;
  }
  return all;
}

/// Another word at each place.
inline void fill(std::span<std::byte> bytes) {
  std::uint64_t word = 1;
  for (; bytes.size() >= sizeof word; bytes = bytes.subspan(sizeof word)) {
    word = word * 6364136223846793005U + 1442695040888963407U;
    std::memcpy(bytes.data(), &word, sizeof word);
  }
}

}  // namespace buffers
