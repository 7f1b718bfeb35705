// What a good C++ programmer writes without a library: a thread with a queue of requests that each
// carry a std::promise.
#include <array>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <thread>

#include "harness/contender.hpp"
#include "harness/cpus.hpp"
#include "harness/measure.hpp"
#include "harness/vyukov.hpp"
#include "harness/wait.hpp"

namespace compare {
namespace {

struct Request : Vyukov::Node {
  std::int64_t value = 0;
  std::promise<std::int64_t> promise;
  bool stop = false;
};

/// Vyukov's queue, polled.
class SpinningQueue {
 public:
  void push(std::unique_ptr<Request> request) { queue_.push(*request.release()); }
  std::unique_ptr<Request> pop() {
    for (;;) {
      if (auto* const node = queue_.pop(); node != nullptr) {
        return std::unique_ptr<Request>(static_cast<Request*>(node));
      }
    }
  }
  static std::int64_t get(std::future<std::int64_t>& future) {
    while (future.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
    }
    return future.get();
  }

 private:
  Vyukov queue_;
};

/// std::deque behind a mutex; sleeps on a condition variable, at once or after some looks.
template <int looks>
class SleepingQueue {
 public:
  void push(std::unique_ptr<Request> request) {
    {
      const std::lock_guard hold(mutex_);
      queue_.push_back(std::move(request));
    }
    size_.fetch_add(1, std::memory_order_release);
    condition_.notify_one();
  }
  std::unique_ptr<Request> pop() {
    for (int look = 0; look < looks && size_.load(std::memory_order_acquire) == 0; ++look) pause();
    std::unique_lock hold(mutex_);
    condition_.wait(hold, [this] { return !queue_.empty(); });
    std::unique_ptr<Request> request = std::move(queue_.front());
    queue_.pop_front();
    size_.fetch_sub(1, std::memory_order_relaxed);
    return request;
  }
  static std::int64_t get(std::future<std::int64_t>& future) {
    for (int look = 0; look < looks; ++look) {
      if (future.wait_for(std::chrono::seconds(0)) == std::future_status::ready) break;
      pause();
    }
    return future.get();
  }

 private:
  std::mutex mutex_;
  std::condition_variable condition_;
  std::deque<std::unique_ptr<Request>> queue_;
  std::atomic<int> size_{0};
};

template <class Queue>
class Server {
 public:
  Server() : thread_([this] { serve(); }) { pin(0); }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() {
    auto last = std::make_unique<Request>();
    last->stop = true;
    queue_.push(std::move(last));
    thread_.join();
  }
  [[nodiscard]] std::future<std::int64_t> ask(std::int64_t value) {
    auto request = std::make_unique<Request>();
    request->value = value;
    std::future<std::int64_t> answer = request->promise.get_future();
    queue_.push(std::move(request));
    return answer;
  }

 private:
  void serve() {
    pin(1);
    for (;;) {
      const std::unique_ptr<Request> request = queue_.pop();
      if (request->stop) return;
      request->promise.set_value(request->value);
    }
  }

  Queue queue_;
  std::thread thread_;
};

template <class Queue, std::size_t window>
double outstanding() {
  Server<Queue> server;
  return rate_of([&](std::uint64_t count) {
    std::array<std::future<std::int64_t>, window> answers;
    for (auto& answer : answers) answer = server.ask(0);
    for (std::uint64_t call = 0; call + window < count; ++call) {
      auto& answer = answers[call % window];
      keep(Queue::get(answer));
      answer = server.ask(static_cast<std::int64_t>(call));
    }
    for (auto& answer : answers) keep(Queue::get(answer));
  });
}

template <class Queue, std::size_t width>
double fan_out() {
  Server<Queue> server;
  return rate_of([&](std::uint64_t count) {
    std::array<std::future<std::int64_t>, width> answers;
    for (std::uint64_t call = 0; call < count; ++call) {
      for (auto& answer : answers) answer = server.ask(static_cast<std::int64_t>(call));
      for (auto& answer : answers) keep(Queue::get(answer));
    }
  });
}

constexpr auto kSpinning = "std::promise over an MPSC queue, both spin";

const Enter kSpin({"ping-pong/spin", "promise-mpsc", kSpinning, outstanding<SpinningQueue, 1>});
const Enter kAdaptive({"ping-pong/adaptive", "promise-adaptive",
                       "std::promise over mutex and condition variable, 500 looks before sleeping",
                       outstanding<SleepingQueue<kPauses>, 1>});
const Enter kPark({"ping-pong/park", "promise-condvar",
                   "std::promise over mutex and condition variable",
                   outstanding<SleepingQueue<0>, 1>});
const Enter kMany({"outstanding-64", "promise-mpsc", kSpinning, outstanding<SpinningQueue, 64>});
const Enter kFanOut({"fan-out-3", "promise-mpsc", kSpinning, fan_out<SpinningQueue, 3>});

}  // namespace
}  // namespace compare
