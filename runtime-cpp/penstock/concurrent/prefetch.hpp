#pragma once

namespace penstock::concurrent {

/// Asks for the cache line at `address`, to be written soon: it comes at once as one's own. Never
/// faults. An instruction of its own on x86-64 (where unknown, it does nothing), because compilers
/// that are not told about it fetch a copy only to read, and the first write waits again.
inline void prefetch_to_write(const void* address) noexcept {
#if defined(__x86_64__)
  asm volatile("prefetchw %0"
               :
               : "m"(*static_cast<const char*>(address)));  // NOLINT(hicpp-no-assembler)
#else
  __builtin_prefetch(address, 1);
#endif
}

}  // namespace penstock::concurrent
