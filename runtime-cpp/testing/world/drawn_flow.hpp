#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "penstock/flow/run/compose.hpp"
#include "support/one_flow.hpp"
#include "world/drawn.hpp"

/// A flow whose stages, joins and pools a seed draws, and what comes to its last stages.
namespace penstock::flow::drawn {

using namespace std::chrono_literals;
using penstock::testing::OneFlow;
using world::Crowd;
using world::drawn_pool;
using world::explore;
using world::World;

struct Numbered {
  int emitter = 0;
  int number = 0;
};

inline constexpr int kMostEmitters = 3;
inline constexpr int kUnlucky = 4;  // every fourth event fails where a stage throws, or ends

inline constexpr std::size_t kWays = 4;

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
  std::array<std::map<std::pair<int, int>, int>, kWays> times_on;  // each way
  std::array<std::map<int, int>, kWays> last_on;

  void take(const Numbered& event) {
    ++times[{event.emitter, event.number}];
    int& before = last[event.emitter];
    if (event.number <= before) ++out_of_order;
    before = event.number;
  }
};
inline Seen* g_seen = nullptr;

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
struct Ends : Handler {
  using request_type = Numbered;
  using response_type = Numbered;
  static std::optional<Numbered> handle(const Numbered& event) {
    if (event.number % kUnlucky == 1) return std::nullopt;
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
      maybe_compose<P, As<Ends, Role::map>>(first, second);
      maybe_compose<As<Ends, Role::map>, P>(first, second);
      maybe_compose<As<Ends, Role::map>, F>(first, second);
      maybe_compose_with_ends(first, second, std::make_index_sequence<kWays>());
    }
  }
  template <std::size_t... way>
  void maybe_compose_with_ends(Stage& first, const Stage& second,
                               std::index_sequence<way...> /*ways*/) {
    (maybe_compose<As<Pass, Role::map>, As<TakesOn<way>, Role::side_effect>>(first, second), ...);
    (maybe_compose<As<Gives, Role::map>, As<TakesOn<way>, Role::side_effect>>(first, second), ...);
    (maybe_compose<As<Ends, Role::map>, As<TakesOn<way>, Role::side_effect>>(first, second), ...);
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

}  // namespace penstock::flow::drawn
