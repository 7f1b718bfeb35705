#include "penstock/net/layers/delivery.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <string>

#include "penstock/net/layers/stack.hpp"

namespace penstock::net::layers::delivery_test {
namespace {

constexpr Nanos kMs = 1'000'000;

struct Sent {
  static constexpr std::size_t kMost = 400;
  std::deque<std::string>* all;
  void send(std::string_view bytes) const { all->emplace_back(bytes); }
};
using Made = Stack<Sent, Delivery>;

class Deliveries : public ::testing::Test {
 protected:
  static Delivery::Limits limits() {
    Delivery::Limits made;
    made.round_trip = 10 * kMs;
    return made;
  }
  void send(const std::string& packet) { ASSERT_TRUE(here.send(packet, now)); }
  /// The datagrams of `from` but the first `but` of them come to the other end.
  void bring(std::deque<std::string>& from, Made& to, std::size_t but = 0) {
    while (!from.empty()) {
      const std::string datagram = std::move(from.front());
      from.pop_front();
      if (but != 0) {
        --but;
        continue;
      }
      to.receive(datagram, now,
                 [&](std::string_view packet) { came += std::string(packet) + ' '; });
    }
  }
  void both_ways(std::size_t but = 0) {
    bring(to_there, there, but);
    now = std::max(now, there.next());
    there.timer(now, [](std::string_view) {});
    bring(to_here, here);
  }
  /// Goes to when `here` has something to do, and has it do that.
  void wait() {
    ASSERT_NE(here.next(), 0);
    now = std::max(now, here.next());
    here.timer(now, [](std::string_view) {});
  }
  [[nodiscard]] const Delivery::Figures& figures() { return here.layer<Delivery>().figures(); }

