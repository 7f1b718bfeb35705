#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "penstock/flow/graph/flow.hpp"
#include "penstock/flow/run/run_stage.hpp"
#include "support/gate.hpp"
#include "support/small_binary.hpp"

// Handlers that may end an event of a flow without failure, and those that take or change their
// request.
namespace penstock::flow::verdict_test {
namespace {

using namespace std::chrono_literals;
using penstock::testing::eventually;
using penstock::testing::pool_settings;
using penstock::testing::SmallBinary;

struct Item {
  int number = 0;
  std::vector<int> seen;
};

std::mutex g_mutex;
std::vector<int> g_noted;

struct KeepEven : Handler {
  using request_type = Item;
  using response_type = void;
  static Verdict handle(const Item& item) { return keep_if(item.number % 2 == 0); }
};
struct KeepEvenLater : KeepEven {
  static Task<Verdict> handle(const Item& item) {
    co_await sleep_for(10us);
    co_return keep_if(item.number % 2 == 0);
  }
};
struct KeepEvenResponse : Handler {
  using request_type = Item;
  using response_type = Item;
  static std::optional<Item> handle(const Item& item) {
    if (item.number % 2 != 0) return {};
    return item;
  }
};
struct KeepEvenResponseLater : KeepEvenResponse {
  static Task<std::optional<Item>> handle(const Item& item) {
    co_await sleep_for(10us);
    co_return KeepEvenResponse::handle(item);
  }
};
struct Mark : Handler {
  using request_type = Item;
  using response_type = Item;
  static Item handle(Item&& item) {
    const int* const place = item.seen.data();
    Item marked = std::move(item);
    // The memory of the request became the response's.
    marked.number += marked.seen.data() == place ? 100 : 1000;
    return marked;
  }
};
struct Change : Handler {
  using request_type = Item;
  using response_type = void;
  static void handle(Item& item) { item.number += 100; }
};
struct ChangeLater : Change {
  static Task<void> handle(Item& item) {
    co_await sleep_for(10us);
    item.number += 100;
  }
};
struct ChangeAndKeepEven : Change {
  static Verdict handle(Item& item) { return keep_if(item.number++ % 2 == 0); }
};
struct Note : Handler {
  using request_type = Item;
  using response_type = void;
  static void handle(const Item& item) {
    const std::lock_guard hold(g_mutex);
    g_noted.push_back(item.number);
  }
};

struct VerdictTest : ::testing::Test {
  SmallBinary binary;
  Flow flow{"Items"};
  exec::Pool& pool = binary.pool(pool_settings("a", 1));

  void SetUp() override { g_noted.clear(); }
  void TearDown() override { binary.stop(); }

