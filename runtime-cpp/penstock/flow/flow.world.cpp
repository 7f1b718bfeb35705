// Flows in simulated worlds: every event ends once, in the order that is promised, and a full queue
// holds back whoever emits.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <map>
#include <set>
#include <vector>

#include "penstock/flow/run/compose.hpp"
#include "penstock/flow/source/rate_source.hpp"
#include "support/one_flow.hpp"
#include "world/drawn.hpp"

namespace penstock::flow {
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

constexpr int kMostEmitters = 3;
constexpr int kUnlucky = 4;  // every fourth event fails where a stage throws

// What came to the last stage in this world. Plain: its threads take turns.
struct Seen {
  std::map<std::pair<int, int>, int> times;
  std::map<int, int> last;  // by emitter
  int out_of_order = 0;
  bool stands_still = false;  // the last stage
  int inside = 0;
  int overlaps = 0;
  bool some_carry = false;  // a stage gave each odd number something to carry
  int wrong = 0;            // came with nothing, or with what another one carried
  int carried = 0;          // that are there
  std::array<std::map<std::pair<int, int>, int>, 2> times_on;  // ways of a branch
  std::array<std::map<int, int>, 2> last_on;

  void take(const Numbered& event) {
    ++times[{event.emitter, event.number}];
    int& before = last[event.emitter];
    if (event.number <= before) ++out_of_order;
    before = event.number;
  }
};
Seen* g_seen = nullptr;

struct Inside {
  Inside() {
    if (g_seen->inside++ != 0) ++g_seen->overlaps;
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() { --g_seen->inside; }
};

struct Pass : Handler {
  using request_type = Numbered;
  using response_type = Numbered;
  static Numbered handle(const Numbered& event) { return event; }
};
struct Waits : Handler {
  using request_type = Numbered;
  using response_type = Numbered;
  static Task<Numbered> handle(const Numbered& event) {
    co_await sleep_for(100us * (event.number % 3));
    co_return event;
  }
};
struct Carried {
  Carried() { ++g_seen->carried; }
  Carried(const Carried&) = delete;
  Carried& operator=(const Carried&) = delete;
  ~Carried() { --g_seen->carried; }

  [[nodiscard]] bool is_of(const Numbered& event) const {
    return emitter == event.emitter && number == event.number;
  }
  int emitter = 0;
  int number = 0;
};
struct Gives : Handler {
  using request_type = Numbered;
  using response_type = Numbered;
  static Numbered handle(const Numbered& event) {
    if (event.number % 2 != 0) {
      auto& carried = context().local<Carried>();
      carried.emitter = event.emitter;
      carried.number = event.number;
    }
    return event;
  }
};
struct Fails : Handler {
  using request_type = Numbered;
  using response_type = Numbered;
  static Numbered handle(const Numbered& event) {
    if (event.number % kUnlucky == 0) throw Error(ErrorCode::aborted, "unlucky");
    return event;
  }
};
// One at a time, with something in between.
struct Alone : Handler {
  using request_type = Numbered;
  using response_type = Numbered;
  static Numbered handle(const Numbered& event) {
    const Inside here;
    std::this_thread::yield();
    return event;
  }
};
struct Takes : Handler {
  using request_type = Numbered;
  using response_type = void;
  static void handle(const Numbered& event) {
    std::this_thread::yield();
    g_seen->take(event);
    const Carried* const carried = context().find_local<Carried>();
    const bool right =
        carried != nullptr ? carried->is_of(event) : !g_seen->some_carry || event.number % 2 == 0;
    if (!right) ++g_seen->wrong;
  }
};

template <std::size_t way>
struct TakesOn : Handler {
  using request_type = Numbered;
  using response_type = void;
  static void handle(const Numbered& event) {
    std::this_thread::yield();
    ++g_seen->times_on[way][{event.emitter, event.number}];
    int& before = g_seen->last_on[way][event.emitter];
    if (event.number <= before) ++g_seen->out_of_order;
    before = event.number;
  }
};

// As long as it is to.
struct StandsStill : Takes {
  static void handle(const Numbered& event) {
    while (g_seen->stands_still) std::this_thread::sleep_for(1ms);
    g_seen->take(event);
  }
};

struct Drawn {
  explicit Drawn(World& world, bool small_queues = false) : random(world.random()) {
    g_seen = &seen;
    for (int pool = random.between(1, 3); pool > 0; --pool) {
      exec::PoolSettings settings = drawn_pool(random, "p" + std::to_string(pool));
      if (small_queues) settings.queue = random.one_of<std::uint32_t>({1, 2, 4});
      pools.push_back(&one.binary.pool(std::move(settings)));
    }
    one.binary.registry().set_sampling(random.one_of({0, 3, 128}));
  }
  exec::Pool& pool() { return *pools[random.below(pools.size())]; }
  /// By their settings: a pool that has stopped has no threads.
  [[nodiscard]] bool one_thread_each() const {
    return std::all_of(pools.begin(), pools.end(),
                       [](const exec::Pool* pool) { return pool->settings().threads.size() == 1; });
  }
  exec::Pool* join() { return random.once_in(2) ? nullptr : &pool(); }
  template <class H>
  void map(Kind kind) {
    one.stage<Role::map, H>("s" + std::to_string(++stages), kind, pool(), join());
  }
  template <class H>
  void take(Kind kind) {
    one.stage<Role::side_effect, H>("last", kind, pool(), join());
  }

