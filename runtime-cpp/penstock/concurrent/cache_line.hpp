#pragma once

#include <cstddef>

namespace penstock::concurrent {

/// Bytes that move between cores as one, doubled because the prefetcher of x86 fetches pairs of
/// 64-byte lines: two cells in one pair disturb each other as if they shared a line. Not
/// std::hardware_destructive_interference_size: that may differ between compiler flags and would
/// change the layout of a struct between library and user.
inline constexpr std::size_t kCacheLine = 128;

/// Bytes that a cache fetches at once: what the parts of one object are laid out by.
inline constexpr std::size_t kLine = 64;

/// A value with its cache lines for itself.
template <class T>
struct alignas(kCacheLine) Padded {
  T value{};
};

}  // namespace penstock::concurrent
