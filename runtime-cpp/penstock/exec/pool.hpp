#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "penstock/base/defaults.hpp"
#include "penstock/base/limits.hpp"
#include "penstock/exec/policy.hpp"
#include "penstock/exec/strand.hpp"
#include "penstock/exec/worker.hpp"
#include "penstock/mailbox/shared_queue.hpp"

namespace penstock::exec {

/// A named set of worker threads. Requests go to an idle worker, or else to the less loaded of two
/// taken at random (Mitzenmacher, "The Power of Two Choices"). There they wait in a box, from which
/// others take what its worker is too busy for. A pool that runs blocking work, or sheds its
/// oldest, has one queue that any idle worker takes from instead. A pool of one thread hands
/// everything to it in the order it came.
///
/// What a worker asks of its own pool stays with it (Worker::near): it will most likely run it
/// next, in its own cache, and nobody is woken. One idle worker at a time searches the others for
/// what waits too long, and calls the next one when it has found something.
class Pool {
 public:
  static constexpr unsigned kMostThreads = limits::kMostThreads;

  struct Hooks {
    /// On each worker's thread, before its first and after its last job.
    std::function<void(Worker&)> started;
    std::function<void(Worker&)> stopping;
  };

  explicit Pool(PoolSettings settings);
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  /// Stops, however long that takes, as its threads use it until they have left: who has threads
  /// that may never leave does not come here.
  ~Pool();

  [[nodiscard]] const PoolSettings& settings() const noexcept { return settings_; }
  [[nodiscard]] const std::string& name() const noexcept { return settings_.name; }

  // --- before start() ---

  /// A strand whose waiting requests count as waiting for this pool.
  void add_strand(const Strand& strand) { strands_.push_back(&strand); }
  void set_hooks(Hooks hooks) { hooks_ = std::move(hooks); }
  /// A service lives on this thread: the pool cannot shrink below it.
  void keep_thread(unsigned index) noexcept {
    if (index + 1 > fewest_) fewest_ = index + 1;
  }

  /// An empty text, or why the threads cannot be pinned as asked. `relax_pins`: absent CPUs are
  /// left out, each with a line in `warnings`; one more is the priority_warning(). Throws
  /// std::system_error when the system gives too few threads.
  [[nodiscard]] std::string start(bool relax_pins, std::vector<std::string>& warnings);
  /// The parts of start(), for who starts several pools: once all were checked and begun, the
  /// threads of all make their handlers at the same time.
  [[nodiscard]] std::string check_pins(bool relax_pins, std::vector<std::string>& warnings);
  void begin_start();
  void end_start(std::vector<std::string>& warnings);
  /// Lets all threads leave once they have nothing left; at most until `deadline`. False when some
  /// are still there.
  bool stop(Nanos deadline) noexcept;

  // --- any thread ---

  /// How many requests may wait, and what happens to one more: as set, or as changed since.
  [[nodiscard]] std::uint32_t queue() const noexcept {
    return queue_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] Overflow overflow() const noexcept {
    return overflow_.load(std::memory_order_relaxed);
  }

