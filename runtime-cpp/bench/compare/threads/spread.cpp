// How requests spread over a pool of several threads that nobody pinned: handlers of ten
// microseconds, asked for 80 % of what the pool can do, at intervals drawn as those of independent
// callers are. What counts is the 99th percentile of the time from just before a request is sent
// until its handler has ended, and how even the workers' shares are.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "harness/contender.hpp"
#include "harness/work.hpp"
#include "support/small_binary.hpp"

namespace compare {
namespace {

using penstock::Future;
using penstock::Nanos;
using penstock::now_ns;
using penstock::Stub;

constexpr double kLoad = 0.8;
constexpr Nanos kSlice = 100'000'000;
/// Slices at capacity and under the load take turns, so that both meet the same processor.
constexpr int kTurns = 4;
/// Requests under way at capacity: more than are done while the sender sleeps.
constexpr std::uint64_t kWindow = 128;
constexpr std::chrono::microseconds kNap{50};
/// A sender that was kept away skips what is due longer.
constexpr Nanos kCatchUp = 1'000'000;

/// What one worker saw; its own until all is answered.
struct alignas(64) Log {
  std::vector<Nanos> took;
};
using Logs = std::vector<Log>;

struct Sent {
  Nanos at = 0;
  Logs* logs = nullptr;
};

/// What the handler of a request does on the worker of this index.
void serve(const Sent& request, std::size_t worker) {
  keep(work(static_cast<std::uint32_t>(request.at)));
  (*request.logs)[worker].took.push_back(now_ns() - request.at);
}

struct Serves : penstock::Handler {
  using request_type = Sent;
  using response_type = Sent;
  static Sent handle(const Sent& request) {
    serve(request, penstock::exec::Worker::current()->index());
    return request;
  }
};

/// Ours, asked from a thread of the test.
class Ours {
 public:
  explicit Ours(std::size_t threads)
      : pool_(binary_.pool(penstock::testing::pool_settings("p", threads))),
        ask_(&binary_.site(binary_.service<Serves>("Serves", penstock::Kind::simple, pool_))) {
    binary_.start();
  }
  void send(const Sent& request) { open_.push_back(ask_(request)); }
  /// Sent and not answered.
  std::uint64_t open() {
    for (std::size_t look = open_.size(); look > 0; --look) {
      Future<Sent> first = std::move(open_.front());
      open_.pop_front();
      if (first.ready()) {
        static_cast<void>(first.get());
      } else {
        open_.push_back(std::move(first));
      }
    }
    return open_.size();
  }

