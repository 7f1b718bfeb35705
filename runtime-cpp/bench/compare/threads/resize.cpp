// How much later answers come while the callee's pool is resized and pinned anew every 20 ms: the
// 99th percentile of a steady load without changes, divided by the one with them.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "harness/contender.hpp"
#include "support/callers.hpp"

namespace compare {
namespace {

using penstock::Future;
using penstock::Task;
using penstock::testing::Echo;
using penstock::testing::Number;

/// Sends 16 calls each millisecond, `value` times, and answers with the 99th percentile in
/// nanoseconds. Throws when an answer is not that of its call.
struct Load : penstock::testing::Caller {
  Task<Number> handle(const Number& request) {
    constexpr std::size_t kCalls = 16;
    std::vector<std::int64_t> latencies;
    latencies.reserve(static_cast<std::size_t>(request.value) * kCalls);
    for (std::int64_t tick = 0; tick < request.value; ++tick) {
      co_await penstock::sleep_for(std::chrono::milliseconds(1));
      const std::int64_t begin = penstock::now_ns();
      std::array<penstock::Future<Number>, kCalls> answers;
      for (std::size_t call = 0; call < kCalls; ++call) {
        answers[call] = calls.Echo({tick * 16 + static_cast<std::int64_t>(call)});
      }
      for (std::size_t call = 0; call < kCalls; ++call) {
        const Number answer = co_await answers[call];
        if (answer.value != tick * 16 + static_cast<std::int64_t>(call)) {
          throw std::runtime_error("an answer of another call");
        }
        latencies.push_back(penstock::now_ns() - begin);
      }
    }
    const auto p99 = latencies.begin() + static_cast<std::ptrdiff_t>(latencies.size() * 99 / 100);
    std::nth_element(latencies.begin(), p99, latencies.end());
    co_return Number{*p99};
  }
};

double resize() {
  constexpr std::int64_t kTicks = 400;
  penstock::testing::SmallBinary binary;
  auto& front = binary.pool(penstock::testing::pool_settings("front", 1));
  auto& back = binary.pool(penstock::testing::pool_settings("back", 2));
  const auto run = penstock::testing::connect<Load, Echo>(binary, front, back);
  binary.start();
  static_cast<void>(run({kTicks / 4}).get());
  const std::int64_t steady = run({kTicks}).get().value;
  std::atomic<bool> done{false};
  std::thread changes([&] {
    for (unsigned turn = 0; !done.load(); ++turn) {
      static_cast<void>(back.resize(turn % 2 == 0 ? 4 : 2));
      static_cast<void>(back.pin(0, turn % 2 == 0 ? std::vector<int>{0} : std::vector<int>{}));
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  const std::int64_t changing = run({kTicks}).get().value;
  done.store(true);
  changes.join();
  return static_cast<double>(steady) / static_cast<double>(changing);
}

const Enter kResize({"resize-under-load", "penstock", "2 and 4 threads by turns, pinned and not",
                     resize});

}  // namespace
}  // namespace compare