  template <Role role, class H>
  void stage(std::string id, Kind kind = Kind::simple) {
    auto binding = app::bind_stage<role, H>(id, id);
    flow.fit(binding.value_bytes);
    call::Service& service = binary.service<H>(std::move(id), kind, pool);
    app::set_up(flow.add_stage(), service, std::move(binding));
  }
  // The numbers that came through, of 0 to 9.
  std::vector<int> run() {
    binary.enroll(flow);
    binary.start();
    for (int number = 0; number < 10; ++number) {
      Event& event = flow.make_event();
      event.set_value(Item{number, {number}});
      flow.emit(event);
    }
    const Flow::Counters& ids = flow.counters();
    // An end without failure is an end as planned.
    EXPECT_TRUE(eventually([&] { return binary.registry().count(ids.completed) == 10; }));
    EXPECT_EQ(binary.registry().count(ids.failed) + binary.registry().count(ids.dropped), 0U);
    const std::lock_guard hold(g_mutex);
    std::sort(g_noted.begin(), g_noted.end());
    return g_noted;
  }
};

const std::vector<int> kEven{0, 2, 4, 6, 8};

TEST_F(VerdictTest, EndsEventsByAPlainSideEffect) {
  stage<Role::side_effect, KeepEven>("Keep");
  stage<Role::side_effect, Note>("Note");
  EXPECT_EQ(run(), kEven);
}
TEST_F(VerdictTest, EndsEventsByACoroutine) {
  stage<Role::side_effect, KeepEvenLater>("Keep", Kind::async_remote);
  stage<Role::side_effect, Note>("Note");
  EXPECT_EQ(run(), kEven);
}
TEST_F(VerdictTest, EndsEventsThatGetNoResponse) {
  stage<Role::map, KeepEvenResponse>("Keep");
  stage<Role::side_effect, Note>("Note");
  EXPECT_EQ(run(), kEven);
}
TEST_F(VerdictTest, EndsEventsWhoseCoroutineGivesNoResponse) {
  stage<Role::map, KeepEvenResponseLater>("Keep", Kind::async_remote);
  stage<Role::side_effect, Note>("Note");
  EXPECT_EQ(run(), kEven);
}
TEST_F(VerdictTest, EndsEventsAtTheLastStage) {
  stage<Role::side_effect, Note>("Note");
  stage<Role::side_effect, KeepEven>("Keep");
  EXPECT_EQ(run().size(), 10U);
}
TEST_F(VerdictTest, HandsTheRequestOverToAHandlerThatTakesIt) {
  stage<Role::side_effect, KeepEven>("Keep");
  stage<Role::map, Mark>("Mark");
  stage<Role::side_effect, Note>("Note");
  EXPECT_EQ(run(), (std::vector<int>{100, 102, 104, 106, 108}));
}

TEST_F(VerdictTest, WhatASideEffectChangesGoesOnBehindIt) {
  stage<Role::side_effect, Change>("Change");
  stage<Role::side_effect, ChangeLater>("ChangeLater", Kind::async_remote);
  stage<Role::side_effect, ChangeAndKeepEven>("Keep");
  stage<Role::side_effect, Note>("Note");
  EXPECT_EQ(run(), (std::vector<int>{201, 203, 205, 207, 209}));
}

TEST_F(VerdictTest, WhatASideEffectChangesGoesOnWhereAllEventsAreSampledAndOverAJoin) {
  binary.registry().set_sampling(128);
  stage<Role::side_effect, Change>("Change");
  stage<Role::side_effect, ChangeLater>("ChangeLater", Kind::async_remote);
  flow.stages().back().join = &pool;
  stage<Role::side_effect, Note>("Note");
  flow.stages().back().join = &pool;
  EXPECT_EQ(run(), (std::vector<int>{200, 201, 202, 203, 204, 205, 206, 207, 208, 209}));
}

TEST_F(VerdictTest, WhatABranchChangesStaysInIt) {
  stage<Role::side_effect, Change>("Change");
  stage<Role::side_effect, Change>("ChangeAgain");
  stage<Role::side_effect, Note>("Note");
  stage<Role::side_effect, ChangeLater>("ChangeLater", Kind::async_remote);
  flow.stages().back().after = {0};
  stage<Role::side_effect, Change>("ChangeOnceMore");
  stage<Role::side_effect, Note>("NoteToo");
  stage<Role::side_effect, Note>("NoteThree");
  flow.stages().back().after = {0};
  std::vector<int> all;
  for (const int changed : {100, 200, 300}) {
    for (int number = 0; number < 10; ++number) all.push_back(changed + number);
  }
  EXPECT_EQ(run(), all);
}

struct ChangeAndThrow : Change {
  static void handle(Item& item) {
    item.number += 1000;
    throw Error(ErrorCode::aborted, "was changed");
  }
};
struct ChangeFailure : Handler {
  using request_type = Failure;
  using response_type = void;
  static void handle(Failure& failure) { failure.message += " twice"; }
};
struct Told : Completion {
  Told()
      : Completion([](Completion& self, Event& event, End /*how*/) noexcept {
          auto& told = static_cast<Told&>(self);
          told.message = event.failure->message;
          told.done = true;
        }) {}
  std::string message;
  std::atomic<bool> done{false};
};

TEST_F(VerdictTest, ACatchChangesTheFailureThatSomebodyIsTold) {
  stage<Role::side_effect, ChangeAndThrow>("Change");
  stage<Role::catch_failure, ChangeFailure>("Catch");
  binary.enroll(flow);
  binary.start();
  Told told;
  Event& event = flow.make_event();
  event.set_value(Item{1, {}});
  event.tell(told);
  flow.emit(event);
  ASSERT_TRUE(eventually([&] { return told.done.load(); }));
  EXPECT_EQ(told.message, "was changed twice");
}

struct ChangeAndTell : Handler {
  using request_type = Item;
  using response_type = Item;
  static Item handle(Item& item) {
    item.number += 100;
    item.seen.clear();
    return item;
  }
};
struct ChangeAndTellLater : ChangeAndTell {
  static Task<Item> handle(Item& item) {
    co_await sleep_for(10us);
    item.number += 200;
    item.seen.clear();
    co_return item;
  }
};

TEST_F(VerdictTest, EachImplementationChangesARequestOfItsOwn) {
  auto& service = binary.service<ChangeAndTell, ChangeAndTellLater, ChangeAndTell>(
      "S", Kind::async_remote, pool);
  const Stub<Item, Item> ask(&binary.site(service));
  binary.start();
  const Item asked{1, {5}};
  for (int time = 0; time < 2; ++time) {
    CallGroup<Item> group = ask.each(asked);
    std::vector<int> answers;
    for (auto& future : group) answers.push_back(future.get().number);
    EXPECT_EQ(answers, (std::vector<int>{101, 201, 101}));
  }
  EXPECT_EQ(asked.seen, std::vector<int>{5});
}

TEST_F(VerdictTest, IsSomethingACallerCanBeTold) {
  auto& keep = binary.service<KeepEvenResponse>("Keep", Kind::simple, pool);
  auto& later = binary.service<KeepEvenResponseLater>("Later", Kind::async_remote, pool);
  auto& drop = binary.service<KeepEven>("Drop", Kind::simple, pool);
  auto& mark = binary.service<Mark>("Mark", Kind::simple, pool);
  const Stub<Item, Item> ask(&binary.site(keep));
  const Stub<Item, Item> ask_later(&binary.site(later));
  const Stub<Item, void> ask_drop(&binary.site(drop));
  const Stub<Item, Item> ask_mark(&binary.site(mark));
  binary.start();
  EXPECT_EQ(ask(Item{2, {}}).get().number, 2);
  EXPECT_EQ(ask_later(Item{2, {}}).get().number, 2);
  for (const Stub<Item, Item>& stub : {ask, ask_later}) {
    try {
      static_cast<void>(stub(Item{1, {}}).get());
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::failed_precondition);
      EXPECT_EQ(error.message(), "the service gave nothing back");
    }
  }
  ask_drop(Item{1, {}}).get();  // nobody waits for a value
  EXPECT_EQ(ask_mark(Item{1, {5}}).get().number, 101);
}

}  // namespace
}  // namespace penstock::flow::verdict_test