  /// What follows each other may be one function, as main() says it.
  template <class First, class Second>
  void maybe_compose(Stage& first, const Stage& second) {
    using Pair = Composition<First, Second>;
    const bool is_pair =
        first.run.front() == Pair::runs()[0] && second.run.front() == Pair::runs()[1];
    if (is_pair && random.once_in(2)) first.composed = Pair::composed();
  }
  void maybe_compose() {
    using P = As<Pass, Role::map>;
    using F = As<Fails, Role::map>;
    using T = As<Takes, Role::side_effect>;
    using G = As<Gives, Role::map>;
    auto& stages_of = one.flow.stages();
    for (std::size_t at = 0; at + 1 < stages_of.size(); ++at) {
      Stage& first = stages_of[at];
      const Stage& second = stages_of[at + 1];
      maybe_compose<P, P>(first, second);
      maybe_compose<P, F>(first, second);
      maybe_compose<F, P>(first, second);
      maybe_compose<F, F>(first, second);
      maybe_compose<P, T>(first, second);
      maybe_compose<F, T>(first, second);
      maybe_compose<G, P>(first, second);
      maybe_compose<P, G>(first, second);
      maybe_compose<G, F>(first, second);
      maybe_compose<F, G>(first, second);
      maybe_compose<G, T>(first, second);
    }
  }

  void start() {
    maybe_compose();
    one.start();
    for (Stage& stage : one.flow.stages()) {
      stage.at_once = random.one_of<std::uint32_t>({1, 2, 5, defaults::kMostInChunk});
      if (stage.plain) stage.only_implementation->pace.note(0);
    }
  }

