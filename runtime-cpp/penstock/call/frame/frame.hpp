#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "penstock/base/thread_rule.hpp"
#include "penstock/call/activation/activation.hpp"
#include "penstock/call/service/service.hpp"
#include "penstock/concurrent/cache_line.hpp"
#include "penstock/concurrent/recycler.hpp"

namespace penstock::call {

struct Frame;

/// Somebody who is told, on the frame's home thread, that an answer arrived.
struct Waiter {
  void (*arrived)(Waiter& waiter, Frame& frame) noexcept = nullptr;
};

/// One call: the mailbox node, the request, the answer and who waits for it. The same frame
/// travels there and back; it comes from the caller's free list and, in the usual case, goes back
/// to it.
///
/// It belongs to the caller until send(), to the callee until finish(), then to the caller again;
/// what is atomic is looked at by both in between. With a `home` (a caller on a worker that must
/// not block) the answer comes as a job to that worker, and the caller's side is plain code on one
/// thread. Without, `state` is a futex word that the caller's thread sleeps on.
struct Frame : exec::Request {
  static constexpr std::uint32_t kPending = 0;
  static constexpr std::uint32_t kArrived = 1;  ///< the answer is there
  static constexpr std::uint32_t kDropped = 2;  ///< nobody wants it any more
  static constexpr std::uint32_t kWaiting = 3;  ///< a thread sleeps for it

  // Of `note`: whether somebody is on the way to tell the callee that its caller is gone.
  static constexpr std::uint8_t kNoNote = 0;
  static constexpr std::uint8_t kNoteOut = 1;  ///< the frame is kept for it
  static constexpr std::uint8_t kNoteBack = 2;
  static constexpr std::uint8_t kFrameDone = 3;  ///< the note destroys the frame

  /// The callee's own: only it looks at this while it is at work, so that these lines stay in its
  /// cache from call to call.
  struct Callee {
    Activation activation;
    void* coroutine = nullptr;  ///< of a handler that is one, while it is not done
  };

  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): what the callee writes first
  explicit Frame(void (*destroyer)(Frame&) noexcept) noexcept : destroy(destroyer) {}
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;
  ~Frame() {}  // NOLINT: `callee` is not there any more

  // Cache lines, each for those who look at it: what both sides pass to and fro (the job), what the
  // caller alone looks at, what the callee alone looks at, and the answer's line, which goes on
  // with the request and the response. In a usual call the first and the last change hands.
  void (*const destroy)(Frame&) noexcept;

  // --- the caller's line ---
  alignas(concurrent::kLine) Waiter* waiter = nullptr;
  const CallSite* site = nullptr;
  KeptError error;
  Nanos sent_ns = 0;  ///< when sampled, or when the service has a deadline
  /// When sampled, which few are, by the callee: when its handler began; 0: it was not run.
  Nanos begun_ns;
  std::atomic<std::uint32_t> state{kPending};
  /// Whether the answer comes as a job to `home`; as `home` itself, which is on another line.
  bool comes_home = false;
  /// Position in `spans`, where those are.
  std::uint16_t span;
  /// Where a call on behalf of a followed event is written down, kept until its answer leaves; null
  /// for all others. It is sampled then.
  Spans* spans = nullptr;
  /// Where its Future belongs.
  [[no_unique_address]] OwnThread caller;

  // --- the callee's lines ---
  /// Where the callee runs, or ran: written before `begun`, never before that. Stays when `callee`
  /// is gone.
  alignas(concurrent::kLine) exec::Worker* runs_on;
  union {
    /// There from begin() to finish(), or from the start where the call `carries` a context.
    Callee callee;
  };

  // --- the answer's line ---
  alignas(concurrent::kLine) Implementation* implementation = nullptr;
  exec::Worker* home = nullptr;
  /// When nobody waits for the answer any more; 0: never.
  Nanos deadline_ns = 0;
  /// Index of the partition whose right it has or waits for, where the service has partitions.
  std::uint32_t place = 0;
  std::atomic<std::uint8_t> note{kNoNote};
  /// The callee has begun: `runs_on` says where.
  std::atomic<bool> begun{false};
  /// Nobody wants the result any more.
  std::atomic<bool> dropped{false};
  /// Because whoever waited for it did not do so for longer. Written before `dropped`.
  std::atomic<bool> late{false};
  /// The callee is done with it, or never began. The callee writes it before the answer leaves.
  std::atomic<bool> ended{false};
  bool failed = false;  ///< `error` is there
  bool sampled = false;
  /// Runs on the caller's stack: it never leaves the home thread, and its answer goes through no
  /// mailbox.
  bool inlined = false;
  /// The caller has put trace ids or baggage into the callee's context.
  bool carries = false;
  /// What becomes of the event that it was asked for, where that is a stage of another binary's
  /// flow: that one can be told that it ends.
  enum class Event : std::uint8_t { none, goes_on, ends };
  Event event = Event::none;

