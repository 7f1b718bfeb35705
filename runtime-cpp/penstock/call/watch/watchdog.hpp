#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "penstock/base/defaults.hpp"
#include "penstock/call/await/watched_thread.hpp"

namespace penstock::exec {
class Pool;
}

namespace penstock::call {

/// Looks after a binary's workers from a thread of its own: reports a handler that does not come
/// back, with its stack, and breaks cycles of waits, whose members would never come back.
///
/// Workers pay a few plain stores a handler (Activating) and read no clock: what a thread runs is
/// sampled here.
class Watchdog {
 public:
  struct Settings {
    /// A handler that runs longer without a pause is reported; 0: none is.
    Nanos limit = defaults::kWatchdogNanos;
    /// Between two looks. A cycle of waits is broken after two to three of them.
    Nanos look_every = defaults::kWatchdogLookNanos;
    /// A thread that is asked for its stack has so long to give it.
    Nanos stack_patience = defaults::kStackPatienceNanos;
    /// Takes a report of one or more lines. On the watchdog's thread.
    std::function<void(const std::string& text)> say;
  };

  explicit Watchdog(Settings settings);
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  /// Stops.
  ~Watchdog();

  /// Thread `ps-watchdog`. Throws std::system_error.
  void start();
  void stop() noexcept;

  /// The calling worker's thread is looked after from now on, until leave(). Throws std::bad_alloc.
  void enter(exec::Worker& worker);
  void leave() noexcept;

  /// A handler that has run too long and still does.
  struct Stuck {
    const Implementation* implementation = nullptr;
    const exec::Pool* pool = nullptr;
    unsigned thread = 0;  ///< index in the pool
    Nanos since = 0;      ///< at the latest
  };
  /// Any thread.
  [[nodiscard]] std::vector<Stuck> stuck() const;
  /// Cycles of waits that were broken. Any thread.
  [[nodiscard]] std::uint64_t deadlocks() const noexcept {
    return deadlocks_.load(std::memory_order_relaxed);
  }

 private:
  void run() noexcept;
  void look_at_handlers(Nanos now);
  void look_at(WatchedThread& thread, Nanos now);
  void report(WatchedThread& thread, Nanos now) const;
  void publish();
  void look_at_waits();
  [[nodiscard]] bool some_wait_is_long() const;

  const Settings settings_;
  std::atomic<std::uint32_t> stopping_{0};  // futex word
  std::atomic<std::uint64_t> tick_{0};
  std::atomic<std::uint64_t> deadlocks_{0};
  mutable std::mutex mutex_;  // guards the list and the watchdog's notes in it
  std::vector<std::unique_ptr<WatchedThread>> threads_;
  mutable std::mutex stuck_mutex_;  // guards what stuck() gives: never held for long
  std::vector<Stuck> stuck_;
  std::thread thread_;
};

}  // namespace penstock::call
