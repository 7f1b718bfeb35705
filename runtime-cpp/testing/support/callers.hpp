#pragma once

#include <array>
#include <chrono>
#include <cstdint>

#include "support/small_binary.hpp"

/// The ways in which one coroutine asks a service, for all that measures or counts them: the
/// benchmarks beside the code, the comparison with peers, the ceilings of instructions. `Take` is
/// told each answer: `static void take(const T&)`, which keeps the compiler from dropping it.
namespace penstock::testing {

struct Number {
  std::int64_t value = 0;
};

struct Echo : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& request) { return request; }
};

struct Caller : Handler {
  using request_type = Number;
  using response_type = Number;
  struct calls_type {
    Stub<Number, Number> Echo;
  };
  calls_type calls;
};

/// Makes `value` calls one after another.
template <class Take>
struct OneByOne : Caller {
  Task<Number> handle(const Number& request) {
    for (std::int64_t call = 0; call < request.value; ++call) {
      Take::take(co_await calls.Echo({call}));
    }
    co_return request;
  }
};

/// Keeps 64 calls outstanding until `value` are done.
template <class Take>
struct Window : Caller {
  Task<Number> handle(const Number& request) {
    std::array<Future<Number>, 64> window;
    std::int64_t next = 0;
    for (auto& slot : window) slot = calls.Echo({next++});
    for (std::int64_t call = 0; call < request.value; ++call) {
      auto& slot = window[static_cast<std::size_t>(call) % window.size()];
      Take::take(co_await slot);
      slot = calls.Echo({call});
    }
    co_return request;
  }
};

/// Asks every implementation and waits for all, `value` times.
template <class Take>
struct FanOut : Caller {
  Task<Number> handle(const Number& request) {
    for (std::int64_t call = 0; call < request.value; ++call) {
      Take::take(co_await gather_within(std::chrono::hours(1), calls.Echo.each({call})));
    }
    co_return request;
  }
};

/// Runs the callee on its own stack, `value` times.
template <class Take>
struct Inline : Caller {
  Task<Number> handle(const Number& request) {
    for (std::int64_t call = 0; call < request.value; ++call) {
      Take::take(calls.Echo.inline_call({call}));
    }
    co_return request;
  }
};

/// A service with a handler of each of `Callees` in `back`, and `C`, which asks it, in `front`; to
/// ask `C`. Before start().
template <class C, class... Callees>
[[nodiscard]] Stub<Number, Number> connect(SmallBinary& binary, exec::Pool& front,
                                           exec::Pool& back) {
  auto& echo = binary.service<Callees...>("Echo", Kind::simple, back);
  auto& caller = binary.service<C>("Caller", Kind::async_remote, front);
  binary.connect<C>(caller, echo, &Caller::calls_type::Echo);
  return Stub<Number, Number>(&binary.site(caller));
}

}  // namespace penstock::testing
