#pragma once

#include <cstdint>

namespace penstock::world {

/// Steps until the running thread may be interrupted; in no world practically never.
extern std::int64_t steps_left;
/// Writes to atomics so far: who only looks makes no progress (World::pause).
extern std::uint64_t writes;

/// Another thread may go on here. Its address is what the trace shows.
void interrupt() noexcept;

/// No other thread goes on here as long as this is there. What waits must not be called.
class Uninterrupted {
 public:
  Uninterrupted() noexcept : left_(steps_left) { steps_left = INT64_MAX; }
  Uninterrupted(const Uninterrupted&) = delete;
  Uninterrupted& operator=(const Uninterrupted&) = delete;
  ~Uninterrupted() { steps_left = left_; }

 private:
  const std::int64_t left_;
};

/// In front of every operation on an atomic. Always part of its caller, as the operations are: the
/// trace names the place that they stand at.
[[gnu::always_inline]] inline void step() noexcept {
  if (--steps_left <= 0) [[unlikely]]
    interrupt();
}

/// The same for one that writes.
[[gnu::always_inline]] inline void step_to_write() noexcept {
  step();
  ++writes;
}

}  // namespace penstock::world
