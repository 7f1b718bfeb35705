#pragma once

#include <memory>
#include <new>
#include <utility>

#include "penstock/call/frame/serve.hpp"
#include "penstock/flow/graph/flow.hpp"

namespace penstock::flow {

/// Puts a stage's response where the next stage looks for it.
template <Role role, class Response>
void take_response(Event& event, Response&& response) {
  if constexpr (role != Role::side_effect) {
    event.set_value(std::forward<Response>(response));
    if constexpr (role == Role::catch_failure) event.failure.reset();
  }
}

/// Takes what a handler gave, which is its response unless it may end events. An event that ends
/// has no value any more.
template <class Response, Role role, class Given>
void take_outcome(Event& event, Given&& given) {
  if constexpr (std::is_same_v<std::remove_cvref_t<Given>, Verdict>) {
    if (given == Verdict::end) event.clear_value();
  } else if constexpr (std::is_same_v<std::remove_cvref_t<Given>, Response>) {
    take_response<role>(event, std::forward<Given>(given));
  } else if (given) {
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): the line before has looked
    take_response<role>(event, *std::forward<Given>(given));
  } else {
    event.clear_value();
  }
}

template <class H, Role role>
void* step_through(void* handler, void* in, void* out) {
  using Request = typename H::request_type;
  using Response = typename H::response_type;
  using Given = call::Outcome<H>;
  H& object = *static_cast<H*>(handler);
  Request& request = *std::launder(static_cast<Request*>(in));
  if constexpr (std::is_void_v<Given>) {
    object.handle(call::hand_over<H>(request));
    return in;
  } else if constexpr (std::is_same_v<Given, Response> && role == Role::map) {
    ::new (out) Response(object.handle(call::hand_over<H>(request)));
  } else {
    auto given = object.handle(call::hand_over<H>(request));
    bool goes_on = true;
    if constexpr (std::is_same_v<Given, Verdict>) {
      goes_on = given == Verdict::go_on;
    } else if constexpr (call::may_end<H>) {
      goes_on = given.has_value();
    }
    if (goes_on) {
      if constexpr (role == Role::side_effect) {
        return in;
      } else {
        // NOLINTNEXTLINE(bugprone-unchecked-optional-access): the lines before have looked
        ::new (out) Response(*std::move(given));
      }
    } else {
      out = nullptr;
    }
  }
  std::destroy_at(&request);
  return out;
}

template <class H, Role role>
inline constexpr bool stays_in_place =
    role == Role::side_effect || std::is_void_v<call::Outcome<H>>;

template <class H, Role role>
void steps_through(void* handler, Row& row) {
  std::uint32_t taken = row.taken;
  std::uint32_t made = row.made;
  std::byte* in = row.in + taken * row.stride;
  std::byte* out = row.out + made * row.stride;
  bool goes_on = true;
  try {
    for (; taken < row.count; ++taken, in += row.stride) {
      goes_on = step_through<H, role>(handler, in, out) != nullptr;
      if (!goes_on) continue;
      if constexpr (stays_in_place<H, role>) {
        if (out != in) move_value<typename H::request_type>(in, out);
      }
      out += row.stride;
      ++made;
    }
  } catch (...) {
    row.taken = taken;
    row.made = made;
    throw;
  }
  row.taken = taken;
  row.made = made;
  row.goes_on = goes_on;
}

/// Whether a stage of this handler can be a step.
template <class H, Role role>
inline constexpr bool is_step =
    role != Role::catch_failure && !call::is_task<call::HandleResult<H>> &&
    moves_safely<typename H::request_type> &&
    (role == Role::side_effect || moves_safely<typename H::response_type>);

/// Nulls where it cannot.
template <class H, Role role>
[[nodiscard]] constexpr Stage::Plain plain_steps() {
  if constexpr (is_step<H, role>) {
    return {&step_through<H, role>, &steps_through<H, role>, stays_in_place<H, role>};
  } else {
    return {};
  }
}

/// A stage's coroutine is at its end, or being destroyed before that.
template <class Response, Role role, class Given>
void stage_coroutine_done(void* owner) noexcept {
  Event& event = *static_cast<Event*>(owner);
  auto handle = Task<Given>::Handle::from_address(std::exchange(event.task, nullptr));
  const std::exception_ptr exception = handle.promise().exception;
  if (exception) {
    if (!handle.promise().destroyed) handle.destroy();
    set_failure(event, exception);
  } else if constexpr (std::is_void_v<Given>) {
    handle.destroy();
  } else {
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): one without exception has a value
    Given given = std::move(*handle.promise().value);
    // First the coroutine, which may still refer to the value that the response replaces.
    handle.destroy();
    try {
      take_outcome<Response, role>(event, std::move(given));
    } catch (...) {
      set_failure(event, std::current_exception());
    }
  }
  event.unmark(Event::kSuspended);
  if (!event.is(Event::kStarting)) resume_after_stage(event);
}

template <class H, Role role>
void run_stage(Event& event, void* handler) {
  using Request = typename H::request_type;
  using Response = typename H::response_type;
  using Given = call::Outcome<H>;
  static_assert(role != Role::side_effect || !call::takes_request<H>,
                "what a side-effect sees goes on behind it");
  H& object = *static_cast<H*>(handler);
  if constexpr (outlives_deadline<H>) event.deadline_ns = 0;
  Request* request = nullptr;
  if constexpr (role == Role::catch_failure) {
    request = event.failure.get();
  } else {
    request = &event.value<Request>();
  }
  if constexpr (call::is_task<call::HandleResult<H>>) {
    Task<Given> task = object.handle(call::hand_over<H>(*request));
    auto handle = task.release();
    event.task = handle.address();
    event.mark(Event::kStarting | Event::kSuspended);
    handle.promise().done = &stage_coroutine_done<Response, role, Given>;
    handle.promise().owner = &event;
    handle.resume();
    event.unmark(Event::kStarting);
  } else if constexpr (std::is_void_v<Given>) {
    object.handle(call::hand_over<H>(*request));
  } else {
    take_outcome<Response, role>(event, object.handle(call::hand_over<H>(*request)));
  }
}

}  // namespace penstock::flow
