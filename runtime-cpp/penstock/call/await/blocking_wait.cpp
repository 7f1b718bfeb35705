// The blocking way to an answer: the thread looks for it a while, then sleeps on the frame.
#include "penstock/call/await/wait_list.hpp"
#include "penstock/call/frame/frame.hpp"
#include "penstock/concurrent/futex.hpp"
#include "penstock/concurrent/pause.hpp"

namespace penstock::call {

namespace {

constexpr int kLooksBeforeSleep = 200;

// True when the answer is there without a sleep.
bool arrives_at_once(const Frame& frame) {
  if (frame.arrived()) return true;
  if (frame.comes_home) {
    throw Error(ErrorCode::failed_precondition,
                "get() would block a worker thread, which can deadlock: use co_await; only "
                "sync-remote handlers and threads outside the pools may block");
  }
  for (int look = 0; look < kLooksBeforeSleep; ++look) {
    concurrent::pause();
    if (frame.arrived()) return true;
  }
  return false;
}

// True when the answer is there; false at the deadline, or when `waiting` was given up.
bool sleep_for_answer(Frame& frame, Nanos deadline_ns, const BlockedWait* waiting) {
  std::uint32_t state = Frame::kPending;
  frame.state.compare_exchange_strong(state, Frame::kWaiting, std::memory_order_acq_rel);
  while (!frame.arrived()) {
    if (waiting != nullptr && waiting->given_up()) return false;
    if (deadline_ns != 0 && now_ns() >= deadline_ns) {
      // Back from kWaiting, so that drop() finds one of its states; the answer may win the race.
      state = Frame::kWaiting;
      return !frame.state.compare_exchange_strong(state, Frame::kPending,
                                                  std::memory_order_acq_rel) &&
             frame.arrived();
    }
    concurrent::futex_wait(frame.state, Frame::kWaiting, deadline_ns);
  }
  return true;
}

}  // namespace

bool wait(Frame& frame) {
  if (arrives_at_once(frame)) return true;
  BlockedWait waiting(frame);
  const bool arrived = sleep_for_answer(frame, frame.deadline_ns, &waiting);
  waiting.end();
  return arrived;
}

bool wait_until(Frame& frame, Nanos deadline_ns) {
  return arrives_at_once(frame) || sleep_for_answer(frame, deadline_ns, nullptr);
}

}  // namespace penstock::call
