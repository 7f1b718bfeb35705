// What becomes of events on a thread that gets no memory: they fail or are dropped, and are
// counted.
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <string>
#include <vector>

#include "support/gate.hpp"
#include "support/one_flow.hpp"
#include "support/replaced_new.hpp"

namespace penstock::flow::no_memory_test {
namespace {

using testing::eventually;
using testing::OneFlow;
using testing::pool_settings;
using testing::t_no_memory;

enum What { kPasses, kForgets, kForgetsAndThrows, kThrows };
struct Item {
  What what = kPasses;
  int number = 0;
};

// Leaves its thread without memory, until the next event comes.
struct Forgets : Handler {
  using request_type = Item;
  using response_type = void;
  static void handle(const Item& item) {
    t_no_memory = false;
    const Error error(ErrorCode::not_found, std::string(100, '-'));
    // Later than it may be.
    while (context().deadline_ns != 0 && now_ns() < context().deadline_ns) {
    }
    t_no_memory = item.what == kForgets || item.what == kForgetsAndThrows;
    if (item.what == kForgetsAndThrows || item.what == kThrows) throw Error(error);
  }
};
std::atomic<int> g_counted{0};
struct Counts : Forgets {
  static void handle(const Item& /*item*/) { ++g_counted; }
};
testing::Gate g_gate;
struct CountsBehindAGate : Counts {
  static void handle(const Item& item) {
    g_gate.pass();
    Counts::handle(item);
  }
};
std::atomic<int> g_caught{0};
struct Catches : Handler {
  using request_type = Failure;
  using response_type = void;
  static void handle(const Failure& failure) {
    if (failure.code == ErrorCode::not_found && failure.message.size() == 100) ++g_caught;
  }
};

struct NoMemory : ::testing::Test {
  OneFlow one;
  exec::Pool& pool = one.binary.pool(pool_settings("p", 1));

  void SetUp() override {
    g_counted = 0;
    g_caught = 0;
    one.stage<Role::side_effect, Forgets>("forgets", Kind::simple, pool, nullptr);
  }
  void TearDown() override {
    emit(kPasses);  // its thread has memory again when it ends
    one.binary.stop();
  }
  Event& event(What what) {
    Event& event = one.flow.make_event();
    event.set_value(Item{what});
    return event;
  }
  void emit(What what) { emit(event(what)); }
  void emit(Event& event) {
    one.flow.emit(event);
    ASSERT_TRUE(eventually([&] { return one.all_ended(); }));
  }
};

TEST_F(NoMemory, AFailureThatNobodyCanBeToldOfIsCounted) {
  one.stage<Role::side_effect, Counts>("counts", Kind::simple, pool, nullptr);
  one.stage<Role::catch_failure, Catches>("catches", Kind::simple, pool, nullptr);
  one.start();
  emit(kThrows);
  EXPECT_EQ(g_caught, 1);
  emit(kForgetsAndThrows);
  EXPECT_EQ(one.failed(), 2U);
  EXPECT_EQ(g_caught, 1);
  EXPECT_EQ(g_counted, 0);
  emit(kPasses);
  EXPECT_EQ(one.completed(), 1U);
  EXPECT_EQ(g_counted, 1);
  EXPECT_EQ(one.binary.registry().count(one.flow.stages().front().errors), 2U);
}

TEST_F(NoMemory, WhoWaitsForTheEndIsTold) {
  struct Told : Completion {
    Told()
        : Completion([](Completion& self, Event& event, End how) noexcept {
            auto& told = static_cast<Told&>(self);
            told.failed = how == End::failed && event.failure == nullptr;
          }) {}
    std::atomic<bool> failed{false};
  };
  one.stage<Role::catch_failure, Catches>("catches", Kind::simple, pool, nullptr);
  one.start();
  emit(kPasses);
  Told told;
  Event& late = event(kForgetsAndThrows);
  late.tell(told);
  emit(late);
  EXPECT_TRUE(told.failed);
}

TEST_F(NoMemory, AnEventThatIsLateFails) {
  one.stage<Role::side_effect, Counts>("counts", Kind::simple, pool, nullptr);
  one.start();
  emit(kPasses);
  Event& late = event(kForgets);
  late.set_deadline(now_ns() + 2'000'000'000);
  emit(late);
  EXPECT_EQ(one.failed(), 1U);
  EXPECT_EQ(g_counted, 1);
}

TEST_F(NoMemory, ABranchThatGetsNoCopyIsDropped) {
  for (const char* const id : {"one", "other"}) {
    one.stage<Role::side_effect, Counts>(id, Kind::simple, pool, nullptr);
    one.flow.stages().back().after = {0};
  }
  one.start();
  emit(kForgets);
  // The other branch fails: there is no memory for its handler either.
  EXPECT_EQ(one.dropped(), 1U);
  emit(kPasses);
  EXPECT_EQ(one.completed(), 1U);
  EXPECT_EQ(g_counted, 2);
}

// Fifty values as one chunk, one of which is another one.
struct NoMemoryForChunks : NoMemory {
  struct Push : exec::Job {
    OneFlow* one = nullptr;
    int at = 0;
    What what = kPasses;
  } push;

  void start() {
    one.binary.registry().set_sampling(0);
    one.start();
    emit(kPasses);
    for (Stage& stage : one.flow.stages()) {
      stage.at_once = defaults::kMostInChunk;
      stage.only_implementation->pace.note(0);
    }
    g_counted = 0;
  }
  void post_fifty(int at, What what) {
    push.one = &one;
    push.at = at;
    push.what = what;
    push.run = [](exec::Job& job) noexcept {
      const auto& mine = static_cast<Push&>(job);
      call::Activation activation;
      activation.implementation = mine.one->flow.stages().front().only_implementation;
      const call::Activating activating(&activation);
      for (int number = 0; number < 50; ++number) {
        mine.one->flow.push(Item{number == mine.at ? mine.what : kPasses, number});
      }
    };
    pool.worker(0).post(push);
  }
  void wait_for_fifty() {
    ASSERT_TRUE(eventually([&] { return one.emitted() == 51 && one.all_ended(); }));
  }
};

TEST_F(NoMemoryForChunks, OnlyTheValueThatThrewIsLostOfAChunk) {
  one.stage<Role::side_effect, Counts>("counts", Kind::simple, pool, nullptr);
  start();
  post_fifty(10, kForgetsAndThrows);
  wait_for_fifty();
  EXPECT_EQ(one.completed(), 50U);
  EXPECT_EQ(g_counted, 49);
}

TEST_F(NoMemoryForChunks, EachEventEndsOnceWhereAFanOutGetsNone) {
  // Those that are there already wait elsewhere, so that those behind them need more memory.
  exec::Pool& back = one.binary.pool(pool_settings("q", 1));
  for (const char* const id : {"one", "other"}) {
    one.stage<Role::side_effect, CountsBehindAGate>(id, Kind::simple, back, &back);
    one.flow.stages().back().after = {0};
  }
  start();
  g_gate.close();
  post_fifty(49, kForgets);
  EXPECT_TRUE(eventually([&] { return one.dropped() != 0; }));
  g_gate.open();
  wait_for_fifty();
  EXPECT_EQ(one.failed(), 0U);
  EXPECT_EQ(one.completed() + one.dropped(), 51U);
}

}  // namespace
}  // namespace penstock::flow::no_memory_test
