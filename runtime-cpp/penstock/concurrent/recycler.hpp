#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <new>

#include "penstock/base/defaults.hpp"

namespace penstock::concurrent {

/// Memory for frames: per-thread lists of blocks in steps of 64 bytes, so that a call costs no
/// malloc after warm-up. A block may be freed on another thread than it came from; it then joins
/// that thread's list. A thread that has two full lists gives one away, and who has no block left
/// takes it (magazines: J. Bonwick and J. Adams, "Magazines and Vmem", 2001): where one thread
/// makes what another one frees, memory does not pile up there. Up to a megabyte of each size lies
/// between the threads. Aligned to a cache line, so that a frame shares its lines with nobody.
/// Under AddressSanitizer every block comes from and goes to malloc, so that a use after free is
/// seen, and in a simulated world (testing/world), so that nothing is left of the world before.
///
/// Any thread; a short lock where a list is given away or taken. Throws std::bad_alloc.
[[nodiscard]] inline void* allocate(std::size_t bytes);
/// `bytes` as given to allocate().
inline void release(void* block, std::size_t bytes) noexcept;

namespace detail {

#if defined(__SANITIZE_ADDRESS__) || defined(PENSTOCK_WORLD)
inline constexpr bool kRecycle = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool kRecycle = false;
#else
inline constexpr bool kRecycle = true;
#endif
#else
inline constexpr bool kRecycle = true;
#endif

inline constexpr std::size_t kBlockStep = 64;
inline constexpr std::size_t kBlockClasses = defaults::kLargestRecycledBytes / kBlockStep;

/// A free block. Each knows how many there are from it to the end of its list, so that neither
/// taking nor giving back counts anything.
struct Block {
  Block* next;  ///< null: not a block, but the end of a list
  std::size_t kept;
};
/// The end of a list that takes blocks, and of one that takes none: blocks are kept only between
/// the first use and the end of the thread. Never written.
inline constinit Block g_open{nullptr, 0};
inline constinit Block g_closed{nullptr, std::numeric_limits<std::size_t>::max()};

struct BlockLists {
  std::array<Block*, kBlockClasses> heads;

  constexpr BlockLists() noexcept : heads() { heads.fill(&g_closed); }
};
// Trivially destructible and constant initialised, so that an access is one load without a guard.
extern constinit thread_local BlockLists t_blocks;

constexpr bool recycled(std::size_t bytes) noexcept {
  return kRecycle && bytes != 0 && bytes <= defaults::kLargestRecycledBytes;
}
/// Of a block for so many.
constexpr std::size_t block_bytes(std::size_t bytes) noexcept {
  return (bytes + kBlockStep - 1) / kBlockStep * kBlockStep;
}
/// Blocks in a full list.
constexpr std::size_t most_kept(std::size_t bytes) noexcept {
  return defaults::kRecycledListBytes / block_bytes(bytes);
}
[[nodiscard]] void* allocate_slowly(std::size_t bytes);
void release_slowly(void* block, std::size_t bytes) noexcept;

}  // namespace detail

void* allocate(std::size_t bytes) {
  if (detail::recycled(bytes)) {
    const std::size_t index = (bytes - 1) / detail::kBlockStep;
    detail::Block* const block = detail::t_blocks.heads[index];
    if (detail::Block* const next = block->next) [[likely]] {
      detail::t_blocks.heads[index] = next;
      return block;
    }
  }
  return detail::allocate_slowly(bytes);
}

void release(void* memory, std::size_t bytes) noexcept {
  if (detail::recycled(bytes)) {
    const std::size_t index = (bytes - 1) / detail::kBlockStep;
    detail::Block* const head = detail::t_blocks.heads[index];
    const std::size_t kept = head->kept;
    if (kept < detail::most_kept(bytes)) [[likely]] {
      detail::t_blocks.heads[index] = ::new (memory) detail::Block{head, kept + 1};
      return;
    }
  }
  detail::release_slowly(memory, bytes);
}

/// A standard allocator on top of it, for short vectors on the hot path.
template <class T>
struct RecyclingAllocator {
  using value_type = T;
  RecyclingAllocator() = default;
  template <class U>
  RecyclingAllocator(const RecyclingAllocator<U>& /*other*/) noexcept {}  // NOLINT: as std wants it
  [[nodiscard]] T* allocate(std::size_t count) {
    return static_cast<T*>(concurrent::allocate(count * sizeof(T)));
  }
  void deallocate(T* block, std::size_t count) noexcept {
    concurrent::release(block, count * sizeof(T));
  }
  friend bool operator==(RecyclingAllocator, RecyclingAllocator) noexcept { return true; }
};

}  // namespace penstock::concurrent
