#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "penstock/base/error.hpp"
#include "penstock/call/coroutine/task.hpp"

namespace penstock {

/// What a handler without response may give back to say whether its event goes on in its flow. A
/// handler with a response may give back `std::optional<Response>`: without a value the event ends.
/// Such an end is no failure. Outside of a flow a Verdict says nothing, and a missing response is
/// Error(failed_precondition).
enum class Verdict : std::uint8_t { go_on, end };

/// `go_on` where it is worth going on.
[[nodiscard]] constexpr Verdict keep_if(bool worthwhile) noexcept {
  return worthwhile ? Verdict::go_on : Verdict::end;
}

/// Specialised as true where a handler gives what many events made, so that the event that goes on
/// with it does so without a deadline: it was that of one event, and of the time until this one.
template <class HandlerType>
inline constexpr bool outlives_deadline = false;

namespace call {

template <class T>
inline constexpr bool is_task = false;
template <class T>
inline constexpr bool is_task<Task<T>> = true;

/// Its handle() only looks at the request: `const Request&`, or a copy.
template <class H>
inline constexpr bool reads_request =
    requires(H& handler, const typename H::request_type& request) { handler.handle(request); };

/// Its handle() takes `Request&`: what it changes goes on behind a side-effect.
template <class H>
inline constexpr bool changes_request =
    !reads_request<H> &&
    requires(H& handler, typename H::request_type& request) { handler.handle(request); };

/// Its handle() moves from the request.
template <class H>
inline constexpr bool takes_request = !reads_request<H> && !changes_request<H>;

/// The request, which is its for good, as handle() takes it.
template <class H>
[[nodiscard]] auto&& hand_over(typename H::request_type& request) noexcept {
  if constexpr (takes_request<H>) {
    return std::move(request);
  } else if constexpr (changes_request<H>) {
    return request;
  } else {
    return std::as_const(request);
  }
}

/// What a handler's handle() returns: `Ad` or `Task<Ad>`.
template <class H>
using HandleResult =
    decltype(std::declval<H&>().handle(hand_over<H>(std::declval<typename H::request_type&>())));

template <class T>
struct Awaited {
  using type = T;
};
template <class T>
struct Awaited<Task<T>> {
  using type = T;
};
/// What it gives when it is done: its response, `std::optional` of it, void or a Verdict.
template <class H>
using Outcome = typename Awaited<HandleResult<H>>::type;

/// It may end an event of a flow.
template <class H>
inline constexpr bool may_end =
    std::is_same_v<Outcome<H>, Verdict> ||
    (!std::is_void_v<typename H::response_type> &&
     std::is_same_v<Outcome<H>, std::optional<typename H::response_type>>);

/// The response that a caller waits for.
template <class Response>
[[nodiscard]] Response&& response_of(Response& given) noexcept {
  return std::move(given);
}
template <class Response>
[[nodiscard]] Response&& response_of(std::optional<Response>& given) {
  if (!given) throw Error(ErrorCode::failed_precondition, "the service gave nothing back");
  return std::move(*given);
}

}  // namespace call
}  // namespace penstock
