#pragma once

#include <chrono>
#include <coroutine>
#include <memory>
#include <optional>
#include <span>

#include "penstock/call/activation/suspended.hpp"
#include "penstock/call/await/wait_list.hpp"
#include "penstock/call/frame/frame.hpp"
#include "penstock/exec/timer_wheel.hpp"

/// The parts of awaiting that know no message types; compiled once, in the library.
namespace penstock::call {

/// Awaits one frame, at most until its deadline.
class FrameAwait : Waiter, Suspended {
 public:
  explicit FrameAwait(Frame& frame) noexcept : frame_(frame) {}
  FrameAwait(const FrameAwait&) = delete;
  FrameAwait& operator=(const FrameAwait&) = delete;
  ~FrameAwait() {
    // Destroyed while suspended: the coroutine is gone before its answer.
    if (frame_.waiter == this) frame_.waiter = nullptr;
  }

  /// True when the answer is there. A frame whose caller may block is waited for right here.
  [[nodiscard]] bool ready() {
    if (frame_.comes_home) [[likely]]
      return frame_.arrived();
    return ready_by_blocking();
  }
  void suspend(std::coroutine_handle<> awaiting) noexcept {
    stop_here(awaiting, &on_interrupt);
    arrived = &on_arrived;
    frame_.waiter = this;
    guarded_ = frame_.deadline_ns != 0 || (activation != nullptr && activation->listed);
    if (guarded_) [[unlikely]]
      guard();
  }
  /// Throws the answer's error, or why there is no answer.
  void check() const {
    if (outcome_ != Outcome::arrived || frame_.failed) [[unlikely]]
      throw_outcome();
  }

  /// Ends the wait with Error(deadlock). On its worker.
  void give_up(std::unique_ptr<Error> deadlock) noexcept;

 private:
  struct Expiry : exec::Timer {
    explicit Expiry(FrameAwait& await) noexcept : owner(&await) {}
    FrameAwait* const owner;
  };
  // Of a wait that could be part of a cycle.
  struct Listed {
    Wait wait;
    std::unique_ptr<Error> deadlock;
  };
  enum class Outcome : std::uint8_t { arrived, late, cancelled, deadlock };

  static void on_arrived(Waiter& waiter, Frame& frame) noexcept;
  static void on_late(exec::Timer& timer) noexcept;
  static void on_interrupt(Suspended& suspended) noexcept;
  void guard() noexcept;
  void end_guard() noexcept;
  void go_on(Outcome outcome) noexcept;
  [[nodiscard]] bool ready_by_blocking();
  [[noreturn]] void throw_outcome() const;

  Frame& frame_;
  Outcome outcome_ = Outcome::arrived;
  bool guarded_ = false;  ///< one of the two is there
  // Made where they are needed: most calls have no deadline, and cannot be part of a cycle.
  std::optional<Expiry> expiry_;
  std::optional<Listed> listed_;
};

/// Awaits several frames, until all answers are there or the time is over. Null frames are skipped.
class GatherAwait : Waiter, Suspended {
 public:
  explicit GatherAwait(std::chrono::nanoseconds within) noexcept
      : until_(after(now_ns(), within.count())) {}
  GatherAwait(const GatherAwait&) = delete;
  GatherAwait& operator=(const GatherAwait&) = delete;
  ~GatherAwait();

  /// `frames` stay where they are until the end.
  [[nodiscard]] bool ready(std::span<Frame*> frames);
  void suspend(std::coroutine_handle<> awaiting) noexcept;
  /// The blocking form of both.
  void wait_all(std::span<Frame*> frames);
  /// Throws Error(cancelled) where nobody wants the result any more.
  void check() const;

 private:
  struct Expiry : exec::Timer {
    GatherAwait* owner = nullptr;
  };
  static void on_arrived(Waiter& waiter, Frame& frame) noexcept;
  static void on_late(exec::Timer& timer) noexcept;
  static void on_interrupt(Suspended& suspended) noexcept;
  void forget_frames() noexcept;

  Nanos until_;
  std::span<Frame*> frames_;
  std::size_t missing_ = 0;
  Expiry expiry_;
  bool cancelled_ = false;
};

/// Awaits a point in time. Off the workers, and in handlers that may block, it just sleeps.
class SleepAwait : Suspended {
 public:
  using comes_home = void;

  explicit SleepAwait(std::chrono::nanoseconds duration) noexcept
      : until_(after(now_ns(), duration.count())) {}
  SleepAwait(const SleepAwait&) = delete;
  SleepAwait& operator=(const SleepAwait&) = delete;
  ~SleepAwait() = default;

  [[nodiscard]] bool await_ready() const;
  void await_suspend(std::coroutine_handle<> awaiting) noexcept;
  /// Throws Error(cancelled) where nobody wants the result any more.
  void await_resume() const;

 private:
  struct Expiry : exec::Timer {
    SleepAwait* owner = nullptr;
  };
  static void on_due(exec::Timer& timer) noexcept;
  static void on_interrupt(Suspended& suspended) noexcept;

  Nanos until_;
  Expiry expiry_;
  bool cancelled_ = false;
};

}  // namespace penstock::call
