// What bad networks do, one thing at a time, and what a reliable stack makes of it. In virtual
// time, from a fixed seed.
#include <gtest/gtest.h>

#include <string>

#include "penstock/net/layers/stacks.hpp"
#include "world/two_stacks.hpp"

namespace penstock::net::layers::faults_test {
namespace {

using world::Network;
using world::OnNetwork;

constexpr Nanos kMs = 1'000'000;
constexpr Nanos kSecond = 1'000 * kMs;
constexpr std::size_t kMiB = std::size_t{1} << 20U;

/// 200 messages a way of up to 5,000 bytes over the network: each comes once, in its order.
template <std::size_t datagram = 1200>
class Messages {
 public:
  using Made = ReliableOrdered<OnNetwork<datagram>>;

  explicit Messages(const Network::Weather& weather) : network(random, weather) {
    Nanos at = two.now();
    for (int message = 0; message < 200; ++message, at += 2 * kMs)
      for (int end : {0, 1}) two.plan(end, 4 + random.below(5'000), at);
  }
  void come_within(Nanos most) {
    const Nanos begun = two.now();
    ASSERT_EQ(two.run(begun + most), "");
    took = two.now() - begun;
  }
  [[nodiscard]] const Delivery::Figures& figures(int end) {
    return two.stack(end).template layer<Delivery>().figures();
  }

  world::Random random{1};
  Network network;
  world::TwoStacks<Made> two{
      network, {true, true, true, 4 * kMiB}, [](int /*end*/, auto transport, Nanos now) {
        return Made(transport, Checksum(), Delivery(datagram, {}, now), Ordering({}), Slicing<>());
      }};
  Nanos took = 0;
};

Network::Weather good() {
  Network::Weather weather;
  weather.delay = kMs;
  weather.largest = 1200;
  return weather;
}

TEST(BadNetworks, Fault25OfFivePercentLossLoseNoMessage) {
  Network::Weather weather = good();
  weather.lost = 50;
  Messages messages(weather);
  messages.come_within(5 * kSecond);
  EXPECT_GT(messages.network.figures().lost, 20U);
  EXPECT_GT(messages.figures(0).sent_again, 0U);
}

TEST(BadNetworks, Fault26OfTwentyPercentLossLoseNoMessage) {
  Network::Weather weather = good();
  weather.lost = 200;
  Messages messages(weather);
  messages.come_within(30 * kSecond);
  EXPECT_GT(messages.network.figures().lost, 100U);
}

TEST(BadNetworks, Fault27ThatReorderKeepTheOrderOfMessages) {
  Network::Weather weather = good();
  weather.late = 300;
  Messages messages(weather);
  messages.come_within(5 * kSecond);
}

TEST(BadNetworks, Fault28ThatDoubleBringEachMessageOnce) {
  Network::Weather weather = good();
  weather.doubled = 300;
  Messages messages(weather);
  messages.come_within(5 * kSecond);
  EXPECT_GT(messages.figures(0).came_again, 20U);
}

TEST(BadNetworks, Fault29ThatCorruptHaveTheirDatagramsRefusedAndCounted) {
  Network::Weather weather = good();
  weather.corrupted = 100;
  Messages messages(weather);
  messages.come_within(10 * kSecond);
  EXPECT_GT(messages.network.figures().corrupted, 50U);
  EXPECT_EQ(messages.two.stack(0).template layer<Checksum>().wrong() +
                messages.two.stack(1).template layer<Checksum>().wrong(),
            messages.network.figures().corrupted);
}

TEST(BadNetworks, Fault30OfSmallPacketsBringMessagesInSlices) {
  Network::Weather weather = good();
  weather.largest = 576 - 28;
  Messages<576 - 28> messages(weather);
  messages.come_within(5 * kSecond);
  EXPECT_EQ(messages.network.figures().too_large, 0U);
}

TEST(BadNetworks, Fault31OfOneMegabitHoldBackWhoSendsInBoundedMemory) {
  Network::Weather weather = good();
  weather.byte = 8'000;
  Messages messages(weather);
  for (int message = 0; message < 4'000; ++message) messages.two.plan(0, 1'000, 2 * kSecond);
  // 5 MB at 125 KB/s; two.run() looks at the memory of both ends after each step.
  messages.come_within(120 * kSecond);
  EXPECT_GT(messages.took, 30 * kSecond);
}

}  // namespace
}  // namespace penstock::net::layers::faults_test
