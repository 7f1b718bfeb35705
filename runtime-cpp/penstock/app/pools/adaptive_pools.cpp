#include "penstock/app/pools/adaptive_pools.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "penstock/base/context.hpp"
#include "penstock/base/quiet_thread.hpp"
#include "penstock/concurrent/futex.hpp"

namespace penstock::app {

AdaptivePools::Entry* AdaptivePools::find(const exec::Pool& pool) {
  const auto found = std::find_if(pools_.begin(), pools_.end(),
                                  [&pool](const Entry& entry) { return entry.pool == &pool; });
  return found == pools_.end() ? nullptr : &*found;
}

std::optional<AdaptivePools::State> AdaptivePools::state_of(const exec::Pool& pool) const {
  const std::lock_guard hold(states_);
  for (const Entry& entry : pools_) {
    if (entry.pool == &pool) return entry.state;
  }
  return std::nullopt;
}

void AdaptivePools::start(bool others) {
  const std::lock_guard hold(steps_);
  started_ = true;
  if (!pools_.empty() || others) start_thread();
}

void AdaptivePools::start_thread() {
  if (!started_ || thread_.joinable()) return;
  thread_ = start_quiet_thread("ps-adapt", [this] { run(); });
}

bool AdaptivePools::stop(Nanos deadline) noexcept {
  // First: a look that comes later changes nothing.
  stop_.store(1, std::memory_order_release);
  concurrent::futex_wake(stop_);
  std::unique_lock hold(steps_, std::try_to_lock);
  while (!hold.owns_lock()) {
    if (now_ns() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    static_cast<void>(hold.try_lock());
  }
  started_ = false;
  std::thread leaving = std::move(thread_);
  hold.unlock();
  if (leaving.joinable()) leaving.join();
  return true;
}

void AdaptivePools::set(exec::Pool& pool, Bounds bounds, By by) {
  start_thread();
  const std::lock_guard hold(states_);
  Entry* entry = find(pool);
  if (entry == nullptr) {
    entry = &pools_.emplace_back(Entry{&pool, PoolController(bounds), {}});
  } else {
    entry->controller = PoolController(bounds);
  }
  entry->state.bounds = bounds;
  entry->state.on = true;
  entry->state.by = by;
}

void AdaptivePools::rest(const exec::Pool& pool) {
  const std::lock_guard hold(states_);
  Entry* const entry = find(pool);
  if (entry == nullptr) return;
  entry->state.on = false;
  entry->state.by = By::person;
}

void AdaptivePools::run() noexcept {
  while (stop_.load(std::memory_order_acquire) == 0) {
    concurrent::futex_wait(stop_, 0, after(now_ns(), kLook));
    try {
      look(now_ns());
    } catch (...) {
      // No memory, say: this look is left out, the next one comes.
    }
  }
}

void AdaptivePools::look(Nanos now) {
  const std::lock_guard hold(steps_);
  if (hooks_.also && stop_.load(std::memory_order_relaxed) == 0) hooks_.also(now);
  for (Entry& entry : pools_) {
    if (!entry.state.on || stop_.load(std::memory_order_relaxed) != 0) continue;
    exec::Pool& pool = *entry.pool;
    const exec::Pool::Depth depth = pool.depth();
    const auto step = entry.controller.look({.at = now,
                                             .threads = pool.size(),
                                             .busy = pool.busy(),
                                             .waiting = depth.queued + depth.blocked,
                                             .left = hooks_.left(pool)});
    if (!step) continue;
    if (!hooks_.take(pool, *step)) {
      entry.controller.refused();
      continue;
    }
    {
      const std::lock_guard write(states_);
      entry.state.by = By::controller;
      ++entry.state.steps;
      entry.state.waited = step->waited;
    }
    // Who was told of the change may have looked before this was written.
    if (hooks_.changed) hooks_.changed();
  }
}

}  // namespace penstock::app
