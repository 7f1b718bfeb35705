#include "penstock/net/layers/acknowledgement.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "penstock/net/layers/packet.hpp"

namespace penstock::net::layers::acknowledgement_test {
namespace {

using Came = Received::Came;
constexpr std::uint64_t kFrom = kNumbersFrom;

std::string text(std::span<const Range> ranges) {
  std::string said;
  for (const Range& range : ranges)
    said += std::to_string(range.low - kFrom) + "-" + std::to_string(range.high - kFrom) + " ";
  return said;
}

TEST(ReceivedPackets, AreRangesThatGrowTogether) {
  Received received(kFrom + 1);
  EXPECT_EQ(received.note(kFrom + 1), Came::in_order);
  EXPECT_EQ(received.note(kFrom + 2), Came::in_order);
  EXPECT_EQ(received.note(kFrom + 5), Came::out_of_order);
  EXPECT_EQ(received.note(kFrom + 8), Came::out_of_order);
  EXPECT_EQ(received.note(kFrom + 7), Came::out_of_order);
  EXPECT_EQ(text(received.ranges()), "7-8 5-5 1-2 ");
  EXPECT_EQ(received.note(kFrom + 6), Came::out_of_order);
  EXPECT_EQ(received.note(kFrom + 6), Came::again);
  EXPECT_EQ(received.note(kFrom + 4), Came::out_of_order);
  EXPECT_EQ(received.note(kFrom + 3), Came::out_of_order);
  EXPECT_EQ(text(received.ranges()), "1-8 ");
  EXPECT_EQ(received.note(kFrom + 9), Came::in_order);
}

TEST(ReceivedPackets, AreForgottenFromTheOldestOn) {
  Received received(kFrom);
  for (std::uint64_t each = 0; each < 40; ++each) received.note(kFrom + 2 * each);
  EXPECT_EQ(received.ranges().size(), Received::kMostRanges);
  EXPECT_EQ(received.ranges().front().high, kFrom + 78);
  EXPECT_EQ(received.note(kFrom + 1), Came::again);
  EXPECT_EQ(received.ranges().size(), Received::kMostRanges);
}

std::string written(std::span<const Range> ranges, Nanos delay) {
  std::string bytes(Acknowledgement::kMostBytes, '\0');
  const char* const end = Acknowledgement::write(bytes.data(), ranges, delay);
  bytes.resize(static_cast<std::size_t>(end - bytes.data()));
  return bytes;
}

TEST(Acknowledgements, SayWhatHasCome) {
  Received received(kFrom);
  for (const std::uint64_t each : {3, 4, 7, 9, 10, 11}) received.note(kFrom + each);
  const std::string bytes = written(received.ranges(), 32'000);
  EXPECT_EQ(bytes.size(), Acknowledgement::size_of(3));
  wire::Taker taker(bytes);
  Acknowledgement read;
  ASSERT_TRUE(read.read(taker, kFrom + 12));
  EXPECT_EQ(text({read.ranges.data(), read.count}), "9-11 7-7 3-4 ");
  EXPECT_EQ(read.delay, 32'000);
  EXPECT_TRUE(taker.left().empty());
}

TEST(Acknowledgements, AreOfWhatWasSent) {
  Received received(kFrom);
  for (const std::uint64_t each : {3, 4, 7}) received.note(kFrom + each);
  const std::string bytes = written(received.ranges(), 0);
  Acknowledgement read;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    wire::Taker taker(std::string_view(bytes).substr(0, size));
    EXPECT_FALSE(read.read(taker, kFrom + 8)) << size;
  }
  wire::Taker taker(bytes);
  EXPECT_FALSE(read.read(taker, kFrom + 7));
  // Ranges from before there was a packet.
  const std::vector<Range> early{{kFrom + 5, kFrom + 5}, {kFrom - 4, kFrom - 2}};
  const std::string before = written(early, 0);
  taker = wire::Taker(before);
  EXPECT_FALSE(read.read(taker, kFrom + 8));
}

}  // namespace
}  // namespace penstock::net::layers::acknowledgement_test
