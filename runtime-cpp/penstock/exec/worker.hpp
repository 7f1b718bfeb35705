#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "penstock/base/thread_rule.hpp"
#include "penstock/concurrent/barrier.hpp"
#include "penstock/concurrent/cache_line.hpp"
#include "penstock/exec/job.hpp"
#include "penstock/exec/lane_slot.hpp"
#include "penstock/exec/policy.hpp"
#include "penstock/exec/timer_wheel.hpp"
#include "penstock/mailbox/lane.hpp"
#include "penstock/mailbox/near_ring.hpp"
#include "penstock/mailbox/shared_queue.hpp"

namespace penstock::exec {

/// One thread of a pool with its mailbox, its timers and the handler objects that live on it.
class Worker {
 public:
  /// Things of higher rooms that live as long as the thread, made and destroyed on it.
  class Local {
   public:
    Local() = default;
    Local(const Local&) = delete;
    Local& operator=(const Local&) = delete;
    virtual ~Local() = default;
  };

  /// What else a worker waits for while it idles: sockets. On its thread, but wake(). Stays until
  /// the worker is destroyed, so that who wakes it need not know whether the thread has left.
  class Poller {
   public:
    Poller() = default;
    Poller(const Poller&) = delete;
    Poller& operator=(const Poller&) = delete;
    virtual ~Poller() = default;

    /// Takes what has come; false: nothing has. No job runs meanwhile.
    virtual bool poll() noexcept = 0;
    /// poll() of a worker that does nothing else, again and again: some of what has come may have
    /// to wait for the next few.
    virtual bool glance() noexcept { return poll(); }
    /// A glance() is mostly one at memory, which costs no more than the worker's other looks.
    [[nodiscard]] virtual bool glances_at_memory() const noexcept { return false; }
    /// The worker idles from now on: it polls now and then, or sleeps, and then polls. Not told
    /// where it spins until something comes. Glances at memory begin before.
    virtual void idles() noexcept = 0;
    /// It does not any more, and polls no more by itself.
    virtual void works() noexcept = 0;
    /// Returns when something has come, for poll(), after wake(), at `until` (0: never) or for no
    /// reason.
    virtual void sleep(Nanos until) noexcept = 0;
    /// Ends sleep(), or the next one. Any thread.
    virtual void wake() noexcept = 0;
  };

  /// What a job has gathered and sends on its way once it has ended.
  struct Gathered {
    /// `next` is what the worker runs then, where it knows: that may gather more. Calls
    /// Worker::gathered(nullptr) when it has sent all. On the worker's thread.
    void (*job_ended)(Gathered& gathered, Worker& here, const Job* next) noexcept = nullptr;
  };

  Worker(Pool& pool, unsigned index, std::vector<int> cpus);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  /// The worker whose thread this is; null on other threads.
  [[nodiscard]] static Worker* current() noexcept { return t_current; }

  [[nodiscard]] Pool& pool() const noexcept { return pool_; }
  [[nodiscard]] unsigned index() const noexcept { return index_; }

  // --- any thread ---

  /// Hands over a job; it runs on this worker's thread, in order for each poster. Never refused,
  /// never lost: a worker that has left its pool passes it on.
  void post(Job& job) noexcept {
    if (t_current == this) {
      local_queue_.push(job);
      return;
    }
    if (Inlet* const inlet = inlet_of_caller()) {
      push(*inlet, job);
    } else {
      mailbox_.push(job);
    }
    wake();
  }

  /// post() by a thread that only the job keeps from outliving the worker: though the job may have
  /// run and let go of it before this returns, the worker is there until then.
  void post_as_visitor(Job& job) noexcept {
    // Relaxed: the job, which its destroyer has seen run, carries it there.
    visitors_.fetch_add(1, std::memory_order_relaxed);
    post(job);
    // Release: the destroyer comes after all that was done here.
    visitors_.fetch_sub(1, std::memory_order_release);
  }

