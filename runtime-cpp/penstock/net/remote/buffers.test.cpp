// Buffers to another binary and back, over all that carries calls.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "support/calls_between.hpp"
#include "support/no_files.hpp"

namespace penstock::net::remote_test {
namespace {

class Buffers : public Calls {
 protected:
  Parcel parcel(std::size_t size) {
    std::string text(size, '\0');
    for (std::size_t at = 0; at < size; ++at) text[at] = static_cast<char>(at * 7);
    return {Buffer(text)};
  }
  void turn(std::size_t size) {
    Parcel sent = parcel(size);
    const Parcel seen = outside_turn(sent).get();
    ASSERT_EQ(seen.bytes.size(), size);
    if (size == 0) return;
    EXPECT_EQ(seen.bytes.view().substr(0, 1), "!");
    EXPECT_EQ(seen.bytes.view().substr(1), sent.bytes.view().substr(1));
  }
};

TEST_F(Buffers, GoThroughMemoryAndBack) {
  Ads ads(*directory);
  binary.start();
  for (const std::size_t size : {0U, 1U, 65'535U, 65'536U, 3'000'000U}) turn(size);
  EXPECT_EQ(peer.transport(), "shm");
}

// No byte of it goes over the link, and it comes back in the memory that it left in.
TEST_F(Buffers, AreHandedOver) {
  Ads ads(*directory);
  reach(1);
  turn(3'000'000);  // from now on large ones lie where others can have them
  for (int round = 0; round < 3; ++round) {
    Parcel sent = parcel(3'000'000);
    const std::byte* const where = sent.bytes.data();
    const std::uint64_t before = peer.figures.sent_bytes + peer.figures.received_bytes;
    const Parcel seen = outside_turn(std::move(sent)).get();
    EXPECT_EQ(seen.bytes.data(), where);
    EXPECT_LT(peer.figures.sent_bytes + peer.figures.received_bytes - before, 100'000U);
  }
}

TEST_F(Buffers, GoInPiecesWithoutMemory) {
  peer.through_memory = false;
  Ads ads(*directory);
  binary.start();
  for (const std::size_t size : {1U, 65'536U, 3'000'000U}) turn(size);
  EXPECT_EQ(peer.transport(), "unix");
}

TEST_F(Buffers, GoInPiecesOverTcp) {
  const Place place = own_place();
  Ads ads(*directory, 'a', 1, &place);
  peer.drawn = Directory::drawn_at(place);
  binary.start();
  turn(3'000'000);
  EXPECT_EQ(peer.transport(), "tcp");
}

// There is none to be had at either end: no file for it.
TEST_F(Buffers, Fault37GoInPiecesWhereThereIsNoMemoryToShare) {
  constexpr std::size_t kSize = 5'000'000;
  Ads ads(*directory);
  reach(1);
  turn(100'000);  // from now on large ones would lie where others can have them
  const auto sent = [this] { return peer.figures.sent_bytes.load(); };
  {
    const testing::NoFiles none;
    const std::uint64_t before = sent();
    turn(kSize);
    EXPECT_GT(sent() - before, kSize);
  }
  turn(kSize);
  const std::uint64_t before = sent();
  turn(kSize);
  EXPECT_LT(sent() - before, 100'000U);
}

// What may be asked twice is kept until it is answered.
TEST_F(Buffers, OfWhatMayBeAskedTwiceAreCopied) {
  turn_record.idempotent = true;
  Ads ads(*directory);
  binary.start();
  for (int round = 0; round < 3; ++round) turn(300'000);
}

}  // namespace
}  // namespace penstock::net::remote_test
