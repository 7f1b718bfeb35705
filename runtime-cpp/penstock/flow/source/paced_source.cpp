#include "penstock/flow/source/paced_source.hpp"

#include <pthread.h>
#include <sys/prctl.h>

#include <cmath>

#include "penstock/base/defaults.hpp"
#include "penstock/concurrent/futex.hpp"
#include "penstock/exec/affinity.hpp"

namespace penstock::flow {

namespace {

// Events between two looks, where no rate needs them.
constexpr std::uint32_t kLooksAtClock = 8;

// The k-th event's time after the schedule's start.
Nanos due_after(std::uint64_t k, double per_second) noexcept {
  const double nanos = static_cast<double>(k) / per_second * 1e9;
  return nanos > 4e18 ? Nanos{4'000'000'000'000'000'000} : static_cast<Nanos>(nanos);
}

}  // namespace

PacedSource::PacedSource(Flow& flow, double per_second)
    : Source(flow), gather_(flow), per_second_(per_second) {}

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
  flow().flush(gather_);
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
      flow().flush(gather_);
      concurrent::futex_wait(change_, seen);
      continue;
    }
    if (std::isinf(rate)) {
      owes_more_ = true;
      if (gather_.count % kLooksAtClock == 1) flush_in_time(now_ns());
    } else {
      const Nanos due = after(start, due_after(emitted, rate));
      const Nanos now = now_ns();
      if (now < due) {
        flow().flush(gather_);
        concurrent::futex_wait(change_, seen, due);
        continue;
      }
      if (now - due > defaults::kSourceCatchUp) {
        start = now;
        emitted = 0;
      }
      ++emitted;
      flush_in_time(now);
      owes_more_ = now >= after(start, due_after(emitted, rate));
    }
    hold_back();
    // A pause, or another rate, may have come while the queue was full.
    if (stopping() || change_.load(std::memory_order_acquire) != seen) continue;
    if (!emit_next()) return;
  }
}

// Where it takes long to make an event, those before it do not wait.
void PacedSource::flush_in_time(Nanos now) noexcept {
  if (gather_.count > 1 && now - gathers_since_ > defaults::kChunkNanos) flow().flush(gather_);
  if (gather_.count <= 1) gathers_since_ = now;
}

void PacedSource::hold_back() noexcept {
  if (flow().has_room(gather_.count)) return;
  flow().flush(gather_);
  flow().wait_for_room(stop_);
}

}  // namespace penstock::flow
