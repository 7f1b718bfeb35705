#pragma once

#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "penstock/base/error.hpp"
#include "penstock/call/coroutine/crossing.hpp"
#include "penstock/concurrent/recycler.hpp"

namespace penstock {

namespace call {

/// What a callback brings.
template <class T>
struct Parcel final : Crossing {
  Parcel() noexcept : Crossing(&destroy) {}
  [[nodiscard]] static Parcel& make() {
    return *::new (concurrent::allocate(sizeof(Parcel))) Parcel;
  }
  static void destroy(Crossing& crossing) noexcept {
    auto& self = static_cast<Parcel&>(crossing);
    std::destroy_at(&self);
    concurrent::release(&self, sizeof(Parcel));
  }

  std::conditional_t<std::is_void_v<T>, std::nullptr_t, std::optional<T>> value{};
};

/// Awaits what a callback brings; ends early where nobody wants the result any more.
class CompletionWait : Suspended {
 public:
  explicit CompletionWait(Crossing& crossing) noexcept : crossing_(crossing) {}
  CompletionWait(const CompletionWait&) = delete;
  CompletionWait& operator=(const CompletionWait&) = delete;
  ~CompletionWait() { crossing_.stop_waiting(); }

  /// True when it is there. Where the caller may block it is waited for right here.
  [[nodiscard]] bool ready();
  [[nodiscard]] bool suspend(std::coroutine_handle<> awaiting) noexcept;
  /// Throws why there is no value.
  void check() const;
  /// The blocking form of all three.
  void block();

 private:
  static void on_interrupt(Suspended& suspended) noexcept;

  Crossing& crossing_;
  bool cancelled_ = false;
};

}  // namespace call

/// Makes something with a callback awaitable:
///
///   Completion<int> done;
///   start_something([callback = done.callback()](int value) { callback(value); });
///   const int value = co_await done;
///
/// The coroutine goes on where it was, on its worker and with its context, whatever thread the
/// callback comes on. Belongs to who awaits it, once, and may be gone before the callback comes,
/// which then does nothing. `T` moves; it may be void.
template <class T>
class Completion {
 public:
  using comes_home = void;

  /// Copies are the same callback: it counts once, with the first that is called, on any thread,
  /// also before it is awaited. When the last copy is gone and none was called, the wait ends with
  /// Error(aborted).
  class Callback {
   public:
    /// Whether this call was the one that counts.
    template <class... Value>
      requires(std::is_void_v<T>
                   ? sizeof...(Value) == 0
                   : sizeof...(Value) == 1 && (std::is_constructible_v<T, Value&&> && ...))
    bool operator()(Value&&... value) const noexcept {  // NOLINT(modernize-use-nodiscard)
      if (!bringer_->claim()) return false;
      try {
        if constexpr (!std::is_void_v<T>) parcel().value.emplace(std::forward<Value>(value)...);
      } catch (...) {
        bringer_->fail(std::current_exception());
        return true;
      }
      bringer_->arrive();
      return true;
    }
    /// The same with what the wait is to throw.
    bool fail(std::exception_ptr why) const noexcept {  // NOLINT(modernize-use-nodiscard)
      if (!bringer_->claim()) return false;
      bringer_->fail(std::move(why));
      return true;
    }
    bool fail(Error why) const noexcept {  // NOLINT(modernize-use-nodiscard)
      return fail(std::make_exception_ptr(std::move(why)));
    }

   private:
    friend class Completion;
    explicit Callback(call::Parcel<T>& parcel) noexcept : bringer_(parcel) {}
    [[nodiscard]] call::Parcel<T>& parcel() const noexcept {
      return static_cast<call::Parcel<T>&>(*bringer_);
    }

    call::Bringer bringer_;
  };

  /// Throws std::bad_alloc.
  Completion() : parcel_(call::Parcel<T>::make()) {}
  Completion(const Completion&) = delete;
  Completion& operator=(const Completion&) = delete;
  ~Completion() { parcel_.let_go(); }

  [[nodiscard]] Callback callback() noexcept { return Callback(parcel_); }

  /// Blocks until the callback has come; where Future::get() may block. Throws as co_await does.
  T get() {
    call::CompletionWait(parcel_).block();
    return take();
  }

  class Awaiter {
   public:
    explicit Awaiter(Completion& completion) noexcept
        : completion_(completion), wait_(completion.parcel_) {}
    [[nodiscard]] bool await_ready() { return wait_.ready(); }
    bool await_suspend(std::coroutine_handle<> awaiting) noexcept {
      return wait_.suspend(awaiting);
    }
    T await_resume() {
      wait_.check();
      return completion_.take();
    }

   private:
    Completion& completion_;
    call::CompletionWait wait_;
  };
  /// Suspends the coroutine until the callback has come. Throws what it fails with, and
  /// Error(cancelled) where nobody wants the result any more, Error(failed_precondition) where
  /// nobody ever had the callback.
  [[nodiscard]] Awaiter operator co_await() & noexcept { return Awaiter(*this); }

 private:
  T take() {
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): it is there without failure
    if constexpr (!std::is_void_v<T>) return std::move(*parcel_.value);
  }

  call::Parcel<T>& parcel_;
};

}  // namespace penstock
