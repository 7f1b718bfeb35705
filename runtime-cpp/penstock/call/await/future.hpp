#pragma once

#include <coroutine>
#include <utility>

#include "penstock/call/await/await.hpp"

namespace penstock {

/// The answer to a call, sooner or later. Belongs to the thread that made the call: await it or
/// drop it there (a runtime that is built for tests ends the process where that is not so).
/// Dropping it cancels the call: a request that has not started is skipped, a coroutine that is
/// suspended goes on with Error(cancelled), any handler can ask cancelled(); a late answer is
/// ignored.
template <class Response>
class [[nodiscard]] Future {
 public:
  using comes_home = void;
  using Frame = call::ReplyFrame<Response>;

  Future() noexcept = default;
  explicit Future(Frame* frame) noexcept : frame_(frame) {}
  Future(Future&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
  Future& operator=(Future&& other) noexcept {
    if (this != &other) {
      drop();
      frame_ = std::exchange(other.frame_, nullptr);
    }
    return *this;
  }
  Future(const Future&) = delete;
  Future& operator=(const Future&) = delete;
  ~Future() { drop(); }

  /// Whether the answer, or its error, is there.
  [[nodiscard]] bool ready() const noexcept {
    if (frame_ == nullptr) return false;
    frame_->caller.check(kOneThread);
    return frame_->arrived();
  }

  /// Blocks until the answer is there; once. Allowed off the worker threads and in `sync-remote`
  /// handlers; elsewhere, unless ready(), it throws Error(failed_precondition), because a blocked
  /// worker can deadlock. Throws the callee's Error, Error(deadline_exceeded), or
  /// Error(deadlock) when the answer can never come.
  Response get() {
    call::Frame& frame = checked();
    if (!call::wait(frame)) call::throw_deadline_exceeded(frame);
    call::check(frame);
    return take();
  }

  class Awaiter {
   public:
    explicit Awaiter(Future& future) : future_(future), await_(future.checked()) {}
    [[nodiscard]] bool await_ready() { return await_.ready(); }
    void await_suspend(std::coroutine_handle<> awaiting) noexcept { await_.suspend(awaiting); }
    Response await_resume() {
      await_.check();
      return future_.take();
    }

   private:
    Future& future_;
    call::FrameAwait await_;
  };
  /// Suspends the coroutine until the answer is there; once. Throws as get() does.
  [[nodiscard]] Awaiter operator co_await() & { return Awaiter(*this); }
  [[nodiscard]] Awaiter operator co_await() && { return Awaiter(*this); }

  // For the runtime.
  [[nodiscard]] Frame* frame() const noexcept { return frame_; }
  [[nodiscard]] Response take() {
    if constexpr (!std::is_void_v<Response>) {
      // NOLINTNEXTLINE(bugprone-unchecked-optional-access): an answer without error has one
      return std::move(*frame_->response);
    }
  }

 private:
  static constexpr const char* kOneThread =
      "a Future is awaited, taken and dropped on the thread that made the call";

  call::Frame& checked() {
    if (frame_ == nullptr) call::throw_not_wired();
    frame_->caller.check(kOneThread);
    return *frame_;
  }
  void drop() noexcept {
    if (frame_ == nullptr) return;
    frame_->caller.check(kOneThread);
    call::drop(*std::exchange(frame_, nullptr));
  }

  Frame* frame_ = nullptr;
};

/// The futures of a call to every implementation, in their order.
template <class Response>
class [[nodiscard]] CallGroup {
 public:
  using Futures = std::vector<Future<Response>, concurrent::RecyclingAllocator<Future<Response>>>;
  using iterator = typename Futures::iterator;

  [[nodiscard]] iterator begin() noexcept { return futures_.begin(); }
  [[nodiscard]] iterator end() noexcept { return futures_.end(); }
  [[nodiscard]] std::size_t size() const noexcept { return futures_.size(); }
  [[nodiscard]] Future<Response>& operator[](std::size_t index) { return futures_[index]; }
  void reserve(std::size_t count) { futures_.reserve(count); }
  void add(Future<Response> future) { futures_.push_back(std::move(future)); }

 private:
  Futures futures_;
};

}  // namespace penstock
