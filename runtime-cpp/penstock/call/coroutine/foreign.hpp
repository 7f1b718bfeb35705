#pragma once

#include <coroutine>
#include <type_traits>
#include <utility>

#include "penstock/call/coroutine/crossing.hpp"

namespace penstock::call {

/// How co_await finds what it asks: by the member operator, the other one, or the thing itself.
template <class Awaitable>
decltype(auto) awaiter_of(Awaitable&& awaitable) {
  if constexpr (requires { std::forward<Awaitable>(awaitable).operator co_await(); }) {
    return std::forward<Awaitable>(awaitable).operator co_await();
  } else if constexpr (requires { operator co_await(std::forward<Awaitable>(awaitable)); }) {
    return operator co_await(std::forward<Awaitable>(awaitable));
  } else {
    return std::forward<Awaitable>(awaitable);
  }
}

/// The way home of a coroutine that awaits what is not ours. The other side is given a relay in its
/// place, a coroutine that when it is resumed, on whatever thread, sends it home, and when it is
/// destroyed ends the wait. The relay is on its own: it may be resumed when nobody waits any more.
class ForeignWait : Suspended {
 public:
  ForeignWait() noexcept = default;
  ForeignWait(const ForeignWait&) = delete;
  ForeignWait& operator=(const ForeignWait&) = delete;
  ~ForeignWait() {
    if (crossing_ != nullptr) end();
  }

  /// The relay; null where there is no way home, because the coroutine runs on no worker. Throws
  /// std::bad_alloc.
  [[nodiscard]] std::coroutine_handle<> set_out(std::coroutine_handle<> awaiting);
  /// The other side did not take the relay.
  void turn_back(std::coroutine_handle<> relay) noexcept;
  /// Throws Error(cancelled) where the relay was destroyed.
  void check() const;

 private:
  void end() noexcept;

  Crossing* crossing_ = nullptr;
};

/// Awaits what is not ours: the coroutine goes on where it stopped, with its activation.
template <class Awaitable>
class [[nodiscard]] ForeignAwait {
 public:
  explicit ForeignAwait(Awaitable&& awaitable)
      : awaiter_(awaiter_of(std::forward<Awaitable>(awaitable))) {}
  ForeignAwait(const ForeignAwait&) = delete;
  ForeignAwait& operator=(const ForeignAwait&) = delete;
  ~ForeignAwait() = default;

  [[nodiscard]] bool await_ready() { return static_cast<bool>(awaiter_.await_ready()); }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) {
    const std::coroutine_handle<> relay = wait_.set_out(awaiting);
    // Without a worker it may go on elsewhere at once: nothing of this is touched any more.
    if (!relay) return suspend(awaiting, awaiting);
    try {
      const std::coroutine_handle<> next = suspend(relay, awaiting);
      if (next == awaiting) wait_.turn_back(relay);
      return next;
    } catch (...) {
      wait_.turn_back(relay);
      throw;
    }
  }
  decltype(auto) await_resume() {
    wait_.check();
    return awaiter_.await_resume();
  }

 private:
  using Awaiter = decltype(awaiter_of(std::declval<Awaitable>()));

  // What runs next; `awaiting` itself where the other side does not suspend.
  std::coroutine_handle<> suspend(std::coroutine_handle<> given, std::coroutine_handle<> awaiting) {
    using Result = decltype(awaiter_.await_suspend(given));
    if constexpr (std::is_void_v<Result>) {
      awaiter_.await_suspend(given);
      return std::noop_coroutine();
    } else if constexpr (std::is_same_v<Result, bool>) {
      return awaiter_.await_suspend(given) ? std::noop_coroutine() : awaiting;
    } else {
      return awaiter_.await_suspend(given);
    }
  }

  Awaiter awaiter_;
  ForeignWait wait_;
};

}  // namespace penstock::call
