#pragma once

#include <condition_variable>
#include <coroutine>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace penstock::testing {

/// Something that knows nothing of ours: a thread that calls back, while it is not held.
class OtherLibrary {
 public:
  OtherLibrary() : thread_([this] { run(); }) {}
  OtherLibrary(const OtherLibrary&) = delete;
  OtherLibrary& operator=(const OtherLibrary&) = delete;
  /// What was asked for and did not come yet is dropped.
  ~OtherLibrary() {
    change([this] { ends_ = true; });
    thread_.join();
  }

  void call_back(std::function<void()> callback) {
    change([&] { callbacks_.push_back(std::move(callback)); });
  }
  void hold() {
    change([this] { held_ = true; });
  }
  void go_on() {
    change([this] { held_ = false; });
  }
  /// Until so many wait to be called back.
  void wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return callbacks_.size() >= count; });
  }
  /// Until what was asked for has been called back.
  void wait_until_idle() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return callbacks_.empty() && !calling_; });
  }

  /// co_await: goes on on the library's thread, with the value.
  struct Arrives {
    OtherLibrary& library;
    int value;

    [[nodiscard]] static bool await_ready() noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiting) const {
      library.call_back([waiting] { waiting.resume(); });
    }
    [[nodiscard]] int await_resume() const noexcept { return value; }
  };
  [[nodiscard]] Arrives arrives(int value) { return {*this, value}; }

 private:
  template <class Change>
  void change(Change change) {
    const std::lock_guard lock(mutex_);
    change();
    changed_.notify_all();
  }
  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return ends_ || (!held_ && !callbacks_.empty()); });
      if (ends_) return;
      const std::vector<std::function<void()>> calls = std::exchange(callbacks_, {});
      calling_ = true;
      lock.unlock();
      for (const auto& call : calls) call();
      lock.lock();
      calling_ = false;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::function<void()>> callbacks_;
  bool held_ = false;
  bool calling_ = false;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace penstock::testing
