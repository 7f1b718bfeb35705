#pragma once

#include <cstddef>
#include <memory>

namespace penstock::world {

/// Memory for one stack, with a page below it that nobody may touch. Kept for the next one.
class Stack {
 public:
  static constexpr std::size_t kBytes = 256 * 1024;

  Stack();
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
  ~Stack();

  [[nodiscard]] char* bottom() const noexcept { return bottom_; }
  [[nodiscard]] char* top() const noexcept { return bottom_ + kBytes; }

 private:
  char* bottom_;
};

/// Where a stack goes on: what a switch leaves and comes back to. AddressSanitizer is told of each.
class Fiber {
 public:
  /// The stack that runs now; written at the first switch away from it.
  Fiber() noexcept = default;
  /// Begins in `entry`, which never returns.
  Fiber(const Stack& stack, void (*entry)());
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  ~Fiber() = default;

  /// Goes on there; comes back when somebody switches to this one, which runs now.
  void switch_to(Fiber& other) noexcept;
  /// The same for good.
  [[noreturn]] void end_in(Fiber& other) noexcept;
  /// First thing in `entry`.
  static void entered() noexcept;

 private:
  void* stack_pointer_ = nullptr;
  // What AddressSanitizer asks for.
  const void* bottom_ = nullptr;
  std::size_t bytes_ = 0;
  void* fake_stack_ = nullptr;
};

}  // namespace penstock::world
