#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "penstock/base/defaults.hpp"
#include "penstock/exec/pool.hpp"

namespace penstock::app {

/// Gives the pools of `cached` joins as many threads as there is work for: one that has none idle
/// when an event comes grows within a millisecond or two, threads that were not needed for some
/// seconds leave. Its thread, `ps-cached`, is there once there is such a join.
class CachedPools {
 public:
  /// `changed` is told, on its thread, when a pool has another number of threads. A pool keeps the
  /// threads that were busy at once within `idle`.
  explicit CachedPools(std::function<void()> changed, Nanos idle = defaults::kCachedIdleNanos)
      : changed_(std::move(changed)), idle_(idle) {}
  CachedPools(const CachedPools&) = delete;
  CachedPools& operator=(const CachedPools&) = delete;
  ~CachedPools();

  // Any thread.
  /// After it add() of one pool more does not throw. Throws std::system_error when the system gives
  /// no thread, std::bad_alloc.
  void prepare();
  /// prepare() included.
  void add(exec::Pool& pool);
  /// Nothing when it is not there.
  void remove(exec::Pool& pool);
  [[nodiscard]] bool has(const exec::Pool& pool);

 private:
  struct Entry {
    exec::Pool* pool = nullptr;
    unsigned most_busy = 1;  // since `looked`
    Nanos looked = 0;
    Nanos grown = 0;             // when it grew last
    std::uint64_t grows_at = 0;  // requests that were taken once all of its threads had one
  };
  enum class Look : std::uint8_t {
    done,
    full,     ///< and threads of it are on their way to what waits
    changed,  ///< it has another number of threads
  };

  void make_ready();
  void run() noexcept;
  [[nodiscard]] static bool awaits_help(const Entry& entry, Nanos now) noexcept;
  [[nodiscard]] Look look_at(Entry& entry, Nanos now);

  const std::function<void()> changed_;
  const Nanos idle_;
  std::mutex mutex_;
  std::vector<Entry> pools_;
  std::atomic<std::uint32_t> hungry_{0};  // futex word: a pool had no idle thread
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace penstock::app
