// What a binary with nothing to do takes from the machine: workers that have worked before and now
// wait, as a pool that is drawn large enough for its peak does most of the day.
#include <algorithm>
#include <chrono>
#include <thread>

#include "harness/contender.hpp"
#include "harness/measure.hpp"
#include "support/callers.hpp"

namespace compare {
namespace {

using penstock::Kind;
using penstock::Stub;
using penstock::testing::Echo;
using penstock::testing::Number;

/// Seconds for each second of processor time.
template <std::size_t threads>
double idle() {
  using Clock = std::chrono::steady_clock;
  penstock::testing::SmallBinary binary;
  auto& pool = binary.pool(penstock::testing::pool_settings("pool", threads));
  auto& echo = binary.service<Echo>("Echo", Kind::simple, pool);
  const Stub<Number, Number> ask(&binary.site(echo));
  binary.start();
  for (std::int64_t call = 0; call < 20'000; ++call) static_cast<void>(ask({call}).get());
  // Until the last of them has given up looking for work.
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const double before = cpu_seconds();
  const auto begin = Clock::now();
  std::this_thread::sleep_for(std::chrono::seconds(1));
  const std::chrono::duration<double> took = Clock::now() - begin;
  // A microsecond is what getrusage can tell at best.
  const double used = std::max(cpu_seconds() - before, 1e-6);
  return took.count() / used;
}

const Enter kFour({"idle/4-workers", "penstock", "adaptive workers that wait", idle<4>});
const Enter kMany({"idle/64-workers", "penstock", "adaptive workers that wait", idle<64>});

}  // namespace
}  // namespace compare
