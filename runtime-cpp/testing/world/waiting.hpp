#pragma once

#include <climits>
#include <cstdint>

namespace penstock::world {

inline constexpr int kAll = INT_MAX;

/// The calling thread waits until it is woken at this address, until `deadline_ns` (0: never), or,
/// now and then, for no reason. True: it was woken. What was looked at before is still so when it
/// begins to wait: nobody else runs in between.
/// `where` is its address in the trace; null: that of the call.
bool wait_at(const void* address, std::int64_t deadline_ns = 0,
             const void* where = nullptr) noexcept;
/// Lets up to `count` of those go on that wait there, whichever.
void wake_at(const void* address, int count) noexcept;
/// One more look in vain: others first, and time passes.
void pause() noexcept;
/// The world's clock; in no world the real one.
[[nodiscard]] std::int64_t now() noexcept;
/// Drawn: a weak compare-and-exchange fails.
[[nodiscard]] bool fails_for_nothing() noexcept;

}  // namespace penstock::world
