#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "penstock/call/frame/frame.hpp"
#include "penstock/codec/failure_json.hpp"
#include "penstock/flow/event/value_type.hpp"

namespace penstock::app {

/// How a service is asked once from outside, in JSON.
struct AskBinding {
  /// A call with the request that the text is; null: it is none, for the reason in `error`. Throws
  /// std::bad_alloc. Null itself where the messages were generated without JSON.
  call::Frame* (*make)(std::string_view text, JsonError& error) = nullptr;
  /// Appends the answer of a call that went well; null: there is none.
  void (*append)(const call::Frame& frame, std::string& out) = nullptr;
};

template <class T>
concept ReadsJson = requires(std::string_view text, T& value, JsonError& error) {
  { decode_json(text, value, error) } -> std::same_as<bool>;
};

template <class T>
inline constexpr bool has_both_ways = std::is_void_v<T> || std::same_as<T, Failure>;
template <class T>
  requires ReadsJson<T> && flow::HasJson<T>
inline constexpr bool has_both_ways<T> = true;

template <class Request, class Response>
[[nodiscard]] constexpr AskBinding bind_ask() {
  AskBinding binding;
  if constexpr (has_both_ways<Request> && has_both_ways<Response>) {
    binding.make = [](std::string_view text, JsonError& error) -> call::Frame* {
      Request request;
      if constexpr (std::same_as<Request, Failure>) {
        if (!codec::read_failure_json(text, request, error)) return nullptr;
      } else {
        if (!decode_json(text, request, error)) return nullptr;
      }
      return call::CallFrame<Request, Response>::make(std::move(request));
    };
    if constexpr (!std::is_void_v<Response>) {
      binding.append = [](const call::Frame& frame, std::string& out) {
        // NOLINTNEXTLINE(bugprone-unchecked-optional-access): an answer without error has one
        const Response& answer = *static_cast<const call::ReplyFrame<Response>&>(frame).response;
        if constexpr (std::same_as<Response, Failure>) {
          codec::append_failure_json(answer, out);
        } else {
          encode_json(answer, out);
        }
      };
    }
  }
  return binding;
}

template <class Request, class Response>
inline constexpr AskBinding kAsk = bind_ask<Request, Response>();

}  // namespace penstock::app
