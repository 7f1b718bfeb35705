#include "penstock/call/watch/watchdog.hpp"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>

#include "penstock/call/service/service.hpp"
#include "penstock/call/watch/wait_graph.hpp"
#include "penstock/concurrent/futex.hpp"
#include "penstock/exec/affinity.hpp"

namespace penstock::call {

namespace {

std::string seconds(Nanos nanos) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f s", static_cast<double>(nanos) / 1e9);
  return text.data();
}

std::string name_of(const Implementation& implementation) {
  const std::string service = implementation.service->name.str();
  const Name own = implementation.name();
  return own.empty() ? service : service + "/" + own;
}

std::string name_of(const exec::Worker& worker) {
  return exec::thread_name(worker.pool().name(), worker.index());
}

}  // namespace

Watchdog::Watchdog(Settings settings) : settings_(std::move(settings)) { prepare_stack_reading(); }

Watchdog::~Watchdog() { stop(); }

void Watchdog::start() {
  // Signals are the business of main(): the thread inherits that it gets none.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    thread_ = std::thread([this] { run(); });
  } catch (...) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_setname_np(thread_.native_handle(), "ps-watchdog");
}

void Watchdog::stop() noexcept {
  if (!thread_.joinable()) return;
  stopping_.store(1, std::memory_order_release);
  concurrent::futex_wake(stopping_);
  thread_.join();
}

void Watchdog::enter(exec::Worker& worker) {
  auto thread = std::make_unique<WatchedThread>();
  thread->worker = &worker;
  thread->turn = &t_turn;
  thread->tick = &tick_;
  const std::lock_guard hold(mutex_);
  threads_.push_back(std::move(thread));
  t_turn.watched = threads_.back().get();
  allow_stack_reading(threads_.back()->stack);
}

void Watchdog::leave() noexcept {
  forget_stack_reading();
  const std::lock_guard hold(mutex_);
  std::erase_if(threads_, [](const auto& thread) { return thread.get() == t_turn.watched; });
  t_turn.watched = nullptr;
}

std::vector<Watchdog::Stuck> Watchdog::stuck() const {
  const std::lock_guard hold(stuck_mutex_);
  return stuck_;
}

void Watchdog::run() noexcept {
  Nanos period = settings_.look_every;
  if (settings_.limit != 0) period = std::min(period, settings_.limit / 4 + 1);
  Nanos next = after(now_ns(), period);
  while (stopping_.load(std::memory_order_acquire) == 0) {
    concurrent::futex_wait(stopping_, 0, next);
    const Nanos now = now_ns();
    if (now < next) continue;
    next = after(now, period);
    tick_.fetch_add(1, std::memory_order_relaxed);
    try {
      if (settings_.limit != 0) look_at_handlers(now);
      if (some_wait_is_long()) look_at_waits();
    } catch (const std::bad_alloc&) {
      // Looked at again.
    }
  }
}

void Watchdog::look_at_handlers(Nanos now) {
  const std::lock_guard hold(mutex_);
  for (const auto& thread : threads_) look_at(*thread, now);
  publish();
}

void Watchdog::publish() {
  std::vector<Stuck> stuck;
  for (const auto& thread : threads_) {
    if (!thread->reported) continue;
    stuck.push_back(
        {thread->running, &thread->worker->pool(), thread->worker->index(), thread->since});
  }
  const std::lock_guard hold(stuck_mutex_);
  stuck_ = std::move(stuck);
}

void Watchdog::look_at(WatchedThread& thread, Nanos now) {
  // Relaxed: only what has not changed for long counts.
  const std::uint64_t count = thread.turn->count.load(std::memory_order_relaxed);
  const Implementation* const running = thread.turn->running.load(std::memory_order_relaxed);
  if (running != nullptr && thread.running != nullptr && count == thread.seen) {
    // Of calls that it makes inline, the one that it is at.
    thread.running = running;
    if (!thread.reported && now - thread.since >= settings_.limit) {
      thread.reported = true;
      running->service->registry->shard().add(running->stuck);
      report(thread, now);
    }
    return;
  }
  if (thread.reported) {
    settings_.say("watchdog: " + name_of(*thread.running) + " on thread " +
                  name_of(*thread.worker) + " went on after about " + seconds(now - thread.since));
  }
  thread.reported = false;
  thread.running = running;
  thread.seen = count;
  thread.since = now;
}

void Watchdog::report(WatchedThread& thread, Nanos now) const {
  std::string text = "watchdog: " + name_of(*thread.running) + " has kept thread " +
                     name_of(*thread.worker) + " (tid " + std::to_string(thread.stack.tid) +
                     ") busy for " + seconds(now - thread.since);
  const std::vector<void*> frames = read_stack(thread.stack, settings_.stack_patience);
  text += frames.empty() ? "; its stack cannot be read" : "; its stack:";
  int number = 0;
  for (void* const frame : frames) {
    text += "\n  #" + std::to_string(number++) + " " + name_of_code(frame);
  }
  settings_.say(text);
}

// A list a thread, each locked for itself: busy threads are not held up.
bool Watchdog::some_wait_is_long() const {
  const std::uint64_t now = tick_.load(std::memory_order_relaxed);
  const std::lock_guard hold(mutex_);
  return std::any_of(threads_.begin(), threads_.end(), [now](const auto& thread) {
    const std::lock_guard hold_list(thread->waits.lock);
    for (const Wait* wait = thread->waits.newest; wait != nullptr; wait = wait->next()) {
      if (wait->since() + 2 <= now) return true;
    }
    return false;
  });
}

void Watchdog::look_at_waits() {
  std::vector<std::string> broken;
  {
    const std::lock_guard hold(mutex_);
    std::vector<WatchedThread*> threads;
    threads.reserve(threads_.size());
    for (const auto& thread : threads_) threads.push_back(thread.get());
    // All at once: what is seen is one moment. A thread takes no other lock while it has its own.
    for (WatchedThread* const thread : threads) thread->waits.lock.lock();
    try {
      for (const Cycle& cycle : find_cycles(threads)) {
        if (!break_cycle(cycle)) continue;
        broken.push_back(cycle.names);
        // Before its victim can tell.
        deadlocks_.fetch_add(1, std::memory_order_relaxed);
      }
    } catch (...) {
      for (WatchedThread* const thread : threads) thread->waits.lock.unlock();
      throw;
    }
    for (WatchedThread* const thread : threads) thread->waits.lock.unlock();
  }
  for (const std::string& names : broken) {
    settings_.say("deadlock: " + names + "; the first of them got an error instead of an answer");
  }
}

}  // namespace penstock::call
