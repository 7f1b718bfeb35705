#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

/// operator new and delete of a whole program, for one of its test files (`*.counted.cpp`, which no
/// sanitizer runs): they count, and fail where they are told to.
namespace penstock::testing {

/// Allocations of all threads.
inline std::atomic<std::uint64_t> g_allocations{0};
/// The calling thread gets no memory.
inline thread_local bool t_no_memory = false;
/// The calling thread gets no memory once: this many allocations from here; 0: it gets all.
inline thread_local std::uint64_t t_fails_at = 0;

inline void* counted(std::size_t bytes, std::size_t alignment) {
  if (t_no_memory || (t_fails_at != 0 && --t_fails_at == 0)) throw std::bad_alloc();
  g_allocations.fetch_add(1, std::memory_order_relaxed);
  const std::size_t steps = (bytes + alignment - 1) / alignment;
  void* const block = std::aligned_alloc(alignment, (steps == 0 ? 1 : steps) * alignment);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

/// Out of sight of the compiler, which would take the pair of new and free for a mistake.
[[gnu::noinline]] inline void give_back(void* block) noexcept { std::free(block); }

}  // namespace penstock::testing

void* operator new(std::size_t bytes) {
  return penstock::testing::counted(bytes, alignof(std::max_align_t));
}
void* operator new[](std::size_t bytes) {
  return penstock::testing::counted(bytes, alignof(std::max_align_t));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return penstock::testing::counted(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return penstock::testing::counted(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* block) noexcept { penstock::testing::give_back(block); }
void operator delete[](void* block) noexcept { penstock::testing::give_back(block); }
void operator delete(void* block, std::size_t /*bytes*/) noexcept {
  penstock::testing::give_back(block);
}
void operator delete[](void* block, std::size_t /*bytes*/) noexcept {
  penstock::testing::give_back(block);
}
void operator delete(void* block, std::align_val_t /*alignment*/) noexcept {
  penstock::testing::give_back(block);
}
void operator delete[](void* block, std::align_val_t /*alignment*/) noexcept {
  penstock::testing::give_back(block);
}
void operator delete(void* block, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept {
  penstock::testing::give_back(block);
}
void operator delete[](void* block, std::size_t /*bytes*/,
                       std::align_val_t /*alignment*/) noexcept {
  penstock::testing::give_back(block);
}
