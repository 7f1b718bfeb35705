// Calls to another binary in simulated worlds, from the stub over the kernel's sockets to the
// handler and back: whatever its processes and the network do, each call ends once, as the design
// says it does.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "world/drawn_peers.hpp"

namespace penstock::net::remote_world {
namespace {

using namespace penstock::world::peers;
using world::Crowd;
using world::explore;
using world::Random;
using world::Sockets;
using world::World;

TEST(RemoteWorld, EndsEachCallOnceWhateverItsProcessesDo) {
  explore([](World& world) {
    Random& random = world.random();
    Drawn drawn(world, {.breaks = random.once_in(2),
                        .kills = random.once_in(2),
                        .hangs = random.once_in(2),
                        .drains = random.once_in(2),
                        .ills = random.once_in(4),
                        .resizes = random.once_in(2),
                        .refuses = random.once_in(4),
                        .steady = random.once_in(2)});
    drawn.run();
  });
}

// 4985: the end of one that drained overtook its last answers.
TEST(RemoteWorld, EndsEachCallOnceWhateverHappensToItsDatagrams) {
  explore({4985}, [](World& world) {
    Random& random = world.random();
    Drawn drawn(world, {.breaks = random.once_in(2),
                        .kills = random.once_in(3),
                        .hangs = random.once_in(3),
                        .drains = random.once_in(3),
                        .resizes = random.once_in(3),
                        .steady = random.once_in(2),
                        .way = {.transport = {.udp = true}}});
    drawn.run();
  });
}

// Neither a call nor an answer is changed, and none is taken twice.
TEST(RemoteWorld, KeepsCallsAsTheyAreWhereDatagramsAreForged) {
  explore([](World& world) {
    Random& random = world.random();
    Drawn drawn(world, {.breaks = random.once_in(3),
                        .kills = random.once_in(3),
                        .hangs = random.once_in(4),
                        .drains = random.once_in(3),
                        .resizes = random.once_in(3),
                        .steady = random.once_in(2),
                        .forged = true,
                        .way = {.transport = {.udp = true}}});
    drawn.run();
  });
}

// Each end is told of what comes and of room before it sleeps, or sees it.
TEST(RemoteWorld, EndsEachCallOnceThroughMemory) {
  explore([](World& world) {
    Random& random = world.random();
    Drawn drawn(world, {.breaks = random.once_in(2),
                        .kills = random.once_in(2),
                        .drains = random.once_in(2),
                        .ills = random.once_in(4),
                        .resizes = random.once_in(2),
                        .refuses = random.once_in(4),
                        .steady = random.once_in(2),
                        .way = {.in_memory = true}});
    drawn.run();
  });
}

// Timers, and looks for who is there, come seldom on a thread that has that much to do.
TEST(RemoteWorld, EndsACallThatReachesNobodyWhileItsThreadIsBusy) {
  explore([](World& world) {
    world.keep_nobody_waiting();
    const Sockets sockets(world.random());
    Seen seen;
    Front front(world.random(), seen, Link::Limits{});
    front.resize(1);
    const std::uint32_t number = seen.add(kPlain, 0);
    const Made& lost = seen.calls[number];
    Future<Answer> future = front.stubs[kPlain]({number});
    Crowd crowd;
    crowd.add([&front] {
      constexpr int kMany = 200;
      std::vector<Future<Answer>> all;
      all.reserve(kMany);
      for (int each = 0; each < kMany; ++each) all.push_back(front.computes({0, 0, 100}));
      for (Future<Answer>& each : all) EXPECT_EQ(each.get().number, 0U);
    });
    EXPECT_THROW(static_cast<void>(future.get()), Error);
    EXPECT_LT(now_ns() - lost.at, 12 * kSecond);
    crowd.join();
    front.stop();
  });
}

// 852: a call that had waited for room, and had no time left for the next link.
TEST(RemoteWorld, KeepsWhatWasNotSentUntilALinkIsThereAgain) {
  explore({852}, [](World& world) {
    Drawn drawn(world, {.breaks = true});
    drawn.run();
  });
}

TEST(RemoteWorld, LosesNothingWhileThreadsComeAndGo) {
  explore([](World& world) {
    Drawn drawn(world, {.drains = world.random().once_in(2), .resizes = true});
    drawn.run();
  });
}

}  // namespace
}  // namespace penstock::net::remote_world
