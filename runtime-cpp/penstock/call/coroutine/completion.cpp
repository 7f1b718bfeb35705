#include "penstock/call/coroutine/completion.hpp"

#include "penstock/exec/worker.hpp"

namespace penstock::call {

namespace {

bool may_block() noexcept {
  const Activation* const running = current_activation();
  return exec::Worker::current() == nullptr || (running != nullptr && running->may_block);
}

// Nobody could end the wait: it fails at once.
void expect_bringer(Crossing& crossing) {
  if (!crossing.had_bringers() && crossing.claim()) {
    crossing.fail(std::make_exception_ptr(
        Error(ErrorCode::failed_precondition,
              "nobody can call back: take the callback() of a Completion before it is awaited")));
  }
}

}  // namespace

bool CompletionWait::ready() {
  if (crossing_.arrived()) return true;
  expect_bringer(crossing_);
  if (!may_block()) return crossing_.arrived();
  crossing_.block();
  return true;
}

bool CompletionWait::suspend(std::coroutine_handle<> awaiting) noexcept {
  stop_here(awaiting, &on_interrupt);
  if (crossing_.wait(*this)) return true;
  forget();
  return false;
}

void CompletionWait::check() const {
  if (cancelled_) throw Error(ErrorCode::cancelled, "nobody waits for this request any more");
  if (crossing_.failure() != nullptr) std::rethrow_exception(crossing_.failure());
}

void CompletionWait::block() {
  if (!ready()) {
    throw Error(ErrorCode::failed_precondition,
                "get() would block a worker thread, which can deadlock: use co_await; only "
                "sync-remote handlers and threads outside the pools may block");
  }
  check();
}

void CompletionWait::on_interrupt(Suspended& suspended) noexcept {
  auto& self = static_cast<CompletionWait&>(suspended);
  self.crossing_.stop_waiting();
  self.cancelled_ = true;
  self.resume();
}

}  // namespace penstock::call
