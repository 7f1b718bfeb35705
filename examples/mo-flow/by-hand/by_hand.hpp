#pragma once

#include <sys/prctl.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <iostream>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

/// What a careful programmer writes who has threads, queues and no framework.
namespace by_hand {

constexpr std::size_t kUnbounded = std::numeric_limits<std::size_t>::max();

/// A queue between threads; any number on either side.
template <class T>
class Queue {
 public:
  explicit Queue(std::size_t most = 1024) : most_(most) {}

  /// Waits while the queue is full; false once it is closed.
  bool wait_for_room() {
    std::unique_lock lock(mutex_);
    taken_.wait(lock, [this] { return closed_ || items_.size() < most_; });
    return !closed_;
  }
  /// Waits while the queue is full. What comes after the close is dropped.
  void push(T item) {
    {
      std::unique_lock lock(mutex_);
      taken_.wait(lock, [this] { return closed_ || items_.size() < most_; });
      if (closed_) return;
      items_.push_back(std::move(item));
    }
    put_.notify_one();
  }
  /// Waits for an item; nothing once the queue is closed and empty.
  std::optional<T> pop() {
    std::optional<T> item;
    {
      std::unique_lock lock(mutex_);
      put_.wait(lock, [this] { return closed_ || !items_.empty(); });
      if (items_.empty()) return std::nullopt;
      item.emplace(std::move(items_.front()));
      items_.pop_front();
    }
    taken_.notify_one();
    return item;
  }
  void close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    put_.notify_all();
    taken_.notify_all();
  }

 private:
  const std::size_t most_;
  std::mutex mutex_;
  std::condition_variable put_;
  std::condition_variable taken_;
  std::deque<T> items_;
  bool closed_ = false;
};

/// The moments at which events are due: an absolute schedule, so that lateness does not add up.
/// After a pause it makes up for a tenth of a second at most.
class Pace {
 public:
  void set(double per_second) {
    {
      const std::lock_guard lock(mutex_);
      per_second_ = per_second;
      begun_ = Clock::now();
      made_ = 0;
    }
    changed_.notify_one();
  }
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_one();
  }
  /// Waits until the next event is due; false when there is to be none.
  bool next() {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (stopped_) return false;
      if (per_second_ <= 0) {
        changed_.wait(lock);
        continue;
      }
      const auto after = std::chrono::duration<double>(static_cast<double>(made_) / per_second_);
      const auto due = begun_ + std::chrono::duration_cast<Clock::duration>(after);
      const auto now = Clock::now();
      if (now < due) {
        changed_.wait_until(lock, due);
        continue;
      }
      if (now - due > std::chrono::milliseconds(100)) {
        begun_ = now;
        made_ = 0;
      }
      ++made_;
      return true;
    }
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::mutex mutex_;
  std::condition_variable changed_;
  double per_second_ = 0;
  Clock::time_point begun_;
  std::uint64_t made_ = 0;
  bool stopped_ = false;
};

/// Events that were made and have not ended.
class UnderWay {
 public:
  void begin() noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  void end() noexcept {
    if (count_.fetch_sub(1, std::memory_order_release) == 1) count_.notify_all();
  }
  void wait_for_none() const noexcept {
    while (const std::int64_t left = count_.load(std::memory_order_acquire)) count_.wait(left);
  }

 private:
  std::atomic<std::int64_t> count_ = 0;
};

/// `count` threads that do `work` to each item of a queue until it is closed. `make_work` is called
/// on each of them: what it gives may keep something for its thread.
template <class T, class MakeWork>
void serve(std::vector<std::thread>& threads, int count, Queue<T>& queue, MakeWork make_work) {
  for (int index = 0; index < count; ++index)
    threads.emplace_back([&queue, make_work] {
      auto work = make_work();
      while (std::optional<T> item = queue.pop()) work(std::move(*item));
    });
}

/// Numbered events into the first queue, at the rate that standard input says: "rate 750", and
/// "stop", which ends once every event has ended and says how many were made.
template <class T, class MakeEvent>
void run_source(Queue<T>& first, UnderWay& under_way, MakeEvent make_event) {
  Pace pace;
  std::uint64_t made = 0;
  std::thread source([&] {
    // Wake-ups on time: the kernel's default lets them slip by 50 us.
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    while (pace.next() && first.wait_for_room()) {
      under_way.begin();
      first.push(make_event(made++));
    }
  });
  std::cout << "ready" << std::endl;
  std::string word;
  while (std::cin >> word && word == "rate") {
    double per_second = 0;
    std::cin >> per_second;
    pace.set(per_second);
  }
  pace.stop();
  source.join();
  under_way.wait_for_none();
  std::cout << "emitted " << made << std::endl;
}

}  // namespace by_hand
