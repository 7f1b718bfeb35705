#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "penstock/concurrent/prefetch.hpp"
#include "penstock/concurrent/recycler.hpp"
#include "penstock/flow/event/event.hpp"

/// Free events, kept as they are made, so that the next event writes only what differs. Per thread,
/// by the size of their values. Most events end on another thread than where they were made: a
/// thread that has too many hands a batch over to those that have none (Bonwick and Adams,
/// "Magazines and Vmem", 2001), so that no event costs a malloc after warm-up, wherever it ends.
///
/// Under AddressSanitizer every event comes from and goes to malloc, so that a use after free is
/// seen.
namespace penstock::flow {

/// An event without stage and value, for values of up to `value_bytes`. Any thread. Throws
/// std::bad_alloc.
[[nodiscard]] inline Event& take_event(std::size_t value_bytes);
/// Takes back an event that is as new (reset(), no value). Any thread; `value_bytes` as when taken.
inline void give_back_event(Event& event, std::size_t value_bytes) noexcept;

namespace detail {

inline constexpr std::size_t kValueStep = 64;
inline constexpr std::size_t kEventClasses =
    (defaults::kLargestRecycledBytes - Event::kValueOffset) / kValueStep + 1;

/// A thread's free events of one size: those from `begin` up to `top`. All null before its first
/// use and after the thread's end.
struct EventList {
  Event** begin = nullptr;
  Event** top = nullptr;
  Event** end = nullptr;
};
// Trivially destructible and constant initialised, so that an access is one load without a guard.
extern constinit thread_local std::array<EventList, kEventClasses> t_events;

[[nodiscard]] constexpr std::size_t class_of(std::size_t value_bytes) noexcept {
  return (value_bytes + kValueStep - 1) / kValueStep;
}
[[nodiscard]] Event& take_slowly(std::size_t value_bytes);
void give_back_slowly(Event& event, std::size_t value_bytes) noexcept;

}  // namespace detail

Event& take_event(std::size_t value_bytes) {
  const std::size_t index = detail::class_of(value_bytes);
  if (concurrent::detail::kRecycle && index < detail::kEventClasses) [[likely]] {
    detail::EventList& list = detail::t_events[index];
    if (list.top != list.begin) [[likely]] {
      Event* const event = *--list.top;
      // Those that are next to be written; the lines may be another core's still.
      if (list.top - list.begin > 2) {
        const auto* const bytes = reinterpret_cast<const std::byte*>(list.top[-3]);
        concurrent::prefetch_to_write(bytes);
        concurrent::prefetch_to_write(bytes + Event::kValueOffset);
      }
      return *event;
    }
  }
  return detail::take_slowly(value_bytes);
}

void give_back_event(Event& event, std::size_t value_bytes) noexcept {
  const std::size_t index = detail::class_of(value_bytes);
  if (concurrent::detail::kRecycle && index < detail::kEventClasses) [[likely]] {
    detail::EventList& list = detail::t_events[index];
    if (list.top != list.end) [[likely]] {
      *list.top++ = &event;
      return;
    }
  }
  detail::give_back_slowly(event, value_bytes);
}

}  // namespace penstock::flow
