#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

#include "penstock/call/activation/activation.hpp"
#include "penstock/call/coroutine/task.hpp"
#include "penstock/call/service/service.hpp"
#include "penstock/flow/event/event_end.hpp"
#include "penstock/flow/event/pieces.hpp"
#include "penstock/flow/event/value_type.hpp"
#include "penstock/message.hpp"

namespace penstock::flow {

class Flow;
class Trace;
struct Stage;

/// Of a sampled event, in a block of its own: few are.
struct Timing {
  Nanos emitted_ns = 0;
  Nanos entered_ns = 0;             ///< the stage, its queue included
  Nanos begun_ns = 0;               ///< its handler; 0: it was not run
  Nanos fused_ns = 0;               ///< when the virtual stage began that the event is in
  const Stage* fused_at = nullptr;  ///< and where; null: it waits for one
  Trace* trace = nullptr;           ///< somebody wants to see its way
};

/// One event on its way: a single block that is recycled, with the value of the stage it is at in
/// place. Belongs to whoever runs or queues it; never shared.
///
/// Laid out by who looks at it: the first cache line and the value pass from thread to thread at
/// each hop; what lies between stays where it is unless the event is one of the few that need it
/// (`marks`), and is as a new event's when it is given back.
struct Event final : exec::Request {
  static constexpr std::size_t kAlignment = 16;
  /// Where workers fetch the second line of a job from (Worker::run_lanes).
  static constexpr std::size_t kValueOffset = 256;

  enum Mark : std::uint16_t {
    kSampled = 1,    ///< its times are taken: `timing` is there
    kDeadline = 2,   ///< it has one
    kExtras = 4,     ///< it carries more than a value: what is reset when it is given back
    kAsStage = 8,    ///< its value has the type that its stage takes; `type` may say another one
    kStarting = 16,  ///< a coroutine is being started: its end is not to go on by itself
    kSuspended = 32,
    kHolding = 64,  ///< waits for its turn on behalf of the worker `only`, which therefore stays
    kBranchLost = 128,  ///< a copy of it could not be made: it ends as dropped
    kLeaving = 256,     ///< its stage is done: it is to go on behind it
  };

  Stage* stage = nullptr;  ///< where it is, or waits to be

  const ValueType* type = nullptr;   ///< of the value; null: there is none
  std::unique_ptr<Failure> failure;  ///< set: on its way to a catch
  const Stage* failed_at = nullptr;  ///< the stage that failed last
  Completion* completion = nullptr;  ///< told of the event's end; null: nobody waits for it
  Pieces* pieces = nullptr;          ///< set behind a fan-out
  Timing* timing = nullptr;          ///< when sampled
  Nanos deadline_ns = 0;             ///< for all of its way; 0: none
  /// Waits at a strand for its turn in this pool; null: it does not, or in the strand's own pool.
  exec::Pool* awaited_by = nullptr;
  void* task = nullptr;  ///< address of the suspended handler's coroutine
  call::Activation activation;

  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() = default;

  [[nodiscard]] bool is(std::uint16_t mark) const noexcept { return (marks & mark) != 0; }
  void mark(std::uint16_t mark) noexcept { marks = static_cast<std::uint16_t>(marks | mark); }
  void unmark(std::uint16_t mark) noexcept { marks = static_cast<std::uint16_t>(marks & ~mark); }

  // --- before it is emitted ---

  /// `to` is told of its end.
  void tell(Completion& to) noexcept {
    completion = &to;
    mark(kExtras);
  }
  /// Monotonic; 0: none.
  void set_deadline(Nanos at) noexcept {
    deadline_ns = at;
    if (at != 0) mark(kDeadline | kExtras);
  }
  /// Trace and baggage; without the deadline.
  void set_context(Context context) noexcept {
    if (!context.trace.present() && !context.baggage) return;
    activation.context.trace = context.trace;
    activation.context.baggage = std::move(context.baggage);
    mark(kExtras);
  }

  /// Its times are taken from now on. Throws std::bad_alloc.
  Timing& take_times(const Timing& from) {
    timing = ::new (concurrent::allocate(sizeof(Timing))) Timing(from);
    mark(kSampled);
    return *timing;
  }

  // --- its value ---

  [[nodiscard]] void* storage() noexcept {
    return reinterpret_cast<std::byte*>(this) + kValueOffset;
  }
  template <class T>
  [[nodiscard]] T& value() noexcept {
    return *std::launder(static_cast<T*>(storage()));
  }
  template <class T>
  void set_value(T&& fresh) {
    static_assert(alignof(T) <= kAlignment);
    clear_value();
    ::new (storage()) std::remove_cvref_t<T>(std::forward<T>(fresh));
    type = &value_type<std::remove_cvref_t<T>>;
  }
  void clear_value() noexcept {
    if (type == nullptr) return;
    if (const auto destroy = std::exchange(type, nullptr)->destroy) destroy(storage());
  }

  /// Makes all but the block as new.
  void reset() noexcept {
    if (is(kExtras)) {
      failure.reset();
      failed_at = nullptr;
      completion = nullptr;
      pieces = nullptr;
      deadline_ns = 0;
      activation.locals.end();
      activation.context = {};
      activation.spans = nullptr;
    }
    if (is(kSampled)) {
      concurrent::release(std::exchange(timing, nullptr), sizeof(Timing));
    }
    marks = 0;
  }
};
static_assert(sizeof(Event) <= Event::kValueOffset);

/// Goes on with an event whose stage's coroutine is done. On the worker where it ran.
void resume_after_stage(Event& event) noexcept;
/// Notes how the stage of the event has failed. Without memory for it all that is known is that it
/// has.
void set_failure(Event& event, ErrorCode code, std::string_view message) noexcept;
/// The same of what it threw.
void set_failure(Event& event, const std::exception_ptr& exception) noexcept;

}  // namespace penstock::flow
