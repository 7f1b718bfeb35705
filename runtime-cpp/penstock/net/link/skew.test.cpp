// Two hosts whose clocks have nothing to do with each other.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "penstock/net/wire/frame.hpp"
#include "support/two_links.hpp"

namespace penstock::net::skew_test {
namespace {

using namespace penstock::testing::two_links;

constexpr Nanos kHour = 3'600 * kSecond;

/// Of one pair: `now` is that of the one that calls, and the other one's is so much later.
class Hosts {
 public:
  explicit Hosts(Nanos later) : later_(later) {
    front_.services = 0;
    exchange();
  }

  void pass(Nanos time) {
    now_ += time;
    front_.link.look(now_);
    ads_.link.look(there());
    exchange();
  }
  /// How long whoever answers has for a call whose caller waits for `time`.
  Nanos left_of(Nanos time) {
    Context here;
    here.deadline_ns = now_ + time;
    TestCall call("hello");
    call.sent_with = wire::CallEnvelope::of(here, now_);
    EXPECT_EQ(front_.link.send(call, 0, now_), Link::Sent::yes);
    exchange();
    EXPECT_EQ(ads_.received.size(), 1U);
    if (ads_.received.empty()) return 0;
    Context over_there;
    wire::CallEnvelope came;
    came.left_us = ads_.received[0]->left_us;
    came.give_to(over_there, there());
    ads_.echo(0);
    exchange();
    EXPECT_EQ(call.end, "answer: hello!");
    return over_there.deadline_ns - there();
  }
  [[nodiscard]] bool are_linked() const {
    return front_.link.state() == Link::State::open && ads_.link.state() == Link::State::open;
  }

 private:
  [[nodiscard]] Nanos there() const { return now_ + later_; }
  void exchange() {
    while (!front_.link.outgoing().bytes().empty() || !ads_.link.outgoing().bytes().empty()) {
      to_ads_.bring(front_.link, there());
      to_front_.bring(ads_.link, now_);
    }
  }

  const Nanos later_;
  Nanos now_ = 100'000 * kHour;
  End front_{kFront, now_};
  End ads_{kAds, now_ + later_};
  Way to_ads_{ads_.link};
  Way to_front_{front_.link};
};

void expect_no_difference(Nanos later) {
  Hosts hosts(later);
  for (const Nanos time : {kMs, 5 * kSecond, kHour}) EXPECT_EQ(hosts.left_of(time), time) << later;
  // Nor is one of them silent for the other.
  for (int second = 0; second < 100; ++second) hosts.pass(kSecond);
  EXPECT_TRUE(hosts.are_linked()) << later;
  EXPECT_EQ(hosts.left_of(kSecond), kSecond) << later;
}

TEST(ClocksOfHosts, Fault40MayDifferByAnything) {
  for (const Nanos later : {Nanos{0}, kHour, -kHour, 90'000 * kHour, -90'000 * kHour})
    expect_no_difference(later);
}

}  // namespace
}  // namespace penstock::net::skew_test
