#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>

#include "penstock/net/layers/stacks.hpp"
#include "support/replaced_new.hpp"

namespace penstock::net::layers::memory_counted {
namespace {

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

}  // namespace
}  // namespace penstock::net::layers::memory_counted
