#pragma once

#include <cstdint>

#include "penstock/metrics/registry.hpp"

namespace penstock::app {

/// What came so far, and what of it has ended.
struct Tally {
  std::uint64_t came = 0;
  std::uint64_t ended = 0;

  [[nodiscard]] bool nothing_left() const noexcept { return came <= ended; }
  friend bool operator==(const Tally&, const Tally&) = default;
};

/// What of requests and events has ended; `services` and `flows` are ranges of pointers.
template <class Services, class Flows>
[[nodiscard]] std::uint64_t count_ended(const Services& services, const Flows& flows,
                                        const metrics::Registry& registry) {
  std::uint64_t ended = 0;
  for (const auto& service : services) ended += service->done_count();
  for (const auto& flow : flows) {
    const auto& ids = flow->counters();
    for (const std::uint32_t id : {ids.completed, ids.failed, ids.dropped})
      ended += registry.count(id);
  }
  return ended;
}

/// What of them came.
template <class Services, class Flows>
[[nodiscard]] std::uint64_t count_came(const Services& services, const Flows& flows,
                                       const metrics::Registry& registry) {
  std::uint64_t came = 0;
  for (const auto& service : services) came += service->sent_count();
  for (const auto& flow : flows) came += registry.count(flow->counters().emitted);
  return came;
}

/// Whether nothing is under way any more, where nothing comes from outside: by two looks that see
/// the same, and nobody at work in between. `tally` reads all that ended before anything that came:
/// read in turns, what moves from one counter to another meanwhile would be in neither.
template <class TallyUp, class Busy>
[[nodiscard]] bool is_quiet(const TallyUp& tally, const Busy& busy) {
  const Tally before = tally();
  return before.nothing_left() && !busy() && tally() == before;
}

}  // namespace penstock::app
