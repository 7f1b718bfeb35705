#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <tuple>
#include <variant>
#include <vector>

#include "penstock/call/await/future.hpp"

namespace penstock {

/// The answers that a gather collected: a vector whose memory is recycled like a call's, so that a
/// fan-out allocates nothing after warm-up.
template <class Response>
using Answers = std::vector<Response, concurrent::RecyclingAllocator<Response>>;

namespace call {

/// What gather_within gives for a call without a response that was answered.
template <class Response>
using GatheredOne =
    std::optional<std::conditional_t<std::is_void_v<Response>, std::monostate, Response>>;

template <class Response>
[[nodiscard]] bool answered(const Future<Response>& future) noexcept {
  return future.ready() && !future.frame()->failed;
}

/// Awaits a group; see gather_within.
template <class Response>
class [[nodiscard]] GatherGroup {
 public:
  using comes_home = void;
  using Result = Answers<std::conditional_t<std::is_void_v<Response>, std::monostate, Response>>;

  GatherGroup(std::chrono::nanoseconds within, CallGroup<Response> group)
      : group_(std::move(group)), await_(within) {
    frames_.reserve(group_.size());
    for (Future<Response>& future : group_) frames_.push_back(future.frame());
  }
  [[nodiscard]] bool await_ready() { return await_.ready(frames_); }
  void await_suspend(std::coroutine_handle<> awaiting) noexcept { await_.suspend(awaiting); }
  [[nodiscard]] Result await_resume() {
    await_.check();
    return collect();
  }
  /// The blocking form; where Future::get() may block.
  [[nodiscard]] Result get() {
    await_.wait_all(frames_);
    return collect();
  }

 private:
  [[nodiscard]] Result collect() {
    Result result;
    result.reserve(group_.size());
    for (Future<Response>& future : group_) {
      if (!answered(future)) continue;
      if constexpr (std::is_void_v<Response>) {
        result.emplace_back();
      } else {
        result.push_back(future.take());
      }
    }
    return result;
  }

  CallGroup<Response> group_;
  std::vector<Frame*, concurrent::RecyclingAllocator<Frame*>> frames_;
  GatherAwait await_;
};

/// Awaits several futures; see gather_within.
template <class... Responses>
class [[nodiscard]] GatherFutures {
 public:
  using comes_home = void;
  using Result = std::tuple<GatheredOne<Responses>...>;

  explicit GatherFutures(std::chrono::nanoseconds within, Future<Responses>... futures)
      : futures_(std::move(futures)...), await_(within) {
    std::apply([this](auto&... future) { frames_ = {future.frame()...}; }, futures_);
  }
  [[nodiscard]] bool await_ready() { return await_.ready(frames_); }
  void await_suspend(std::coroutine_handle<> awaiting) noexcept { await_.suspend(awaiting); }
  [[nodiscard]] Result await_resume() {
    await_.check();
    return collect();
  }
  /// The blocking form; where Future::get() may block.
  [[nodiscard]] Result get() {
    await_.wait_all(frames_);
    return collect();
  }

 private:
  template <class Response>
  static GatheredOne<Response> one(Future<Response>& future) {
    if (!answered(future)) return std::nullopt;
    if constexpr (std::is_void_v<Response>) {
      return std::monostate{};
    } else {
      return future.take();
    }
  }
  [[nodiscard]] Result collect() {
    return std::apply([](auto&... future) { return Result(one(future)...); }, futures_);
  }

  std::tuple<Future<Responses>...> futures_;
  std::array<Frame*, sizeof...(Responses)> frames_{};
  GatherAwait await_;
};

}  // namespace call

/// Awaits the calls to all implementations for at most `within`; gives the answers that came, in
/// the order of the implementations. Late and failed ones are left out; the late ones are
/// cancelled, those that run already, too.
template <class Response>
[[nodiscard]] call::GatherGroup<Response> gather_within(std::chrono::nanoseconds within,
                                                        CallGroup<Response> group) {
  return call::GatherGroup<Response>(within, std::move(group));
}

/// The same for calls to any services: a tuple of optionals, empty where no answer came in time.
template <class... Responses>
[[nodiscard]] call::GatherFutures<Responses...> gather_within(std::chrono::nanoseconds within,
                                                              Future<Responses>... futures) {
  return call::GatherFutures<Responses...>(within, std::move(futures)...);
}

/// Suspends the coroutine; its worker goes on with other work. Wakes up to 65 us late, never early.
[[nodiscard]] inline call::SleepAwait sleep_for(std::chrono::nanoseconds duration) {
  return call::SleepAwait(duration);
}

}  // namespace penstock
