// Boost.Asio: an io_context a thread, a call posted there and its answer posted back.
#include <atomic>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <cstdint>
#include <future>
#include <thread>

#include "harness/contender.hpp"
#include "harness/cpus.hpp"
#include "harness/measure.hpp"
#include "harness/wait.hpp"

namespace compare {
namespace {

namespace asio = boost::asio;

/// A thread that runs an io_context: polling, sleeping in run(), or polling for a while first.
template <Wait wait>
class Loop {
 public:
  explicit Loop(unsigned thread) : thread_([this, thread] { work(thread); }) {}
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  ~Loop() {
    stopping_.store(true, std::memory_order_relaxed);
    asio::post(context_, [] {});
    thread_.join();
  }
  [[nodiscard]] asio::io_context& context() noexcept { return context_; }

 private:
  void work(unsigned thread) {
    pin(thread);
    while (!stopping_.load(std::memory_order_relaxed)) {
      if constexpr (wait != Wait::park) {
        int look = 0;
        while (context_.poll() == 0 && (wait == Wait::spin || look < kPauses)) {
          if (stopping_.load(std::memory_order_relaxed)) return;
          ++look;
        }
        if constexpr (wait == Wait::spin) continue;
        if (look < kPauses) continue;
      }
      context_.run_one();
    }
  }

  // The hint of one thread: Asio's quickest locks that still take posts from other threads.
  asio::io_context context_{1};
  asio::executor_work_guard<asio::io_context::executor_type> guard_{context_.get_executor()};
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

/// Asks and asks again with the answer, `left` times; runs on the caller's loop.
struct Caller {
  asio::io_context& here;
  asio::io_context& there;
  std::uint64_t left = 0;
  std::uint64_t outstanding = 0;
  std::promise<void> done{};

  void ask(std::int64_t value) {
    asio::post(there, [this, value] { asio::post(here, [this, value] { answered(value); }); });
  }
  void answered(std::int64_t value) {
    keep(value);
    if (left > 0) {
      --left;
      ask(value + 1);
    } else if (--outstanding == 0) {
      done.set_value();
    }
  }
  void run(std::uint64_t count, std::uint64_t window) {
    outstanding = count < window ? count : window;
    left = count - outstanding;
    done = std::promise<void>();
    asio::post(here, [this, first = outstanding] {
      for (std::uint64_t call = 0; call < first; ++call) ask(0);
    });
    done.get_future().wait();
  }
};

template <Wait wait, std::uint64_t window>
double outstanding() {
  Loop<wait> front(0);
  Loop<wait> back(1);
  Caller caller{front.context(), back.context()};
  return rate_of([&caller](std::uint64_t count) { caller.run(count, window); });
}

double own_loop() {
  Loop<Wait::spin> only(0);
  Caller caller{only.context(), only.context()};
  return rate_of([&caller](std::uint64_t count) { caller.run(count, 1); });
}

/// Three calls out, their answers counted on the caller's loop.
struct Fan {
  asio::io_context& here;
  asio::io_context& there;
  std::uint64_t left = 0;
  int missing = 0;
  std::promise<void> done{};

  void ask() {
    missing = 3;
    for (std::int64_t value = 0; value < 3; ++value) {
      asio::post(there, [this, value] { asio::post(here, [this, value] { answered(value); }); });
    }
  }
  void answered(std::int64_t value) {
    keep(value);
    if (--missing > 0) return;
    if (--left > 0) {
      ask();
    } else {
      done.set_value();
    }
  }
};

double fan_out() {
  Loop<Wait::spin> front(0);
  Loop<Wait::spin> back(1);
  Fan fan{front.context(), back.context()};
  return rate_of([&fan](std::uint64_t count) {
    fan.left = count;
    fan.done = std::promise<void>();
    asio::post(fan.here, [&fan] { fan.ask(); });
    fan.done.get_future().wait();
  });
}

/// dispatch() from the loop's own thread runs the callee at once.
double dispatch() {
  Loop<Wait::park> only(0);
  return rate_of([&only](std::uint64_t count) {
    std::promise<void> done;
    asio::post(only.context(), [&only, &done, count] {
      std::int64_t answer = 0;
      for (std::uint64_t call = 0; call < count; ++call) {
        asio::dispatch(only.context(),
                       [&answer, call] { answer = static_cast<std::int64_t>(call); });
        keep(answer);
      }
      done.set_value();
    });
    done.get_future().wait();
  });
}

const Enter kSpin({"ping-pong/spin", "asio-poll", "Boost.Asio post there and back, poll()",
                   outstanding<Wait::spin, 1>});
const Enter kAdaptive({"ping-pong/adaptive", "asio-adaptive",
                       "Boost.Asio post there and back, 500 times poll(), then run_one()",
                       outstanding<Wait::adaptive, 1>});
const Enter kPark({"ping-pong/park", "asio-run", "Boost.Asio post there and back, run_one()",
                   outstanding<Wait::park, 1>});
const Enter kMany({"outstanding-64", "asio-poll", "Boost.Asio post there and back, poll()",
                   outstanding<Wait::spin, 64>});
const Enter kFanOut({"fan-out-3", "asio-poll", "three posts and back, counted", fan_out});
const Enter kOwn({"own-mailbox", "asio-poll", "Boost.Asio post to its own loop, twice a call",
                  own_loop});
const Enter kInline({"inline-call", "asio-dispatch", "Boost.Asio dispatch on its own loop",
                     dispatch});

}  // namespace
}  // namespace compare
