#pragma once

#include <coroutine>
#include <exception>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "penstock/base/error.hpp"
#include "penstock/call/coroutine/foreign.hpp"
#include "penstock/concurrent/recycler.hpp"

namespace penstock {

template <class T>
class Task;

namespace call {

/// What every task's promise has: who goes on when it is done, and its frame's memory.
struct TaskPromiseBase {
  /// The coroutine that awaits this one; null for a handler's own.
  std::coroutine_handle<> continuation;
  /// Told once when a handler's own coroutine is done, or destroyed before that. It may destroy the
  /// coroutine when it is done.
  void (*done)(void* owner) noexcept = nullptr;
  void* owner = nullptr;
  std::exception_ptr exception;
  bool destroyed = false;  ///< before it was done

  TaskPromiseBase() = default;
  TaskPromiseBase(const TaskPromiseBase&) = delete;
  TaskPromiseBase& operator=(const TaskPromiseBase&) = delete;
  ~TaskPromiseBase() {
    if (done != nullptr) tell_destroyed();
  }

  struct Final {
    [[nodiscard]] static bool await_ready() noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> finished) const noexcept {
      TaskPromiseBase& promise = finished.promise();
      if (promise.continuation) return promise.continuation;
      if (promise.done != nullptr) std::exchange(promise.done, nullptr)(promise.owner);
      return std::noop_coroutine();
    }
    static void await_resume() noexcept {}
  };

  [[nodiscard]] static std::suspend_always initial_suspend() noexcept { return {}; }
  [[nodiscard]] static Final final_suspend() noexcept { return {}; }
  void unhandled_exception() noexcept { exception = std::current_exception(); }

  template <ComesHome Awaitable>
  [[nodiscard]] static auto await_transform(Awaitable&& awaitable) {
    if constexpr (requires { std::forward<Awaitable>(awaitable).operator co_await(); }) {
      return std::forward<Awaitable>(awaitable).operator co_await();
    } else {
      return PassedOn<std::remove_reference_t<Awaitable>>{awaitable};
    }
  }
  template <class Awaitable>
  [[nodiscard]] static auto await_transform(Awaitable&& awaitable) {
    return ForeignAwait<Awaitable>(std::forward<Awaitable>(awaitable));
  }

  void tell_destroyed() noexcept;

  // From the thread's free list: no malloc for a coroutine after warm-up.
  static void* operator new(std::size_t bytes) { return concurrent::allocate(bytes); }
  static void operator delete(void* frame, std::size_t bytes) noexcept {
    concurrent::release(frame, bytes);
  }
};

/// A value that nobody has to destroy, there once emplace() was called: an optional without the
/// note of whether there is one.
template <class T>
class Later {
 public:
  Later() noexcept {}  // NOLINT(modernize-use-equals-default): leaves the union without a member

  template <class U>
  void emplace(U&& value) {
    ::new (static_cast<void*>(&value_)) T(std::forward<U>(value));
  }
  [[nodiscard]] T& operator*() noexcept { return value_; }

 private:
  union {
    T value_;
  };
};

template <class T>
struct TaskPromise : TaskPromiseBase {
  std::conditional_t<std::is_trivially_destructible_v<T>, Later<T>, std::optional<T>> value;

  [[nodiscard]] Task<T> get_return_object() noexcept;
  template <class U>
    requires std::is_convertible_v<U&&, T>
  void return_value(U&& result) {
    value.emplace(std::forward<U>(result));
  }
  [[nodiscard]] T take() {
    if (exception) std::rethrow_exception(exception);
    return std::move(*value);
  }
};

template <>
struct TaskPromise<void> : TaskPromiseBase {
  [[nodiscard]] Task<void> get_return_object() noexcept;
  static void return_void() noexcept {}
  void take() const {
    if (exception) std::rethrow_exception(exception);
  }
};

}  // namespace call

/// A coroutine that starts when it is awaited, and goes on in whoever awaits it. What handlers
/// return; also for their own child coroutines. Belongs to the worker it runs on; destroying it
/// cancels it where it is suspended.
template <class T>
class [[nodiscard]] Task {
 public:
  using comes_home = void;
  using promise_type = call::TaskPromise<T>;
  using Handle = std::coroutine_handle<promise_type>;

  Task() noexcept = default;
  explicit Task(Handle handle) noexcept : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    if (this != &other) {
      reset();
      handle_ = std::exchange(other.handle_, nullptr);
    }
    return *this;
  }
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  ~Task() {
    if (handle_) handle_.destroy();
  }

  struct Awaiter {
    Handle task;
    [[nodiscard]] bool await_ready() const noexcept { return task.done(); }
    Handle await_suspend(std::coroutine_handle<> awaiting) const noexcept {
      task.promise().continuation = awaiting;
      return task;
    }
    T await_resume() const { return task.promise().take(); }
  };
  /// Runs it, and throws what it throws. Once.
  [[nodiscard]] Awaiter operator co_await() const noexcept { return {handle_}; }

  // For the runtime: starts a handler's own coroutine. Destroyed before its end it tells `done`,
  // too.
  void start(void (*done)(void*) noexcept, void* owner) const {
    handle_.promise().done = done;
    handle_.promise().owner = owner;
    handle_.resume();
  }
  [[nodiscard]] Handle release() noexcept { return std::exchange(handle_, nullptr); }
  [[nodiscard]] promise_type& promise() const noexcept { return handle_.promise(); }
  void reset() noexcept {
    if (handle_) std::exchange(handle_, nullptr).destroy();
  }

 private:
  Handle handle_;
};

template <class T>
inline Task<T> call::TaskPromise<T>::get_return_object() noexcept {
  return Task<T>(std::coroutine_handle<TaskPromise>::from_promise(*this));
}
inline Task<void> call::TaskPromise<void>::get_return_object() noexcept {
  return Task<void>(std::coroutine_handle<TaskPromise>::from_promise(*this));
}

}  // namespace penstock
