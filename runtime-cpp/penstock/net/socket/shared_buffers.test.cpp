#include "penstock/net/socket/shared_buffers.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace penstock::net::shared_buffers_test {
namespace {

using Kind = wire::BufferPart::Kind;
using Taken = Handover::Taken;

constexpr std::size_t kSize = 100'000;

/// What one end sends, as a socket has it.
struct Files final : FileWay {
  std::deque<Descriptor>* to = nullptr;
  std::deque<Descriptor> came;
  bool full = false;
  [[nodiscard]] bool send_file(const Descriptor& file) noexcept override {
    if (full) return false;
    to->emplace_back(dup(file.number()));
    return true;
  }
  [[nodiscard]] Descriptor take_file() noexcept override {
    if (came.empty()) return {};
    Descriptor file = std::move(came.front());
    came.pop_front();
    return file;
  }
};

/// A process, as far as its buffers are concerned.
struct Process {
  explicit Process(const BufferPool::Limits& limits = {}) : pool(limits) {}
  BufferPool pool;
  Files files;
  std::optional<SharedBuffers> link;
};

struct Pair {
  explicit Pair(const BufferPool::Limits& limits = {}) : one(limits), other(limits) { connect(); }
  void connect() {
    one.files.to = &other.files.came;
    other.files.to = &one.files.came;
    one.link.emplace(one.pool, one.files);
    other.link.emplace(other.pool, other.files);
  }
  Process one;
  Process other;
};

Buffer made(Process& process, std::size_t size, char value) {
  BufferMemory* const memory = process.pool.make(size);
  Buffer buffer = memory == nullptr ? Buffer::make(size) : Buffer(*memory, size);
  std::memset(buffer.writable().data(), value, size);
  return buffer;
}

/// All bytes are that one.
bool holds(const Buffer& buffer, std::size_t size, char value) {
  return buffer.view() == std::string(size, value);
}

TEST(SharedBuffers, ChangeOwnerWithoutACopy) {
  Pair pair;
  Buffer buffer = made(pair.one, kSize, 'a');
  wire::BufferPart part;
  ASSERT_TRUE(pair.one.link->hand(buffer, false, part));
  EXPECT_EQ(part, (wire::BufferPart{Kind::new_segment, 0, 1, kSize}));
  EXPECT_TRUE(buffer.empty());
  Buffer there;
  ASSERT_EQ(pair.other.link->take(part, there), Taken::yes);
  EXPECT_TRUE(holds(there, kSize, 'a'));
  std::memset(there.writable().data(), 'b', kSize);
  // And back, in the same bytes.
  ASSERT_TRUE(pair.other.link->hand(there, false, part));
  EXPECT_EQ(part, (wire::BufferPart{Kind::back, 0, 1, kSize}));
  ASSERT_EQ(pair.one.link->take(part, buffer), Taken::yes);
  EXPECT_TRUE(holds(buffer, kSize, 'b'));
  // Again: its file is there.
  ASSERT_TRUE(pair.one.link->hand(buffer, false, part));
  EXPECT_EQ(part, (wire::BufferPart{Kind::segment, 0, 2, kSize}));
}

TEST(SharedBuffers, ThatAreDroppedAreUsedAgain) {
  Pair pair;
  Buffer there;
  for (int round = 0; round < 10; ++round) {
    Buffer buffer = made(pair.one, kSize, static_cast<char>('a' + round));
    wire::BufferPart part;
    ASSERT_TRUE(pair.one.link->hand(buffer, false, part));
    // It has the one before still.
    ASSERT_EQ(pair.other.link->take(part, there), Taken::yes);
    EXPECT_TRUE(holds(there, kSize, static_cast<char>('a' + round)));
    EXPECT_LE(part.segment, 1U);
  }
}

TEST(SharedBuffers, ThatOthersSeeAreCopied) {
  Pair pair;
  Buffer buffer = made(pair.one, kSize, 'a');
  const Buffer seen = buffer;
  wire::BufferPart part;
  ASSERT_TRUE(pair.one.link->hand(buffer, false, part));
  Buffer there;
  ASSERT_EQ(pair.other.link->take(part, there), Taken::yes);
  std::memset(there.writable().data(), 'b', kSize);
  EXPECT_TRUE(holds(seen, kSize, 'a'));
  // Kept, as it may be sent again; and of the heap.
  Buffer heap{std::string_view(std::string(kSize, 'c'))};
  ASSERT_TRUE(pair.one.link->hand(heap, true, part));
  EXPECT_TRUE(holds(heap, kSize, 'c'));
  ASSERT_EQ(pair.other.link->take(part, there), Taken::yes);
  EXPECT_TRUE(holds(there, kSize, 'c'));
}

TEST(SharedBuffers, OfOneLinkAreNeverAnothers) {
  Pair pair;
  Pair others;
  Buffer buffer = made(pair.one, kSize, 'a');
  wire::BufferPart part;
  ASSERT_TRUE(pair.one.link->hand(buffer, false, part));
  Buffer there;
  ASSERT_EQ(pair.other.link->take(part, there), Taken::yes);
  there = {};
  SharedBuffers second(pair.one.pool, others.one.files);
  // The one that is free was another's.
  buffer = made(pair.one, kSize, 'b');
  ASSERT_TRUE(second.hand(buffer, false, part));
  EXPECT_EQ(part.kind, Kind::new_segment);
  ASSERT_EQ(others.other.link->take(part, there), Taken::yes);
  EXPECT_TRUE(holds(there, kSize, 'b'));
}

TEST(SharedBuffers, StayWithWhoHasThemWhenTheLinkIsGone) {
  Pair pair;
  Buffer lent = made(pair.one, kSize, 'a');
  Buffer kept = made(pair.one, kSize, 'k');
  Buffer back = made(pair.one, kSize, 'x');
  wire::BufferPart part;
  Buffer there;
  ASSERT_TRUE(pair.one.link->hand(back, false, part));
  ASSERT_EQ(pair.other.link->take(part, there), Taken::yes);
  ASSERT_TRUE(pair.other.link->hand(there, false, part));
  ASSERT_EQ(pair.one.link->take(part, back), Taken::yes);
  ASSERT_TRUE(pair.one.link->hand(lent, false, part));
  ASSERT_EQ(pair.other.link->take(part, there), Taken::yes);
  pair.one.link.reset();
  EXPECT_TRUE(holds(there, kSize, 'a'));
  pair.other.link.reset();
  EXPECT_TRUE(holds(there, kSize, 'a'));
  EXPECT_TRUE(holds(back, kSize, 'x'));
  there = back = {};
  // What the other end once had is nobody's any more; what it never had is.
  EXPECT_EQ(pair.one.pool.counts().all, 1U);
  kept = {};
  EXPECT_EQ(pair.one.pool.counts().free, 1U);
}

TEST(SharedBuffers, ThatNeverComeBackAreNotWaitedFor) {
  Pair pair;
  std::vector<Buffer> hoard;
  wire::BufferPart part;
  for (std::uint32_t at = 0; at < Loans::kMostSegments; ++at) {
    Buffer buffer = made(pair.one, kSize, 'a');
    ASSERT_TRUE(pair.one.link->hand(buffer, false, part));
    ASSERT_EQ(pair.other.link->take(part, hoard.emplace_back()), Taken::yes);
  }
  Buffer one_more = made(pair.one, kSize, 'b');
  EXPECT_FALSE(pair.one.link->hand(one_more, false, part));
  EXPECT_TRUE(holds(one_more, kSize, 'b'));
  hoard.pop_back();
  EXPECT_TRUE(pair.one.link->hand(one_more, false, part));
}

TEST(SharedBuffers, WhoseFileIsNotSentAreNotLent) {
  Pair pair;
  pair.one.files.full = true;
  Buffer buffer = made(pair.one, kSize, 'a');
  wire::BufferPart part;
  EXPECT_FALSE(pair.one.link->hand(buffer, false, part));
  EXPECT_TRUE(holds(buffer, kSize, 'a'));
  pair.one.files.full = false;
  ASSERT_TRUE(pair.one.link->hand(buffer, false, part));
  Buffer there;
  EXPECT_EQ(pair.other.link->take(part, there), Taken::yes);
}

TEST(SharedBuffers, OfAPoolAreBounded) {
  Pair pair({.most = 3 * 102'400, .most_free = 102'400, .segments = 8});
  std::vector<BufferMemory*> all;
  while (BufferMemory* const memory = pair.one.pool.make(kSize)) all.push_back(memory);
  EXPECT_EQ(all.size(), 3U);
  for (BufferMemory* const memory : all) memory->drop_handle();
  EXPECT_EQ(pair.one.pool.counts().free, 1U);
}

// --- forged ---

class ForgedBuffers : public ::testing::Test {
 protected:
  void SetUp() override {
    Buffer buffer = made(pair.one, kSize, 'a');
    ASSERT_TRUE(pair.one.link->hand(buffer, false, part));
    ASSERT_EQ(pair.other.link->take(part, there), Taken::yes);
  }
  [[nodiscard]] Taken taken(Kind kind, std::uint32_t segment, std::uint64_t generation,
                            std::uint64_t length) {
    Buffer to;
    return pair.other.link->take({kind, segment, generation, length}, to);
  }
  void send(Descriptor file) { pair.other.files.came.push_back(std::move(file)); }
  static Descriptor file_of(std::size_t size, int seals) {
    Descriptor file(memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    EXPECT_EQ(ftruncate(file.number(), static_cast<off_t>(size)), 0);
    EXPECT_EQ(fcntl(file.number(), F_ADD_SEALS, seals), 0);
    return file;
  }

  Pair pair;
  wire::BufferPart part;
  Buffer there;
};

TEST_F(ForgedBuffers, ThatIsHeldOrUnknownOrBeyondIsMalformed) {
  EXPECT_EQ(taken(Kind::segment, 0, 2, kSize), Taken::malformed) << "held";
  there = {};
  EXPECT_EQ(taken(Kind::segment, 0, 1, kSize), Taken::malformed) << "of before";
  EXPECT_EQ(taken(Kind::segment, 0, 3, kSize), Taken::malformed) << "left one out";
  EXPECT_EQ(taken(Kind::segment, 1, 1, kSize), Taken::malformed) << "unknown";
  EXPECT_EQ(taken(Kind::segment, 64, 1, kSize), Taken::malformed) << "no number";
  EXPECT_EQ(taken(Kind::segment, 0, 2, 102'401), Taken::malformed) << "too long";
  EXPECT_EQ(taken(Kind::segment, 0, 2, 102'400), Taken::yes);
}

TEST_F(ForgedBuffers, ThatWasNotLentDoesNotComeBack) {
  Buffer to;
  const auto back = [&](std::uint32_t segment, std::uint64_t generation, std::uint64_t length) {
    return pair.one.link->take({Kind::back, segment, generation, length}, to);
  };
  EXPECT_EQ(back(0, 2, kSize), Taken::malformed);
  EXPECT_EQ(back(1, 1, kSize), Taken::malformed);
  EXPECT_EQ(back(64, 1, kSize), Taken::malformed);
  EXPECT_EQ(back(0, 1, 102'401), Taken::malformed);
  EXPECT_EQ(back(0, 1, kSize), Taken::yes);
  EXPECT_EQ(back(0, 1, kSize), Taken::malformed) << "twice";
}

TEST_F(ForgedBuffers, FilesThatCanChangeAreMalformed) {
  constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  EXPECT_EQ(taken(Kind::new_segment, 1, 1, 1), Taken::malformed) << "no file";
  send(file_of(8192, F_SEAL_GROW | F_SEAL_SEAL));
  EXPECT_EQ(taken(Kind::new_segment, 1, 1, 1), Taken::malformed) << "can be made smaller";
  send(file_of(4096, kSeals));
  EXPECT_EQ(taken(Kind::new_segment, 1, 1, 1), Taken::malformed) << "no bytes";
  send(file_of(8193, kSeals));
  EXPECT_EQ(taken(Kind::new_segment, 1, 1, 1), Taken::malformed) << "half a page";
  send(Descriptor(open("/dev/zero", O_RDWR | O_CLOEXEC)));
  EXPECT_EQ(taken(Kind::new_segment, 1, 1, 1), Taken::malformed) << "a device";
  send(file_of(Loans::kMostBytes + 4096, kSeals));
  EXPECT_EQ(taken(Kind::new_segment, 1, 1, 1), Taken::malformed) << "beyond all bounds";
  send(file_of(8192, kSeals));
  EXPECT_EQ(taken(Kind::new_segment, 0, 1, 1), Taken::malformed) << "in place of one that is held";
  send(file_of(8192, kSeals));
  EXPECT_EQ(taken(Kind::new_segment, 1, 1, 4096), Taken::yes);
}

}  // namespace
}  // namespace penstock::net::shared_buffers_test
