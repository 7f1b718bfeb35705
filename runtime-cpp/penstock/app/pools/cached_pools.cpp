#include "penstock/app/pools/cached_pools.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "penstock/base/context.hpp"
#include "penstock/base/defaults.hpp"
#include "penstock/base/quiet_thread.hpp"
#include "penstock/concurrent/futex.hpp"

namespace penstock::app {

CachedPools::~CachedPools() {
  if (!thread_.joinable()) return;
  stop_.store(true, std::memory_order_release);
  hungry_.store(1, std::memory_order_release);
  concurrent::futex_wake(hungry_);
  thread_.join();
}

void CachedPools::prepare() {
  const std::lock_guard hold(mutex_);
  make_ready();
}

void CachedPools::make_ready() {
  pools_.reserve(pools_.size() + 1);
  if (!thread_.joinable()) {
    thread_ = start_quiet_thread("ps-cached", [this] { run(); });
  }
}

void CachedPools::add(exec::Pool& pool) {
  const std::lock_guard hold(mutex_);
  make_ready();
  pools_.push_back({&pool, 1, now_ns()});
  pool.tell_when_busy(&hungry_);
}

void CachedPools::remove(exec::Pool& pool) {
  const std::lock_guard hold(mutex_);
  pool.tell_when_busy(nullptr);
  std::erase_if(pools_, [&pool](const Entry& entry) { return entry.pool == &pool; });
}

bool CachedPools::has(const exec::Pool& pool) {
  const std::lock_guard hold(mutex_);
  return std::any_of(pools_.begin(), pools_.end(),
                     [&pool](const Entry& entry) { return entry.pool == &pool; });
}

void CachedPools::run() noexcept {
  bool soon = false;
  bool untold = false;
  while (!stop_.load(std::memory_order_acquire)) {
    // Below a millisecond nothing is looked at: what is full stays so for a moment in any case.
    if (soon) {
      concurrent::futex_wait(hungry_, hungry_.load(std::memory_order_acquire),
                             after(now_ns(), defaults::kCachedGrowNanos));
    } else {
      concurrent::futex_wait(hungry_, 0, after(now_ns(), defaults::kCachedLookNanos));
    }
    hungry_.store(0, std::memory_order_release);
    soon = false;
    try {
      {
        const std::lock_guard hold(mutex_);
        const Nanos now = now_ns();
        for (Entry& entry : pools_) {
          const Look look = look_at(entry, now);
          if (look != Look::done) soon = true;
          if (look == Look::changed) untold = true;
        }
      }
      if (untold) changed_();
      untold = false;
    } catch (...) {
      // No memory, say: the rest of this look is left out, the next one comes.
    }
  }
}

// Threads that were added have taken nothing yet: where there is too little processor time, or the
// machine stood still, more of them would not come to it sooner.
bool CachedPools::awaits_help(const Entry& entry, Nanos now) noexcept {
  return entry.pool->taken_of_shared() < entry.grows_at &&
         now - entry.grown < defaults::kCachedAwaitNanos;
}

CachedPools::Look CachedPools::look_at(Entry& entry, Nanos now) {
  exec::Pool& pool = *entry.pool;
  const unsigned threads = pool.size();
  const unsigned busy = pool.busy();
  entry.most_busy = std::max(entry.most_busy, busy);
  const exec::Pool::Depth depth = pool.depth();
  if (busy >= threads && depth.queued != 0 && threads < defaults::kMostCachedThreads) {
    if (awaits_help(entry, now)) return Look::full;
    const std::uint64_t wanted =
        threads + std::min<std::uint64_t>(threads, depth.queued + depth.blocked);
    const std::uint64_t taken = pool.taken_of_shared();
    const unsigned grown = pool.resize(
        static_cast<unsigned>(std::min<std::uint64_t>(wanted, defaults::kMostCachedThreads)));
    entry.grown = now;
    if (grown == threads) {
      // The system gives none: to ask it again at each request would cost more than it could help.
      entry.grows_at = std::numeric_limits<std::uint64_t>::max();
      return Look::full;
    }
    entry.grows_at = taken + (grown > threads ? grown - threads : 0);
    return Look::changed;
  }
  if (now - entry.looked < idle_) return Look::done;
  const unsigned needed = std::max(entry.most_busy, 1U);
  entry.most_busy = busy;
  entry.looked = now;
  // Without patience: a thread that leaves may be at work for long, and other pools are to grow.
  return needed < threads && pool.resize(needed, 0) != threads ? Look::changed : Look::done;
}

}  // namespace penstock::app
