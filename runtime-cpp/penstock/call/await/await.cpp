#include "penstock/call/await/await.hpp"

#include <thread>

#include "penstock/call/coroutine/task.hpp"

namespace penstock::call {

namespace {

[[noreturn]] void throw_cancelled() {
  throw Error(ErrorCode::cancelled, "nobody waits for this request any more");
}

}  // namespace

void TaskPromiseBase::tell_destroyed() noexcept {
  destroyed = true;
  exception = std::make_exception_ptr(
      Error(ErrorCode::cancelled, "its coroutine was destroyed before its end"));
  std::exchange(done, nullptr)(owner);
}

// --- FrameAwait ---

bool FrameAwait::ready_by_blocking() {
  if (!wait(frame_)) outcome_ = Outcome::late;
  return true;
}

void FrameAwait::guard() noexcept {
  if (frame_.deadline_ns != 0) {
    exec::Worker::current()->arm(expiry_.emplace(*this), frame_.deadline_ns, &on_late);
  }
  if (activation != nullptr && activation->listed) {
    listed_.emplace().wait.enter(*activation, frame_, this);
  }
}

void FrameAwait::end_guard() noexcept {
  if (listed_) listed_->wait.leave();
  if (expiry_) expiry_->cancel();
}

void FrameAwait::go_on(Outcome outcome) noexcept {
  if (guarded_) end_guard();
  frame_.waiter = nullptr;
  outcome_ = outcome;
  resume();
}

void FrameAwait::on_arrived(Waiter& waiter, Frame& /*frame*/) noexcept {
  auto& self = static_cast<FrameAwait&>(waiter);
  if (self.guarded_) [[unlikely]]
    self.end_guard();
  self.resume();
}

void FrameAwait::on_late(exec::Timer& timer) noexcept {
  static_cast<Expiry&>(timer).owner->go_on(Outcome::late);
}

void FrameAwait::on_interrupt(Suspended& suspended) noexcept {
  static_cast<FrameAwait&>(suspended).go_on(Outcome::cancelled);
}

void FrameAwait::give_up(std::unique_ptr<Error> deadlock) noexcept {
  // The frame is ours: its callee has no way to end.
  if (listed_) listed_->deadlock = std::move(deadlock);
  go_on(Outcome::deadlock);
}

void FrameAwait::throw_outcome() const {
  switch (outcome_) {
    case Outcome::late:
      throw_deadline_exceeded(frame_);
    case Outcome::cancelled:
      throw_cancelled();
    case Outcome::deadlock:
      if (listed_) throw Error(*listed_->deadlock);
      break;
    case Outcome::arrived:
      break;
  }
  throw Error(*frame_.error);
}

// --- GatherAwait ---

GatherAwait::~GatherAwait() { forget_frames(); }

void GatherAwait::forget_frames() noexcept {
  for (Frame* const frame : frames_) {
    if (frame != nullptr && frame->waiter == this) frame->waiter = nullptr;
  }
}

bool GatherAwait::ready(std::span<Frame*> frames) {
  for (Frame* const frame : frames) {
    if (frame == nullptr) continue;
    if (!frame->comes_home) {
      wait_all(frames);
      return true;
    }
    if (!frame->arrived()) ++missing_;
  }
  frames_ = frames;
  return missing_ == 0;
}

void GatherAwait::wait_all(std::span<Frame*> frames) {
  for (Frame* const frame : frames) {
    if (frame != nullptr && !wait_until(*frame, until_)) {
      frame->late.store(true, std::memory_order_relaxed);
    }
  }
}

void GatherAwait::suspend(std::coroutine_handle<> awaiting) noexcept {
  stop_here(awaiting, &on_interrupt);
  arrived = &on_arrived;
  for (Frame* const frame : frames_) {
    if (frame != nullptr && !frame->arrived()) frame->waiter = this;
  }
  expiry_.owner = this;
  exec::Worker::current()->arm(expiry_, until_, &on_late);
}

void GatherAwait::on_arrived(Waiter& waiter, Frame& /*frame*/) noexcept {
  auto& self = static_cast<GatherAwait&>(waiter);
  if (--self.missing_ != 0) return;
  self.expiry_.cancel();
  self.resume();
}

void GatherAwait::on_late(exec::Timer& timer) noexcept {
  GatherAwait& self = *static_cast<Expiry&>(timer).owner;
  for (Frame* const frame : self.frames_) {
    if (frame != nullptr && frame->waiter == &self) {
      frame->late.store(true, std::memory_order_relaxed);
    }
  }
  self.forget_frames();
  self.resume();
}

void GatherAwait::on_interrupt(Suspended& suspended) noexcept {
  auto& self = static_cast<GatherAwait&>(suspended);
  self.expiry_.cancel();
  self.forget_frames();
  self.cancelled_ = true;
  self.resume();
}

void GatherAwait::check() const {
  if (cancelled_) throw_cancelled();
}

// --- SleepAwait ---

bool SleepAwait::await_ready() const {
  const Activation* const running = current_activation();
  if (exec::Worker::current() == nullptr || (running != nullptr && running->may_block)) {
    std::this_thread::sleep_until(
        std::chrono::steady_clock::time_point(std::chrono::nanoseconds(until_)));
    return true;
  }
  return now_ns() >= until_;
}

void SleepAwait::await_suspend(std::coroutine_handle<> awaiting) noexcept {
  stop_here(awaiting, &on_interrupt);
  expiry_.owner = this;
  exec::Worker::current()->arm(expiry_, until_, &on_due);
}

void SleepAwait::on_due(exec::Timer& timer) noexcept {
  static_cast<Expiry&>(timer).owner->resume();
}

void SleepAwait::on_interrupt(Suspended& suspended) noexcept {
  auto& self = static_cast<SleepAwait&>(suspended);
  self.expiry_.cancel();
  self.cancelled_ = true;
  self.resume();
}

void SleepAwait::await_resume() const {
  if (cancelled_) throw_cancelled();
}

}  // namespace penstock::call
