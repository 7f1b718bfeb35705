#include "penstock/call/coroutine/foreign.hpp"

#include "penstock/base/error.hpp"
#include "penstock/concurrent/recycler.hpp"
#include "penstock/exec/worker.hpp"

namespace penstock::call {

namespace {

struct Passage final : Crossing {
  Passage() noexcept : Crossing(&destroy) {}
  static void destroy(Crossing& crossing) noexcept {
    auto& self = static_cast<Passage&>(crossing);
    self.~Passage();
    concurrent::release(&self, sizeof(Passage));
  }
};

// Runs once, when it is resumed, and is gone then.
struct Relay {
  struct promise_type {
    [[nodiscard]] Relay get_return_object() noexcept {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    [[nodiscard]] static std::suspend_always initial_suspend() noexcept { return {}; }
    [[nodiscard]] static std::suspend_never final_suspend() noexcept { return {}; }
    static void return_void() noexcept {}
    static void unhandled_exception() noexcept {}

    static void* operator new(std::size_t bytes) { return concurrent::allocate(bytes); }
    static void operator delete(void* frame, std::size_t bytes) noexcept {
      concurrent::release(frame, bytes);
    }
  };

  std::coroutine_handle<> handle;
};

Relay relay_to(Bringer home) {
  if (home->claim()) home->arrive();
  co_return;
}

}  // namespace

std::coroutine_handle<> ForeignWait::set_out(std::coroutine_handle<> awaiting) {
  if (exec::Worker::current() == nullptr) return nullptr;
  crossing_ = ::new (concurrent::allocate(sizeof(Passage))) Passage;
  const std::coroutine_handle<> relay = relay_to(Bringer(*crossing_)).handle;
  coroutine = awaiting;
  activation = current_activation();
  // Nobody has the relay yet, so it has not arrived.
  static_cast<void>(crossing_->wait(*this));
  return relay;
}

void ForeignWait::turn_back(std::coroutine_handle<> relay) noexcept {
  end();
  relay.destroy();
}

void ForeignWait::end() noexcept {
  crossing_->stop_waiting();
  std::exchange(crossing_, nullptr)->let_go();
}

void ForeignWait::check() const {
  if (crossing_ != nullptr && crossing_->failure() != nullptr) {
    throw Error(ErrorCode::cancelled, "what it awaited was destroyed before its end");
  }
}

}  // namespace penstock::call
