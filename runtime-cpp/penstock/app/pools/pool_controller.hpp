#pragma once

#include <compare>
#include <cstdint>
#include <optional>

#include "penstock/base/time.hpp"

namespace penstock::app {

/// The fewest and the most threads of a pool whose threads come and go: 1 <= from <= to.
struct Bounds {
  unsigned from = 1;
  unsigned to = 1;
};

/// A pool at one moment.
struct PoolLook {
  Nanos at = 0;
  unsigned threads = 0;
  unsigned busy = 0;          ///< threads at work
  std::uint64_t waiting = 0;  ///< in its queue, and in front of it
  std::uint64_t left = 0;     ///< that have left its queue, since some beginning
};

/// Another number of threads for a pool.
struct PoolStep {
  unsigned threads = 0;
  Nanos waited = 0;  ///< by the one that waited least in the interval before
  bool operator==(const PoolStep&) const = default;
};

/// Decides how many threads a pool shall have, from looks at it several times a second. It knows no
/// clock: times come with the looks.
///
/// A queue that is there all the time is what CoDel (Nichols and Jacobson, 2012) calls a bad one: a
/// burst is gone after a moment, and then the least that anybody waited is nothing. So what counts
/// is the minimum over an interval of a second of the queue's delay (what waits over what leaves a
/// second). Where that is above the target and the threads are all at work, there is one more;
/// where nobody waits and one fewer would still be idle a good part of its time, for several
/// intervals in a row, one fewer. Who has to take a thread back that it gave away a moment ago is
/// more patient from then on, for a while: that ends swinging.
class PoolController {
 public:
  /// What the least of a queue's delays may be within an interval: CoDel's target. A wait of a few
  /// milliseconds is nothing beside what blocks a thread, and another thread costs a stack.
  static constexpr Nanos kTarget = 5'000'000;
  /// One step in so long, at most: a thread that was just started shows what it does.
  static constexpr Nanos kInterval = 1'000'000'000;
  /// Calm intervals before a thread leaves: at first, and at most.
  static constexpr unsigned kPatience = 5;
  static constexpr unsigned kMostPatience = 80;

  explicit PoolController(Bounds bounds) noexcept : bounds_(bounds) {}

  /// None: it stays as it is; else one thread more or less, once an interval at most.
  [[nodiscard]] std::optional<PoolStep> look(const PoolLook& look) noexcept;
  /// The step that the last look decided on was not taken: nothing was given away.
  void refused() noexcept {
    calm_ = 0;
    gave_away_ = false;
  }

 private:
  void begin(const PoolLook& look) noexcept;
  [[nodiscard]] std::optional<PoolStep> decide(const PoolLook& look) noexcept;
  [[nodiscard]] PoolStep grow(const PoolLook& look, Nanos waited) noexcept;

  Bounds bounds_;
  // The interval: it begins with a look, and ends with the first one that is late enough.
  PoolLook first_;
  std::uint64_t looks_ = 0;  // within it; 0: none has begun
  std::uint64_t busy_ = 0;   // threads at work, summed over the looks
  std::uint64_t least_ = 0;  // fewest that waited
  // Intervals.
  unsigned calm_ = 0;  // in a row with a thread too many
  unsigned patience_ = kPatience;
  unsigned steady_ = 0;     // since the last time it was wrong
  bool gave_away_ = false;  // the last step was one thread less
};

}  // namespace penstock::app