  /// post() that counts against the queue limit until the job is taken.
  void post_counted(Job& job) noexcept {
    job.counted = true;
    // Relaxed: the limit is a bound, not a lock; a few racing posters may pass it.
    pushed_.fetch_add(1, std::memory_order_relaxed);
    post(job);
  }

  /// post_counted() for a worker that is the only one its poster may choose: nobody compares its
  /// depth at each request, so the count can stay with the poster.
  void post_counted_alone(Job& job) noexcept {
    if (t_current == this) {
      post_own(job);
    } else if (Inlet* const inlet = inlet_of_caller()) {
      post_alone(*inlet, job);
    } else {
      post_counted(job);
    }
  }

  /// post_counted_alone(), if the calling thread may post one more counted job without looking at
  /// depth(): it was given credit(). Spares it the other's cache line at each request. False, and
  /// nothing done, when it may not.
  [[nodiscard]] bool post_on_credit(Job& job) noexcept {
    if (t_current == this) {
      if (own_credits_ == 0) return false;
      --own_credits_;
      post_own(job);
      return true;
    }
    Inlet* const inlet = inlet_of_caller();
    if (inlet == nullptr || inlet->credits == 0) return false;
    --inlet->credits;
    post_alone(*inlet, job);
    return true;
  }
  /// There was room for `room` more: the caller may use a share of it unseen. With little room
  /// none, so that small limits are exact.
  void credit(std::uint64_t room) noexcept;

  /// A request that any worker of the pool may take, which is one of several. The poster wakes
  /// somebody.
  void offer(Job& job) noexcept { box_.push(job); }
  /// The oldest offered one; null: none.
  [[nodiscard]] Job* take_offered() noexcept { return static_cast<Job*>(box_.pop()); }
  [[nodiscard]] bool offers() const noexcept { return offered() != 0; }
  [[nodiscard]] std::uint64_t offered() const noexcept { return box_.size(); }

  /// It is not the only one of its pool any more: what it was given as that, and any of them may
  /// run, is for all of them from now on. Any thread; whoever says it wakes it.
  void spread() noexcept { spreads_.store(true, std::memory_order_release); }

  /// What this worker gave itself to do and any worker of the pool may run. The owner pushes.
  [[nodiscard]] mailbox::NearRing& near() noexcept { return near_; }
  [[nodiscard]] const mailbox::NearRing& near() const noexcept { return near_; }

  /// Counted, offered and near jobs that wait here.
  [[nodiscard]] std::uint64_t depth() const noexcept {
    const std::uint64_t popped = popped_.load(std::memory_order_relaxed);
    std::uint64_t pushed =
        pushed_.load(std::memory_order_relaxed) + own_pushed_.load(std::memory_order_relaxed);
    for (std::uint64_t bits = made_.load(std::memory_order_acquire); bits != 0; bits &= bits - 1) {
      pushed += inlet(bits).pushed.load(std::memory_order_relaxed);
    }
    return near_.size() + offered() + (pushed > popped ? pushed - popped : 0);
  }

  /// Wakes the thread if it sleeps, so that it looks around.
  void wake() noexcept {
    // seq_cst: after the push in the total order; the sleeper stores and then looks at its queues
    // (sleep() in worker.cpp). One of the two sees the other.
    if (sleep_.load(std::memory_order_seq_cst) != kAwake) wake_slowly();
  }

  [[nodiscard]] int tid() const noexcept { return tid_.load(std::memory_order_acquire); }
  [[nodiscard]] bool busy() const noexcept {
    return busy_since_.load(std::memory_order_seq_cst) != 0;
  }
  /// Requests that it took from others since it was made, or those before it under its index.
  [[nodiscard]] std::uint64_t stolen() const noexcept {
    return stolen_.load(std::memory_order_relaxed);
  }
  /// Time spent with work since the thread started.
  [[nodiscard]] std::uint64_t busy_ns(Nanos now) const noexcept;

