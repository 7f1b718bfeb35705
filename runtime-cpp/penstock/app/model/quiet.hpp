#pragma once

#include <cstdint>

namespace penstock::app {

/// What came so far, and what of it has ended.
struct Tally {
  std::uint64_t came = 0;
  std::uint64_t ended = 0;

  [[nodiscard]] bool nothing_left() const noexcept { return came <= ended; }
  friend bool operator==(const Tally&, const Tally&) = default;
};

/// Whether nothing is under way any more, where nothing comes from outside: by two looks that see
/// the same, and nobody at work in between. `tally` reads all that ended before anything that came:
/// read in turns, what moves from one counter to another meanwhile would be in neither.
template <class TallyUp, class Busy>
[[nodiscard]] bool is_quiet(const TallyUp& tally, const Busy& busy) {
  const Tally before = tally();
  return before.nothing_left() && !busy() && tally() == before;
}

}  // namespace penstock::app