  // From so many threads, each number once, as a source does.
  void emit(Crowd& crowd, int most_events) {
    for (int emitter = random.between(1, kMostEmitters); emitter > 0; --emitter) {
      emit_as(crowd, emitter, random.between(1, most_events));
    }
  }
  void emit_as(Crowd& crowd, int emitter, int events) {
    emitted += events;
    emitted_by[emitter] += events;
    // Some at once, or one by one.
    const bool gathers = random.once_in(2);
    crowd.add([this, emitter, events, gathers] {
      static const std::atomic<bool> never{false};
      one.binary.registry().enter();
      {
        Gather gather(one.flow);
        for (int number = 1; number <= events; ++number) {
          if (!one.flow.has_room(gather.count)) {
            one.flow.flush(gather);
            one.flow.wait_for_room(never);
          }
          Event& event = one.flow.make_event();
          event.set_value(Numbered{emitter, number});
          if (gathers) {
            one.flow.emit(event, gather);
            if (random.once_in(4)) one.flow.flush(gather);
          } else {
            one.flow.emit(event);
          }
        }
        one.flow.flush(gather);
      }
      one.binary.registry().leave();
    });
  }
  // As handlers do, so many at a time: jobs of the workers, which nothing holds back.
  struct Burst : exec::Job {
    Drawn* drawn = nullptr;
    int emitter = 0;
    int from = 0;
    int to = 0;
  };
  void push_as(int emitter, int events) {
    emitted += events;
    emitted_by[emitter] += events;
    exec::Worker& worker = pool().worker(0);
    for (int number = 1; number <= events;) {
      Burst& burst = bursts.emplace_back();
      burst.drawn = this;
      burst.emitter = emitter;
      burst.from = number;
      number = std::min(events, number + random.between(0, 6)) + 1;
      burst.to = number;
      burst.run = [](exec::Job& job) noexcept {
        auto& mine = static_cast<Burst&>(job);
        flow::Flow& flow = mine.drawn->one.flow;
        call::Activation activation;
        activation.implementation = flow.stages().front().service->implementations.front();
        // One in some carries more than a value, and goes alone.
        const bool late = mine.drawn->random.once_in(4);
        const call::Activating activating(&activation);
        for (int at = mine.from; at < mine.to; ++at) {
          activation.context.deadline_ns =
              late && mine.drawn->random.once_in(2) ? now_ns() + 1'000'000'000'000 : 0;
          flow.push(Numbered{mine.emitter, at});
        }
      };
      worker.post(burst);
    }
  }
  // So many events may be under way at one moment. Who adds to a queue looks whether there is room,
  // waiting and kept, and all threads may look at once: each worker's share may be passed by one
  // event for each other thread, again after each time that there was room. And each thread may
  // have one in hand.
  [[nodiscard]] std::uint64_t most_under_way(std::uint64_t emitters) const {
    std::uint64_t threads = emitters;
    for (const exec::Pool* pool : pools) threads += pool->settings().threads.size();
    // In chunks of up to an eighth of a share.
    const auto at_once = [](std::uint64_t share) { return std::max<std::uint64_t>(share / 8, 1); };
    std::uint64_t most = 0;
    for (const exec::Pool* pool : pools) {
      most = std::max(most, threads * at_once(pool->queue()));
    }
    for (const exec::Pool* pool : pools) {
      const std::uint64_t workers = pool->settings().threads.size();
      const std::uint64_t share = (pool->queue() + workers - 1) / workers;
      most += workers * (share + (threads - 1) * at_once(share));
    }
    return most;
  }
  void wait_until_ended() {
    while (!one.all_ended()) std::this_thread::sleep_for(1ms);
  }
  void expect_stops() {
    for (exec::Pool* pool : pools) EXPECT_TRUE(pool->stop(now_ns() + 10'000'000'000));
  }
  [[nodiscard]] int taken_once() const {
    int count = 0;
    for (const auto& [event, times] : seen.times) {
      EXPECT_EQ(times, 1);
      ++count;
    }
    return count;
  }

  world::Random& random;
  Seen seen;
  OneFlow one;
  std::vector<exec::Pool*> pools;
  std::deque<Burst> bursts;
  int stages = 0;
  int emitted = 0;
  std::map<int, int> emitted_by;  // emitter
};

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

std::int64_t number_mod_four(const void* event) {
  return static_cast<const Numbered*>(event)->number % 4;
}

// What comes to a branch together goes on together where it goes one way, whatever the ways are.
TEST(FlowWorld, EndsEachEventOnceOnEachWayThatItTakes) {
  explore([](World& world) {
    Drawn drawn(world);
    auto& random = drawn.random;
    const bool gives = random.once_in(4);
    if (gives) {
      drawn.map<Gives>(Kind::simple);
    } else {
      drawn.map<Pass>(Kind::simple);
    }
    const auto add_way = [&]<std::size_t way>() {
      const auto kind = random.one_of({Kind::simple, Kind::simple, Kind::single_threaded});
      const bool longer = random.once_in(2);
      const auto branches = [&] {
        Stage& first = drawn.one.flow.stages().back();
        first.after = {0};
        first.when.of = &number_mod_four;
        for (std::int64_t rest = 0; rest < 4; ++rest) {
          if (random.once_in(2)) first.when.values.push_back(rest);
        }
        return std::set<std::int64_t>(first.when.values.begin(), first.when.values.end());
      };
      std::set<std::int64_t> takes;
      if (longer) {
        drawn.map<Pass>(Kind::simple);
        takes = branches();
      }
      drawn.one.stage<Role::side_effect, TakesOn<way>>("way" + std::to_string(way), kind,
                                                       drawn.pool(), drawn.join());
      if (!longer) takes = branches();
      return takes;
    };
    const std::array<std::set<std::int64_t>, 2> takes{add_way.operator()<0>(),
                                                      add_way.operator()<1>()};
    drawn.start();
    for (int emitter = random.between(1, 2); emitter > 0; --emitter) {
      drawn.push_as(emitter, random.between(1, 40));
    }
    Crowd crowd;
    drawn.emit_as(crowd, 3, random.between(1, 8));
    const bool moves = random.once_in(3);
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
    EXPECT_EQ(drawn.one.completed(), all);
    EXPECT_EQ(drawn.seen.carried, 0);
    std::array<int, 2> expected{};
    for (const auto& [emitter, events] : drawn.emitted_by) {
      for (int number = 1; number <= events; ++number) {
        for (std::size_t way = 0; way < 2; ++way) {
          if (takes[way].count(number % 4) == 0) continue;
          ++expected[way];
          EXPECT_EQ((drawn.seen.times_on[way][{emitter, number}]), 1);
        }
      }
    }
    for (std::size_t way = 0; way < 2; ++way) {
      EXPECT_EQ(static_cast<int>(drawn.seen.times_on[way].size()), expected[way]);
    }
    const bool one_thread_each = drawn.one_thread_each();
    if (one_thread_each && !moves) {
      EXPECT_EQ(drawn.seen.out_of_order, 0);
    }
  });
}

TEST(FlowWorld, HoldsBackWhoeverEmitsWhileAQueueIsFull) {
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
TEST(FlowWorld, HoldsBackItsSourceHoweverFarAwayTheQueueIsThatIsFull) {
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

TEST(FlowWorld, ASourceThatIsHeldBackGoesWhereItsJoinLeadsNow) {
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

TEST(FlowWorld, ARateSourceIsNeverAheadOfItsScheduleAndStopsAtOnce) {
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
}  // namespace penstock::flow
