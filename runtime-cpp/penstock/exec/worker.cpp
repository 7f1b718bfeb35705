#include "penstock/exec/worker.hpp"

#include <pthread.h>
#include <sys/resource.h>

#include <bit>
#include <csignal>
#include <new>
#include <optional>
#include <system_error>

#include "penstock/concurrent/futex.hpp"
#include "penstock/concurrent/patience.hpp"
#include "penstock/exec/affinity.hpp"
#include "penstock/exec/pool.hpp"

namespace penstock::exec {

constinit thread_local Worker* Worker::t_current = nullptr;
constinit thread_local unsigned Worker::t_slot = LaneSlot::kNotAsked;

Worker::Worker(Pool& pool, unsigned index, std::vector<int> cpus)
    : pool_(pool),
      index_(index),
      cpus_(std::move(cpus)),
      spin_looks_(defaults::kSpinLooks),
      timers_(now_ns()) {}

Worker::~Worker() {
  if (thread_.joinable()) thread_.join();
  while (visitors_.load(std::memory_order_acquire) != 0) std::this_thread::yield();
  for (const auto& inlet : inlets_) delete inlet.load(std::memory_order_acquire);
  delete poller_.load(std::memory_order_acquire);
}

bool Worker::start() {
  join();
  tid_.store(0, std::memory_order_relaxed);
  phase_.store(kServing, std::memory_order_relaxed);
  // A rescuer may be at the mailbox still.
  std::uint32_t state = kExited;
  while (!sleep_.compare_exchange_weak(state, kAwake, std::memory_order_seq_cst)) {
    state = kExited;
    std::this_thread::yield();
  }
  try {
    thread_ = std::thread([this] { thread_main(); });
  } catch (const std::exception&) {
    // No thread, or no memory for it. Not for stay(): there is no thread that could.
    phase_.store(kLeaving, std::memory_order_seq_cst);
    sleep_.store(kExited, std::memory_order_seq_cst);
    concurrent::heavy_barrier();
    rescue();
    return false;
  }
  return true;
}

// The id is what pins and readers name the thread by.
void Worker::wait_until_ready() const noexcept {
  concurrent::Patience patience;
  while (tid_.load(std::memory_order_acquire) == 0) patience.wait();
}

void Worker::join() {
  if (thread_.joinable()) thread_.join();
}

void Worker::retire() noexcept {
  // Not of one that is leaving already: stay() would take it back.
  std::uint32_t phase = kServing;
  phase_.compare_exchange_strong(phase, kRetiring, std::memory_order_seq_cst);
  wake();
}

bool Worker::stay() noexcept {
  std::uint32_t phase = kRetiring;
  const bool stays = phase_.compare_exchange_strong(phase, kServing, std::memory_order_seq_cst) ||
                     phase == kServing;
  // It may sleep without being on the map of idle workers.
  if (stays) wake();
  return stays;
}

std::uint64_t Worker::busy_ns(Nanos now) const noexcept {
  const Nanos since = busy_since_.load(std::memory_order_relaxed);
  const std::uint64_t before = busy_ns_.load(std::memory_order_relaxed);
  return before + (since != 0 && now > since ? static_cast<std::uint64_t>(now - since) : 0);
}

void Worker::let_go_elsewhere() noexcept {
  let_go_elsewhere_.fetch_add(1, std::memory_order_seq_cst);
  if (phase_.load(std::memory_order_seq_cst) == kRetiring) wake();
}

void Worker::wake_slowly() noexcept {
  std::uint32_t state = kAsleep;
  if (sleep_.compare_exchange_strong(state, kAwake, std::memory_order_seq_cst)) {
    // One that is made only now is of no matter: the worker is awake then. Otherwise we have seen
    // that it sleeps, and so where.
    if (Poller* const poller = poller_.load(std::memory_order_acquire)) {
      poller->wake();
    } else {
      concurrent::futex_wake(sleep_);
    }
  } else if (state != kAwake) {
    rescue();
  }
}

// The thread's first post to this worker, unless it came too late for a slot.
Worker::Inlet* Worker::make_inlet() noexcept {
  if (t_slot == LaneSlot::kNotAsked) {
    // Until the thread ends: all its posts to a worker go the same way, or they would overtake one
    // another.
    static thread_local const LaneSlot own(t_slot, LaneSlot::For::outsider);
  }
  const unsigned slot = t_slot;
  if (slot == LaneSlot::kNone) return nullptr;
  // The thread that had the slot before may have made it.
  if (Inlet* const made = inlets_[slot].load(std::memory_order_relaxed)) return made;
  Inlet* inlet = nullptr;
  try {
    inlet = new Inlet;
  } catch (const std::bad_alloc&) {
    return nullptr;  // the mailbox does
  }
  inlets_[slot].store(inlet, std::memory_order_release);
  made_.fetch_or(std::uint64_t{1} << slot, std::memory_order_release);
  return inlet;
}

void Worker::credit(std::uint64_t room) noexcept {
  if (room < defaults::kLeastRoomForCredit) return;
  const auto lanes = static_cast<unsigned>(std::popcount(made_.load(std::memory_order_relaxed)));
  const std::uint64_t share =
      std::min(room / (2 * (std::uint64_t{lanes} + 1)), defaults::kMostCredit);
  if (t_current == this) {
    own_credits_ = static_cast<std::uint32_t>(share);
  } else if (Inlet* const inlet = inlet_of_caller()) {
    inlet->credits = static_cast<std::uint32_t>(share);
  }
}

// A poster took this worker for one of the pool while it was leaving. Whoever notices hands the
// jobs to a worker that is there; one rescuer at a time is the consumer of mailbox and lanes. Who
// finds one at it leaves a mark behind his job, and the rescuer looks again.
void Worker::rescue() noexcept {
  const auto move_on = [this](Job& job) {
    auto& request = static_cast<Request&>(job);
    if (pool_.stopped() || request.only == this) {
      request.owner->refuse(request);  // the pool has stopped
    } else {
      pool_.submit_admitted(request);
    }
  };
  std::uint32_t state = kExited;
  while (!sleep_.compare_exchange_weak(state, kRescue, std::memory_order_seq_cst)) {
    if (state == kRescue || state == kRescueAgain) {
      // Written even where another one's mark stands: the exchange below reads it, so that the
      // rescuer's next look sees what we pushed.
      if (sleep_.compare_exchange_weak(state, kRescueAgain, std::memory_order_seq_cst)) return;
    } else if (state != kExited) {
      return;  // the thread is back and looks by itself
    }
    state = kExited;
  }
  for (;;) {
    while (Job* const job = take_any()) {
      if (job->counted) {
        job->counted = false;
        popped_.fetch_add(1, std::memory_order_relaxed);
        move_on(*job);
      } else {
        job->run(*job);
      }
    }
    while (Job* const job = take_offered()) move_on(*job);
    state = kRescue;
    if (sleep_.compare_exchange_strong(state, kExited, std::memory_order_seq_cst)) return;
    sleep_.exchange(kRescue, std::memory_order_seq_cst);
  }
}

// Of a worker that has exited; its consumer.
Job* Worker::take_any() noexcept {
  for (std::uint64_t bits = made_.load(std::memory_order_acquire); bits != 0; bits &= bits - 1) {
    if (mailbox::Node* const node = inlet(bits).pop()) return static_cast<Job*>(node);
  }
  return static_cast<Job*>(mailbox_.pop());
}

void Worker::thread_main() noexcept {
  t_current = this;
  std::optional<LaneSlot> slot(std::in_place, t_slot, LaneSlot::For::worker);
  // Signals are the business of main(), which until it is ready has them unblocked; the pool waits
  // for our id, so that none can reach us after that.
  sigset_t signals;
  sigfillset(&signals);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGPROF}) {
    sigdelset(&signals, fault);
  }
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  name_this_thread(thread_name(pool_.name(), index_));
  const int priority = pool_.settings().priority;
  // Lower than the level it has needs a right that most users lack: the pool says so.
  has_priority_ =
      priority == 0 || setpriority(PRIO_PROCESS, static_cast<id_t>(this_tid()), priority) == 0;
  // Before anything is made: memory is near the CPU that first writes to it. Cannot fail: the CPUs
  // were checked. If the set of CPUs has just shrunk, the thread runs anywhere and its schema says
  // so.
  if (!cpus_.empty()) static_cast<void>(set_affinity(this_tid(), cpus_));
  if (pool_.hooks().started) pool_.hooks().started(*this);
  tid_.store(this_tid(), std::memory_order_release);
  run_loop();
  job_ended();
  if (pool_.hooks().stopping) pool_.hooks().stopping(*this);
  objects_.clear();
  local_.reset();
  t_current = nullptr;
  slot.reset();
  // From here on posters rescue what they bring. What came in between is rescued now.
  sleep_.store(kExited, std::memory_order_seq_cst);
  concurrent::heavy_barrier();
  rescue();
}