  Nanos now = 1'000 * kMs;
  std::deque<std::string> to_there;
  std::deque<std::string> to_here;
  Made here{Sent{&to_there}, Delivery(Sent::kMost, limits(), now)};
  Made there{Sent{&to_here}, Delivery(Sent::kMost, limits(), now)};
  std::string came;
};

TEST_F(Deliveries, AreAcknowledgedTwoAtATimeOrAfterAWhile) {
  send("one");
  bring(to_there, there);
  EXPECT_EQ(there.next(), now + kMs);
  send("two");
  bring(to_there, there);
  EXPECT_EQ(there.next(), now);
  both_ways();
  EXPECT_EQ(came, "one two ");
  EXPECT_TRUE(here.layer<Delivery>().is_quiet());
  EXPECT_EQ(here.next(), 0);
  EXPECT_EQ(there.next(), 0);
}

TEST_F(Deliveries, TakeAnAcknowledgementAlong) {
  send("request");
  bring(to_there, there);
  ASSERT_TRUE(there.send("answer", now));
  EXPECT_EQ(to_here.size(), 1U);
  bring(to_here, here);
  EXPECT_EQ(came, "request answer ");
  EXPECT_TRUE(here.layer<Delivery>().is_quiet());
}

TEST_F(Deliveries, AreMadeAgainWhenThreeOthersHaveCome) {
  for (const char* packet : {"0", "1", "2"}) send(packet);
  both_ways(1);
  EXPECT_EQ(figures().sent_again, 0U);
  send("3");
  both_ways();
  EXPECT_EQ(figures().sent_again, 1U);
  both_ways();
  EXPECT_EQ(came, "1 2 3 0 ");
  EXPECT_TRUE(here.layer<Delivery>().is_quiet());
}

TEST_F(Deliveries, AreMadeAgainWhenOneThatWasSentLongAfterHasCome) {
  send("0");
  now += 20 * kMs;
  send("1");
  both_ways(1);
  EXPECT_EQ(figures().sent_again, 1U);
  both_ways();
  EXPECT_EQ(came, "1 0 ");
}

TEST_F(Deliveries, AreTriedAgainLessAndLessOften) {
  send("0");
  to_there.clear();
  Nanos before = 0;
  for (int time = 0; time < 10; ++time) {
    const Nanos from = now;
    wait();
    EXPECT_EQ(to_there.size(), 1U);
    if (time != 9) to_there.clear();
    EXPECT_GE(now - from, before);
    EXPECT_LE(now - from, 1'000 * kMs);
    before = now - from;
  }
  EXPECT_EQ(before, 1'000 * kMs);
  both_ways();
  EXPECT_EQ(came, "0 ");
  EXPECT_TRUE(here.layer<Delivery>().is_quiet());
}

TEST_F(Deliveries, AreGivenUpWhenNobodySaysAWord) {
  send("0");
  const Nanos begun = now;
  while (!here.layer<Delivery>().failed()) wait();
  EXPECT_GE(now - begun, 20'000 * kMs);
  EXPECT_LT(now - begun, 22'000 * kMs);
  EXPECT_EQ(here.next(), 0);
  EXPECT_EQ(here.room(), 0U);
  EXPECT_FALSE(here.send("1", now));
}

TEST_F(Deliveries, ComeOnceHoweverOftenTheyAreSent) {
  send("0");
  to_there.push_back(to_there.front());
  wait();
  both_ways();
  EXPECT_EQ(came, "0 ");
  EXPECT_EQ(there.layer<Delivery>().figures().came_again, 2U);
}

TEST_F(Deliveries, KnowHowLongARoundTripTakes) {
  for (int time = 0; time < 50; ++time) {
    send("0");
    now += 3 * kMs;
    bring(to_there, there);
    now += 2 * kMs;
    there.timer(now, [](std::string_view) {});
    now += 4 * kMs;
    bring(to_here, here);
  }
  // Less the 2 ms for which it waited for a packet to go along with.
  EXPECT_NEAR(static_cast<double>(here.layer<Delivery>().round_trip().smoothed()), 9e6, 2.1e6);
}

TEST_F(Deliveries, HaveAWindowThatGrowsWithWhatComesAndHalvesWithWhatIsLost) {
  const std::string full(340, 'x');
  const auto window = [this] { return here.layer<Delivery>().congestion().window(); };
  EXPECT_EQ(window(), 10 * Sent::kMost);
  for (int packet = 0; packet < 100; ++packet) send(full);
  EXPECT_EQ(to_there.size(), 11U);  // as many as fit, less their headers
  for (int trip = 0; trip < 3; ++trip) {
    now += kMs;
    both_ways();
  }
  const std::size_t grown = window();
  EXPECT_GT(grown, 2 * 10 * Sent::kMost);
  for (int packet = 0; packet < 100; ++packet) send(full);
  both_ways(1);
  EXPECT_LT(window(), grown);
  EXPECT_LT(here.layer<Delivery>().congestion().under_way(), grown);
}

TEST_F(Deliveries, WaitForRoom) {
  std::size_t packets = 0;
  while (here.send("0123456789", now)) ++packets;
  EXPECT_EQ(packets, kWindow);
  EXPECT_EQ(here.room(), 0U);
  for (int trip = 0; trip < 200 && !here.layer<Delivery>().is_quiet(); ++trip) {
    now += kMs;
    both_ways();
  }
  EXPECT_EQ(came.size(), kWindow * 11);
  EXPECT_EQ(here.room(), kWindow);
}

TEST_F(Deliveries, SpreadOverARoundTripThatTakesLong) {
  Delivery::Limits slow;
  slow.round_trip = 100 * kMs;
  Made paced(Sent{&to_there}, Delivery(Sent::kMost, slow, now));
  for (int packet = 0; packet < 40; ++packet) ASSERT_TRUE(paced.send(std::string(340, 'x'), now));
  const std::size_t at_once = to_there.size();
  EXPECT_LE(at_once, 11U);
  bring(to_there, there);
  now += 100 * kMs;
  there.timer(now, [](std::string_view) {});
  bring(to_here, paced);
  const Nanos next = paced.next();
  EXPECT_GT(to_there.size(), 0U);
  EXPECT_LT(to_there.size(), 20U);
  EXPECT_GT(next, now);
  EXPECT_LT(next, now + 100 * kMs);
}

TEST_F(Deliveries, PingWhereNothingIsSaidAndEndWithAWord) {
  Delivery::Limits quiet = limits();
  quiet.keep_alive = 500 * kMs;
  Made pings(Sent{&to_there}, Delivery(Sent::kMost, quiet, now));
  EXPECT_EQ(pings.next(), now + 500 * kMs);
  now += 500 * kMs;
  pings.timer(now, [](std::string_view) {});
  ASSERT_EQ(to_there.size(), 1U);
  bring(to_there, there);
  now = there.next();
  there.timer(now, [](std::string_view) {});
  bring(to_here, pings);
  EXPECT_EQ(pings.next(), now + 500 * kMs);
  EXPECT_EQ(came, "");
  pings.end<Delivery>(now);
  EXPECT_FALSE(there.layer<Delivery>().ended());
  bring(to_there, there);
  EXPECT_TRUE(there.layer<Delivery>().ended());
}

TEST_F(Deliveries, TakeNothingThatNoEndSends) {
  const auto made = [](std::uint8_t what, std::initializer_list<std::uint32_t> numbers,
                       const std::string& rest = "") {
    std::string bytes(1, static_cast<char>(what));
    for (const std::uint32_t number : numbers) {
      bytes.append(4, '\0');
      wire::put(bytes.data() + bytes.size() - 4, number);
    }
    return bytes + rest;
  };
  std::size_t count = 0;
  for (const std::string& datagram :
       {std::string(), made(0, {}), made(16, {}), made(9, {}), made(6, {0, 0}), made(2, {0}),
        made(2, {0, kWindow}), made(2, {1U << 20U, 0}), made(2, {0xFFFF'FFFF, 0}), made(4, {}),
        made(4, {0}, "more"), made(8, {}, "more"), made(1, {0}), made(1, {0}, std::string(5, '\0')),
        made(3, {0}, std::string(13, '\0'))}) {
    there.receive(datagram, now, [](std::string_view) { FAIL(); });
    EXPECT_EQ(there.layer<Delivery>().figures().malformed, ++count);
  }
  EXPECT_EQ(there.next(), 0);
  send("0");
  both_ways();
  EXPECT_EQ(came, "0 ");
}

}  // namespace
}  // namespace penstock::net::layers::delivery_test
