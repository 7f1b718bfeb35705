#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "penstock/base/time.hpp"

namespace penstock {

/// W3C trace context, version 00. All zero: this request is not traced.
struct TraceIds {
  std::uint64_t trace_high = 0;
  std::uint64_t trace_low = 0;
  std::uint64_t parent = 0;
  std::uint8_t flags = 0;

  [[nodiscard]] bool present() const noexcept { return (trace_high | trace_low) != 0; }
  /// `00-<32 hex>-<16 hex>-<2 hex>`; empty when absent.
  [[nodiscard]] std::string traceparent() const;
  /// None when the text is no valid traceparent.
  [[nodiscard]] static std::optional<TraceIds> parse(std::string_view traceparent);
};

/// Key and value pairs that travel with a request; shared by all its hops, so never changed.
using Baggage = std::vector<std::pair<std::string, std::string>>;

/// Bytes and entries of it that every implementation takes (W3C Baggage, 3.3.2): ours no more.
inline constexpr std::size_t kMostBaggageBytes = 8192;
inline constexpr std::size_t kMostBaggage = 64;

/// What a request carries beside its message, across every hop. Cheap to copy.
struct Context {
  TraceIds trace;
  std::shared_ptr<const Baggage> baggage;
  /// Monotonic nanoseconds at which nobody waits for the answer any more; 0: never.
  Nanos deadline_ns = 0;

  [[nodiscard]] std::optional<std::chrono::steady_clock::time_point> deadline() const {
    if (deadline_ns == 0) return std::nullopt;
    return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(deadline_ns));
  }
  /// The value of a baggage key; empty when absent.
  [[nodiscard]] std::string_view baggage_value(std::string_view key) const;

  // Objects that travel with the request or event that the calling code serves, whose context this
  // is: one of a type, from stage to stage and thread to thread, until it ends. They are destroyed
  // then, the newest first. A call has its own, but an inline_call() of a plain handler; where a
  // flow fans out, they are copied with the event if they can be, else they stay with what goes to
  // the last of the stages. (What is behind it: penstock/call/activation/local.hpp.)

  /// That of this type, made as `T()` at its first use. Throws Error(failed_precondition) on a
  /// thread that serves no request, std::bad_alloc, and what `T()` throws.
  template <class T>
  T& local() const;
  /// Null: there is none.
  template <class T>
  [[nodiscard]] T* find_local() const noexcept;
  /// Another one is destroyed first. Throws as local() does.
  template <class T>
  std::remove_cvref_t<T>& set_local(T&& value) const;
};

/// The earlier of two deadlines, where 0 means none.
[[nodiscard]] constexpr Nanos earlier(Nanos a, Nanos b) noexcept {
  if (a == 0) return b;
  if (b == 0) return a;
  return a < b ? a : b;
}

}  // namespace penstock
