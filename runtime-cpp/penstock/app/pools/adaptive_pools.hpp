#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "penstock/app/pools/pool_controller.hpp"
#include "penstock/exec/pool.hpp"

namespace penstock::app {

/// Pools with bounds: each has a controller, which is at work until somebody else changes the pool,
/// and again when it is told so. Its thread, `ps-adapt`, is there once there is such a pool.
class AdaptivePools {
 public:
  /// Between two looks: twenty an interval, less than 0.1 % of a core.
  static constexpr Nanos kLook = 50'000'000;
  static constexpr Nanos kNever = Nanos{1} << 62U;

  struct Hooks {
    /// How many requests have left the queue of a pool, since some beginning.
    std::function<std::uint64_t(const exec::Pool&)> left;
    /// Carries a step out, by the rules of any other change. False: refused.
    std::function<bool(exec::Pool&, const PoolStep&)> take;
    /// What else changes the binary by itself: looked at before the pools, by the same thread.
    std::function<void(Nanos now)> also = {};
    /// state_of() says something else than before, by a step.
    std::function<void()> changed = {};
  };
  enum class By : std::uint8_t { nobody, person, controller };
  struct State {
    Bounds bounds;
    bool on = true;           ///< the controller is at work
    By by = By::nobody;       ///< who changed the threads last
    std::uint64_t steps = 0;  ///< of the controller, since the start
    Nanos waited = 0;         ///< PoolStep::waited of the last one
  };

  explicit AdaptivePools(Hooks hooks) : hooks_(std::move(hooks)) {}
  AdaptivePools(const AdaptivePools&) = delete;
  AdaptivePools& operator=(const AdaptivePools&) = delete;
  /// Stops.
  ~AdaptivePools() { static_cast<void>(stop(kNever)); }

  // --- any thread ---

  /// No step while it is held; whoever changes threads, pins or joins of the binary holds it.
  [[nodiscard]] std::unique_lock<std::mutex> hold() { return std::unique_lock(steps_); }
  /// None: it has no bounds. Does not wait for a step.
  [[nodiscard]] std::optional<State> state_of(const exec::Pool& pool) const;

  /// The controllers go to work; `others`: there is something that Hooks::also looks at. Throws
  /// std::system_error when the system gives no thread.
  void start(bool others = false);
  /// No step any more once it returns true. False: a change waited for user code, a handler's
  /// constructor say, until the deadline; none begins by itself any more.
  [[nodiscard]] bool stop(Nanos deadline) noexcept;
  /// Looks at every pool, as its thread does; `now` grows from call to call.
  void look(Nanos now);

  // --- any thread, with hold() ---

  /// Bounds for a pool, whose controller goes to work. As start(), and then nothing has changed.
  void set(exec::Pool& pool, Bounds bounds, By by);
  /// A person changed the pool: its controller rests. Nothing for a pool without bounds.
  void rest(const exec::Pool& pool);

 private:
  struct Entry {
    exec::Pool* pool;
    PoolController controller;
    State state;
  };

  void run() noexcept;
  void start_thread();
  [[nodiscard]] Entry* find(const exec::Pool& pool);

  const Hooks hooks_;
  std::mutex steps_;           // before the next one
  mutable std::mutex states_;  // who holds steps_ and this may write, who holds one may read
  std::vector<Entry> pools_;
  bool started_ = false;                // guarded by steps_
  std::thread thread_;                  // guarded by steps_
  std::atomic<std::uint32_t> stop_{0};  // futex word
};

}  // namespace penstock::app
