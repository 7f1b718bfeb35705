#include "penstock/concurrent/recycler.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include <thread>
#include <vector>

namespace penstock::concurrent {
namespace {

std::size_t heap_in_use() {
  const struct mallinfo2 now = mallinfo2();
  return now.uordblks + now.hblkhd;
}

// A thread of its own: what others keep does not count.
TEST(Recycler, KeepsAMegabyteOfABurstAtMost) {
  std::thread([] {
    constexpr std::size_t kBytes = 2048;
    std::vector<void*> blocks(16'384);
    const std::size_t before = heap_in_use();
    for (void*& block : blocks) block = allocate(kBytes);
    for (void* const block : blocks) release(block, kBytes);
    EXPECT_LE(heap_in_use() - before, defaults::kRecycledBytesKept * 5 / 4);
  }).join();
}

TEST(Recycler, GivesABlockAgainThatItGot) {
  std::thread([] {
    void* const block = allocate(100);
    release(block, 100);
    void* const again = allocate(70);  // of the same size, in steps of 64
    EXPECT_EQ(again, block);
    release(again, 70);
  }).join();
}

}  // namespace
}  // namespace penstock::concurrent
