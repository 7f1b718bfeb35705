#pragma once

#include <coroutine>
#include <type_traits>

#include "penstock/base/thread_rule.hpp"
#include "penstock/call/activation/activation.hpp"

namespace penstock::call {

/// A suspended coroutine of a handler: how it goes on, on the worker where it stopped.
struct Suspended {
  /// Goes on with an error instead of what is awaited.
  using Interrupt = void (*)(Suspended& suspended) noexcept;

  std::coroutine_handle<> coroutine;
  Activation* activation = nullptr;
  Interrupt interrupt = nullptr;
  [[no_unique_address]] OwnThread thread;

  Suspended() = default;
  Suspended(const Suspended&) = delete;
  Suspended& operator=(const Suspended&) = delete;
  // Destroyed while suspended: nobody can interrupt it any more.
  ~Suspended() { forget(); }

  void stop_here(std::coroutine_handle<> awaiting, Interrupt interruption) noexcept {
    thread.note();
    coroutine = awaiting;
    interrupt = interruption;
    activation = current_activation();
    if (activation != nullptr) activation->suspended = this;
  }
  void resume() noexcept {
    thread.check("a coroutine goes on on the worker where it stopped");
    forget();
    const Activating activating(activation);
    coroutine.resume();
  }

 protected:
  /// It goes on by itself.
  void forget() const noexcept {
    if (activation != nullptr && activation->suspended == this) activation->suspended = nullptr;
  }
};

/// What brings a coroutine back to its worker by itself, and with its activation: it says so by a
/// member type `comes_home`. A handler's coroutine awaits anything else through ForeignAwait.
template <class Awaitable>
concept ComesHome = requires { typename std::remove_cvref_t<Awaitable>::comes_home; };

/// One that is its own awaiter, as await_transform gives it on: some compilers copy what is no
/// fresh value.
template <class Awaiter>
struct PassedOn {
  Awaiter& awaiter;

  [[nodiscard]] bool await_ready() { return awaiter.await_ready(); }
  auto await_suspend(std::coroutine_handle<> awaiting) { return awaiter.await_suspend(awaiting); }
  decltype(auto) await_resume() { return awaiter.await_resume(); }
};

}  // namespace penstock::call
