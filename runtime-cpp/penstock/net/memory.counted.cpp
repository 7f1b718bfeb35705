#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <deque>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "penstock/net/layers/stacks.hpp"
#include "support/replaced_new.hpp"
#include "support/two_links.hpp"

namespace penstock::net::memory_counted {
namespace {

using namespace layers;

/// A way that takes no memory, and loses one datagram in sixteen.
struct Way {
  static constexpr std::size_t kMost = 1200;
  struct State {
    std::array<std::array<char, kMost>, 64> bytes;
    std::array<std::size_t, 64> sizes;
    std::size_t sent = 0;
    std::size_t taken = 0;
    std::size_t count = 0;
  };
  State* state;
  void send(std::string_view bytes) const {
    if (++state->count % 16 == 0 || state->sent - state->taken == state->bytes.size()) return;
    const std::size_t at = state->sent++ % state->bytes.size();
    std::memcpy(state->bytes[at].data(), bytes.data(), bytes.size());
    state->sizes[at] = bytes.size();
  }
};

using Made = ReliableOrdered<Way>;
constexpr Nanos kMs = 1'000'000;

TEST(Layers, TakeNoMemoryOnceTheyHaveSome) {
  static Way::State ways[2];
  Nanos now = 1'000 * kMs;
  const auto made = [&](int end) {
    return Made(Way{&ways[end]}, Checksum(), Delivery(Way::kMost, {}, now), Ordering({}),
                Slicing<>());
  };
  std::array<Made, 2> ends{made(0), made(1)};
  std::uint64_t came = 0;
  const auto take = [&came](std::string_view /*message*/) { ++came; };
  const std::string small(100, 's');
  const std::string large(5'000, 'l');
  const auto turn = [&] {
    for (std::size_t end : {0U, 1U}) {
      static_cast<void>(ends[end].send(small, now));
      static_cast<void>(ends[end].send(large, now));
    }
    for (int trip = 0; trip < 3; ++trip) {
      now += kMs;
      for (std::size_t end : {0U, 1U}) {
        for (Way::State& way = ways[1 - end]; way.taken != way.sent; ++way.taken) {
          const std::size_t at = way.taken % way.bytes.size();
          ends[end].receive({way.bytes[at].data(), way.sizes[at]}, now, take);
        }
        if (ends[end].next() != 0 && ends[end].next() <= now) ends[end].timer(now, take);
      }
    }
  };
  for (int warm = 0; warm < 2'000; ++warm) turn();
  const std::uint64_t before = penstock::testing::g_allocations;
  const std::uint64_t came_before = came;
  for (int counted = 0; counted < 1'000; ++counted) turn();
  EXPECT_EQ(penstock::testing::g_allocations, before);
  EXPECT_GT(came - came_before, 3'000U);
}

// Two ends of a link, one of which has no memory when a call comes.
TEST(LinkMemory, HaveNoCallThatNobodyKnowsOf) {
  using namespace testing::two_links;
  struct Forgetful final : LinkUser {
    void opened(Link& of) override { of.offer(0, 1'000); }
    void has_credit(Link& /*link*/, std::size_t /*outlet*/) override {}
    void not_offered(Link& /*link*/, std::size_t /*outlet*/) override {}
    ReceivedCall* called(Link& /*link*/, const Incoming& /*call*/) override {
      calls.push_back(std::make_unique<TestReceived>());
      testing::t_no_memory = true;
      return calls.back().get();
    }
    void cancelled(Link& /*link*/, ReceivedCall& /*call*/) noexcept override { ++cancellations; }
    void drains(Link& /*link*/) override {}
    void closed(Link& /*link*/) noexcept override {}
    std::vector<std::unique_ptr<TestReceived>> calls;
    std::size_t cancellations = 0;
  };
  const Nanos now = kSecond;
  Forgetful user;
  user.calls.reserve(100);
  std::deque<TestCall> calls;  // longer there than their link
  Link ads(kAds, user, {}, now);
  End front(kFront, now);
  front.services = 0;
  testing::two_links::Way to_ads(ads);
  testing::two_links::Way to_front(front.link);
  to_ads.bring(front.link, now);
  to_front.bring(ads, now);
  for (int each = 0; each < 70; ++each) {
    ASSERT_EQ(front.link.send(calls.emplace_back("x"), 0, now), Link::Sent::yes);
    try {
      to_ads.bring(front.link, now);
    } catch (const std::bad_alloc&) {
      testing::t_no_memory = false;
      ads.close("out of memory");
      break;
    }
    testing::t_no_memory = false;
  }
  ads.close("it is over");
  EXPECT_EQ(user.calls.size(), 70U);
  EXPECT_EQ(user.cancellations, user.calls.size());
}

TEST(SentCalls, AreAsManyAsThereWereThoughThereIsNoMemoryForOneMore) {
  using namespace testing::two_links;
  SentCalls sent;
  std::deque<TestCall> calls;
  for (int each = 0; each < 100; ++each) {
    TestCall& call = calls.emplace_back("x");
    const std::size_t before = sent.size();
    testing::t_no_memory = true;
    bool refused = false;
    try {
      sent.add(call);
    } catch (const std::bad_alloc&) {
      refused = true;
    }
    testing::t_no_memory = false;
    ASSERT_EQ(sent.size(), refused ? before : before + 1);
    if (refused) sent.add(call);
  }
  EXPECT_EQ(sent.size(), calls.size());
}

}  // namespace
}  // namespace penstock::net::memory_counted
