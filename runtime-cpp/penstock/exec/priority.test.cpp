#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "penstock/exec/affinity.hpp"
#include "penstock/exec/pool.hpp"
#include "support/priorities.hpp"
#include "support/small_binary.hpp"

namespace penstock::exec::priority_test {
namespace {

using penstock::testing::allowed_priority;

struct LookAtPriority : Job {
  int seen = 0;
  std::atomic<bool> ran{false};
};

void look_at_priority(Job& job) noexcept {
  auto& look = static_cast<LookAtPriority&>(job);
  look.seen = getpriority(PRIO_PROCESS, static_cast<id_t>(this_tid()));
  look.ran.store(true, std::memory_order_release);
}

PoolSettings asking_for(int priority) {
  PoolSettings settings = testing::pool_settings("urgent", 2);
  settings.priority = priority;
  return settings;
}

std::vector<std::string> start(Pool& pool) {
  std::vector<std::string> warnings;
  EXPECT_EQ(pool.start(false, warnings), "");
  return warnings;
}

void expect_priority(const Pool& pool, int priority) {
  for (unsigned index = 0; index < pool.size(); ++index) {
    LookAtPriority look;
    look.run = &look_at_priority;
    pool.worker(index).post(look);
    while (!look.ran.load(std::memory_order_acquire)) std::this_thread::yield();
    EXPECT_EQ(look.seen, priority) << index;
  }
}

TEST(Priority, IsThatOfEveryThreadAndOfThoseThatComeLater) {
  const int priority = allowed_priority();
  Pool pool(asking_for(priority));
  EXPECT_EQ(start(pool), std::vector<std::string>{});
  EXPECT_EQ(pool.resize(3), 3U);
  expect_priority(pool, priority);
  EXPECT_EQ(pool.priority_warning(), "");
}

// On a thread that may not set it, as root in a container may not.
TEST(Priority, ThatIsRefusedLeadsToOneWarningForThePool) {
  std::thread([] {
    ASSERT_TRUE(penstock::testing::refuse_priorities());
    const int usual = getpriority(PRIO_PROCESS, 0);
    Pool pool(asking_for(-5));
    EXPECT_EQ(start(pool), std::vector<std::string>{
                               "pool urgent asks for priority -5, which needs CAP_SYS_NICE; that "
                               "is missing, and it runs at the usual one"});
    expect_priority(pool, usual);
    EXPECT_EQ(pool.resize(3), 3U);
    EXPECT_EQ(pool.priority_warning(), "");
  }).join();
}

TEST(Priority, ThatNobodyAskedForIsNotMissed) {
  std::thread([] {
    ASSERT_TRUE(penstock::testing::refuse_priorities());
    Pool pool(asking_for(0));
    EXPECT_EQ(start(pool), std::vector<std::string>{});
  }).join();
}

TEST(Priority, ThatOnlyThreadsOfAResizeLackLeadsToAWarningToo) {
  Pool pool(asking_for(allowed_priority()));
  EXPECT_EQ(start(pool), std::vector<std::string>{});
  std::thread([&pool] {
    ASSERT_TRUE(penstock::testing::refuse_priorities());
    EXPECT_EQ(pool.resize(3), 3U);
    EXPECT_NE(pool.priority_warning(), "");
    EXPECT_EQ(pool.resize(4), 4U);
    EXPECT_EQ(pool.priority_warning(), "");
  }).join();
}

}  // namespace
}  // namespace penstock::exec::priority_test