  /// Hands a request to a worker, within the queue's limit; on `refused` it is still the caller's.
  /// With `block` a request beyond the limit is accepted too: a worker must not wait. It keeps room
  /// in the pool before, or where the source of all this is held back.
  [[nodiscard]] Admission submit(Request& request) noexcept {
    // Where there is one worker to choose and it gave credit, as in most calls.
    if (request.only != nullptr ||
        (size() == 1 && !sharing_.load(std::memory_order_relaxed) && !retired())) {
      request.pool = this;
      Worker& worker = request.only != nullptr ? *request.only : this->worker(0);
      if (worker.post_on_credit(request)) [[likely]]
        return Admission::accepted;
    }
    return submit_slowly(request);
  }
  /// submit() of a request that stands for `more` besides itself, until none_more().
  [[nodiscard]] Admission submit_several(Request& request) noexcept;
  /// They wait here no more: the request runs, or was refused. On the pool that it was submitted
  /// to.
  void none_more(const Request& request) noexcept {
    more_.fetch_sub(request.more, std::memory_order_relaxed);
    after_pop();
  }
  /// How many of them a request may stand for, so that the limit stays one.
  [[nodiscard]] std::uint64_t most_at_once() const noexcept { return share() / 8; }
  /// submit() without a limit, for requests that were admitted before.
  void submit_admitted(Request& request) noexcept;
  /// submit_admitted() that prefers the worker `home` (any number: it wraps) where that costs no
  /// time: when it idles, or nobody idles and it is no more loaded than another one. For requests
  /// that share data with those that ran there before.
  void submit_near(Request& request, unsigned home) noexcept;
  /// submit_admitted() to an idle worker; false, and nothing done, when there is none.
  [[nodiscard]] bool submit_to_idle(Request& request) noexcept;
  /// A request that waits elsewhere takes up room of `keeps_room_of`, or where that has none left
  /// or is null, of its owner's entry, until took_room(). Nothing without either.
  static void keep_room(Request& request) noexcept;
  /// A request that may keep room stands for so many more than one from now on.
  static void stand_for(Request& request, std::uint16_t more) noexcept;
  /// When a request that kept room runs at last. Nothing when it kept none.
  static void took_room(Request& request) noexcept;

  /// All its room is kept by requests that wait elsewhere.
  [[nodiscard]] bool is_kept() const noexcept;
  /// For one more, besides so many that are to come and not counted yet.
  [[nodiscard]] bool has_room(std::uint64_t besides = 0) const noexcept;
  /// What else ends a wait for room; who changes it then calls wake_room_waiters().
  struct Elsewhere {
    const std::atomic<bool>& give_up;
    const std::atomic<std::uint64_t>& version;
    std::uint64_t seen = 0;  ///< of `version`: another one ends the wait

    [[nodiscard]] bool calls() const noexcept {
      return give_up.load(std::memory_order_acquire) ||
             version.load(std::memory_order_seq_cst) != seen;
    }
  };
  /// Blocks the calling thread, no worker, until has_room(), `deadline` (0: never) or what happens
  /// `elsewhere` (null: nothing); also until the pool is retired, or no longer blocks callers.
  void wait_for_room(Nanos deadline, const Elsewhere* elsewhere = nullptr) noexcept;
  /// Wakes those in wait_for_room(), so that they look around.
  void wake_room_waiters() noexcept;

  [[nodiscard]] unsigned size() const noexcept { return count_.load(std::memory_order_acquire); }
  /// `index` below size().
  [[nodiscard]] Worker& worker(unsigned index) const noexcept {
    return *workers_[index].load(std::memory_order_acquire);
  }

  struct Depth {
    std::uint64_t queued = 0;   ///< within the limit
    std::uint64_t blocked = 0;  ///< callers beyond it
  };
  [[nodiscard]] Depth depth() const noexcept;
  [[nodiscard]] unsigned busy() const noexcept;
  /// Requests that workers took from each other; those of threads that left count on.
  [[nodiscard]] std::uint64_t stolen() const noexcept;

  /// Requests that were taken from the queue that all threads share.
  [[nodiscard]] std::uint64_t taken_of_shared() const noexcept { return shared_queue_.popped(); }

  /// What the thread is asked to run on; empty: anywhere.
  [[nodiscard]] std::vector<int> asked_cpus(unsigned index);

  /// A request waits at a strand of `home` for its turn in this pool: it counts here, not there.
  void await_from(Pool& home) noexcept {
    awaited_.fetch_add(1, std::memory_order_relaxed);
    home.lent_.fetch_add(1, std::memory_order_relaxed);
  }
  void arrived_from(Pool& home) noexcept {
    awaited_.fetch_sub(1, std::memory_order_relaxed);
    home.lent_.fetch_sub(1, std::memory_order_relaxed);
  }

  // --- one control thread at a time ---