void Worker::run_loop() noexcept {
  busy_since_.store(now_ns(), std::memory_order_relaxed);
  int until_timers = 0;
  for (;;) {
    if (search_at_ != 0) {
      search();
      until_timers = 0;
      continue;
    }
    if (until_timers <= 0 && !timers_.empty()) {
      timers_.advance(now_ns());
      job_ended();
      until_timers = defaults::kJobsPerTimerLook;
    }
    int ran = run_some();
    if (ran == 0) ran = run_stolen();
    if (ran != 0) {
      until_timers -= ran;
      busy_streak_ += static_cast<unsigned>(ran);
      since_idle_ += static_cast<unsigned>(ran);
      continue;
    }
    if (busy_streak_ >= unsigned{defaults::kBusyStreak} &&
        sleepy_.load(std::memory_order_relaxed)) {
      // It may change back only in sleep(), with a heavy barrier.
      sleepy_.store(false, std::memory_order_relaxed);
    }
    if (phase_.load(std::memory_order_relaxed) == kRetiring && may_leave()) break;
    idle();
    until_timers = 0;
  }
  // A thread that comes back under this index goes on counting from here.
  count_busy_until_now();
}

void Worker::count_busy_until_now() noexcept {
  const Nanos since = busy_since_.load(std::memory_order_relaxed);
  busy_ns_.store(
      busy_ns_.load(std::memory_order_relaxed) + static_cast<std::uint64_t>(now_ns() - since),
      std::memory_order_relaxed);
  busy_since_.store(0, std::memory_order_relaxed);
}

bool Worker::may_leave() noexcept {
  if (holds() || !timers_.empty() || lanes_in_sight() || mailbox_.maybe_nonempty() ||
      !local_queue_.empty() || offers() || !near_.empty()) {
    return false;
  }
  std::uint32_t phase = kRetiring;
  return phase_.compare_exchange_strong(phase, kLeaving, std::memory_order_seq_cst);
}

}  // namespace penstock::exec
