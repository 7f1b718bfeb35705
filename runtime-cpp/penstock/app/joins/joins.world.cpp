// Joins that change while events run, in simulated worlds: nothing is lost, repeated or reordered.
#include "penstock/app/joins/joins.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <vector>

#include "support/one_flow.hpp"
#include "world/drawn.hpp"

namespace penstock::app {
namespace {

using namespace std::chrono_literals;
using testing::OneFlow;
using world::Crowd;
using world::drawn_pool;
using world::explore;
using world::World;

struct Numbered {
  int emitter = 0;
  int number = 0;
};

// Plain: the threads of a world take turns.
struct Seen {
  std::map<std::pair<int, int>, int> times;
  std::map<int, int> last;  // by emitter
  int out_of_order = 0;
};
Seen* g_seen = nullptr;

struct Pass : Handler {
  using request_type = Numbered;
  using response_type = Numbered;
  static Numbered handle(const Numbered& event) { return event; }
};
struct Waits : Handler {
  using request_type = Numbered;
  using response_type = Numbered;
  static Task<Numbered> handle(const Numbered& event) {
    co_await sleep_for(50us * (event.number % 3));
    co_return event;
  }
};
struct Takes : Handler {
  using request_type = Numbered;
  using response_type = void;
  static void handle(const Numbered& event) {
    ++g_seen->times[{event.emitter, event.number}];
    int& before = g_seen->last[event.emitter];
    if (event.number <= before) ++g_seen->out_of_order;
    before = event.number;
  }
};

// A flow of two stages before the last, with joins that somebody changes.
class Swept {
 public:
  explicit Swept(World& world) : random_(world.random()) {
    g_seen = &seen;
    home_ = &add_pool("home");
    other_ = &add_pool("other");
  }
  Swept(const Swept&) = delete;
  Swept& operator=(const Swept&) = delete;
  ~Swept() {
    for (const auto& pool : pools_) EXPECT_TRUE(pool->stop(now_ns() + 10'000'000'000));
  }

  template <class H>
  void stages(Kind swept) {
    one.stage<flow::Role::map, H>("swept", swept, *home_, drawn_join());
    one.stage<flow::Role::map, Pass>("next", Kind::single_threaded, *other_, drawn_join());
    one.stage<flow::Role::side_effect, Takes>("last", Kind::single_threaded, *home_, drawn_join());
    one.start();
    for (const auto& pool : pools_) {
      prepare(*pool);
      std::vector<std::string> warnings;
      EXPECT_EQ(pool->start(true, warnings), "");
    }
    joins_.start();
  }
  void emit(Crowd& crowd) {
    for (int emitter = random_.between(1, 2); emitter > 0; --emitter) {
      const int events = random_.between(1, 12);
      emitted += events;
      crowd.add([this, emitter, events] {
        for (int number = 1; number <= events; ++number) {
          static const std::atomic<bool> never{false};
          one.flow.wait_for_room(never);
          flow::Event& event = one.flow.make_event();
          event.set_value(Numbered{emitter, number});
          one.flow.emit(event);
        }
      });
    }
  }
  void change(std::initializer_list<const char*> policies) {
    for (int round = random_.between(1, 4); round > 0; --round) {
      world::linger(random_, 200);
      flow::Stage& stage = one.flow.stages()[random_.below(3)];
      control::Join join{"", random_.between(0, 3), random_.one_of({1, 2, 16}),
                         random_.one_of(policies)};
      if (random_.once_in(4)) join = {"other", 1, 1, ""};
      const auto outcome =
          random_.once_in(4) ? joins_.remove(one.flow, stage) : joins_.set(one.flow, stage, join);
      EXPECT_TRUE(std::holds_alternative<control::Joined>(outcome));
    }
  }
  void wait_until_ended() {
    while (!one.all_ended()) std::this_thread::sleep_for(1ms);
  }

  Seen seen;
  OneFlow one;
  int emitted = 0;

 private:
  exec::Pool& add_pool(std::string name) {
    return pools_.add(std::make_unique<exec::Pool>(drawn_pool(random_, std::move(name))));
  }
  exec::Pool* drawn_join() { return random_.one_of<exec::Pool*>({nullptr, home_, other_}); }
  void prepare(exec::Pool& pool) {
    pool.set_hooks({.started = [this](exec::Worker&) { one.binary.registry().enter(); },
                    .stopping = [this](exec::Worker&) { one.binary.registry().leave(); }});
  }

  world::Random& random_;
  PoolList pools_;
  exec::Pool* home_ = nullptr;
  exec::Pool* other_ = nullptr;
  Joins joins_{pools_, {[this](exec::Pool& pool) { prepare(pool); }, [] {}}};
};

template <class H>
void sweep(Kind kind, bool keeps_order) {
  explore([=](World& world) {
    Swept swept(world);
    swept.stages<H>(kind);
    Crowd crowd;
    swept.emit(crowd);
    swept.change({"block"});
    crowd.join();
    swept.wait_until_ended();
    EXPECT_EQ(swept.one.completed(), static_cast<std::uint64_t>(swept.emitted));
    EXPECT_EQ(swept.seen.times.size(), static_cast<std::size_t>(swept.emitted));
    for (const auto& [event, times] : swept.seen.times) EXPECT_EQ(times, 1);
    if (keeps_order) {
      EXPECT_EQ(swept.seen.out_of_order, 0);
    }
  });
}

TEST(JoinsWorld, AStageWhoseJoinChangesLosesAndRepeatsNothing) { sweep<Pass>(Kind::simple, false); }

TEST(JoinsWorld, ASingleThreadedStageWhoseJoinChangesKeepsTheOrderOfItsEvents) {
  sweep<Pass>(Kind::single_threaded, true);
}

TEST(JoinsWorld, AStageThatSuspendsGoesOnWhenItsJoinHasChanged) {
  sweep<Waits>(Kind::async_remote, false);
}

TEST(JoinsWorld, EveryEventIsCountedOnceWhereQueuesThrowSomeAway) {
  explore([](World& world) {
    Swept swept(world);
    swept.stages<Pass>(Kind::simple);
    Crowd crowd;
    swept.emit(crowd);
    swept.change({"reject", "shed-oldest", "block"});
    crowd.join();
    swept.wait_until_ended();
    EXPECT_EQ(swept.one.completed() + swept.one.dropped(),
              static_cast<std::uint64_t>(swept.emitted));
    EXPECT_EQ(swept.seen.times.size(), swept.one.completed());
  });
}

}  // namespace
}  // namespace penstock::app