  /// Some of its work blocks its thread. Also before start().
  void expect_blocking() noexcept;
  /// Of a pool of a join: in force for the requests that come from now on.
  void set_limits(std::uint32_t queue, Overflow overflow) noexcept;
  /// Of a pool of a join: it has as many threads as there is work for, which somebody sees to. Such
  /// a pool has one queue for all.
  void set_cached(bool cached) noexcept;
  [[nodiscard]] bool cached() const noexcept { return cached_.load(std::memory_order_relaxed); }
  /// Of a pool of a join. Its threads end once they have finished what they have; what still comes
  /// goes to `heir` (never in a circle). At once.
  void retire(Pool& heir) noexcept;
  /// A retired pool takes requests again. Returns the number of its threads; 0 after stop().
  unsigned unretire(unsigned threads);
  [[nodiscard]] bool retired() const noexcept {
    return heir_.load(std::memory_order_acquire) != nullptr;
  }
  /// `word`, a futex word that outlives the pool's threads, is set to 1 and woken when a request
  /// finds every thread busy; null: no more. Of a pool with one queue for all.
  void tell_when_busy(std::atomic<std::uint32_t>* word) noexcept {
    hungry_.store(word, std::memory_order_release);
  }

  /// The fewest threads resize() accepts.
  [[nodiscard]] unsigned fewest() const noexcept { return fewest_; }
  /// In force when it returns: new requests go to the new set of threads. A removed thread finishes
  /// what it has; this waits for it for `patience` at most. Returns the size; less than asked only
  /// when the system gives no more threads, and 0 after stop().
  unsigned resize(unsigned threads, Nanos patience = defaults::kResizeWaitNanos);
  /// Once for a pool, when a thread did not get the priority that it asks for: what helps.
  /// Otherwise empty.
  [[nodiscard]] std::string priority_warning();
  /// CPUs the thread may now run on as the kernel says; empty when refused. Any `cpus` empty means
  /// anywhere.
  std::vector<int> pin(unsigned index, const std::vector<int>& cpus);

  // --- its workers ---

  /// seq_cst: a worker that falls asleep looks at it after it said so; who sets it looks for
  /// sleepers after that (expect_blocking).
  [[nodiscard]] bool shared() const noexcept { return shared_.load(std::memory_order_seq_cst); }
  [[nodiscard]] Job* take_shared() noexcept { return static_cast<Job*>(shared_queue_.pop()); }
  /// In the shared queue.
  [[nodiscard]] std::uint64_t waiting_for_any() const noexcept { return shared_queue_.size(); }
  [[nodiscard]] bool shared_work_in_sight() const noexcept {
    return (shared() && waiting_for_any() != 0) || offers_in_sight();
  }
  /// It has stopped: nobody is there to run what comes.
  /// A join that serves again has its threads before it has no heir any more.
  [[nodiscard]] bool stopped() const noexcept { return size() == 0 && !retired() && size() == 0; }
  /// What waits for another worker than this one; null: nothing.
  [[nodiscard]] Job* steal(unsigned thief) noexcept;
  /// The calling worker searches from now on; false when another one does, or nothing waits near
  /// any worker.
  [[nodiscard]] bool begin_search() noexcept;
  /// It does so no more: somebody else may.
  void end_search() noexcept;
  /// Of a worker that has just been given something, by itself or by others: where it does not
  /// count any more, with whom nobody would look for it, that goes to those who do.
  void give_away_if_leaving(Worker& worker) noexcept;
  struct Found {
    std::uint32_t jobs = 0;
    bool moved = false;  ///< some worker gave itself something since the last look
    bool fresh = false;  ///< something waits near one that had nothing then
  };
  /// A look of the worker `thief`, which searches: the older half of what waits too long near
  /// another one, or all where that one stands still, as much as fits.
  [[nodiscard]] Found take_waiting(unsigned thief, std::span<mailbox::Node*> into) noexcept;
  /// For a request that a worker sees and cannot run at once.
  void wake_another() noexcept { wake_one(); }
  void set_idle(unsigned index) noexcept;
  /// False when somebody else took it off the map: it was chosen for something.
  bool clear_idle(unsigned index) noexcept;
  void after_pop() noexcept {
    // Between the count of what was taken and this look: as light_barrier(), without a look whether
    // the kernel has the other half. Its partner is in wait_for_room(), which does that.
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (room_waiters_.load(std::memory_order_relaxed) != 0) wake_room_waiters();
  }
  [[nodiscard]] const Hooks& hooks() const noexcept { return hooks_; }

