#pragma once

#include <atomic>
#include <cstdint>

#include "penstock/base/time.hpp"

/// The kernel's wait-on-an-address, process private. std::atomic::wait has no timeout and takes a
/// detour through a table of waiters.
namespace penstock::concurrent {

/// Sleeps while `word` holds `expected`. Returns on a wake, on a changed word, at `deadline_ns`
/// (monotonic; 0: never) or for no reason: look at the word again. Makes nothing visible; load the
/// word with acquire for that.
void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected,
                Nanos deadline_ns = 0) noexcept;

/// Wakes up to `count` threads that sleep on `word`. The word may be gone already: only its
/// address is used.
void futex_wake(const std::atomic<std::uint32_t>& word, int count = 1) noexcept;

}  // namespace penstock::concurrent
