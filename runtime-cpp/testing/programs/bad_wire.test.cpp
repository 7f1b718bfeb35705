// What the bad wire between two hosts does to packets (support/bad_wire.hpp).
#include "support/bad_wire.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

namespace penstock::testing {
namespace {

constexpr Nanos kMillisecond = 1'000'000;

/// An IPv4 packet of UDP from 10.99.0.1 to 10.99.0.2, as the system would write it.
std::string datagram(const std::string& text) {
  const auto whole = static_cast<char>(28 + text.size());
  const auto segment = static_cast<char>(8 + text.size());
  std::string packet{0x45, 0, 0, whole, 0, 0, 0, 0, 64, 17, 0, 0, 10, 99, 0, 1, 10, 99, 0, 2};
  packet += std::string{0x10, 0, 0x20, 0, 0, segment, 0, 0};
  return packet + text;
}

/// What is left over of the sum of the internet over the segment: 0 where it is right.
unsigned wrong_by(const std::string& packet) {
  const auto word = [&packet](std::size_t at) {
    const unsigned high = static_cast<unsigned char>(packet[at]);
    return high << 8U | (at + 1 < packet.size() ? static_cast<unsigned char>(packet[at + 1]) : 0U);
  };
  unsigned sum = 17 + static_cast<unsigned>(packet.size()) - 20;
  for (std::size_t at = 12; at < packet.size(); at += 2) sum += word(at);
  while (sum >> 16U != 0) sum = (sum & 0xFFFFU) + (sum >> 16U);
  return sum ^ 0xFFFFU;
}

TEST(BadWire, PassesOnWhatComesInItsOrder) {
  BadWire wire(1);
  EXPECT_EQ(wire.next(), 0);
  wire.take("one", 5);
  wire.take("two", 5);
  EXPECT_EQ(wire.next(), 5);
  EXPECT_EQ(wire.give(5), "one");
  EXPECT_EQ(wire.give(5), "two");
  EXPECT_EQ(wire.give(5), "");
}

TEST(BadWire, IsFarAndNarrow) {
  BadWire wire(1);
  wire.set({.delay_ms = 20, .kbit = 8});  // a byte a millisecond
  wire.take(std::string(10, 'a'), 0);
  wire.take(std::string(10, 'b'), 0);
  EXPECT_EQ(wire.next(), 30 * kMillisecond);
  EXPECT_EQ(wire.give(30 * kMillisecond - 1), "");
  EXPECT_EQ(wire.give(30 * kMillisecond), std::string(10, 'a'));
  EXPECT_EQ(wire.next(), 40 * kMillisecond);
  // What waits is bounded, as in a router.
  for (int each = 0; each < 1000; ++each) wire.take(std::string(10, 'c'), 0);
  int came = 0;
  while (!wire.give(100'000 * kMillisecond).empty()) ++came;
  EXPECT_EQ(came, 20);
}

TEST(BadWire, LosesDoublesAndReordersItsShare) {
  BadWire wire(7);
  wire.set({.lost = 100, .doubled = 100, .reordered = 100});
  std::vector<int> came;
  for (int number = 0; number < 10'000; ++number) {
    wire.take(std::to_string(number), Nanos{number} * kMillisecond);
    for (std::string one = wire.give(Nanos{number} * kMillisecond); !one.empty();
         one = wire.give(Nanos{number} * kMillisecond))
      came.push_back(std::stoi(one));
  }
  EXPECT_NEAR(static_cast<double>(came.size()), 9'900, 200);
  EXPECT_FALSE(std::is_sorted(came.begin(), came.end()));
  wire.set({.cut = true});
  wire.take("late", 20'000 * kMillisecond);
  while (!wire.give(20'000 * kMillisecond).empty()) continue;
  EXPECT_EQ(wire.next(), 0);
}

TEST(BadWire, CorruptsWithOrWithoutTheSumThatTells) {
  world::Random random(3);
  for (const unsigned length : {1U, 2U, 57U, 100U}) {
    const std::string sound = datagram(std::string(length, 'x'));
    std::string corrupted = sound;
    ASSERT_TRUE(corrupt(corrupted, random, true));
    EXPECT_NE(corrupted.substr(28), sound.substr(28));
    EXPECT_EQ(corrupted.substr(0, 26), sound.substr(0, 26));
    EXPECT_EQ(wrong_by(corrupted), 0U);
    ASSERT_TRUE(corrupt(corrupted, random, false));
    EXPECT_NE(wrong_by(corrupted), 0U);
  }
  for (std::string nothing : {std::string(), std::string("no packet"), datagram("")})
    EXPECT_FALSE(corrupt(nothing, random, true));
}

}  // namespace
}  // namespace penstock::testing