 private:
  [[nodiscard]] Admission submit_slowly(Request& request) noexcept;
  [[nodiscard]] Worker& choose() noexcept;
  [[nodiscard]] Worker* claim_idle(unsigned count) noexcept;
  [[nodiscard]] bool claim(unsigned index) noexcept;
  [[nodiscard]] Worker& least_loaded() noexcept;
  void hand(Worker& worker, Request& request) noexcept;
  [[nodiscard]] bool keep_near(Request& request, bool admitted) noexcept;
  void call_searcher() noexcept;
  void give_away(Worker& worker) noexcept;
  [[nodiscard]] bool near_in_sight() const noexcept;
  [[nodiscard]] bool offers_in_sight() const noexcept;
  void wake_one() noexcept;
  void wake_all() noexcept;
  void share_queue(bool sharing) noexcept;
  void settle_queue() noexcept;
  void refuse_shared() noexcept;
  /// Of the room of one of `parts`, by what no queue counts.
  [[nodiscard]] std::uint64_t taken_besides(unsigned parts) const noexcept {
    const std::uint64_t more = more_.load(std::memory_order_relaxed);
    // A pool that stops has no parts.
    return kept_.load(std::memory_order_relaxed) + (parts > 1 ? more / parts : more);
  }
  /// How many requests the shared queue may hold.
  [[nodiscard]] std::uint64_t queue_left() const noexcept {
    const std::uint64_t taken = taken_besides(1);
    return queue() > taken ? queue() - taken : 0;
  }
  [[nodiscard]] std::uint64_t share() const noexcept {
    return share_.load(std::memory_order_relaxed);
  }
  void set_count(unsigned count) noexcept;
  [[nodiscard]] unsigned grow(unsigned from, unsigned to);
  [[nodiscard]] unsigned launch(unsigned from, unsigned to);
  void await_ready(unsigned from, unsigned to) noexcept;

  PoolSettings settings_;
  Hooks hooks_;
  std::atomic<std::uint32_t> queue_;
  std::atomic<Overflow> overflow_;
  std::atomic<bool> shared_;   // the workers look at the shared queue; once true, it stays
  std::atomic<bool> sharing_;  // requests go there
  std::atomic<bool> blocking_{false};
  std::atomic<bool> cached_{false};
  std::atomic<Pool*> heir_{nullptr};
  std::atomic<std::atomic<std::uint32_t>*> hungry_{nullptr};
  unsigned fewest_ = 1;
  unsigned launched_ = 0;  // threads, by begin_start()
  std::vector<const Strand*> strands_;

  std::mutex resizing_;
  std::mutex pins_;
  bool priority_refused_ = false;
  bool priority_warned_ = false;
  bool ended_ = false;  // by stop(): nobody starts any more
  std::vector<std::unique_ptr<Worker>> owned_;
  std::unique_ptr<std::atomic<Worker*>[]> workers_;
  std::atomic<unsigned> count_{0};
  std::atomic<std::uint64_t> share_{1};  // of the queue limit, a worker

  std::atomic<std::uint32_t> refusals_{0};  // calls of refuse_shared() that are not done

  mailbox::SharedQueue shared_queue_;
  // Looked at by all workers at each request, written seldom.
  alignas(concurrent::kCacheLine) std::atomic<std::uint32_t> searching_{0};
  alignas(concurrent::kCacheLine) std::array<std::atomic<std::uint64_t>, kMostThreads / 64> idle_{};
  alignas(concurrent::kCacheLine) std::atomic<std::uint64_t> kept_{
      0};                                  // room kept by others' events
  std::atomic<std::uint64_t> more_{0};     // what requests stand for besides themselves
  std::atomic<std::uint64_t> awaited_{0};  // at strands of other pools, for this one
  std::atomic<std::uint64_t> lent_{0};     // at strands of this pool, for other ones
  // Looked at by every worker at each request, written when somebody waits.
  alignas(concurrent::kCacheLine) std::atomic<std::uint32_t> room_waiters_{0};
  std::atomic<std::uint32_t> room_{0};  // futex word: grows when room was made
};

}  // namespace penstock::exec