  // --- the worker of its pool that searches (Pool::take_waiting) ---

  /// What the last look at near() showed.
  struct Watch {
    std::uint32_t taken = 0;
    std::uint32_t pushed = 0;
    Nanos since = 0;  ///< that long at least the oldest has been the oldest
  };
  [[nodiscard]] Watch& watch() noexcept { return watch_; }

  // --- its own thread ---

  /// Uses one of the credits that the worker has at itself; false when there is none.
  [[nodiscard]] bool use_own_credit() noexcept {
    expect_here();
    if (own_credits_ == 0) return false;
    --own_credits_;
    return true;
  }

  void arm(Timer& timer, Nanos at, Timer::Fire fire) noexcept {
    expect_here();
    timers_.arm(timer, at, fire);
  }

  /// The thread does not leave its pool while something is held: a suspended coroutine, a reply
  /// that is still to come.
  void hold() noexcept {
    expect_here();
    ++held_;
  }
  void let_go() noexcept {
    expect_here();
    --held_;
  }
  /// post() on this thread.
  void post_here(Job& job) noexcept {
    expect_here();
    local_queue_.push(job);
  }
  /// Jobs that this thread posted to itself wait.
  [[nodiscard]] bool has_own_jobs() const noexcept { return !local_queue_.empty(); }

  /// let_go() on any thread.
  void let_go_elsewhere() noexcept;

  /// Of the job that runs, and of those before it that left it open; null: nothing.
  [[nodiscard]] Gathered* gathered() const noexcept { return gathered_; }
  void gathered(Gathered* gathered) noexcept {
    expect_here();
    gathered_ = gathered;
  }

  /// What it took from a lane together with the job that runs, and runs next. A job may do what
  /// there is to do about them, and leaves null in their place.
  [[nodiscard]] std::span<mailbox::Node*> upcoming() const noexcept { return upcoming_; }

  /// Slot of a higher room; null until it was set.
  [[nodiscard]] Local* local() const noexcept { return local_.get(); }
  void set_local(std::unique_ptr<Local> local) {
    expect_here();
    local_ = std::move(local);
  }

  /// An object of a higher room by its number; null until it was set. Its owner is local().
  [[nodiscard]] void* object(std::uint32_t slot) const noexcept {
    return slot < objects_.size() ? objects_[slot] : nullptr;
  }
  /// Makes room for set_object(). Throws std::bad_alloc.
  void reserve_objects(std::size_t count) {
    if (objects_.size() < count) objects_.resize(count);
  }
  void set_object(std::uint32_t slot, void* object) noexcept {
    expect_here();
    objects_[slot] = object;
  }

  /// Null until it was set.
  [[nodiscard]] Poller* poller() const noexcept { return poller_.load(std::memory_order_relaxed); }
  /// Once. From now on it sleeps there.
  void set_poller(std::unique_ptr<Poller> poller) noexcept {
    expect_here();
    // Release: pairs with the acquire in wake_slowly().
    poller_.store(poller.release(), std::memory_order_release);
  }
  /// The thread is to leave: what keeps it is to end.
  [[nodiscard]] bool retiring() const noexcept {
    return phase_.load(std::memory_order_relaxed) == kRetiring;
  }

  // --- the pool, from the thread that resizes it ---

  /// Starts the thread, which first makes what belongs to it. False when the system gives none.
  [[nodiscard]] bool start();
  /// After start(): until the thread is about to take its first job.
  void wait_until_ready() const noexcept;
  /// After wait_until_ready(): the thread runs at the priority that its pool asks for.
  [[nodiscard]] bool has_priority() const noexcept { return has_priority_; }
  /// Asks the thread to leave once nothing of it is left.
  void retire() noexcept;
  /// Takes retire() back. False when the thread has left already.
  [[nodiscard]] bool stay() noexcept;
  [[nodiscard]] bool exited() const noexcept {
    return sleep_.load(std::memory_order_acquire) == kExited;
  }
  /// After exited(): joins the thread.
  void join();

