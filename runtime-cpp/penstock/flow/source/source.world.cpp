// Sources in simulated worlds: a full queue holds back whoever emits.
#include "penstock/flow/source/rate_source.hpp"
#include "world/drawn_flow.hpp"

namespace penstock::flow::drawn {
namespace {

TEST(SourceWorld, HoldsBackWhoeverEmitsWhileAQueueIsFull) {
  explore({2989916586}, [](World& world) {
    Drawn drawn(world);
    const std::uint64_t most = drawn.most_under_way(kMostEmitters);
    for (int stage = drawn.random.between(0, 2); stage > 0; --stage) drawn.map<Pass>(Kind::simple);
    drawn.take<Takes>(Kind::simple);
    drawn.start();
    Crowd crowd;
    drawn.emit(crowd, 24);
    for (bool all_ended = false; !all_ended;) {
      // In this order: never more than were under way at one moment.
      const std::uint64_t emitted = drawn.one.emitted();
      const std::uint64_t ended = drawn.one.completed();
      if (emitted > ended) {
        EXPECT_LE(emitted - ended, most);
      }
      all_ended = ended == static_cast<std::uint64_t>(drawn.emitted);
      std::this_thread::sleep_for(std::chrono::microseconds(drawn.random.between(1, 50)));
    }
    crowd.join();
    drawn.expect_stops();
    EXPECT_EQ(drawn.taken_once(), drawn.emitted);
  });
}

// Whichever stages lie between, and also where several of them share a pool.
TEST(SourceWorld, HoldsBackItsSourceHoweverFarAwayTheQueueIsThatIsFull) {
  explore([](World& world) {
    Drawn drawn(world, true);
    drawn.seen.stands_still = true;
    for (int stage = drawn.random.between(0, 3); stage > 0; --stage) {
      drawn.map<Pass>(drawn.random.one_of({Kind::simple, Kind::single_threaded}));
    }
    drawn.take<StandsStill>(drawn.random.one_of({Kind::simple, Kind::single_threaded}));
    drawn.start();
    const std::uint64_t most = drawn.most_under_way(1);
    Crowd crowd;
    drawn.emit_as(crowd, 1, static_cast<int>(most) + 20);
    std::this_thread::sleep_for(1s);
    EXPECT_LE(drawn.one.emitted(), most);
    drawn.seen.stands_still = false;
    crowd.join();
    drawn.wait_until_ended();
    drawn.expect_stops();
    EXPECT_EQ(drawn.taken_once(), drawn.emitted);
  });
}

TEST(SourceWorld, ASourceThatIsHeldBackGoesWhereItsJoinLeadsNow) {
  explore([](World& world) {
    Drawn drawn(world, true);
    exec::PoolSettings settings = drawn_pool(drawn.random, "empty");
    settings.queue = drawn.random.one_of<std::uint32_t>({1, 4});
    exec::Pool& empty = drawn.one.binary.pool(std::move(settings));
    drawn.seen.stands_still = true;
    drawn.take<StandsStill>(Kind::simple);
    drawn.start();
    Stage& last = drawn.one.flow.stages().front();
    exec::Pool& full = drawn.one.flow.entry();
    Crowd crowd;
    std::atomic<bool> over{false};
    crowd.add([&] {
      for (int number = 1; !over; ++number) {
        drawn.one.flow.wait_for_room(over);
        if (over) break;
        Event& event = drawn.one.flow.make_event();
        event.set_value(Numbered{1, number});
        drawn.one.flow.emit(event);
        ++drawn.emitted;
      }
    });
    while (full.has_room()) std::this_thread::sleep_for(10us);
    drawn.one.flow.set_join(last, &empty);
    while (empty.has_room()) std::this_thread::sleep_for(10us);
    if (drawn.random.once_in(2)) drawn.one.flow.set_join(last, nullptr);
    over = true;
    drawn.one.flow.wake_source();
    crowd.join();
    drawn.seen.stands_still = false;
    drawn.wait_until_ended();
    EXPECT_TRUE(empty.stop(now_ns() + 10'000'000'000));
    drawn.expect_stops();
    EXPECT_EQ(drawn.taken_once(), drawn.emitted);
  });
}

struct Counts {
  static void* create() { return new int(0); }
  static void destroy(void* handler) noexcept { delete static_cast<int*>(handler); }
  static void make(void* /*handler*/, std::uint64_t sequence, Event& event) {
    event.set_value(Numbered{1, static_cast<int>(sequence) + 1});
  }
};

TEST(SourceWorld, ARateSourceIsNeverAheadOfItsScheduleAndStopsAtOnce) {
  explore([](World& world) {
    Drawn drawn(world);
    drawn.take<Takes>(Kind::single_threaded);
    drawn.start();
    const int per_second = drawn.random.one_of({1, 10, 100});
    RateSource source(drawn.one.flow, {&Counts::create, &Counts::destroy, &Counts::make},
                      per_second);
    const Nanos begun = now_ns();
    source.start(0);
    for (int look = drawn.random.between(1, 5); look > 0; --look) {
      std::this_thread::sleep_for(10ms * drawn.random.between(1, 30));
      const std::uint64_t emitted = drawn.one.emitted();
      const double due = static_cast<double>(now_ns() - begun) / 1e9 * per_second;
      EXPECT_LE(static_cast<double>(emitted), due + 1);
    }
    EXPECT_TRUE(source.stop(now_ns() + 1'000'000'000));
    const std::uint64_t emitted = drawn.one.emitted();
    std::this_thread::sleep_for(1s);
    EXPECT_EQ(drawn.one.emitted(), emitted);
    drawn.wait_until_ended();
    drawn.expect_stops();
    EXPECT_EQ(static_cast<std::uint64_t>(drawn.taken_once()), emitted);
    EXPECT_EQ(drawn.seen.out_of_order, 0);
  });
}

}  // namespace
}  // namespace penstock::flow::drawn
