#pragma once

#include <malloc.h>

#include <cstddef>

namespace compare {

inline constexpr double kMebibyte = 1024.0 * 1024.0;

/// Bytes that malloc has given out.
[[nodiscard]] inline std::size_t heap_in_use() noexcept {
  const struct mallinfo2 now = mallinfo2();
  return now.uordblks + now.hblkhd;
}

/// How many things fit into a MiB, when `count` of them took the heap from `before` to now.
[[nodiscard]] inline double per_mebibyte(std::size_t count, std::size_t before) noexcept {
  return static_cast<double>(count) * kMebibyte / static_cast<double>(heap_in_use() - before);
}

}  // namespace compare
