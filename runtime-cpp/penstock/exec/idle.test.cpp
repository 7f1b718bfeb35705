#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "penstock/app/process/process_stats.hpp"
#include "penstock/exec/affinity.hpp"
#include "penstock/exec/pool.hpp"
#include "support/small_binary.hpp"

namespace penstock::exec::idle_test {
namespace {

using app::read_switches;
using app::thread_cpu_ns;
using penstock::testing::eventually;

struct Noted : Job {
  std::atomic<bool> ran{false};
};

void note(Job& job) noexcept {
  static_cast<Noted&>(job).ran.store(true, std::memory_order_release);
}

// Made before the pool, so that none is gone before it was run.
using Jobs = std::array<Noted, 20>;

PoolSettings idling_by(Idle idle) {
  PoolSettings settings = testing::pool_settings("pool", 1);
  settings.idle = idle;
  return settings;
}

void start(Pool& pool) {
  std::vector<std::string> warnings;
  ASSERT_EQ(pool.start(false, warnings), "");
}

[[nodiscard]] bool run(Worker& worker, Noted& job) {
  job.run = &note;
  worker.post(job);
  return eventually([&] { return job.ran.load(std::memory_order_acquire); });
}

TEST(IdleTest, SpinKeepsItsProcessorBetweenJobsAndNeedsNoWake) {
  // Of its processor, in nanoseconds: a hundred times as long as an adaptive thread looks on.
  constexpr std::uint64_t kLong = 2'000'000;
  Jobs jobs;
  Pool pool(idling_by(Idle::spin));
  start(pool);
  Worker& worker = pool.worker(0);
  const std::uint64_t slept = read_switches(worker.tid()).voluntary;
  for (Noted& job : jobs) {
    ASSERT_TRUE(eventually([&] { return !worker.busy(); }));
    const std::uint64_t used = thread_cpu_ns(worker.tid());
    ASSERT_TRUE(eventually([&] { return thread_cpu_ns(worker.tid()) - used > kLong; }));
    ASSERT_TRUE(run(worker, job));
  }
  // Not zero: the kernel may put a thread to sleep for reasons of its own.
  EXPECT_LT(read_switches(worker.tid()).voluntary - slept, jobs.size() / 2);
}

TEST(IdleTest, ParkSleepsAfterEveryJob) {
  Jobs jobs;
  Pool pool(idling_by(Idle::park));
  start(pool);
  Worker& worker = pool.worker(0);
  for (Noted& job : jobs) {
    const std::uint64_t slept = read_switches(worker.tid()).voluntary;
    ASSERT_TRUE(run(worker, job));
    ASSERT_TRUE(eventually([&] { return read_switches(worker.tid()).voluntary > slept; }));
  }
}

// What a thread with nothing to do uses of its processor before it first sleeps, in nanoseconds;
// the middle one of some threads, because others disturb.
std::uint64_t used_before_sleep(Idle idle) {
  std::array<std::uint64_t, 11> all{};
  for (std::uint64_t& one : all) {
    std::uint64_t slept = 0;
    std::uint64_t used = 0;
    Pool pool(idling_by(idle));
    pool.set_hooks({.started =
                        [&](Worker&) {
                          slept = read_switches(this_tid()).voluntary;
                          used = thread_cpu_ns(this_tid());
                        },
                    .stopping = {}});
    start(pool);
    const int tid = pool.worker(0).tid();
    EXPECT_TRUE(eventually([&] { return read_switches(tid).voluntary > slept; }));
    one = thread_cpu_ns(tid) - used;
  }
  std::ranges::sort(all);
  return all[all.size() / 2];
}

TEST(IdleTest, ParkSleepsAtOnceWhereAdaptiveLooksOn) {
  EXPECT_LT(used_before_sleep(Idle::park), used_before_sleep(Idle::adaptive) / 2);
}

}  // namespace
}  // namespace penstock::exec::idle_test
