// What waits beyond a full queue on behalf of an event holds back its source, also where a
// coroutine asks, or a handler pushes into another flow. In simulated worlds.
#include "world/drawn_flow.hpp"

namespace penstock::flow::drawn {
namespace {

Flow* g_second = nullptr;
/// Asks the next one, and waits for the answer in no queue.
struct Asks : Handler {
  using request_type = Numbered;
  using response_type = Numbered;
  struct calls_type {
    Stub<Numbered, Numbered> Next;
  };
  Task<Numbered> handle(const Numbered& event) { co_return co_await calls.Next(event); }
  calls_type calls;
};

struct AnswersLate : Handler {
  using request_type = Numbered;
  using response_type = Numbered;
  static Numbered handle(const Numbered& event) {
    while (g_seen->stands_still) std::this_thread::sleep_for(1ms);
    return event;
  }
};

/// No more than may be under way while the end stands still, besides so many that wait for a turn.
void expect_held_back(Drawn& drawn, std::uint64_t for_a_turn = 0) {
  const std::uint64_t most = drawn.most_under_way(1) + for_a_turn;
  Crowd crowd;
  drawn.emit_as(crowd, 1, static_cast<int>(most) + 20);
  std::this_thread::sleep_for(1s);
  EXPECT_LE(drawn.one.emitted(), most);
  drawn.seen.stands_still = false;
  crowd.join();
  drawn.wait_until_ended();
}

TEST(HeldBackWorld, CoroutinesThatAskBeyondAFullQueueHoldBackTheirSource) {
  explore([](World& world) {
    Drawn drawn(world, true);
    testing::SmallBinary& binary = drawn.one.binary;
    auto& random = drawn.random;
    drawn.seen.stands_still = true;
    for (int stage = random.between(0, 2); stage > 0; --stage) drawn.map<Pass>(Kind::simple);
    drawn.map<Asks>(Kind::async_remote);
    call::Service* caller = drawn.one.flow.stages().back().service;
    for (int between = random.between(0, 2); between > 0; --between) {
      call::Service& next = binary.service<Asks>("between" + std::to_string(between),
                                                 Kind::async_remote, drawn.pool());
      binary.connect<Asks>(*caller, next, &Asks::calls_type::Next);
      caller = &next;
    }
    call::Service& late = binary.service<AnswersLate>(
        "late", random.one_of({Kind::simple, Kind::single_threaded}), drawn.pool());
    binary.connect<Asks>(*caller, late, &Asks::calls_type::Next);
    drawn.take<Takes>(Kind::simple);
    drawn.start();
    // A strand has a limit of its own.
    expect_held_back(drawn, late.kind == Kind::single_threaded ? late.pool->queue() : 0);
    drawn.expect_stops();
    EXPECT_EQ(drawn.taken_once(), drawn.emitted);
  });
}

struct Pushes : Handler {
  using request_type = Numbered;
  using response_type = void;
  static void handle(const Numbered& event) { g_second->push(Numbered(event)); }
};
struct PushesAsCoroutine : Pushes {
  static Task<void> handle(const Numbered& event) {
    g_second->push(Numbered(event));
    co_return;
  }
};

TEST(HeldBackWorld, WhatIsPushedBeyondAFullQueueHoldsBackTheSourceOfWhoPushes) {
  explore([](World& world) {
    Drawn drawn(world, world.random().once_in(2));
    auto& random = drawn.random;
    drawn.seen.stands_still = true;
    for (int stage = random.between(0, 2); stage > 0; --stage) drawn.map<Pass>(Kind::simple);
    if (random.once_in(2)) {
      drawn.take<Pushes>(Kind::simple);
    } else {
      drawn.take<PushesAsCoroutine>(Kind::async_remote);
    }
    Flow second("G");
    g_second = &second;
    app::StageBinding binding = app::bind_stage<Role::side_effect, StandsStill>("end", "end");
    second.fit(binding.value_bytes);
    Stage& end = second.add_stage();
    app::set_up(end, drawn.one.binary.service<StandsStill>("end", Kind::simple, drawn.pool()),
                std::move(binding));
    end.join = drawn.join();
    drawn.one.binary.enroll(second);
    drawn.start();
    end.at_once = defaults::kMostInChunk;
    end.only_implementation->pace.note(0);
    expect_held_back(drawn);
    while (drawn.taken_once() < drawn.emitted) std::this_thread::sleep_for(1ms);
    drawn.expect_stops();
  });
}

}  // namespace
}  // namespace penstock::flow::drawn
