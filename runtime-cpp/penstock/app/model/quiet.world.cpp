// When nothing is under way any more, by counters that others write while they are read.
#include "penstock/app/model/quiet.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>

#include "world/drawn.hpp"

namespace penstock::app {
namespace {

using world::explore;
using world::World;

struct Place {
  std::atomic<std::uint64_t> came{0};
  std::atomic<std::uint64_t> ended{0};
};

// One request goes from place to place, there and back: it comes to the next one before it ends at
// the one before, so that at each moment one of them has it.
TEST(QuietWorld, IsNeverSaidWhileSomethingGoesFromOnePlaceToAnother) {
  explore([](World& world) {
    auto& random = world.random();
    std::deque<Place> places(static_cast<std::size_t>(random.between(2, 5)));
    std::vector<std::size_t> way(static_cast<std::size_t>(random.between(1, 20)));
    for (std::size_t& at : way) at = random.below(places.size());
    ++places[way.front()].came;
    std::atomic<bool> over{false};
    world::Crowd crowd;
    crowd.add([&] {
      for (std::size_t at = 1; at < way.size(); ++at) {
        ++places[way[at]].came;
        ++places[way[at - 1]].ended;
      }
      over = true;
      ++places[way.back()].ended;
    });
    const auto tally = [&places] {
      Tally all;
      for (const Place& place : places) all.ended += place.ended;
      for (const Place& place : places) all.came += place.came;
      return all;
    };
    while (!is_quiet(tally, [] { return false; })) world::linger(random, 10);
    EXPECT_TRUE(over);
    crowd.join();
  });
}

// Who works may be about to count something that nobody has seen yet.
TEST(QuietWorld, IsNotSaidWhileSomebodyIsAtWork) {
  const auto nothing = [] { return Tally{.came = 3, .ended = 3}; };
  EXPECT_TRUE(is_quiet(nothing, [] { return false; }));
  EXPECT_FALSE(is_quiet(nothing, [] { return true; }));
  std::uint64_t count = 3;
  const auto counts_on = [&count] {
    const Tally now{.came = count, .ended = count};
    ++count;
    return now;
  };
  EXPECT_FALSE(is_quiet(counts_on, [] { return false; }));
}

}  // namespace
}  // namespace penstock::app
