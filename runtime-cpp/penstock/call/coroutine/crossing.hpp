#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <utility>

#include "penstock/call/activation/suspended.hpp"
#include "penstock/exec/job.hpp"

namespace penstock::call {

/// What another thread brings, once, to whoever waits for it: the job that takes a suspended
/// coroutine back to its worker. A block of its own, as either side may be gone before the other.
///
/// Who waits owns a share of it, those who may bring it own one together, and so does a wait from
/// its begin until its job has run: meanwhile the worker stays, too.
class Crossing : exec::Job {
 public:
  using Destroy = void (*)(Crossing& self) noexcept;

  /// The share is that of who waits.
  explicit Crossing(Destroy destroy) noexcept : destroy_(destroy) {}
  Crossing(const Crossing&) = delete;
  Crossing& operator=(const Crossing&) = delete;

  // --- those who may bring it, on any thread ---

  void add_bringer() noexcept;
  /// The last one who goes without having brought it fails it.
  void drop_bringer() noexcept;
  /// True for the first one. He then puts in place what he brings, and says arrive() or fail().
  [[nodiscard]] bool claim() noexcept { return !claimed_.exchange(true); }
  void arrive() noexcept;
  void fail(std::exception_ptr why) noexcept;

  // --- who waits ---

  /// Whether it is there; what was brought can be seen then.
  [[nodiscard]] bool arrived() const noexcept {
    return state_.load(std::memory_order_acquire) == kArrived;
  }
  /// Whether there was ever one who may bring it. The last one who goes fails it, a moment after he
  /// is counted out.
  [[nodiscard]] bool had_bringers() const noexcept {
    return had_bringers_.load(std::memory_order_relaxed);
  }
  /// Why it was not brought; null: it was. Once it is there.
  [[nodiscard]] const std::exception_ptr& failure() const noexcept { return failure_; }
  /// On a worker: `waiting` is resumed there when it is there. False when it is there already.
  [[nodiscard]] bool wait(Suspended& waiting) noexcept;
  /// On the worker that waits: it does not any more.
  void stop_waiting() noexcept;
  /// Blocks the thread until it is there.
  void block() noexcept;
  /// Ends the share of who waits.
  void let_go() noexcept;

 protected:
  ~Crossing() = default;

 private:
  static constexpr std::uint32_t kOpen = 0;
  static constexpr std::uint32_t kAwaited = 1;  ///< by a coroutine on `home_`
  static constexpr std::uint32_t kBlocked = 2;  ///< a thread sleeps for it
  static constexpr std::uint32_t kArrived = 3;

  static void on_home(exec::Job& job) noexcept;
  void end_wait() noexcept;

  const Destroy destroy_;
  std::atomic<std::uint32_t> state_{kOpen};  // futex word
  std::atomic<std::uint32_t> shares_{1};
  std::atomic<std::uint32_t> bringers_{0};
  std::atomic<bool> had_bringers_{false};
  std::atomic<bool> claimed_{false};
  std::exception_ptr failure_;
  // Of the worker that waits.
  exec::Worker* home_ = nullptr;
  Suspended* waiting_ = nullptr;
};

/// One who may bring it.
class Bringer {
 public:
  explicit Bringer(Crossing& crossing) noexcept : crossing_(&crossing) { crossing_->add_bringer(); }
  Bringer(const Bringer& other) noexcept : Bringer(*other.crossing_) {}
  Bringer(Bringer&& other) noexcept : crossing_(std::exchange(other.crossing_, nullptr)) {}
  Bringer& operator=(Bringer other) noexcept {
    std::swap(crossing_, other.crossing_);
    return *this;
  }
  ~Bringer() {
    if (crossing_ != nullptr) crossing_->drop_bringer();
  }

  [[nodiscard]] Crossing* operator->() const noexcept { return crossing_; }
  [[nodiscard]] Crossing& operator*() const noexcept { return *crossing_; }

 private:
  Crossing* crossing_;
};

}  // namespace penstock::call
