#include "penstock/flow/paced_source.hpp"

#include <pthread.h>
#include <sys/prctl.h>

#include <cmath>

#include "penstock/base/defaults.hpp"
#include "penstock/concurrent/futex.hpp"
#include "penstock/exec/affinity.hpp"

namespace penstock::flow {

namespace {

// The k-th event's time after the schedule's start.
Nanos due_after(std::uint64_t k, double per_second) noexcept {
  const double nanos = static_cast<double>(k) / per_second * 1e9;
  return nanos > 4e18 ? Nanos{4'000'000'000'000'000'000} : static_cast<Nanos>(nanos);
}

}  // namespace

PacedSource::PacedSource(Flow& flow, double per_second) : Source(flow), per_second_(per_second) {}

void PacedSource::start(unsigned index) {
  thread_ = std::thread([this] {
    // Wake-ups on time: the kernel's default lets them slip by 50 us.
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    run();
    // Release: whoever sees the end sees all that the thread did.
    ended_.store(1, std::memory_order_release);
    concurrent::futex_wake(ended_);
  });
  // From here and not from the thread itself: who reads `ready` finds the thread by its name.
  pthread_setname_np(thread_.native_handle(), exec::thread_name("ps-src", index).c_str());
}

void PacedSource::ask_to_stop() noexcept {
  if (!thread_.joinable()) return;
  stop_.store(true, std::memory_order_release);
  change_.fetch_add(1, std::memory_order_release);
  concurrent::futex_wake(change_);
  flow().wake_source();
}

bool PacedSource::stop(Nanos deadline) noexcept {
  if (!thread_.joinable()) return true;
  ask_to_stop();
  while (ended_.load(std::memory_order_acquire) == 0) {
    if (deadline != 0 && now_ns() >= deadline) return false;
    concurrent::futex_wait(ended_, 0, deadline);
  }
  thread_.join();
  return true;
}

std::optional<double> PacedSource::per_second() const noexcept {
  const double rate = per_second_.load(std::memory_order_relaxed);
  return std::isinf(rate) ? std::nullopt : std::optional(rate);
}

bool PacedSource::set_per_second(double per_second) noexcept {
  per_second_.store(per_second, std::memory_order_relaxed);
  // Release: who sees the change sees the rate.
  change_.fetch_add(1, std::memory_order_release);
  concurrent::futex_wake(change_);
  return true;
}

void PacedSource::sleep_until(Nanos deadline) const noexcept {
  while (!stopping() && now_ns() < deadline) {
    const std::uint32_t seen = change_.load(std::memory_order_acquire);
    // Asked to stop between the two looks: the word has changed since, or it is seen here.
    if (stopping()) return;
    concurrent::futex_wait(change_, seen, deadline);
  }
}

void PacedSource::run() noexcept {
  metrics::Registry& registry = flow().registry();
  registry.enter();
  started();
  make_events();
  ended();
  registry.leave();
}

void PacedSource::make_events() noexcept {
  std::uint32_t seen = change_.load(std::memory_order_acquire);
  Nanos start = now_ns();
  std::uint64_t emitted = 0;
  while (!stopping()) {
    const std::uint32_t change = change_.load(std::memory_order_acquire);
    if (change != seen) {
      seen = change;
      start = now_ns();
      emitted = 0;
    }
    const double rate = per_second_.load(std::memory_order_relaxed);
    if (rate <= 0) {
      concurrent::futex_wait(change_, seen);
      continue;
    }
    if (!std::isinf(rate)) {
      const Nanos due = after(start, due_after(emitted, rate));
      const Nanos now = now_ns();
      if (now < due) {
        concurrent::futex_wait(change_, seen, due);
        continue;
      }
      if (now - due > defaults::kSourceCatchUp) {
        start = now;
        emitted = 0;
      }
      ++emitted;
    }
    hold_back();
    // A pause, or another rate, may have come while the queue was full.
    if (stopping() || change_.load(std::memory_order_acquire) != seen) continue;
    if (!emit_next()) return;
  }
}

void PacedSource::hold_back() noexcept { flow().wait_for_room(stop_); }

}  // namespace penstock::flow
