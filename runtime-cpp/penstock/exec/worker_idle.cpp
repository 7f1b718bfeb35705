// What a worker does when it has nothing to do: it lets a batch gather, looks on, spins, sleeps.
#include <algorithm>
#include <utility>

#include "penstock/base/context.hpp"
#include "penstock/concurrent/barrier.hpp"
#include "penstock/concurrent/futex.hpp"
#include "penstock/concurrent/pause.hpp"
#include "penstock/exec/affinity.hpp"
#include "penstock/exec/pool.hpp"
#include "penstock/exec/worker.hpp"

namespace penstock::exec {

namespace {

// A look at a socket, a system call, takes as long as so many others, by which a spin is counted.
constexpr int kLooksOfAGlance = 6;
constexpr int kLooksPerClock = 64;
static_assert(kLooksPerClock % (2 + kLooksOfAGlance) == 0, "or none comes there");

// Workers of this process that spin under `adaptive` at the moment.
std::atomic<int> g_spinners{0};

int most_spinners() noexcept {
  static const int most = [] {
    const int share = static_cast<int>(usable_cpus()) * defaults::kSpinnersPerCpuPercent / 100;
    return share < 1 ? 1 : share;
  }();
  return most;
}

}  // namespace

// A worker that has caught up with its posters takes each message the moment it is written: both
// then wait for the same cache lines at every one. A short wait before the next look lets a batch
// gather (the temporal slipping of FastForward). It is kept up as long as it brings batches; who
// posts one message and waits for its answer pays for a trial now and then.
void Worker::slip() noexcept {
  const unsigned gathered = std::exchange(since_idle_, 0U);
  if (slip_ != 0) {
    const bool pays = gathered >= unsigned{defaults::kBatchWorthSlip};
    slip_ = pays ? defaults::kSlip : 0;
    until_trial_ = pays ? defaults::kIdlesPerSlipTrial
                        : std::min(until_trial_ * 2, defaults::kMostIdlesPerSlipTrial);
    idles_ = 0;
  } else if (++idles_ >= until_trial_) {
    slip_ = defaults::kSlip;
  }
  for (int turn = 0; turn < slip_; ++turn) concurrent::pause();
}

void Worker::idle() noexcept {
  // A retiring worker with something held sleeps for it like any other, only deeper: it would see
  // its own retirement as work for ever.
  const bool retiring = phase_.load(std::memory_order_relaxed) == kRetiring;
  if (retiring && search_at_ != 0) end_search();
  // Who searches has come to know that there is nothing to wait for with patience.
  const bool searches = search_at_ != 0;
  Poller* const poller = this->poller();
  if (!retiring && !searches) {
    // What others write to sockets gathers there by itself.
    if (poller == nullptr) slip();
    // What comes to a socket is not seen by these looks; what comes through memory is.
    const bool sees_memory = poller != nullptr && poller->glances_at_memory();
    const bool eager = poller == nullptr || (sees_memory && pool_.settings().idle != Idle::park);
    const int looks = eager ? defaults::kEagerLooks : defaults::kEagerLooks / 16;
    for (int look = 0; look < looks; ++look) {
      if (work_in_sight()) return;
      if (sees_memory && poller->glance()) return job_ended();
      concurrent::pause();
    }
  }
  count_busy_until_now();
  if (!retiring) pool_.set_idle(index_);
  if (!retiring) consider_search();
  const bool at_once = retiring || (searches && pool_.settings().idle != Idle::spin);
  // One that spins for ever looks all the time; that it is reminded to costs it little.
  if (poller != nullptr && (at_once || pool_.settings().idle != Idle::spin)) poller->idles();
  const Spun spun = at_once ? Spun::in_vain : spin();
  if (spun == Spun::in_vain) sleep();
  // Also of one that was taken back meanwhile.
  const bool chosen_for_something = !pool_.clear_idle(index_);
  if (pool_.size() < 2) {
    // There is nobody else to wake.
    busy_since_.store(now_ns(), std::memory_order_relaxed);
  } else {
    // seq_cst: before our next look at the box. Who offers something either finds us busy and wakes
    // another one, or we find it before we start anything else (Pool::hand).
    busy_since_.store(now_ns(), std::memory_order_seq_cst);
  }
  if (poller != nullptr) {
    if (spun != Spun::polled && poller->poll()) job_ended();
    poller->works();
  }
  // That may be to search, and something of our own has come as well: it is begun, so that it is
  // passed on before that runs.
  if (!retiring && chosen_for_something) consider_search();
  // Who brought the pool a request may have chosen us while we were being woken for something of
  // our own, which we run first; or twice, because we were put back on the map before we slept:
  // another one is told.
  const std::uint64_t chosen = offered() + (pool_.shared() ? pool_.waiting_for_any() : 0);
  if (!retiring && chosen != 0 && (chosen > 1 || own_work_in_sight())) pool_.wake_another();
}

Worker::Spun Worker::spin() noexcept {
  const Idle policy = pool_.settings().idle;
  if (policy == Idle::park) return Spun::in_vain;
  const bool for_ever = policy == Idle::spin;
  if (!for_ever) {
    if (spin_looks_ == 0 && ++vain_sleeps_ >= defaults::kSleepsBeforeSpinRetry) {
      spin_looks_ = defaults::kSpinLooks;
    }
    if (spin_looks_ == 0) return Spun::in_vain;
    if (g_spinners.fetch_add(1, std::memory_order_relaxed) >= most_spinners()) {
      g_spinners.fetch_sub(1, std::memory_order_relaxed);
      return Spun::in_vain;
    }
  }
  const Nanos due = timers_.next_look();
  Poller* const poller = this->poller();
  // What comes to a socket waits for a look at it, which takes as long as some others do.
  const bool sees_memory = poller != nullptr && poller->glances_at_memory();
  const int between = sees_memory ? 1 : 2;
  const int as_many = sees_memory || for_ever ? 0 : kLooksOfAGlance;
  Spun spun = Spun::in_vain;
  for (int look = 1; for_ever || look <= spin_looks_; ++look) {
    if (work_in_sight()) {
      spun = Spun::found;
      break;
    }
    if (poller != nullptr && look % between == 0) {
      if (poller->glance()) {
        job_ended();
        spun = Spun::polled;
        break;
      }
      look += as_many;
    }
    if (look % kLooksPerClock == 0) {
      if (search_at_ == 0) consider_search();
      const Nanos look_at = earlier(due, search_at_);
      if (look_at != 0 && now_ns() >= look_at) {
        spun = Spun::found;
        break;
      }
    }
    concurrent::pause();
    if (for_ever && look == (1 << 30)) look = 1;
  }
  if (!for_ever) {
    g_spinners.fetch_sub(1, std::memory_order_relaxed);
    vain_sleeps_ = 0;
    spin_looks_ = spun != Spun::in_vain ? defaults::kSpinLooks : spin_looks_ / 2;
    if (spin_looks_ < defaults::kSpinLooks / 16) spin_looks_ = 0;
  }
  return spun;
}

// After it said that it idles: whoever gives itself something then either sees that, or we see what
// it has.
void Worker::consider_search() noexcept {
  if (search_at_ != 0 || !pool_.begin_search()) return;
  vain_looks_ = 0;
  search_at_ = after(now_ns(), defaults::kFirstSearchNanos);
}

void Worker::end_search() noexcept {
  search_at_ = 0;
  pool_.end_search();
}

void Worker::sleep() noexcept {
  // seq_cst: this store comes before our last look in the total order; a poster pushes and then
  // looks at the word (Worker::wake). So either we see its job or it sees us sleep.
  sleep_.store(kAsleep, std::memory_order_seq_cst);
  if (!sleepy_.load(std::memory_order_relaxed)) {
    // A poster that saw it false has its job before the barrier, where our look finds it; one that
    // comes later sees that we sleep.
    sleepy_.store(true, std::memory_order_relaxed);
    concurrent::heavy_barrier();
  }
  busy_streak_ = 0;
  // Somebody may have taken us off the map while we span, for work that another one then took:
  // asleep and not on it, we would never be chosen again while others are busy.
  if (phase_.load(std::memory_order_seq_cst) == kServing) {
    pool_.set_idle(index_);
    consider_search();
  }
  const bool retiring = phase_.load(std::memory_order_seq_cst) == kRetiring;
  const bool work = retire_lanes() || mailbox_.maybe_nonempty() || !local_queue_.empty() ||
                    offers() || (!retiring && pool_.shared_work_in_sight()) ||
                    (retiring && !holds() && timers_.empty());
  if (!work) {
    const Nanos until = earlier(timers_.next_look(), search_at_);
    if (poller() != nullptr) {
      poller()->sleep(until);
    } else {
      concurrent::futex_wait(sleep_, kAsleep, until);
    }
  }
  sleep_.store(kAwake, std::memory_order_seq_cst);
}

// The last look at the lanes: those with nothing in them are not looked at any more until somebody
// uses them. True when there is work.
bool Worker::retire_lanes() noexcept {
  // seq_cst, a read-modify-write: a poster's own one on this word comes before it, and we see its
  // job; or after it, and it sees that we sleep.
  const std::uint64_t used = active_.exchange(0, std::memory_order_seq_cst);
  std::uint64_t full = 0;
  for (std::uint64_t bits = used; bits != 0; bits &= bits - 1) {
    if (!inlet(bits).empty()) full |= bits & (~bits + 1);
  }
  if (full != 0) active_.fetch_or(full, std::memory_order_relaxed);
  return full != 0;
}

}  // namespace penstock::exec
