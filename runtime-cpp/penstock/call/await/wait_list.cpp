#include "penstock/call/await/wait_list.hpp"

#include <mutex>
#include <utility>

#include "penstock/call/await/watched_thread.hpp"
#include "penstock/call/frame/frame.hpp"
#include "penstock/concurrent/futex.hpp"

namespace penstock::call {

namespace {

std::atomic<std::uint64_t> g_serial{0};

}  // namespace

void Wait::enter(const Activation& self, Frame& frame, FrameAwait* coroutine,
                 BlockedWait* blocked) noexcept {
  WatchedThread* const thread = t_turn.watched;
  if (thread == nullptr || self.implementation == nullptr) return;
  self_ = &self;
  frame_ = &frame;
  coroutine_ = coroutine;
  blocked_ = blocked;
  condemned_ = false;
  thread_ = thread;
  // Relaxed: numbers, which order nothing.
  serial_ = g_serial.fetch_add(1, std::memory_order_relaxed);
  since_ = thread->tick->load(std::memory_order_relaxed);
  const std::lock_guard hold(thread->waits.lock);
  next_ = thread->waits.newest;
  previous_ = &thread->waits.newest;
  if (next_ != nullptr) next_->previous_ = &next_;
  thread->waits.newest = this;
}

void Wait::leave_list() noexcept {
  const std::lock_guard hold(std::exchange(thread_, nullptr)->waits.lock);
  *previous_ = next_;
  if (next_ != nullptr) next_->previous_ = previous_;
}

BlockedWait::BlockedWait(Frame& frame) noexcept {
  if (const Activation* const self = current_activation()) {
    wait_.enter(*self, frame, nullptr, this);
  }
}

void BlockedWait::end() {
  wait_.leave();
  if (given_up()) throw Error(*deadlock_);
}

bool BlockedWait::give_up(Frame& frame, std::unique_ptr<Error> deadlock) noexcept {
  deadlock_ = std::move(deadlock);
  std::uint32_t state = Frame::kWaiting;
  // Not while it is about to sleep (it is found again), nor when the answer has come.
  if (!frame.state.compare_exchange_strong(state, Frame::kPending, std::memory_order_acq_rel)) {
    return false;
  }
  // Release: who sees it sees the error. The sleeper cannot sleep again: the word has changed.
  given_up_.store(true, std::memory_order_release);
  concurrent::futex_wake(frame.state);
  return true;
}

}  // namespace penstock::call
