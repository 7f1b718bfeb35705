#include "penstock/app/pools/cached_pools.hpp"

#include <algorithm>

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
  bool grew = false;
  bool untold = false;
  while (!stop_.load(std::memory_order_acquire)) {
    // Below a millisecond nothing is looked at: what is full stays so for a moment in any case.
    if (grew) {
      concurrent::futex_wait(hungry_, hungry_.load(std::memory_order_acquire),
                             after(now_ns(), defaults::kCachedGrowNanos));
    } else {
      concurrent::futex_wait(hungry_, 0, after(now_ns(), defaults::kCachedLookNanos));
    }
    hungry_.store(0, std::memory_order_release);
    grew = false;
    try {
      {
        const std::lock_guard hold(mutex_);
        const Nanos now = now_ns();
        for (Entry& entry : pools_) {
          if (look_at(entry, now)) grew = untold = true;
        }
      }
      if (untold) changed_();
      untold = false;
    } catch (...) {
      // No memory, say: the rest of this look is left out, the next one comes.
    }
  }
}

// True when it has another number of threads now.
bool CachedPools::look_at(Entry& entry, Nanos now) {
  exec::Pool& pool = *entry.pool;
  const unsigned threads = pool.size();
  const unsigned busy = pool.busy();
  entry.most_busy = std::max(entry.most_busy, busy);
  if (busy >= threads && pool.depth().queued != 0 && threads < defaults::kMostCachedThreads) {
    return pool.resize(std::min(threads * 2, defaults::kMostCachedThreads)) != threads;
  }
  if (now - entry.looked < idle_) return false;
  const unsigned needed = std::max(entry.most_busy, 1U);
  entry.most_busy = busy;
  entry.looked = now;
  // Without patience: a thread that leaves may be at work for long, and other pools are to grow.
  return needed < threads && pool.resize(needed, 0) != threads;
}

}  // namespace penstock::app
