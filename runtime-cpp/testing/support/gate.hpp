#pragma once

#include <condition_variable>
#include <mutex>

namespace penstock::testing {

/// Opened and closed by the test: what passes it blocks its thread while it is closed.
class Gate {
 public:
  void pass() {
    std::unique_lock hold(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(hold, [this] { return open_; });
    --waiting_;
  }
  void close() { set(false); }
  void open() { set(true); }
  /// Until somebody stands in front of it.
  void wait_for_one() {
    std::unique_lock hold(mutex_);
    changed_.wait(hold, [this] { return waiting_ > 0; });
  }

 private:
  void set(bool open) {
    const std::lock_guard hold(mutex_);
    open_ = open;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = true;
  int waiting_ = 0;
};

}  // namespace penstock::testing
