// Calls of every kind in simulated worlds: each is answered once, whatever the threads do, when
// pools change size, deadlines pass, callers lose interest and the binary stops.
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <map>
#include <vector>

#include "world/drawn.hpp"

namespace penstock::calls_world {
namespace {

using namespace std::chrono_literals;
using testing::pool_settings;
using testing::SmallBinary;
using world::Crowd;
using world::drawn_pool;
using world::explore;
using world::World;

struct Ask {
  int value = 0;
  int way = 0;
};
struct Answer {
  int value = 0;
};

constexpr int kUnlucky = 5;  // every fifth value is an error
int expected(int value) { return 2 * value + 1; }

// What happened in this world. Plain numbers: its threads take turns.
struct Seen {
  std::map<int, int> leaf_runs;  // by value
  int inside = 0;                // of the single-threaded service
  int overlaps = 0;
  int begun = 0;  // coroutines that sleep for long
  int ended = 0;
  int wrong = 0;
};
Seen* g_seen = nullptr;

struct Leaf : Handler {
  using request_type = Ask;
  using response_type = Answer;
  static Answer handle(const Ask& ask) {
    ++g_seen->leaf_runs[ask.value];
    if (ask.value % kUnlucky == 0) throw Error(ErrorCode::not_found, "unlucky");
    return {expected(ask.value)};
  }
};

struct Slow : Handler {
  using request_type = Ask;
  using response_type = Answer;
  static Task<Answer> handle(const Ask& ask) {
    co_await sleep_for(1ms * ask.value);
    co_return Answer{expected(ask.value)};
  }
};

struct Solo : Handler {
  using request_type = Ask;
  using response_type = Answer;
  struct calls_type {
    Stub<Ask, Answer> Leaf;
  };
  struct Inside {
    Inside() {
      if (g_seen->inside++ != 0) ++g_seen->overlaps;
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    ~Inside() { --g_seen->inside; }
  };
  Task<Answer> handle(const Ask& ask) {
    const Inside here;
    if (ask.value % 2 == 0) co_await sleep_for(1ms);
    co_return co_await calls.Leaf(ask);
  }
  calls_type calls;
};

struct Blocking : Handler {
  using request_type = Ask;
  using response_type = Answer;
  struct calls_type {
    Stub<Ask, Answer> Leaf;
  };
  Answer handle(const Ask& ask) { return calls.Leaf(ask).get(); }
  calls_type calls;
};

// Asks the others in every way.
struct Front : Handler {
  using request_type = Ask;
  using response_type = Answer;
  struct calls_type {
    Stub<Ask, Answer> Leaf;
    Stub<Ask, Answer> Slow;
    Stub<Ask, Answer> Solo;
    Stub<Ask, Answer> Blocking;
  };
  Task<Answer> handle(const Ask& ask) {
    switch (ask.way) {
      case 0:
        co_return co_await calls.Leaf(ask);
      case 1:
        co_return co_await calls.Solo(ask);
      case 2:
        co_return co_await calls.Blocking(ask);
      case 3: {
        auto slow = calls.Slow(ask);
        auto leaf = calls.Leaf(ask);
        if ((co_await slow).value != expected(ask.value)) ++g_seen->wrong;
        co_return co_await leaf;
      }
      case 4: {
        static_cast<void>(calls.Slow(ask));  // nobody wants it
        co_return co_await calls.Leaf(ask);
      }
      case 6: {
        // Many at once, of which some are dropped before or after they are there.
        std::vector<Future<Answer>> many;
        for (int call = 0; call < 2 + ask.value % 7; ++call) many.push_back(calls.Leaf(ask));
        if (ask.value % 3 == 0) many.back() = {};
        int answered = 0;
        for (auto& future : many) {
          if (ask.value % 4 == 0 && answered == 2) break;
          if (&future == &many.back()) break;
          try {
            if ((co_await future).value != expected(ask.value)) ++g_seen->wrong;
          } catch (const Error& error) {
            if (error.code() != ErrorCode::not_found) throw;
            if (ask.value % kUnlucky != 0) ++g_seen->wrong;
          }
          ++answered;
        }
        many.clear();
        co_return co_await calls.Leaf(ask);
      }
      default: {
        const auto [slow, leaf] =
            co_await gather_within(1ms * (ask.value % 4), calls.Slow(ask), calls.Solo(ask));
        if (slow && slow->value != expected(ask.value)) ++g_seen->wrong;
        if (leaf && leaf->value != expected(ask.value)) ++g_seen->wrong;
        if (ask.value % kUnlucky == 0) throw Error(ErrorCode::not_found, "unlucky");
        co_return Answer{expected(ask.value)};
      }
    }
  }
  calls_type calls;
};

// A binary of them, on pools that are drawn.
struct Drawn {
  explicit Drawn(World& world) : random(world.random()) {
    g_seen = &seen;
    const int pools = random.between(1, 3);
    for (int pool = 0; pool < pools; ++pool) {
      all.push_back(&binary.pool(drawn_pool(random, "p" + std::to_string(pool))));
    }
    // Its threads block, so that it needs one more than there are calls at once, or a pool apart.
    all.push_back(&binary.pool(drawn_pool(random, "blocks")));
    leaf = &binary.service<Leaf>("Leaf", Kind::simple, pool());
    slow = &binary.service<Slow>("Slow", Kind::async_remote, pool());
    solo = &binary.service<Solo>("Solo", Kind::single_threaded, pool());
    blocking = &binary.service<Blocking>("Blocking", Kind::sync_remote, *all.back());
    front = &binary.service<Front>("Front", Kind::async_remote, pool());
    binary.connect<Solo>(*solo, *leaf, &Solo::calls_type::Leaf);
    binary.connect<Blocking>(*blocking, *leaf, &Blocking::calls_type::Leaf);
    binary.connect<Front>(*front, *leaf, &Front::calls_type::Leaf);
    binary.connect<Front>(*front, *slow, &Front::calls_type::Slow);
    binary.connect<Front>(*front, *solo, &Front::calls_type::Solo);
    binary.connect<Front>(*front, *blocking, &Front::calls_type::Blocking);
    binary.registry().set_sampling(random.one_of({0, 3, 128}));
    ask = Stub<Ask, Answer>(&binary.site(*front));
  }
  exec::Pool& pool() { return *all[random.below(all.size() - 1)]; }

