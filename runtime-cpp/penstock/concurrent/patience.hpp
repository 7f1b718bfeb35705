#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

#include "penstock/concurrent/pause.hpp"

namespace penstock::concurrent {

/// For who waits for a thread that is a few instructions away from what it began, unless it was
/// preempted: that one may need this very CPU. Looks a while, then lets others run, then sleeps
/// between its looks, ever longer up to a millisecond: others may not be enough to let run, as
/// where this thread has a higher priority.
///
/// One for each wait: wait() between two looks.
class Patience {
 public:
  void wait() noexcept {
    if (waits_ < kPauses) {
      pause();
    } else if (waits_ < kPauses + kYields) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(sleep_);
      sleep_ = std::min(2 * sleep_, kLongest);
      return;
    }
    ++waits_;
  }

 private:
  // A microsecond or two: a push that goes on takes a hundredth of it.
  static constexpr int kPauses = 64;
  static constexpr int kYields = 16;
  static constexpr std::chrono::microseconds kLongest{1000};

  int waits_ = 0;
  std::chrono::microseconds sleep_{50};
};

}  // namespace penstock::concurrent
