#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "penstock/base/error.hpp"
#include "penstock/call/activation/activation.hpp"
#include "penstock/concurrent/mutex.hpp"

namespace penstock::call {

class BlockedWait;
class FrameAwait;
struct Frame;
struct WatchedThread;

/// Somebody's wait for one answer, in the list of its thread while it lasts: a coroutine that is
/// suspended, or a thread that sleeps in get(). Its own thread enters and leaves it; while a
/// thread's lock is held, its waits and all they point at stay as they are.
///
/// Costs nothing where it is not entered: coroutines whose service cannot be part of a cycle of
/// waits are not, and a thread that sleeps has time.
class Wait {
 public:
  Wait() = default;
  Wait(const Wait&) = delete;
  Wait& operator=(const Wait&) = delete;
  ~Wait() { leave(); }

  void enter(const Activation& self, Frame& frame, FrameAwait* coroutine,
             BlockedWait* blocked = nullptr) noexcept;
  void leave() noexcept {
    if (thread_ != nullptr) leave_list();
  }

  // Under the thread's lock.
  [[nodiscard]] const Activation& self() const noexcept { return *self_; }
  [[nodiscard]] Frame& frame() const noexcept { return *frame_; }
  [[nodiscard]] FrameAwait* coroutine() const noexcept { return coroutine_; }
  [[nodiscard]] BlockedWait* blocked() const noexcept { return blocked_; }
  [[nodiscard]] Wait* next() const noexcept { return next_; }
  /// Tells it from every other wait of the process.
  [[nodiscard]] std::uint64_t serial() const noexcept { return serial_; }
  /// The watchdog's tick at which it was entered.
  [[nodiscard]] std::uint64_t since() const noexcept { return since_; }
  /// Its end with Error(deadlock) is on its way, and comes when its thread gets to it.
  [[nodiscard]] bool condemned() const noexcept { return condemned_; }
  void condemn() noexcept { condemned_ = true; }

 private:
  void leave_list() noexcept;

  WatchedThread* thread_ = nullptr;  // null: not entered
  const Activation* self_ = nullptr;
  Frame* frame_ = nullptr;
  FrameAwait* coroutine_ = nullptr;
  BlockedWait* blocked_ = nullptr;
  Wait* next_ = nullptr;
  Wait** previous_ = nullptr;
  std::uint64_t serial_ = 0;
  std::uint64_t since_ = 0;
  bool condemned_ = false;
};

/// The wait of a thread that sleeps in get(), while it sleeps.
class BlockedWait {
 public:
  explicit BlockedWait(Frame& frame) noexcept;

  /// Whether it is to end without an answer. Its own thread.
  [[nodiscard]] bool given_up() const noexcept { return given_up_.load(std::memory_order_acquire); }
  /// Throws Error(deadlock) where it was given up.
  void end();
  /// Under its thread's lock. False when the answer came after all.
  [[nodiscard]] bool give_up(Frame& frame, std::unique_ptr<Error> deadlock) noexcept;

 private:
  std::atomic<bool> given_up_{false};
  std::unique_ptr<Error> deadlock_;
  Wait wait_;
};

/// The waits of one thread.
struct WaitList {
  concurrent::Mutex lock;
  Wait* newest = nullptr;
};

}  // namespace penstock::call
