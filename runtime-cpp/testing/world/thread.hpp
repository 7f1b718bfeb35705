#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <thread>
#include <type_traits>
#include <utility>

#include "world/waiting.hpp"

namespace penstock::world {

/// Starts a simulated thread; its number. Throws std::system_error where there is no world.
[[nodiscard]] unsigned start_thread(std::function<void()> body);
/// Waits for its end.
void join_thread(unsigned number) noexcept;
/// Of the calling thread.
[[nodiscard]] unsigned this_thread() noexcept;
/// For the trace.
void name_thread(unsigned number, const char* name);

/// std::thread in a world.
class Thread {
 public:
  using native_handle_type = unsigned long;

  Thread() noexcept = default;
  template <class Body, class... Arguments>
    requires(!std::is_same_v<std::remove_cvref_t<Body>, Thread>)
  explicit Thread(Body&& body, Arguments&&... arguments)
      : number_(start_thread(as_function(
            std::bind_front(std::forward<Body>(body), std::forward<Arguments>(arguments)...)))),
        joinable_(true) {}
  Thread(Thread&& other) noexcept
      : number_(other.number_), joinable_(std::exchange(other.joinable_, false)) {}
  Thread& operator=(Thread&& other) noexcept {
    if (joinable_) std::terminate();
    number_ = other.number_;
    joinable_ = std::exchange(other.joinable_, false);
    return *this;
  }
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;
  ~Thread() {
    if (joinable_) std::terminate();
  }

  [[nodiscard]] bool joinable() const noexcept { return joinable_; }
  void join() noexcept {
    join_thread(number_);
    joinable_ = false;
  }
  [[nodiscard]] native_handle_type native_handle() const noexcept { return number_; }

 private:
  // What a std::function holds can be copied; a body need not.
  template <class Bound>
  static std::function<void()> as_function(Bound bound) {
    return [body = std::make_shared<Bound>(std::move(bound))] { std::invoke(std::move(*body)); };
  }

  unsigned number_ = 0;
  bool joinable_ = false;
};

inline void sleep_until_ns(std::int64_t at) noexcept {
  while (now() < at) wait_at(nullptr, at);
}

}  // namespace penstock::world
