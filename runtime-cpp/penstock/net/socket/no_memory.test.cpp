// Where the system has no memory that two processes could share: a full /dev/shm is nothing to
// them, as theirs lies there under no name.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "penstock/net/socket/buffer_pool.hpp"
#include "penstock/net/socket/rings.hpp"
#include "support/no_files.hpp"

namespace penstock::net::no_memory_test {
namespace {

constexpr std::size_t kSize = 100'000;

TEST(SharedMemory, Fault37IsNotThereWithoutItsPages) {
  const std::size_t capacity = SegmentFile::capacity_for(kSize);
  // Pages beyond its end cannot be made, whatever memory there is.
  const Descriptor short_one(memfd_create("penstock-test", MFD_CLOEXEC));
  ASSERT_EQ(ftruncate(short_one.number(), SegmentFile::kPage), 0);
  EXPECT_FALSE(SegmentFile(short_one, capacity).is_there());
  const Descriptor whole = SegmentFile::make(capacity);
  EXPECT_TRUE(SegmentFile(whole, capacity).is_there());
}

TEST(SharedMemory, Fault37IsMissedByNobodyWhoseBuffersLieOnTheHeapThen) {
  BufferPool pool({});
  {
    const testing::NoFiles none;
    EXPECT_EQ(pool.make(kSize), nullptr);
    EXPECT_EQ(pool.counts().all, 0U);
    EXPECT_EQ(pool.counts().bytes, 0U);
  }
  BufferMemory* const made = pool.make(kSize);
  ASSERT_NE(made, nullptr);
  made->drop_handle();
}

TEST(SharedMemory, Fault37IsDoneWithoutWhereCallsGoThroughTheSocket) {
  std::array<int, 2> pair{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair.data()), 0);
  const Descriptor front(pair[0]);
  const Descriptor ads(pair[1]);
  const testing::NoFiles none;
  EXPECT_EQ(Rings::offer(front), nullptr);
  const auto there = Rings::expect(ads);
  ASSERT_EQ(send(front.number(), "hello", 5, 0), 5);
  std::array<char, 16> came{};
  const ssize_t count = there->receive(came.data(), came.size());
  ASSERT_EQ(count, 5);
  EXPECT_EQ(std::string_view(came.data(), 5), "hello");
  EXPECT_FALSE(there->is_memory());
}

}  // namespace
}  // namespace penstock::net::no_memory_test
