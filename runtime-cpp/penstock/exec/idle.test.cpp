#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
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

/// Memory in which something lies, and whether its worker called itself idle before it took that.
class Memory final : public Worker::Poller {
 public:
  enum class Taken : std::uint8_t { no, at_once, late };

  explicit Memory(std::atomic<Taken>& taken) : taken_(taken) {}

  bool poll() noexcept override {
    if (std::exchange(empty_, true)) return false;
    taken_ = idles_ ? Taken::late : Taken::at_once;
    return true;
  }
  [[nodiscard]] bool glances_at_memory() const noexcept override { return true; }
  void idles() noexcept override { idles_ = true; }
  void works() noexcept override { idles_ = false; }
  void sleep(Nanos /*until*/) noexcept override {
    woken_.wait(false);
    woken_ = false;
  }
  void wake() noexcept override {
    woken_ = true;
    woken_.notify_one();
  }

 private:
  std::atomic<Taken>& taken_;
  std::atomic<bool> woken_{false};
  bool empty_ = false;
  bool idles_ = false;
};

struct MakeMemory : Job {
  std::atomic<Memory::Taken> taken{Memory::Taken::no};
  MakeMemory() {
    run = [](Job& job) noexcept {
      Worker::current()->set_poller(std::make_unique<Memory>(static_cast<MakeMemory&>(job).taken));
    };
  }
};

// An answer comes sooner than a worker has called itself idle and no more so again.
TEST(IdleTest, SeesWhatComesThroughMemoryBeforeItCallsItselfIdle) {
  for (const Idle idle : {Idle::park, Idle::adaptive}) {
    MakeMemory makes;
    Pool pool(idling_by(idle));
    start(pool);
    pool.worker(0).post(makes);
    ASSERT_TRUE(eventually([&] { return makes.taken != Memory::Taken::no; }));
    EXPECT_EQ(makes.taken, Memory::Taken::at_once);
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
