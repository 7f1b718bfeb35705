#pragma once

namespace penstock::concurrent {

/// Tells the core that this is a spin loop: saves power, and the sibling hyper-thread gets on.
#ifdef PENSTOCK_WORLD
void pause() noexcept;  // lets other threads of a simulated world go on (testing/world)
#else
inline void pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#endif
}
#endif

}  // namespace penstock::concurrent
