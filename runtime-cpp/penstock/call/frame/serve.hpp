#pragma once

#include <new>
#include <optional>
#include <type_traits>

#include "penstock/call/coroutine/handler_result.hpp"
#include "penstock/call/frame/frame.hpp"
#include "penstock/call/service/partition_key.hpp"

namespace penstock::call {

/// Whether what a handler gave ends the event that it was asked for, on behalf of a stage: that is
/// noted, and there is no response then. Other calls have no event to end.
template <class Given>
[[nodiscard]] bool ends_event(Frame& frame, const Given& given) noexcept {
  if (frame.event == Frame::Event::none) return false;
  bool ends = false;
  if constexpr (std::is_same_v<Given, Verdict>) {
    ends = given == Verdict::end;
  } else {
    ends = !given.has_value();
  }
  if (ends) frame.event = Frame::Event::ends;
  return ends;
}

/// Ends a call whose handler is a coroutine. Runs when the coroutine is at its end, or being
/// destroyed before that.
template <class Response, class Given>
void coroutine_done(void* owner) noexcept {
  auto& frame = *static_cast<ReplyFrame<Response>*>(owner);
  Task<Given> task(Task<Given>::Handle::from_address(frame.callee.coroutine));
  auto& promise = task.promise();
  if (promise.exception) {
    const std::exception_ptr exception = std::move(promise.exception);
    if (promise.destroyed) {
      static_cast<void>(task.release());
    } else {
      task.reset();
    }
    fail(frame, exception);
    return;
  }
  // NOLINTBEGIN(bugprone-unchecked-optional-access): one without exception has a value
  if constexpr (std::is_void_v<Response>) {
    if constexpr (std::is_same_v<Given, Verdict>) {
      static_cast<void>(ends_event(frame, *promise.value));
    }
  } else {
    try {
      bool ends = false;
      if constexpr (std::is_same_v<Given, std::optional<Response>>) {
        ends = ends_event(frame, *promise.value);
      }
      if (!ends) frame.response.emplace(response_of<Response>(*promise.value));
    } catch (...) {
      const std::exception_ptr exception = std::current_exception();
      task.reset();
      fail(frame, exception);
      return;
    }
  }
  // NOLINTEND(bugprone-unchecked-optional-access)
  task.reset();
  finish(frame);
}

template <class H>
void serve(Frame& base, void* handler) {
  using Request = typename H::request_type;
  using Response = typename H::response_type;
  auto& frame = static_cast<CallFrame<Request, Response>&>(base);
  H& object = *static_cast<H*>(handler);
  if constexpr (is_task<HandleResult<H>>) {
    const auto coroutine = object.handle(hand_over<H>(frame.request)).release();
    frame.callee.coroutine = coroutine.address();
    coroutine.promise().done = &coroutine_done<Response, Outcome<H>>;
    coroutine.promise().owner = static_cast<ReplyFrame<Response>*>(&frame);
    coroutine.resume();
  } else {
    if constexpr (may_end<H>) {
      auto given = object.handle(hand_over<H>(frame.request));
      const bool ends = ends_event(frame, given);
      if constexpr (!std::is_void_v<Response>) {
        if (!ends) frame.response.emplace(response_of<Response>(given));
      }
    } else if constexpr (std::is_void_v<Response>) {
      static_cast<void>(object.handle(hand_over<H>(frame.request)));
    } else {
      frame.response.emplace(object.handle(hand_over<H>(frame.request)));
    }
    finish(frame);
  }
}

/// An inline call of a plain handler: no frame, no coroutine, the caller's stack. The request stays
/// the caller's.
template <class H>
void serve_direct(void* handler, const void* request, void* response) {
  using Request = typename H::request_type;
  using Response = typename H::response_type;
  H& object = *static_cast<H*>(handler);
  const auto& asked = *static_cast<const Request*>(request);
  const auto answer = [&]() -> HandleResult<H> {
    if constexpr (reads_request<H>) {
      return object.handle(asked);
    } else {
      Request own(asked);
      return object.handle(hand_over<H>(own));
    }
  };
  if constexpr (std::is_void_v<Response>) {
    static_cast<void>(answer());
  } else if constexpr (may_end<H>) {
    auto given = answer();
    ::new (response) Response(response_of<Response>(given));
  } else {
    ::new (response) Response(answer());
  }
}

/// Its address tells types apart.
template <class T>
inline constexpr char type_tag = 0;

template <class H>
[[nodiscard]] constexpr Implementation::Type make_type() {
  Implementation::Type type{
      .create = []() -> void* { return new H; },
      .destroy = [](void* handler) noexcept { delete static_cast<H*>(handler); },
      .serve = &serve<H>,
      .coroutine = is_task<HandleResult<H>>};
  if constexpr (requires { typename H::calls_type; }) {
    type.calls_tag = &type_tag<typename H::calls_type>;
    type.calls_of = [](void* handler) -> void* { return &static_cast<H*>(handler)->calls; };
  }
  if constexpr (!is_task<HandleResult<H>>) type.direct = &serve_direct<H>;
  if constexpr (Partitioned<H>) {
    using Request = typename H::request_type;
    type.key = [](const void* request) noexcept {
      return key_of(static_cast<const Request*>(request)->*H::partition_by);
    };
    type.request_of = [](const Frame& frame) noexcept -> const void* {
      return &static_cast<const CallFrame<Request, typename H::response_type>&>(frame).request;
    };
  }
  if constexpr (requires(H& handler) { handler.shared; }) {
    type.set_shared = [](void* handler, void* shared) {
      static_cast<H*>(handler)->shared =
          static_cast<std::remove_pointer_t<decltype(H::shared)>*>(shared);
    };
  }
  return type;
}

template <class H>
inline constexpr Implementation::Type kType = make_type<H>();

/// What the runtime knows about a handler class; lives as long as the program.
template <class H>
[[nodiscard]] const Implementation::Type& type_of() noexcept {
  return kType<H>;
}

}  // namespace penstock::call