  [[nodiscard]] const std::vector<int>& asked_cpus() const noexcept { return cpus_; }
  void set_asked_cpus(std::vector<int> cpus) { cpus_ = std::move(cpus); }

 private:
  static constexpr std::uint32_t kAwake = 0;
  static constexpr std::uint32_t kAsleep = 1;
  static constexpr std::uint32_t kExited = 2;
  static constexpr std::uint32_t kRescue = 3;  // somebody empties the mailbox of an exited worker
  static constexpr std::uint32_t kRescueAgain = 4;  // and is to look again

  static constexpr std::uint32_t kServing = 0;
  static constexpr std::uint32_t kRetiring = 1;
  static constexpr std::uint32_t kLeaving = 2;

  /// What one other thread sends here.
  struct Inlet : mailbox::Lane {
    // The poster's own line; a reader of depth() looks at it.
    alignas(concurrent::kCacheLine) std::atomic<std::uint64_t> pushed{0};
    std::uint32_t credits = 0;
  };
  static constexpr unsigned kLanes = LaneSlot::kSlots;

  void expect_here() const noexcept {
    expect_rule(t_current == this, "what a worker keeps for itself is used on its own thread");
  }

  // Of the lowest bit.
  [[nodiscard]] Inlet& inlet(std::uint64_t bits) const noexcept {
    // Acquire: pairs with the release in make_inlet().
    return *inlets_[static_cast<unsigned>(std::countr_zero(bits))].load(std::memory_order_acquire);
  }
  /// Null for threads that have no lane.
  [[nodiscard]] Inlet* inlet_of_caller() noexcept {
    const unsigned slot = t_slot;
    if (slot < kLanes) [[likely]] {
      // Relaxed: nobody but the owner of the slot makes it, and slots change hands under a lock.
      Inlet* const inlet = inlets_[slot].load(std::memory_order_relaxed);
      if (inlet != nullptr) [[likely]]
        return inlet;
    }
    return make_inlet();
  }
  Inlet* make_inlet() noexcept;