  // Every request that came was done, and nothing of them is left.
  void expect_all_done() {
    for (call::Service* service : {leaf, slow, solo, blocking, front}) {
      EXPECT_EQ(binary.done(*service), service->sent_count()) << service->name;
    }
    EXPECT_EQ(seen.overlaps, 0);
    EXPECT_EQ(seen.inside, 0);
    EXPECT_EQ(seen.wrong, 0);
  }
  void wait_until_done() {
    for (call::Service* service : {front, blocking, solo, slow, leaf}) {
      while (binary.done(*service) != service->sent_count()) {
        std::this_thread::sleep_for(1ms);
      }
    }
  }
  void expect_stops() {
    for (exec::Pool* pool : all) EXPECT_TRUE(pool->stop(now_ns() + 10'000'000'000));
  }

  world::Random& random;
  Seen seen;
  SmallBinary binary;
  std::vector<exec::Pool*> all;
  call::Service* leaf = nullptr;
  call::Service* slow = nullptr;
  call::Service* solo = nullptr;
  call::Service* blocking = nullptr;
  call::Service* front = nullptr;
  Stub<Ask, Answer> ask;
};

// Threads from outside that ask and take each answer once, and give some up.
void ask_from_outside(Drawn& drawn, Crowd& crowd, std::atomic<int>& next) {
  for (int caller = drawn.random.between(1, 3); caller > 0; --caller) {
    crowd.add([&drawn, &next, calls = drawn.random.between(1, 5)] {
      std::deque<std::pair<Ask, Future<Answer>>> open;
      for (int call = 0; call < calls; ++call) {
        const Ask ask{++next, drawn.random.between(0, 6)};
        open.emplace_back(ask, drawn.ask(ask));
        if (drawn.random.once_in(3)) open.pop_front();
      }
      for (auto& [ask, future] : open) {
        try {
          if (future.get().value != expected(ask.value)) ++g_seen->wrong;
        } catch (const Error& error) {
          if (error.code() != ErrorCode::not_found || ask.value % kUnlucky != 0) {
            ADD_FAILURE() << error.what();
          }
        }
      }
    });
  }
}

TEST(CallsWorld, AnswersEveryCallOnceWhilePoolsStealAndChangeSize) {
  explore([](World& world) {
    Drawn drawn(world);
    drawn.binary.start();
    std::atomic<int> next{0};
    Crowd crowd;
    ask_from_outside(drawn, crowd, next);
    for (int change = drawn.random.between(0, 3); change > 0; --change) {
      world::linger(drawn.random, 300);
      const auto threads = static_cast<unsigned>(drawn.random.between(1, 4));
      drawn.all[drawn.random.below(drawn.all.size())]->resize(threads);
    }
    crowd.join();
    drawn.wait_until_done();
    drawn.expect_stops();
    drawn.expect_all_done();
  });
}

TEST(CallsWorld, EndsEveryCallThatIsUnderWayWhenTheBinaryStops) {
  explore([](World& world) {
    Drawn drawn(world);
    drawn.binary.start();
    std::atomic<int> answered{0};
    int asked = 0;
    Crowd crowd;
    for (int caller = drawn.random.between(1, 3); caller > 0; --caller) {
      const int calls = drawn.random.between(1, 4);
      asked += calls;
      crowd.add([&drawn, &answered, calls] {
        for (int call = 1; call <= calls; ++call) {
          try {
            static_cast<void>(drawn.ask({call, drawn.random.between(0, 6)}).get());
          } catch (const Error& error) {
            if (error.code() != ErrorCode::not_found && error.code() != ErrorCode::unavailable) {
              ADD_FAILURE() << error.what();
            }
          }
          ++answered;
        }
      });
    }
    world::linger(drawn.random, 2000);
    drawn.expect_stops();
    crowd.join();
    EXPECT_EQ(answered, asked);
    drawn.expect_all_done();
  });
}

// Says goodbye to another one as its worker leaves the pool, which comes too late.
struct Leaving : Handler {
  using request_type = Ask;
  using response_type = Answer;
  struct calls_type {
    Stub<Ask, Answer> Leaf;
  };
  Leaving() = default;
  Leaving(const Leaving&) = delete;
  Leaving& operator=(const Leaving&) = delete;
  ~Leaving() {
    try {
      static_cast<void>(calls.Leaf({1, 0}).get());
      ADD_FAILURE() << "answered";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::unavailable);
    }
  }
  static Answer handle(const Ask& ask) { return {expected(ask.value)}; }
  calls_type calls;
};

TEST(CallsWorld, HoldsNoWorkerForWhatAHandlerAsksAsItIsTakenAway) {
  explore([](World& world) {
    auto& random = world.random();
    Seen seen;
    g_seen = &seen;
    SmallBinary binary;
    auto& pool = binary.pool(pool_settings("p", 2));
    auto& leaving = binary.service<Leaving>("Leaving", Kind::simple, pool);
    auto& leaf = binary.service<Leaf>("Leaf", Kind::simple, pool);
    binary.connect<Leaving>(leaving, leaf, &Leaving::calls_type::Leaf);
    const Stub<Ask, Answer> ask(&binary.site(leaving));
    binary.start();
    Crowd crowd;
    for (int caller = 0; caller < 2; ++caller) {
      crowd.add([&] {
        for (int call = 1; call < 4; ++call) EXPECT_EQ(ask({call, 0}).get().value, expected(call));
      });
    }
    world::linger(random, 50);
    EXPECT_EQ(pool.resize(1), 1U);
    crowd.join();
    EXPECT_TRUE(pool.stop(now_ns() + 10'000'000'000));
  });
}

TEST(CallsWorld, EndsACallThatIsNotAnsweredAtItsDeadlineAndNeverBefore) {
  explore([](World& world) {
    auto& random = world.random();
    Seen seen;
    g_seen = &seen;
    SmallBinary binary;
    auto& pool = binary.pool(drawn_pool(random, "p"));
    auto& other = random.once_in(2) ? pool : binary.pool(drawn_pool(random, "q"));
    auto& slow = binary.service<Slow>("Slow", Kind::async_remote, pool);
    auto& solo = binary.service<Solo>("Solo", Kind::single_threaded, other);
    auto& leaf = binary.service<Leaf>("Leaf", Kind::simple, other);
    binary.connect<Solo>(solo, leaf, &Solo::calls_type::Leaf);
    slow.deadline_ns = 1'000'000 * random.between(1, 20);
    solo.deadline_ns = 1'000'000 * random.between(1, 3);
    const Stub<Ask, Answer> ask_slow(&binary.site(slow));
    const Stub<Ask, Answer> ask_solo(&binary.site(solo));
    binary.start();
    Crowd crowd;
    for (int caller = random.between(1, 3); caller > 0; --caller) {
      crowd.add([&] {
        for (int call = random.between(1, 4); call > 0; --call) {
          const bool asks_slow = random.once_in(2);
          const Ask ask{random.between(1, 100) * kUnlucky + 1, 0};
          const Nanos deadline = asks_slow ? slow.deadline_ns : solo.deadline_ns;
          const Nanos begun = now_ns();
          try {
            auto future = (asks_slow ? ask_slow : ask_solo)(ask);
            EXPECT_EQ(future.get().value, expected(ask.value));
          } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::deadline_exceeded) << error.what();
            EXPECT_GE(now_ns() - begun, deadline);
          }
        }
      });
    }
    crowd.join();
    for (call::Service* service : {&solo, &slow, &leaf}) {
      while (binary.done(*service) != service->sent_count()) {
        std::this_thread::sleep_for(1ms);
      }
    }
    EXPECT_EQ(seen.overlaps, 0);
    EXPECT_EQ(seen.inside, 0);
  });
}

struct Counted {
  Counted() { ++g_seen->begun; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { ++g_seen->ended; }
};

struct SleepsForAnHour : Handler {
  using request_type = Ask;
  using response_type = Answer;
  static Task<Answer> handle(const Ask& /*ask*/) {
    const Counted counted;
    co_await sleep_for(1h);
    co_return Answer{};
  }
};

// One of a chain.
struct Passes : Handler {
  using request_type = Ask;
  using response_type = Answer;
  struct calls_type {
    Stub<Ask, Answer> Next;
  };
  Task<Answer> handle(const Ask& ask) {
    const Counted counted;
    if (ask.way == 0) co_return co_await calls.Next(ask);
    if (ask.way == 1) {
      static_cast<void>(co_await gather_within(1h, calls.Next.each(ask)));
    } else {
      static_cast<void>(co_await gather_within(1ms * ask.value, calls.Next.each(ask)));
    }
    co_return Answer{};
  }
  calls_type calls;
};

TEST(CallsWorld, ACallThatNobodyWantsEndsWithAllThatItAsked) {
  // Who tells a callee looks where it runs when its activation has just ended.
  explore({3014}, [](World& world) {
    auto& random = world.random();
    Seen seen;
    g_seen = &seen;
    SmallBinary binary;
    std::vector<exec::Pool*> pools;
    for (int pool = random.between(1, 3); pool > 0; --pool) {
      pools.push_back(&binary.pool(drawn_pool(random, "p" + std::to_string(pool))));
    }
    const auto drawn = [&]() -> exec::Pool& { return *pools[random.below(pools.size())]; };
    const auto kind = random.one_of({Kind::async_remote, Kind::single_threaded});
    auto& last = binary.service<SleepsForAnHour>("Last", Kind::async_remote, drawn());
    auto& middle = binary.service<Passes>("Middle", kind, drawn());
    auto& first = binary.service<Passes>("First", Kind::async_remote, drawn());
    binary.connect<Passes>(middle, last, &Passes::calls_type::Next);
    binary.connect<Passes>(first, middle, &Passes::calls_type::Next);
    if (random.once_in(3)) last.deadline_ns = 1'000'000 * random.between(1, 5);
    const Stub<Ask, Answer> ask(&binary.site(first));
    binary.start();
    const Nanos begun = now_ns();
    Crowd crowd;
    for (int caller = random.between(1, 2); caller > 0; --caller) {
      crowd.add([&] {
        for (int call = random.between(1, 4); call > 0; --call) {
          const auto dropped = ask({random.between(1, 3), random.between(0, 2)});
          world::linger(random, 5000);
        }
      });
    }
    crowd.join();
    for (call::Service* service : {&first, &middle, &last}) {
      while (binary.done(*service) != service->sent_count()) {
        std::this_thread::sleep_for(1ms);
      }
    }
    EXPECT_EQ(seen.begun, seen.ended);
    EXPECT_LT(now_ns() - begun, 60'000'000'000);
  });
}

}  // namespace
}  // namespace penstock::calls_world
