// A strand alone, in simulated worlds: whoever comes runs or is refused, once, one at a time and in
// the order of arrival.
#include "penstock/exec/strand.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <thread>
#include <vector>

#include "world/drawn.hpp"

namespace penstock::exec {
namespace {

using world::Crowd;
using world::explore;
using world::World;

struct Visit : Request {
  int runs = 0;
  std::atomic<int> refused{0};
  int poster = 0;
  int number = 0;
  static constexpr Owner kOwner{
      [](Request& request) noexcept { ++static_cast<Visit&>(request).refused; }};
  Visit() { owner = &kOwner; }
};

// Written by who has the right alone.
struct Place {
  int inside = 0;
  std::vector<int> last = std::vector<int>(4, 0);  // by poster

  void run(Visit& visit) {
    EXPECT_EQ(inside++, 0);
    ++visit.runs;
    EXPECT_GT(visit.number, last[static_cast<std::size_t>(visit.poster)]);
    last[static_cast<std::size_t>(visit.poster)] = visit.number;
    std::this_thread::yield();
    EXPECT_EQ(--inside, 0);
  }
};

TEST(StrandWorld, RunsOrRefusesWhoeverComesOnceOneAtATimeAndInOrder) {
  explore([](World& world) {
    auto& random = world.random();
    const Overflow overflow =
        random.one_of({Overflow::block, Overflow::reject, Overflow::shed_oldest});
    const auto limit = static_cast<std::uint64_t>(random.between(0, 3));
    Strand strand;
    Strand::Crowd crowd_of_both{0};
    if (random.once_in(2)) strand.share_limit(crowd_of_both);
    Place place;
    std::deque<std::deque<Visit>> visits(static_cast<std::size_t>(random.between(2, 4)));
    Crowd crowd;
    int poster = 0;
    for (std::deque<Visit>& mine : visits) {
      mine.resize(static_cast<std::size_t>(random.between(1, 6)));
      int number = 0;
      for (Visit& visit : mine) {
        visit.poster = poster;
        visit.number = ++number;
      }
      ++poster;
      crowd.add([&] {
        for (Visit& visit : mine) {
          world::linger(random, 5);
          if (random.once_in(4)) {
            // As an inline call does, which does not wait.
            if (!strand.try_enter()) {
              ++visit.refused;
              continue;
            }
          } else {
            const Strand::Entry entry = strand.enter(visit, overflow, limit);
            if (entry == Strand::Entry::refused) ++visit.refused;
            if (entry != Strand::Entry::granted) continue;
          }
          place.run(visit);
          while (Request* const next = strand.leave()) place.run(static_cast<Visit&>(*next));
        }
      });
    }
    crowd.join();
    EXPECT_EQ(strand.waiting(), 0U);
    EXPECT_EQ(crowd_of_both, 0U);
    EXPECT_TRUE(strand.try_enter());  // nobody has kept the right
    EXPECT_EQ(strand.leave(), nullptr);
    for (const std::deque<Visit>& all : visits) {
      for (const Visit& visit : all) EXPECT_EQ(visit.runs + visit.refused, 1);
    }
  });
}

}  // namespace
}  // namespace penstock::exec
