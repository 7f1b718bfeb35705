#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

namespace penstock {

/// An optional value that may be of the type that holds it: `std::optional` with the value on the
/// heap. Copies are deep, a moved-from one is empty, comparison is by value. Not thread-safe, as
/// any plain value.
template <class T>
class Boxed {
 public:
  using value_type = T;

  Boxed() noexcept = default;
  // Implicit, as std::optional's are.
  Boxed(std::nullopt_t) noexcept {}  // NOLINT(google-explicit-constructor)
  // NOLINTNEXTLINE(google-explicit-constructor)
  Boxed(T value) : value_(std::make_unique<T>(std::move(value))) {}
  Boxed(const Boxed& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
  Boxed(Boxed&& other) noexcept = default;
  ~Boxed() = default;
  Boxed& operator=(const Boxed& other) {
    // Through a copy: `other` may live inside what this assignment frees.
    Boxed copy(other);
    value_.swap(copy.value_);
    return *this;
  }
  Boxed& operator=(Boxed&& other) noexcept {
    Boxed taken(std::move(other));
    value_.swap(taken.value_);
    return *this;
  }

  [[nodiscard]] bool has_value() const noexcept { return value_ != nullptr; }
  explicit operator bool() const noexcept { return has_value(); }

  /// The value; there must be one.
  T& operator*() noexcept { return *value_; }
  const T& operator*() const noexcept { return *value_; }
  T* operator->() noexcept { return value_.get(); }
  const T* operator->() const noexcept { return value_.get(); }

  template <class... Arguments>
  T& emplace(Arguments&&... arguments) {
    value_ = std::make_unique<T>(std::forward<Arguments>(arguments)...);
    return *value_;
  }
  void reset() noexcept { value_.reset(); }

  friend bool operator==(const Boxed& left, const Boxed& right) {
    if (left.has_value() != right.has_value()) return false;
    return !left.has_value() || *left == *right;
  }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace penstock
