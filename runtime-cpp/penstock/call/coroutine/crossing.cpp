#include "penstock/call/coroutine/crossing.hpp"

#include "penstock/base/error.hpp"
#include "penstock/base/thread_rule.hpp"
#include "penstock/concurrent/futex.hpp"
#include "penstock/exec/worker.hpp"

namespace penstock::call {

void Crossing::add_bringer() noexcept {
  if (bringers_.fetch_add(1, std::memory_order_relaxed) == 0) {
    shares_.fetch_add(1, std::memory_order_relaxed);
    had_bringers_.store(true, std::memory_order_relaxed);
  }
}

void Crossing::drop_bringer() noexcept {
  // Release and acquire: the last one goes after all that the others did.
  if (bringers_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (claim()) {
    fail(std::make_exception_ptr(
        Error(ErrorCode::aborted, "the callback was dropped without being called")));
  }
  let_go();
}

void Crossing::arrive() noexcept {
  // Release: what was brought is seen by who waits. Acquire: we see where that is.
  switch (state_.exchange(kArrived, std::memory_order_acq_rel)) {
    case kAwaited:
      home_->post_as_visitor(*this);  // who waits has it from here on
      break;
    case kBlocked:
      concurrent::futex_wake(state_);
      break;
    default:
      break;
  }
}

void Crossing::fail(std::exception_ptr why) noexcept {
  failure_ = why != nullptr
                 ? std::move(why)
                 : std::make_exception_ptr(Error(ErrorCode::unknown, "failed without a reason"));
  arrive();
}

bool Crossing::wait(Suspended& waiting) noexcept {
  expect_rule(waiting_ == nullptr, "a Completion is awaited by one coroutine");
  run = &on_home;
  home_ = exec::Worker::current();
  waiting_ = &waiting;
  home_->hold();
  shares_.fetch_add(1, std::memory_order_relaxed);
  std::uint32_t state = kOpen;
  if (state_.compare_exchange_strong(state, kAwaited, std::memory_order_acq_rel)) return true;
  waiting_ = nullptr;
  end_wait();
  return false;
}

void Crossing::stop_waiting() noexcept {
  if (waiting_ == nullptr) return;
  expect_rule(home_ == exec::Worker::current(),
              "a coroutine that waits is destroyed on the worker that it waits on");
  waiting_ = nullptr;
  std::uint32_t state = kAwaited;
  // Else its job is on the way, and finds nobody.
  if (state_.compare_exchange_strong(state, kOpen, std::memory_order_acq_rel)) end_wait();
}

void Crossing::on_home(exec::Job& job) noexcept {
  auto& self = static_cast<Crossing&>(job);
  Suspended* const waiting = std::exchange(self.waiting_, nullptr);
  self.end_wait();
  if (waiting != nullptr) waiting->resume();
}

void Crossing::end_wait() noexcept {
  if (home_ == exec::Worker::current()) {
    home_->let_go();
  } else {
    home_->let_go_elsewhere();
  }
  let_go();
}

void Crossing::block() noexcept {
  std::uint32_t state = kOpen;
  state_.compare_exchange_strong(state, kBlocked, std::memory_order_acq_rel);
  while (!arrived()) concurrent::futex_wait(state_, kBlocked);
}

void Crossing::let_go() noexcept {
  // Release: what was done here comes before its end; acquire: the last one destroys it after all.
  if (shares_.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy_(*this);
}

}  // namespace penstock::call