 private:
  penstock::testing::SmallBinary binary_;
  penstock::exec::Pool& pool_;
  Stub<Sent, Sent> ask_;
  std::deque<Future<Sent>> open_;
};

/// What a programmer writes: one queue for all threads.
class CentralQueue {
 public:
  explicit CentralQueue(std::size_t threads) {
    for (std::size_t index = 0; index < threads; ++index) {
      threads_.emplace_back([this, index] { run(index); });
    }
  }
  CentralQueue(const CentralQueue&) = delete;
  CentralQueue& operator=(const CentralQueue&) = delete;
  ~CentralQueue() {
    {
      const std::lock_guard hold(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  void send(const Sent& request) {
    ++sent_;
    {
      const std::lock_guard hold(mutex_);
      queue_.push_back(request);
    }
    changed_.notify_one();
  }
  std::uint64_t open() { return sent_ - done_.load(std::memory_order_acquire); }

 private:
  void run(std::size_t index) {
    for (;;) {
      std::unique_lock hold(mutex_);
      changed_.wait(hold, [this] { return over_ || !queue_.empty(); });
      if (queue_.empty()) return;
      const Sent request = queue_.front();
      queue_.pop_front();
      hold.unlock();
      serve(request, index);
      done_.fetch_add(1, std::memory_order_release);
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Sent> queue_;
  bool over_ = false;
  std::uint64_t sent_ = 0;
  std::atomic<std::uint64_t> done_{0};
  std::vector<std::thread> threads_;
};

template <class Server>
class Sender {
 public:
  explicit Sender(std::size_t threads) : threads_(threads), server_(threads) {}

  /// Requests a second with the queue never empty.
  double capacity() {
    const Nanos start = now_ns();
    Logs logs = empty();
    Nanos now = start;
    for (; now < start + kSlice; now = now_ns()) {
      for (std::uint64_t open = server_.open(); open < kWindow; ++open) {
        server_.send({now_ns(), &logs});
      }
      std::this_thread::sleep_for(kNap);
    }
    const double seconds = static_cast<double>(now_ns() - start) / 1e9;
    // Those that still wait are as many as were answered before the first ones had their turn.
    await_all();
    std::size_t served = 0;
    for (const Log& log : logs) served += log.took.size();
    return static_cast<double>(served - kWindow) / seconds;
  }

  void load(double rate, Logs& logs) {
    std::exponential_distribution<double> gap(rate / 1e9);
    const Nanos start = now_ns();
    for (double due = static_cast<double>(start); due < static_cast<double>(start + kSlice);) {
      Nanos now = now_ns();
      if (static_cast<double>(now) < due) {
        std::this_thread::sleep_for(std::chrono::nanoseconds(static_cast<Nanos>(due) - now));
        now = now_ns();
      }
      due = std::max(due, static_cast<double>(now - kCatchUp));
      for (; due <= static_cast<double>(now); due += gap(random_)) {
        server_.send({now_ns(), &logs});
      }
      static_cast<void>(server_.open());
    }
    await_all();
  }

  [[nodiscard]] Logs empty() const {
    Logs logs(threads_);
    for (Log& log : logs) log.took.reserve(1U << 18U);
    return logs;
  }

 private:
  void await_all() {
    while (server_.open() != 0) std::this_thread::sleep_for(kNap);
  }

  std::size_t threads_;
  Server server_;
  std::minstd_rand random_{17};
};

template <class Server>
Logs under_load(std::size_t threads) {
  Sender<Server> sender(threads);
  static_cast<void>(sender.capacity());
  Logs logs = sender.empty();
  for (int turn = 0; turn < kTurns; ++turn) sender.load(kLoad * sender.capacity(), logs);
  return logs;
}

template <class Server>
double p99(std::size_t threads) {
  std::vector<Nanos> all;
  for (const Log& log : under_load<Server>(threads)) {
    all.insert(all.end(), log.took.begin(), log.took.end());
  }
  const auto at = all.begin() + static_cast<std::ptrdiff_t>(all.size() * 99 / 100);
  std::nth_element(all.begin(), at, all.end());
  return 1e9 / static_cast<double>(*at);
}

/// What the least busy worker served of what the busiest one did.
template <class Server>
double evenness(std::size_t threads) {
  const Logs logs = under_load<Server>(threads);
  const auto [least, most] = std::minmax_element(
      logs.begin(), logs.end(),
      [](const Log& one, const Log& other) { return one.took.size() < other.took.size(); });
  return static_cast<double>(least->took.size()) / static_cast<double>(most->took.size());
}

constexpr const char* kOurs = "a service in a pool that nobody pinned, asked from outside";
constexpr const char* kCentral = "std::deque, std::mutex and std::condition_variable for all";

const Enter kOurs2({"pool-spread/2", "penstock", kOurs, [] { return p99<Ours>(2); }});
const Enter kOurs4({"pool-spread/4", "penstock", kOurs, [] { return p99<Ours>(4); }});
const Enter kCentral2({"pool-spread/2", "central-queue", kCentral,
                       [] { return p99<CentralQueue>(2); }});
const Enter kCentral4({"pool-spread/4", "central-queue", kCentral,
                       [] { return p99<CentralQueue>(4); }});
const Enter kEven2({"pool-even/2", "penstock", kOurs, [] { return evenness<Ours>(2); }});
const Enter kEven4({"pool-even/4", "penstock", kOurs, [] { return evenness<Ours>(4); }});
const Enter kCentralEven2({"pool-even/2", "central-queue", kCentral,
                           [] { return evenness<CentralQueue>(2); }});
const Enter kCentralEven4({"pool-even/4", "central-queue", kCentral,
                           [] { return evenness<CentralQueue>(4); }});

}  // namespace
}  // namespace compare
