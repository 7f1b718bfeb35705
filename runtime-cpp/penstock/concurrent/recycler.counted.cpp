#include "penstock/concurrent/recycler.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include <semaphore>
#include <thread>
#include <vector>

#include "penstock/concurrent/recycler_count.hpp"

namespace penstock::concurrent {
namespace {

std::size_t heap_in_use() {
  const struct mallinfo2 now = mallinfo2();
  return now.uordblks + now.hblkhd;
}

// Threads of their own: what others keep does not count.
TEST(Recycler, GivesOneThreadWhatAnotherOneFrees) {
  constexpr std::size_t kBytes = 1024;
  std::vector<void*> blocks(100);
  std::binary_semaphore full(0);
  std::binary_semaphore empty(0);
  std::binary_semaphore counted(0);
  constexpr int kRounds = 100;
  std::thread frees([&] {
    for (int round = 0; round < kRounds; ++round) {
      full.acquire();
      for (void* const block : blocks) release(block, kBytes);
      empty.release();
    }
    counted.acquire();  // what it keeps it gives back at its end
  });
  std::thread makes([&] {
    const std::size_t before = heap_in_use();
    for (int round = 0; round < kRounds; ++round) {
      for (void*& block : blocks) block = allocate(kBytes);
      full.release();
      empty.acquire();
    }
    // Of 10 MB: what is in use, and two lists of each.
    EXPECT_LE(heap_in_use() - before, (blocks.size() * kBytes + 4 * defaults::kRecycledListBytes));
    counted.release();
  });
  frees.join();
  makes.join();
}

TEST(Recycler, TakesAndGivesBackAtTheRimOfAListWithoutMalloc) {
  std::thread([] {
    constexpr std::size_t kBytes = 1500;
    std::vector<void*> blocks(detail::most_kept(kBytes));
    for (void*& block : blocks) block = allocate(kBytes);
    void* more = allocate(kBytes);
    for (void* const block : blocks) release(block, kBytes);
    const std::size_t before = heap_in_use();
    for (int turn = 0; turn < 10; ++turn) {
      release(more, kBytes);
      void* const other = allocate(kBytes);
      more = allocate(kBytes);
      release(other, kBytes);
    }
    EXPECT_EQ(heap_in_use(), before);
    release(more, kBytes);
  }).join();
}

// A thread of its own: what others keep does not count.
TEST(Recycler, KeepsAMegabyteOfABurstAtMost) {
  std::thread([] {
    constexpr std::size_t kBytes = 2048;
    std::vector<void*> blocks(16'384);
    const std::size_t before = heap_in_use();
    for (void*& block : blocks) block = allocate(kBytes);
    for (void* const block : blocks) release(block, kBytes);
    EXPECT_LE(heap_in_use() - before,
              defaults::kRecycledBytesKept + 2 * defaults::kRecycledListBytes + (64 << 10));
  }).join();
}

// Through full lists, the shelf and malloc: only what somebody has is in use.
TEST(Recycler, KnowsHowManyBlocksAreInUse) {
  constexpr std::size_t kBytes = 1500;
  constexpr std::size_t kLarge = defaults::kLargestRecycledBytes + 1;
  const auto in_use = [] { return blocks_out() - blocks_kept_here(); };
  const std::size_t out = blocks_out();
  std::thread([&] {
    const std::size_t before = in_use();
    std::vector<void*> blocks(4 * detail::most_kept(kBytes));
    for (void*& block : blocks) block = allocate(kBytes);
    EXPECT_EQ(in_use(), before + blocks.size());
    while (blocks.size() > 1) {
      release(blocks.back(), kBytes);
      blocks.pop_back();
    }
    EXPECT_EQ(in_use(), before + 1);
    void* const large = allocate(kLarge);
    EXPECT_EQ(in_use(), before + 1);
    release(large, kLarge);
    release(blocks.back(), kBytes);
    EXPECT_EQ(in_use(), before);
  }).join();
  EXPECT_EQ(blocks_out(), out);
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
