#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>

#include "world/step.hpp"
#include "world/waiting.hpp"

namespace penstock::world {

/// std::mutex in a world.
class Mutex {
 public:
  constexpr Mutex() noexcept = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;
  ~Mutex() = default;

  [[gnu::always_inline]] void lock() noexcept {
    for (step(); locked_;) wait_at(this);
    locked_ = true;
    ++writes;
  }
  [[nodiscard]] bool try_lock() noexcept {
    step();
    if (locked_) return false;
    ++writes;
    return locked_ = true;
  }
  void unlock() noexcept {
    step_to_write();
    locked_ = false;
    wake_at(this, 1);
  }

 private:
  bool locked_ = false;
};

/// std::condition_variable in a world.
class ConditionVariable {
 public:
  ConditionVariable() noexcept = default;
  ConditionVariable(const ConditionVariable&) = delete;
  ConditionVariable& operator=(const ConditionVariable&) = delete;
  ~ConditionVariable() = default;

  void notify_one() noexcept { notify(1); }
  void notify_all() noexcept { notify(kAll); }

  template <class Lock>
  void wait(Lock& hold) {
    static_cast<void>(wait_until_ns(hold, 0));
  }
  template <class Lock, class Condition>
  void wait(Lock& hold, Condition condition) {
    while (!condition()) wait(hold);
  }
  template <class Lock, class Time>
  std::cv_status wait_for(Lock& hold, const Time& time) {
    return wait_until_ns(hold, now() + nanos(time));
  }
  template <class Lock, class Time, class Condition>
  bool wait_for(Lock& hold, const Time& time, Condition condition) {
    const std::int64_t deadline = now() + nanos(time);
    while (!condition()) {
      if (wait_until_ns(hold, deadline) == std::cv_status::timeout) return condition();
    }
    return true;
  }

 private:
  template <class Time>
  static std::int64_t nanos(const Time& time) {
    return std::chrono::nanoseconds(time).count();
  }
  void notify(int count) noexcept {
    step_to_write();
    ++notified_;
    wake_at(this, count);
  }
  // Between the unlock and the wait another one may notify: then there is nothing to wait for.
  template <class Lock>
  std::cv_status wait_until_ns(Lock& hold, std::int64_t deadline) {
    const std::uint64_t before = notified_;
    hold.unlock();
    if (notified_ == before) wait_at(this, deadline);
    hold.lock();
    return deadline != 0 && now() >= deadline ? std::cv_status::timeout
                                              : std::cv_status::no_timeout;
  }

  std::uint64_t notified_ = 0;
};

/// std::binary_semaphore in a world.
class BinarySemaphore {
 public:
  explicit BinarySemaphore(std::ptrdiff_t there) noexcept : is_there_(there != 0) {}
  BinarySemaphore(const BinarySemaphore&) = delete;
  BinarySemaphore& operator=(const BinarySemaphore&) = delete;
  ~BinarySemaphore() = default;

  void release() noexcept {
    step_to_write();
    is_there_ = true;
    wake_at(this, 1);
  }
  void acquire() noexcept { static_cast<void>(take_until(0)); }
  [[nodiscard]] bool try_acquire_for(std::chrono::nanoseconds time) noexcept {
    return take_until(now() + time.count());
  }

 private:
  [[nodiscard]] bool take_until(std::int64_t deadline) noexcept {
    for (step(); !is_there_;) {
      if (deadline != 0 && now() >= deadline) return false;
      wait_at(this, deadline);
    }
    ++writes;
    is_there_ = false;
    return true;
  }

  bool is_there_;
};

}  // namespace penstock::world
