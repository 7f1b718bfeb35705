#include "penstock/net/ring/ring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <string>
#include <thread>

namespace penstock::net::ring_test {
namespace {

/// A ring whose both ends are here.
template <std::size_t capacity>
struct Ring {
  RingControl control{};
  alignas(8) std::array<char, capacity> bytes{};
  RingMemory memory{&control, bytes.data(), capacity};
  RingWriter writer{memory};
  RingReader reader{memory};

  std::string read(std::size_t room = capacity) {
    std::string text(room, '?');
    const ssize_t count = reader.read(text.data(), room);
    EXPECT_GE(count, 0);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    return text;
  }
  void set_length(std::size_t at, std::uint32_t length) {
    std::memcpy(bytes.data() + at, &length, sizeof length);
  }
};

TEST(Rings, BringWhatWasWrittenAndNoMore) {
  Ring<64> ring;
  EXPECT_EQ(ring.read(), "");
  EXPECT_FALSE(ring.reader.has_some());
  ASSERT_EQ(ring.writer.write("abc"), 3);
  EXPECT_TRUE(ring.reader.has_some());
  ASSERT_EQ(ring.writer.write("defg"), 4);
  EXPECT_EQ(ring.read(2), "ab");
  EXPECT_EQ(ring.read(3), "cde");
  EXPECT_EQ(ring.read(), "fg");
  EXPECT_EQ(ring.read(), "");
}

TEST(Rings, TakeWhatThereIsRoomForAndTellWhenThereIsMore) {
  Ring<64> ring;
  const std::string all(200, 'x');
  // All but a length, and the one that says that nothing follows.
  EXPECT_EQ(ring.writer.write(all), 52);
  EXPECT_EQ(ring.writer.write(all), 0);
  EXPECT_FALSE(ring.writer.has_room_again());
  EXPECT_FALSE(ring.reader.must_tell());
  EXPECT_TRUE(ring.writer.rest());
  EXPECT_EQ(ring.read(10).size(), 10U);
  EXPECT_TRUE(ring.reader.must_tell());
  EXPECT_FALSE(ring.reader.must_tell());
  EXPECT_FALSE(ring.writer.rest());
  EXPECT_TRUE(ring.writer.has_room_again());
  // What was read of a record is free, as far as it fills 8 bytes.
  EXPECT_EQ(ring.writer.write(all), 4);
  EXPECT_EQ(ring.read(10).size(), 10U);
  EXPECT_EQ(ring.writer.write(all), 12);
  EXPECT_FALSE(ring.writer.has_room_again());
  EXPECT_EQ(ring.read().size(), 52U - 20 + 4 + 12);
  EXPECT_EQ(ring.read(), "");
}

TEST(Rings, TellOnlyWhoRests) {
  Ring<64> ring;
  ASSERT_EQ(ring.writer.write("a"), 1);
  EXPECT_FALSE(ring.writer.must_tell());
  EXPECT_FALSE(ring.reader.rest());  // something is there
  ring.reader.rest_no_more();
  EXPECT_EQ(ring.read(), "a");
  EXPECT_TRUE(ring.reader.rest());
  ASSERT_EQ(ring.writer.write("b"), 1);
  EXPECT_TRUE(ring.writer.must_tell());
  EXPECT_FALSE(ring.writer.must_tell());
}

TEST(Rings, BreakWhereALengthIsNone) {
  for (const std::uint32_t length : {53U, 64U, 0xFFFFFFFFU}) {
    Ring<64> ring;
    ring.set_length(0, length);
    std::array<char, 200> to{};
    EXPECT_EQ(ring.reader.read(to.data(), to.size()), -1) << length;
    EXPECT_EQ(ring.reader.read(to.data(), to.size()), -1) << length;
  }
  Ring<64> ring;
  ring.set_length(0, 52);
  EXPECT_EQ(ring.read().size(), 52U);
}

TEST(Rings, Fault60BreakWhereMoreWasTakenThanWasWritten) {
  for (const std::uint64_t taken : {std::uint64_t{24}, std::uint64_t{4}, ~std::uint64_t{0} - 7}) {
    Ring<64> ring;
    ASSERT_EQ(ring.writer.write("0123456789"), 10);
    ring.control.taken = taken;
    EXPECT_EQ(ring.writer.write(std::string(60, 'x')), -1) << taken;
  }
}

// The other end may write whatever it likes, whenever it likes.
TEST(Rings, StayWithinTheirMemoryWhateverIsThere) {
  constexpr std::uint64_t kSeed = 1;
  std::mt19937_64 random(kSeed);
  for (int round = 0; round < 300; ++round) {
    Ring<256> ring;
    std::array<char, 300> to{};
    for (int step = 0; step < 40; ++step) {
      const auto spoilt = static_cast<std::uint32_t>(random() % 300);
      ring.set_length(random() % 64 * 4, spoilt);
      ring.control.taken = random() % 400;
      if (ring.reader.read(to.data(), random() % to.size() + 1) < 0) break;
      if (ring.writer.write({to.data(), random() % to.size()}) < 0) break;
    }
  }
}

TEST(Rings, KeepTheOrderBetweenTwoThreads) {
  static constexpr std::size_t kTotal = 2'000'000;
  constexpr std::uint64_t kSeed = 1;
  Ring<4096> ring;
  std::thread writes([&ring] {
    std::mt19937_64 random(kSeed);
    std::string some;
    for (std::size_t done = 0; done < kTotal;) {
      some.resize(std::min(random() % 6000 + 1, kTotal - done));
      for (std::size_t at = 0; at < some.size(); ++at)
        some[at] = static_cast<char>((done + at) * 7);
      const ssize_t count = ring.writer.write(some);
      ASSERT_GE(count, 0);
      if (count == 0) std::this_thread::yield();
      done += static_cast<std::size_t>(count);
    }
  });
  std::mt19937_64 random(kSeed + 1);
  std::array<char, 5000> to{};
  std::size_t wrong = 0;
  for (std::size_t done = 0; done < kTotal;) {
    const ssize_t count = ring.reader.read(to.data(), random() % to.size() + 1);
    ASSERT_GE(count, 0);
    if (count == 0) std::this_thread::yield();
    for (ssize_t at = 0; at < count; ++at)
      if (to[static_cast<std::size_t>(at)] != static_cast<char>(done++ * 7)) ++wrong;
  }
  writes.join();
  EXPECT_EQ(wrong, 0U);
  EXPECT_FALSE(ring.reader.has_some());
}

}  // namespace
}  // namespace penstock::net::ring_test
