#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

#include "penstock/flow/event/event.hpp"
#include "penstock/flow/event/value_type.hpp"
#include "penstock/net/remote/calls/stage_type.hpp"

/// How values that go together to a stage in another binary are written, and what comes back read.
namespace penstock::net {

/// How the values of a stage that another binary runs get there and back.
struct RowType {
  enum class Took : std::uint8_t {
    goes_on,    ///< the value is what the stage gives
    ended,      ///< it is gone
    malformed,  ///< it is as it was
  };

  std::size_t (*request_bytes)(const void* value) = nullptr;
  /// Fills as many bytes.
  void (*write_request)(const void* value, char* at, std::size_t bytes) = nullptr;
  /// Takes an answer for the value. Throws std::bad_alloc, with the value as it was.
  Took (*take_answer)(void* value, std::string_view bytes) = nullptr;
  /// An answer without bytes: the value goes on as it is.
  bool goes_on_unanswered = false;
};

template <class Value>
[[nodiscard]] Value& value_at(void* place) noexcept {
  return *std::launder(static_cast<Value*>(place));
}

template <class Value>
inline constexpr bool goes_in_rows = flow::moves_safely<Value> && !codec::has_buffers<Value>() &&
                                     alignof(Value) <= flow::Event::kAlignment;

/// RowType::take_answer where the flow goes on with its event.
template <class Event>
RowType::Took take_passed(void* place, std::string_view bytes) {
  if (bytes.empty()) return RowType::Took::goes_on;
  Passed<Event> answer;
  if (!codec::parse(bytes, answer)) return RowType::Took::malformed;
  Event& event = value_at<Event>(place);
  if (answer.ended) {
    std::destroy_at(&event);
    return RowType::Took::ended;
  }
  if (answer.changed) {
    std::destroy_at(&event);
    ::new (place) Event(std::move(*answer.changed));
  }
  return RowType::Took::goes_on;
}

/// RowType::take_answer where the flow goes on with what the stage gives.
template <class Request, class Response>
RowType::Took take_given(void* place, std::string_view bytes) {
  Request& request = value_at<Request>(place);
  if constexpr (std::is_void_v<Response>) {
    if (!bytes.empty()) return RowType::Took::malformed;
    std::destroy_at(&request);
    return RowType::Took::ended;
  } else {
    Given<Response> answer;
    if (!codec::parse(bytes, answer)) return RowType::Took::malformed;
    std::destroy_at(&request);
    if (!answer.value) return RowType::Took::ended;
    ::new (place) Response(std::move(*answer.value));
    return RowType::Took::goes_on;
  }
}

template <class Request>
[[nodiscard]] constexpr RowType make_row_type(RowType::Took (*take_answer)(void*, std::string_view),
                                              bool goes_on_unanswered) {
  RowType type;
  type.request_bytes = [](const void* value) {
    return codec::Message<Request>::size(*static_cast<const Request*>(value));
  };
  type.write_request = [](const void* value, char* at, std::size_t bytes) {
    codec::Writer writer(at + bytes);
    codec::Message<Request>::write(writer, *static_cast<const Request*>(value));
  };
  type.take_answer = take_answer;
  type.goes_on_unanswered = goes_on_unanswered;
  return type;
}

template <class Event>
inline constexpr RowType kPassedRows = make_row_type<Event>(&take_passed<Event>, true);
template <class Request, class Response>
inline constexpr RowType kGivenRows = make_row_type<Request>(&take_given<Request, Response>, false);

/// Of a stage whose flow goes on with its event, or with what it gives; null: its values go alone.
template <class Event>
[[nodiscard]] constexpr const RowType* passed_rows() {
  if constexpr (goes_in_rows<Event>) {
    return &kPassedRows<Event>;
  } else {
    return nullptr;
  }
}
template <class Response>
[[nodiscard]] constexpr bool gives_in_rows() {
  if constexpr (std::is_void_v<Response>) {
    return true;
  } else {
    return goes_in_rows<Response>;
  }
}
template <class Request, class Response>
[[nodiscard]] constexpr const RowType* given_rows() {
  if constexpr (goes_in_rows<Request> && gives_in_rows<Response>()) {
    return &kGivenRows<Request, Response>;
  } else {
    return nullptr;
  }
}

}  // namespace penstock::net
