// Flows in simulated worlds: every event ends once, in the order that is promised.
#include "world/drawn_flow.hpp"

namespace penstock::flow::drawn {
namespace {

TEST(FlowWorld, EndsEveryEventOnceInAnyFlow) {
  explore([](World& world) {
    Drawn drawn(world);
    bool some_fail = false;
    for (int stage = drawn.random.between(0, 4); stage > 0; --stage) {
      switch (drawn.random.below(5)) {
        case 0:
          drawn.map<Pass>(Kind::simple);
          break;
        case 4:
          drawn.map<Gives>(drawn.random.one_of({Kind::simple, Kind::single_threaded}));
          drawn.seen.some_carry = true;
          break;
        case 1:
          drawn.map<Waits>(Kind::async_remote);
          break;
        case 2:
          drawn.map<Fails>(Kind::simple);
          some_fail = true;
          break;
        default:
          drawn.map<Pass>(Kind::single_threaded);
          break;
      }
    }
    drawn.take<Takes>(Kind::single_threaded);
    drawn.start();
    Crowd crowd;
    drawn.emit(crowd, 8);
    crowd.join();
    drawn.wait_until_ended();
    drawn.expect_stops();
    const auto emitted = static_cast<std::uint64_t>(drawn.emitted);
    EXPECT_EQ(drawn.one.emitted(), emitted);
    EXPECT_EQ(drawn.one.completed() + drawn.one.failed(), emitted);
    EXPECT_EQ(static_cast<std::uint64_t>(drawn.taken_once()), drawn.one.completed());
    EXPECT_EQ(drawn.seen.wrong, 0);
    EXPECT_EQ(drawn.seen.carried, 0);
    if (!some_fail) {
      EXPECT_EQ(drawn.one.failed(), 0U);
    }
  });
}

TEST(FlowWorld, KeepsTheOrderThroughSingleThreadedStagesAndRunsEachAlone) {
  explore([](World& world) {
    Drawn drawn(world);
    const bool alone = drawn.random.once_in(2);
    if (alone) drawn.map<Alone>(Kind::single_threaded);
    for (int stage = drawn.random.between(0, 2); stage > 0; --stage) {
      drawn.map<Pass>(Kind::single_threaded);
    }
    drawn.take<Takes>(Kind::single_threaded);
    drawn.start();
    Crowd crowd;
    drawn.emit(crowd, 8);
    crowd.join();
    drawn.wait_until_ended();
    drawn.expect_stops();
    EXPECT_EQ(drawn.taken_once(), drawn.emitted);
    EXPECT_EQ(drawn.seen.out_of_order, 0);
    EXPECT_EQ(drawn.seen.overlaps, 0);
  });
}

// What handlers emit goes in chunks, whatever else goes beside it and wherever its stages run.
TEST(FlowWorld, EndsEachEventOfAHandlerThatEmitsSeveralAndKeepsTheirOrder) {
  explore([](World& world) {
    Drawn drawn(world);
    const bool fails = drawn.random.once_in(3);
    const bool in_order = drawn.random.once_in(2);
    const auto kind = [&] { return in_order ? Kind::single_threaded : Kind::simple; };
    for (int stage = drawn.random.between(0, 3); stage > 0; --stage) {
      if (fails && stage == 1) {
        drawn.map<Fails>(Kind::simple);
      } else if (drawn.random.once_in(3)) {
        drawn.map<Gives>(Kind::simple);
        drawn.seen.some_carry = true;
      } else {
        drawn.map<Pass>(drawn.random.once_in(2) ? Kind::simple : kind());
      }
    }
    drawn.take<Takes>(kind());
    drawn.start();
    for (int emitter = drawn.random.between(1, 2); emitter > 0; --emitter) {
      drawn.push_as(emitter, drawn.random.between(1, 40));
    }
    Crowd crowd;
    drawn.emit_as(crowd, 3, drawn.random.between(1, 8));
    const bool moves = drawn.random.once_in(2);
    if (moves) {
      for (Stage& stage : drawn.one.flow.stages()) {
        std::this_thread::yield();
        drawn.one.flow.set_join(stage, drawn.join());
      }
    }
    crowd.join();
    const auto all = static_cast<std::uint64_t>(drawn.emitted);
    while (drawn.one.emitted() != all) std::this_thread::sleep_for(1ms);
    drawn.wait_until_ended();
    drawn.expect_stops();
    EXPECT_EQ(static_cast<std::uint64_t>(drawn.taken_once()), drawn.one.completed());
    EXPECT_EQ(drawn.one.completed() + drawn.one.failed(), all);
    EXPECT_EQ(drawn.one.dropped(), 0U);
    EXPECT_EQ(drawn.seen.wrong, 0);
    EXPECT_EQ(drawn.seen.carried, 0);
    if (!fails) {
      EXPECT_EQ(drawn.one.failed(), 0U);
    }
    const bool one_thread_each = drawn.one_thread_each();
    if (one_thread_each && !moves && !fails) {
      EXPECT_EQ(drawn.seen.out_of_order, 0);
    }
  });
}

}  // namespace
}  // namespace penstock::flow::drawn