  [[nodiscard]] bool arrived() const noexcept {
    return state.load(std::memory_order_acquire) == kArrived;
  }
};

/// The part that a caller knows: the answer's type.
template <class Response>
struct ReplyFrame : Frame {
  using Frame::Frame;
  std::optional<Response> response;
};
template <>
struct ReplyFrame<void> : Frame {
  using Frame::Frame;
};

template <class Request, class Response>
struct CallFrame final : ReplyFrame<Response> {
  explicit CallFrame(Request&& asked)
      : ReplyFrame<Response>(&CallFrame::release), request(std::move(asked)) {}

  [[nodiscard]] static CallFrame* make(Request&& asked) {
    void* const memory = concurrent::allocate(sizeof(CallFrame));
    return ::new (memory) CallFrame(std::move(asked));
  }
  static void release(Frame& frame) noexcept {
    auto& self = static_cast<CallFrame&>(frame);
    self.~CallFrame();
    concurrent::release(&self, sizeof(CallFrame));
  }

  Request request;
};

/// Sends a frame off: to `implementation`, or by weight when null. Any thread. The answer may be an
/// error at once (a full queue).
void send(Frame& frame, const CallSite& site, Implementation* implementation) noexcept;

/// The same on any thread of `pool`, wherever the service is placed. A worker that must not block.
void send_to(exec::Pool& pool, Frame& frame, const CallSite& site) noexcept;

/// Runs a coroutine handler inline, here and now; the site's service is placed on this very thread
/// (direct.hpp). Throws Error(failed_precondition) when it is busy with something else, or
/// suspends. The frame is the caller's again after a return; after a throw drop() it.
void run_inline(Frame& frame, const CallSite& site, Implementation& implementation);

/// The callee's side is done: response or error is in the frame.
void finish(Frame& frame) noexcept;
/// finish() with an error.
void fail(Frame& frame, const std::exception_ptr& exception) noexcept;

/// The caller does not want the answer any more: a callee that waits its turn is skipped, one that
/// is suspended goes on with Error(cancelled), one that runs can ask cancelled(). The caller's
/// thread.
inline void drop(Frame& frame) noexcept;
void drop_unanswered(Frame& frame) noexcept;
/// The same of a call that a worker's Waiter waits for, who is still told when it is over, by an
/// answer or an error: what the call holds is known to be there until then. At most once, before
/// that. Whoever is told ends the frame by end_cancellable().
void cancel(Frame& frame) noexcept;
/// Ends the frame of a call that may have been cancelled. In Waiter::arrived.
void end_cancellable(Frame& frame) noexcept;

/// Blocks until the answer is there or the frame's deadline has passed (then false). Throws
/// Error(failed_precondition) on a worker whose handler must not block, Error(deadlock) where the
/// answer can never come.
[[nodiscard]] bool wait(Frame& frame);
/// Blocks until the answer is there or `deadline_ns` (then false), whatever happens. Throws
/// Error(failed_precondition) as wait() does.
[[nodiscard]] bool wait_until(Frame& frame, Nanos deadline_ns);

/// Throws the frame's error, if it has one.
inline void check(const Frame& frame);
[[noreturn]] void throw_error(const Frame& frame);
[[noreturn]] void throw_deadline_exceeded(const Frame& frame);
[[noreturn]] void throw_busy(const Service& service);
[[noreturn]] void throw_not_wired();

inline exec::Pool* Cause::held_back_at() const noexcept {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): see word_
  if ((word_ & kEvent) != 0) return reinterpret_cast<exec::Pool*>(word_ - kEvent);
  return call()->keeps_room_of;
}

inline void drop(Frame& frame) noexcept {
  if (frame.arrived()) {
    frame.destroy(frame);
  } else {
    drop_unanswered(frame);
  }
}
inline void check(const Frame& frame) {
  if (frame.failed) [[unlikely]]
    throw_error(frame);
}

}  // namespace penstock::call
