#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "penstock/exec/pool.hpp"
#include "support/small_binary.hpp"

namespace penstock::exec::outside_test {
namespace {

// More threads than lanes, so that some share the mailbox.
constexpr unsigned kThreads = defaults::kLanesForOutsiders + 8;
constexpr std::uint64_t kJobs = 2'000;

struct Numbered : Job {
  std::uint64_t number = 0;
  std::uint64_t* next = nullptr;
  bool* in_order = nullptr;
  std::atomic<unsigned>* ran = nullptr;
};

void take(Job& job) noexcept {
  auto& numbered = static_cast<Numbered&>(job);
  if (numbered.number != (*numbered.next)++) *numbered.in_order = false;
  // Release: the poster frees the jobs once it has read the count.
  numbered.ran->fetch_add(1, std::memory_order_release);
}

// Posts its jobs in bursts of different lengths and returns when all were run.
void post_all(Worker& worker, bool& in_order) {
  std::vector<Numbered> jobs(kJobs);
  std::uint64_t next = 0;
  std::atomic<unsigned> ran{0};
  unsigned posted = 0;
  for (Numbered& job : jobs) {
    job.number = posted++;
    job.next = &next;
    job.in_order = &in_order;
    job.ran = &ran;
    job.run = &take;
    worker.post(job);
    if (posted % (1 + posted % 97) == 0) {
      while (ran.load(std::memory_order_acquire) != posted) std::this_thread::yield();
    }
  }
  while (ran.load(std::memory_order_acquire) != posted) std::this_thread::yield();
  EXPECT_EQ(next, kJobs);
}

TEST(Outside, ThreadsThatComeAndGoLoseNothingAndKeepTheirOrder) {
  testing::SmallBinary binary;
  auto& pool = binary.pool(testing::pool_settings("pool", 2));
  binary.start();
  // The second generation takes over the lanes of the first.
  for (int generation = 0; generation < 3; ++generation) {
    std::array<bool, kThreads> in_order{};
    in_order.fill(true);
    std::vector<std::thread> threads;
    for (unsigned index = 0; index < kThreads; ++index) {
      threads.emplace_back(
          [&, index] { post_all(pool.worker(index % pool.size()), in_order[index]); });
    }
    for (std::thread& thread : threads) thread.join();
    for (unsigned index = 0; index < kThreads; ++index) EXPECT_TRUE(in_order[index]) << index;
  }
}

}  // namespace
}  // namespace penstock::exec::outside_test
