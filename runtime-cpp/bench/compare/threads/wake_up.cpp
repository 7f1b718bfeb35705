// How long it takes until a thread that sleeps does what it is asked for: from just before the
// asking until its first instruction. Half a millisecond of sleep lies between two askings, more
// than an adaptive thread looks for work. One unit is one wake-up, so that the rate is 1 / median.
#include <algorithm>
#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "harness/contender.hpp"
#include "harness/cpus.hpp"
#include "harness/wait.hpp"
#include "support/small_binary.hpp"

namespace compare {
namespace {

using penstock::Nanos;
using penstock::now_ns;

/// Wake-ups a second; `wake()` asks the sleeping thread and gives how long that took in
/// nanoseconds.
template <class Wake>
double rate_of_wakes(const Wake& wake) {
  constexpr int kWarm = 50;
  constexpr int kCounted = 400;
  std::vector<Nanos> took;
  for (int turn = 0; turn < kWarm + kCounted; ++turn) {
    std::this_thread::sleep_for(std::chrono::microseconds(500));
    const Nanos one = wake();
    if (turn >= kWarm) took.push_back(one);
  }
  const auto middle = took.begin() + kCounted / 2;
  std::nth_element(took.begin(), middle, took.end());
  return 1e9 / static_cast<double>(*middle);
}

/// Asked when; answers how long ago that was.
struct Asked {
  Nanos at = 0;
};
struct Ago : penstock::Handler {
  using request_type = Asked;
  using response_type = Asked;
  static Asked handle(const Asked& request) { return {now_ns() - request.at}; }
};

double ours() {
  penstock::testing::SmallBinary binary;
  auto settings = penstock::testing::pool_settings("p", 1);
  settings.threads[0] = {cpu(0)};
  auto& pool = binary.pool(std::move(settings));
  auto& service = binary.service<Ago>("Ago", penstock::Kind::simple, pool);
  const penstock::Stub<Asked, Asked> ask(&binary.site(service));
  binary.start();
  // Only now: workers start on the CPUs of who starts them.
  pin(1);
  return rate_of_wakes([&ask] {
    penstock::Future<Asked> answer = ask({now_ns()});
    while (!answer.ready()) pause();
    return answer.get().at;
  });
}

/// What a wake-up leaves behind for the asker, who polls for it as all of them do here.
class Took {
 public:
  void set(Nanos took) noexcept { took_.store(took, std::memory_order_release); }
  Nanos take() noexcept {
    Nanos took = -1;
    while ((took = took_.exchange(-1, std::memory_order_acquire)) < 0) pause();
    return took;
  }

 private:
  std::atomic<Nanos> took_{-1};
};

double futex() {
  pin(1);
  Signal<Wait::park> signal;
  std::atomic<Nanos> asked{0};
  Took took;
  std::thread sleeper([&] {
    pin(0);
    for (std::uint32_t seen = 0;;) {
      seen = signal.past(seen);
      const Nanos now = now_ns();
      const Nanos at = asked.load(std::memory_order_relaxed);
      if (at < 0) return;
      took.set(now - at);
    }
  });
  std::uint32_t turn = 0;
  const double rate = rate_of_wakes([&] {
    asked.store(now_ns(), std::memory_order_relaxed);
    signal.set(++turn);
    return took.take();
  });
  asked.store(-1, std::memory_order_relaxed);
  signal.set(++turn);
  sleeper.join();
  return rate;
}

double condition() {
  pin(1);
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::function<bool()>> queue;
  Took took;
  std::thread sleeper([&] {
    pin(0);
    for (bool more = true; more;) {
      std::unique_lock hold(mutex);
      changed.wait(hold, [&] { return !queue.empty(); });
      const auto task = std::move(queue.back());
      queue.pop_back();
      hold.unlock();
      more = task();
    }
  });
  const auto post = [&](std::function<bool()> task) {
    {
      const std::lock_guard hold(mutex);
      queue.push_back(std::move(task));
    }
    changed.notify_one();
  };
  const double rate = rate_of_wakes([&] {
    post([&took, at = now_ns()] {
      took.set(now_ns() - at);
      return true;
    });
    return took.take();
  });
  post([] { return false; });
  sleeper.join();
  return rate;
}

double asio() {
  pin(1);
  boost::asio::io_context context{1};
  boost::asio::executor_work_guard guard(context.get_executor());
  std::thread sleeper([&context] {
    pin(0);
    context.run();
  });
  Took took;
  const double rate = rate_of_wakes([&] {
    boost::asio::post(context, [&took, at = now_ns()] { took.set(now_ns() - at); });
    return took.take();
  });
  guard.reset();
  sleeper.join();
  return rate;
}

const Enter kOurs({"wake-up", "penstock", "a call to an adaptive worker that sleeps", ours});
const Enter kFutex({"wake-up", "limit-futex", "a number set, and a futex", futex});
const Enter kCondition({"wake-up", "condvar", "std::function in a queue, std::mutex and condition",
                        condition});
const Enter kAsio({"wake-up", "asio-run", "Boost.Asio post to a thread in run()", asio});

}  // namespace
}  // namespace compare
