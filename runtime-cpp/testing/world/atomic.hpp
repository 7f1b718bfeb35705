#pragma once

#include <atomic>
#include <type_traits>
#include <utility>

#include "world/step.hpp"
#include "world/waiting.hpp"

namespace penstock::world {

/// std::atomic in a world: before each operation another thread may go on. All threads see one
/// order of all operations; that weaker orders suffice is the matter of ThreadSanitizer.
template <class T>
class Atomic {
 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;

  constexpr Atomic() noexcept : value_{} {}
  constexpr Atomic(T value) noexcept : value_(value) {}  // NOLINT: as std::atomic
  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;
  ~Atomic() = default;

  using Order = std::memory_order;
  static constexpr Order kStrongest = std::memory_order_seq_cst;

  [[nodiscard, gnu::always_inline]] T load(Order /*order*/ = kStrongest) const noexcept {
    step();
    return value_;
  }
  [[gnu::always_inline]] void store(T value, Order /*order*/ = kStrongest) noexcept {
    step_to_write();
    value_ = value;
  }
  [[gnu::always_inline]] T exchange(T value, Order /*order*/ = kStrongest) noexcept {
    step_to_write();
    return std::exchange(value_, value);
  }
  [[gnu::always_inline]] bool compare_exchange_strong(T& expected, T desired,
                                                      Order /*order*/ = kStrongest) noexcept {
    step();
    if (value_ != expected) {
      expected = value_;
      return false;
    }
    ++writes;
    value_ = desired;
    return true;
  }
  [[gnu::always_inline]] bool compare_exchange_strong(T& expected, T desired, Order success,
                                                      Order /*failure*/) noexcept {
    return compare_exchange_strong(expected, desired, success);
  }
  /// Fails now and then for no reason, as it may.
  bool compare_exchange_weak(T& expected, T desired, Order order = kStrongest) noexcept {
    if (fails_for_nothing()) {
      expected = value_;
      return false;
    }
    return compare_exchange_strong(expected, desired, order);
  }
  bool compare_exchange_weak(T& expected, T desired, Order success, Order /*failure*/) noexcept {
    return compare_exchange_weak(expected, desired, success);
  }

  [[gnu::always_inline]] T fetch_add(auto by, Order /*order*/ = kStrongest) noexcept {
    step_to_write();
    return std::exchange(value_, static_cast<T>(value_ + by));
  }
  [[gnu::always_inline]] T fetch_sub(auto by, Order /*order*/ = kStrongest) noexcept {
    step_to_write();
    return std::exchange(value_, static_cast<T>(value_ - by));
  }
  [[gnu::always_inline]] T fetch_and(T bits, Order /*order*/ = kStrongest) noexcept {
    step_to_write();
    return std::exchange(value_, static_cast<T>(value_ & bits));
  }
  [[gnu::always_inline]] T fetch_or(T bits, Order /*order*/ = kStrongest) noexcept {
    step_to_write();
    return std::exchange(value_, static_cast<T>(value_ | bits));
  }
  T operator++() noexcept { return static_cast<T>(fetch_add(1) + 1); }
  T operator++(int) noexcept { return fetch_add(1); }
  T operator--() noexcept { return static_cast<T>(fetch_sub(1) - 1); }
  T operator--(int) noexcept { return fetch_sub(1); }
  T operator+=(T by) noexcept { return static_cast<T>(fetch_add(by) + by); }
  T operator-=(T by) noexcept { return static_cast<T>(fetch_sub(by) - by); }
  T operator=(T value) noexcept {  // NOLINT: as std::atomic
    store(value);
    return value;
  }
  operator T() const noexcept { return load(); }  // NOLINT: as std::atomic

  void wait(T old, Order /*order*/ = kStrongest) const noexcept {
    for (step(); value_ == old;) wait_at(this);
  }
  void notify_one() noexcept { wake_at(this, 1); }
  void notify_all() noexcept { wake_at(this, kAll); }

 private:
  T value_;
};

}  // namespace penstock::world