  void post_own(Job& job) noexcept {
    job.counted = true;
    own_pushed_.store(own_pushed_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    local_queue_.push(job);
  }
  void post_alone(Inlet& inlet, Job& job) noexcept {
    job.counted = true;
    // Relaxed, and plain: one writer; see post_counted().
    inlet.pushed.store(inlet.pushed.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    push(inlet, job);
    wake();
  }

  /// On the thread whose lane it is.
  void push(Inlet& inlet, Job& job) noexcept {
    inlet.push(job);
    // Either the worker that falls asleep sees the job in its last look, or we see here that it
    // sleeps: by the locked operation that both sides do on active_, or by the heavy barrier that
    // it does before its last look (sleep() in worker.cpp).
    concurrent::light_barrier();
    const std::uint64_t bit = std::uint64_t{1} << t_slot;
    if (sleepy_.load(std::memory_order_relaxed) ||
        (active_.load(std::memory_order_relaxed) & bit) == 0) {
      active_.fetch_or(bit, std::memory_order_seq_cst);
    }
  }

  void wake_slowly() noexcept;
  [[nodiscard]] Job* take_any() noexcept;
  [[nodiscard]] bool lanes_in_sight() const noexcept;
  [[nodiscard]] bool retire_lanes() noexcept;
  int run_lanes() noexcept;
  int run_offered() noexcept;
  int run_stolen() noexcept;
  int run_near() noexcept;
  void search() noexcept;
  void take_waiting() noexcept;
  void consider_search() noexcept;
  void end_search() noexcept;
  void rescue() noexcept;
  void thread_main() noexcept;
  void run_loop() noexcept;
  int run_some() noexcept;
  void run(Job& job) noexcept;
  bool pass_on(Job& job) noexcept;
  void spread_out() noexcept;
  void job_ended(const Job* next = nullptr) noexcept {
    if (gathered_ != nullptr) gathered_->job_ended(*gathered_, *this, next);
  }
  void count_busy_until_now() noexcept;
  void idle() noexcept;
  void slip() noexcept;
  /// It ended in vain, with work in sight or a timer due, or with something polled.
  enum class Spun : std::uint8_t { in_vain, found, polled };
  Spun spin() noexcept;
  void sleep() noexcept;
  [[nodiscard]] bool work_in_sight() const noexcept;
  [[nodiscard]] bool own_work_in_sight() noexcept;
  [[nodiscard]] bool may_leave() noexcept;
  [[nodiscard]] bool holds() const noexcept {
    return held_ != let_go_elsewhere_.load(std::memory_order_seq_cst);
  }

  static constinit thread_local Worker* t_current;
  /// Of the calling thread's lanes to all workers.
  static constinit thread_local unsigned t_slot;

  Pool& pool_;
  const unsigned index_;
  std::vector<int> cpus_;
  std::thread thread_;
  bool has_priority_ = true;  // written by the thread before tid_
  std::atomic<int> tid_{0};
  std::unique_ptr<Local> local_;
  std::atomic<Poller*> poller_{nullptr};  // owned
  std::vector<void*> objects_;
  Gathered* gathered_ = nullptr;
  std::span<mailbox::Node*> upcoming_;

  mailbox::NearRing near_;
  // Of offers. Looked at by those who idle.
  alignas(concurrent::kCacheLine) mailbox::SharedQueue box_;
  alignas(concurrent::kCacheLine) Watch watch_;

  // Looked at by everybody, written seldom.
  alignas(concurrent::kCacheLine) std::array<std::atomic<Inlet*>, kLanes> inlets_{};
  std::atomic<std::uint64_t> made_{0};  // a bit for each of inlets_

  // The producers' lines.
  mailbox::MpscQueue<> mailbox_;
  // Lanes that were used since the worker last slept: what it looks at. Only it clears bits.
  alignas(concurrent::kCacheLine) std::atomic<std::uint64_t> active_{0};
  // It sleeps often: posters do a locked operation, so that it needs no heavy barrier.
  std::atomic<bool> sleepy_{true};
  alignas(concurrent::kCacheLine) std::atomic<std::uint64_t> pushed_{0};
  alignas(concurrent::kCacheLine) std::atomic<std::uint32_t> sleep_{kExited};
  std::atomic<std::uint32_t> phase_{kServing};
  std::atomic<std::uint64_t> let_go_elsewhere_{0};
  std::atomic<std::uint32_t> visitors_{0};  // within post_as_visitor()

  // The worker's own line; readers look at it now and then.
  alignas(concurrent::kCacheLine) std::atomic<std::uint64_t> popped_{0};
  std::atomic<std::uint64_t> own_pushed_{0};  // by itself, to itself
  std::atomic<bool> spreads_{false};          // what nobody else looks at may be for all
  std::atomic<std::uint64_t> stolen_{0};
  std::atomic<std::uint64_t> busy_ns_{0};
  std::atomic<Nanos> busy_since_{0};
  mailbox::LocalQueue local_queue_;
  std::uint64_t held_ = 0;
  int spin_looks_;
  int vain_sleeps_ = 0;
  int until_shared_ = 0;
  unsigned busy_streak_ = 0;
  unsigned since_idle_ = 0;  // jobs
  int slip_ = 0;             // pauses
  int idles_ = 0;            // since the last trial to slip
  int until_trial_ = defaults::kIdlesPerSlipTrial;
  std::uint32_t own_credits_ = 0;
  Nanos search_at_ = 0;  // when it looks at what waits near others; 0: it does not search
  int vain_looks_ = 0;   // in a row, of the search
  TimerWheel timers_;
};

}  // namespace penstock::exec
