#pragma once

#include <atomic>
#include <cstdint>

#include "penstock/base/context.hpp"
#include "penstock/call/activation/locals.hpp"

namespace penstock::exec {
class Pool;
class Worker;
}  // namespace penstock::exec

namespace penstock::call {

struct Frame;
struct Implementation;
class Spans;
struct Suspended;
struct WatchedThread;

/// What a handler is at work for: a call, or an event of a flow.
class Cause {
 public:
  /// Of a call, which lives until its handler is done.
  void is(const Frame& call) noexcept { word_ = reinterpret_cast<std::uintptr_t>(&call); }
  /// Of an event. `entry` is where its flow's source is held back.
  void is_event(exec::Pool& entry) noexcept {
    word_ = reinterpret_cast<std::uintptr_t>(&entry) | kEvent;
  }

  /// Null: no call, or nothing.
  [[nodiscard]] const Frame* call() const noexcept {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): one word for two kinds of pointers
    return (word_ & kEvent) == 0 ? reinterpret_cast<const Frame*>(word_) : nullptr;
  }
  /// Where the source of all this looks for room before more comes: what is asked or pushed on its
  /// behalf beyond a full queue keeps room there (exec::Request::keeps_room_of). Null: nobody
  /// looks.
  [[nodiscard]] inline exec::Pool* held_back_at() const noexcept;

 private:
  // The address of a frame, or of a pool beside this; of neither: an event whose source nobody
  // holds back.
  static constexpr std::uintptr_t kEvent = 1;
  std::uintptr_t word_ = kEvent;
};

/// A handler at work: what it carries and where it runs. Lives in the call frame or the flow's
/// event, so that it survives every suspension.
struct Activation {
  Context context;
  /// Where it runs once it has begun; null before. Relaxed: workers outlive their requests.
  std::atomic<exec::Worker*> worker{nullptr};
  Implementation* implementation = nullptr;
  /// What its coroutine is suspended in; null while its code runs. Its worker's thread.
  Suspended* suspended = nullptr;
  /// A `sync-remote` handler, the one that may block in get() on a worker; or one that is taken
  /// away with its worker, for which no answer comes home.
  bool may_block = false;
  /// Its waits may be part of a cycle: they are listed for the search (wait_graph.hpp).
  bool listed = false;
  /// Position in `spans`.
  std::uint16_t span = 0;
  /// Index of the partition whose right it has or waits for, where the service has partitions.
  std::uint32_t place = 0;
  Cause cause;
  /// Where its calls are written down, with those of the whole event that it serves; null: nobody
  /// wants to see them.
  Spans* spans = nullptr;
  /// What travels with the request. Its destructors find all else as it was.
  Locals locals;

  /// Notes that the implementation begins to run here.
  inline void begin(exec::Worker& here) noexcept;
};

/// What a thread runs at the moment. Its own thread writes; the watchdog reads the two atomics.
struct Turn {
  Activation* activation = nullptr;
  /// Whose handler; null: none. Relaxed: implementations live as long as the binary.
  std::atomic<const Implementation*> running{nullptr};
  /// Grows whenever handler code starts or goes on: the same number later is the same stretch of
  /// work.
  std::atomic<std::uint64_t> count{0};
  /// The thread's entry with the watchdog; null: it has none.
  WatchedThread* watched = nullptr;
};

/// The thread's turn. In the header, because each call looks at it several times: a plain load
/// instead of a call.
extern constinit thread_local Turn t_turn;

/// The activation whose code the calling thread runs; null: none.
[[nodiscard]] inline Activation* current_activation() noexcept { return t_turn.activation; }

/// Makes an activation the current one while handler code runs; the one before comes back after.
class Activating {
 public:
  explicit Activating(Activation* activation) noexcept
      : before_(t_turn.activation),
        running_before_(t_turn.running.load(std::memory_order_relaxed)) {
    t_turn.activation = activation;
    // Relaxed, both: the watchdog draws conclusions only from what stays the same for long.
    t_turn.running.store(activation != nullptr ? activation->implementation : nullptr,
                         std::memory_order_relaxed);
    if (before_ == nullptr) new_turn();
  }
  /// For who then says goes_on() before any handler runs.
  struct Later {};
  Activating(Activation* activation, Later /*goes_on*/) noexcept
      : before_(t_turn.activation),
        running_before_(t_turn.running.load(std::memory_order_relaxed)) {
    t_turn.activation = activation;
  }
  Activating(const Activating&) = delete;
  Activating& operator=(const Activating&) = delete;
  ~Activating() {
    t_turn.activation = before_;
    t_turn.running.store(running_before_, std::memory_order_relaxed);
  }

  /// The current activation goes on as another implementation's.
  static void goes_on(const Implementation& implementation) noexcept {
    turns_to(implementation);
    new_turn();
  }
  /// The same within one stretch of work.
  static void turns_to(const Implementation& implementation) noexcept {
    t_turn.running.store(&implementation, std::memory_order_relaxed);
  }
  /// What follows is another stretch of work, although it runs inside this one.
  static void new_turn() noexcept {
    t_turn.count.store(t_turn.count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

 private:
  Activation* const before_;
  const Implementation* const running_before_;
};

}  // namespace penstock::call

namespace penstock {

/// Deadline, trace ids and baggage of the request that the calling code serves; empty on a thread
/// that serves none. Valid until the handler returns.
[[nodiscard]] const Context& context() noexcept;

/// Whether nobody waits any more for the request that the calling code serves: its caller dropped
/// the future, or its deadline has passed. A handler that works for long asks now and then. What a
/// coroutine awaits when that happens ends by itself with Error(cancelled).
[[nodiscard]] bool cancelled() noexcept;

}  // namespace penstock
