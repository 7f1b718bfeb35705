// Two ends of a ring that sleep where there is nothing to do, and are told: no byte is missed, and
// none of them sleeps for ever.
#include "penstock/net/ring/ring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <string>

#include "penstock/concurrent/futex.hpp"
#include "world/drawn.hpp"
#include "world/explore.hpp"

namespace penstock::net::ring_world {
namespace {

using world::Crowd;
using world::explore;
using world::World;

/// What wakes an end, as its socket does: told before it sleeps, it does not.
struct Bell {
  std::atomic<std::uint32_t> rung{0};
  void ring() {
    ++rung;
    concurrent::futex_wake(rung);
  }
  void sleep(std::uint32_t heard) { concurrent::futex_wait(rung, heard, 0); }
};

TEST(RingWorld, MissesNothingWhoeverSleeps) {
  explore([](World& world) {
    auto& random = world.random();
    constexpr std::size_t kCapacity = 64;
    auto control = std::make_unique<RingControl>();
    alignas(8) std::array<char, kCapacity> bytes{};
    const RingMemory memory{control.get(), bytes.data(), kCapacity};
    const int total = random.between(1, 300);
    Bell for_reader;
    Bell for_writer;
    Crowd crowd;
    crowd.add([&] {
      RingWriter writer(memory);
      for (int done = 0; done < total;) {
        std::string some(static_cast<std::size_t>(std::min(random.between(1, 80), total - done)),
                         '?');
        for (std::size_t at = 0; at < some.size(); ++at)
          some[at] = static_cast<char>(done + static_cast<int>(at));
        const std::uint32_t heard = for_writer.rung;
        const auto count = static_cast<int>(writer.write(some));
        ASSERT_GE(count, 0);
        if (count != 0 && writer.must_tell()) for_reader.ring();
        if (count == 0 && writer.rest()) for_writer.sleep(heard);
        done += count;
      }
    });
    RingReader reader(memory);
    std::array<char, kCapacity> to{};
    for (int done = 0; done < total;) {
      const std::uint32_t heard = for_reader.rung;
      const auto count = reader.read(to.data(), static_cast<std::size_t>(random.between(1, 64)));
      ASSERT_GE(count, 0);
      for (ssize_t at = 0; at < count; ++at)
        ASSERT_EQ(to[static_cast<std::size_t>(at)], static_cast<char>(done++));
      if (count != 0) {
        if (reader.must_tell()) for_writer.ring();
        continue;
      }
      if (reader.rest()) for_reader.sleep(heard);
      reader.rest_no_more();
    }
    crowd.join();
    EXPECT_FALSE(reader.has_some());
  });
}

}  // namespace
}  // namespace penstock::net::ring_world
