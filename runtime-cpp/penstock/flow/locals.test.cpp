// Objects that travel with an event of a flow.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "support/one_flow.hpp"

namespace penstock::flow::locals_test {
namespace {

using namespace std::chrono_literals;
using testing::eventually;
using testing::OneFlow;
using testing::pool_settings;

struct Number {
  int value = 0;
};

std::atomic<int> g_alive{0};
struct Alive {
  Alive() { ++g_alive; }
  Alive(const Alive&) { ++g_alive; }
  Alive& operator=(const Alive&) = default;
  ~Alive() { --g_alive; }
};
struct Tag {
  int value = 0;
  Alive alive;
};
struct OnlyOne {
  OnlyOne() = default;
  OnlyOne(OnlyOne&&) = delete;
  int value = 0;
  Alive alive;
};

constexpr int kNone = -1;
std::mutex g_mutex;
// Under the mutex: what a stage saw of each number.
std::map<std::string, std::vector<std::pair<int, int>>> g_seen;
void note(const std::string& stage, int number, int tag) {
  const std::lock_guard hold(g_mutex);
  g_seen[stage].emplace_back(number, tag);
}
int tag_of_this() {
  const Tag* const tag = context().find_local<Tag>();
  return tag != nullptr ? tag->value : kNone;
}

struct Marks : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& number) {
    if (number.value % 3 == 0) context().local<Tag>().value = number.value;
    return number;
  }
};
struct MarksInPlace : Marks {
  using response_type = void;
  static void handle(const Number& number) { Marks::handle(number); }
};
struct MarksLater : Marks {
  static Task<Number> handle(const Number& number) {
    co_await sleep_for(10us);
    co_return Marks::handle(number);
  }
};
struct MarksAndKeepsOdd : MarksInPlace {
  static Verdict handle(const Number& number) {
    Marks::handle(number);
    return keep_if(number.value % 2 != 0);
  }
};
struct MarksAndThrows : Marks {
  static Number handle(const Number& number) {
    Marks::handle(number);
    if (number.value % 2 == 0) throw Error(ErrorCode::aborted, std::to_string(number.value));
    return number;
  }
};
struct Waits : Marks {
  static Task<Number> handle(const Number& number) {
    co_await sleep_for(10us);
    co_return number;
  }
};
struct Pass : Marks {
  static Number handle(const Number& number) { return number; }
};
template <char name>
struct Sees : MarksInPlace {
  static void handle(const Number& number) {
    note(std::string(1, name), number.value, tag_of_this());
  }
};
struct Rescue : Handler {
  using request_type = Failure;
  using response_type = void;
  static void handle(const Failure& failure) {
    note("rescue", std::stoi(failure.message), tag_of_this());
  }
};

struct LocalsTest : ::testing::Test {
  OneFlow one;
  exec::Pool& front = one.binary.pool(pool_settings("front", 1));
  exec::Pool& back = one.binary.pool(pool_settings("back", 1));

  void SetUp() override {
    const std::lock_guard hold(g_mutex);
    g_seen.clear();
  }
  void TearDown() override {
    one.binary.stop();
    EXPECT_EQ(g_alive, 0);
  }
  template <Role role, class H>
  Stage& stage(exec::Pool* join = nullptr, Kind kind = Kind::simple) {
    const std::size_t at = one.flow.stages().size();
    one.stage<role, H>("s" + std::to_string(at), kind, front, join);
    return one.flow.stages().back();
  }
  void emit(int number) {
    Event& event = one.flow.make_event();
    event.set_value(Number{number});
    one.flow.emit(event);
  }
  void run(int numbers) {
    one.start();
    for (int number = 0; number < numbers; ++number) emit(number);
    ASSERT_TRUE(eventually([&] { return one.emitted() != 0 && one.all_ended(); }));
  }
  static std::vector<std::pair<int, int>> seen(const std::string& stage) {
    const std::lock_guard hold(g_mutex);
    return g_seen[stage];
  }
  // Of those numbers that came to a stage: all that have a tag have their own.
  static void expect_own_tags(const std::string& stage) {
    for (const auto& [number, tag] : seen(stage)) {
      EXPECT_EQ(tag, number % 3 == 0 ? number : kNone) << stage << ' ' << number;
    }
  }
};
// Also where all are sampled.
struct SampledLocals : LocalsTest, ::testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(Sampling, SampledLocals, ::testing::Values(0, 128));

TEST_P(SampledLocals, GoWithTheirEventFromThreadToThreadAndFromStageToStage) {
  one.binary.registry().set_sampling(GetParam());
  stage<Role::map, Marks>(&front);
  stage<Role::side_effect, Sees<'a'>>();
  stage<Role::map, Waits>(&back, Kind::async_remote);
  stage<Role::map, Pass>(&front);
  stage<Role::side_effect, Sees<'b'>>(&back);
  run(30);
  EXPECT_EQ(seen("a").size(), 30U);
  EXPECT_EQ(seen("b").size(), 30U);
  expect_own_tags("a");
  expect_own_tags("b");
}

TEST_P(SampledLocals, AreMadeByACoroutine) {
  one.binary.registry().set_sampling(GetParam());
  stage<Role::map, MarksLater>(&front, Kind::async_remote);
  stage<Role::map, Pass>();
  stage<Role::side_effect, Sees<'a'>>();
  stage<Role::side_effect, Sees<'b'>>(&back);
  run(30);
  EXPECT_EQ(seen("a").size(), 30U);
  EXPECT_EQ(seen("b").size(), 30U);
  expect_own_tags("a");
  expect_own_tags("b");
}

TEST_P(SampledLocals, EndWithAnEventThatAHandlerEnds) {
  one.binary.registry().set_sampling(GetParam());
  stage<Role::map, Pass>(&front);
  stage<Role::side_effect, MarksAndKeepsOdd>();
  stage<Role::side_effect, Sees<'a'>>();
  run(30);
  EXPECT_EQ(seen("a").size(), 15U);
  expect_own_tags("a");
  EXPECT_EQ(one.completed(), 30U);
  one.binary.stop();
  EXPECT_EQ(g_alive, 0);
}

TEST_P(SampledLocals, GoWithAFailureToItsCatch) {
  one.binary.registry().set_sampling(GetParam());
  stage<Role::map, Pass>(&front);
  stage<Role::map, MarksAndThrows>();
  stage<Role::side_effect, Sees<'a'>>(&back);
  stage<Role::catch_failure, Rescue>();
  run(30);
  EXPECT_EQ(seen("a").size(), 15U);
  EXPECT_EQ(seen("rescue").size(), 15U);
  expect_own_tags("a");
  expect_own_tags("rescue");
}

TEST_P(SampledLocals, EndWhereTheirEventFindsNoCatchAndWhereItIsMadeByTheLastStage) {
  one.binary.registry().set_sampling(GetParam());
  stage<Role::map, MarksAndThrows>(&front);
  stage<Role::side_effect, MarksInPlace>();
  run(30);
  EXPECT_EQ(one.failed(), 15U);
  EXPECT_EQ(one.completed(), 15U);
}

TEST_P(SampledLocals, EndWithWhatAFullQueueRefuses) {
  one.binary.registry().set_sampling(GetParam());
  auto& small = one.binary.pool(pool_settings("small", 1, 1, exec::Overflow::reject));
  stage<Role::map, Marks>(&front);
  stage<Role::side_effect, Sees<'a'>>(&small);
  run(300);
  expect_own_tags("a");
  EXPECT_EQ(seen("a").size(), one.completed());
}

// As what each of the stages behind a fan-out saw of them, in the order of the stages.
struct MarksAll : Marks {
  static Number handle(const Number& number) {
    context().local<Tag>().value = 1;
    context().local<OnlyOne>().value = 2;
    context().set_local(std::make_shared<int>(3));
    return number;
  }
};
template <char name>
struct SeesAll : MarksInPlace {
  static void handle(const Number& /*number*/) {
    const std::lock_guard hold(g_mutex);
    Tag* const tag = context().find_local<Tag>();
    const OnlyOne* const one = context().find_local<OnlyOne>();
    const auto* const shared = context().find_local<std::shared_ptr<int>>();
    auto& seen = g_seen[std::string(1, name)];
    // Each its own copy.
    seen.emplace_back(tag->value++, one != nullptr ? one->value : kNone);
    seen.emplace_back((**shared)++, 0);
  }
};

TEST_F(LocalsTest, AreCopiedWhereAFlowFansOutIfTheyCanBe) {
  stage<Role::map, MarksAll>(&front);
  stage<Role::side_effect, SeesAll<'a'>>().after = {0};
  stage<Role::side_effect, SeesAll<'b'>>().after = {0};
  run(1);
  using Pairs = std::vector<std::pair<int, int>>;
  // What cannot be copied stays with what goes to the last stage; what is shared is one.
  EXPECT_EQ(seen("a"), (Pairs{{1, kNone}, {3, 0}}));
  EXPECT_EQ(seen("b"), (Pairs{{1, 2}, {4, 0}}));
}

struct Told : Completion {
  Told()
      : Completion([](Completion& self, Event& /*event*/, End /*how*/) noexcept {
          auto& told = static_cast<Told&>(self);
          told.alive = g_alive.load();
          told.done = true;
        }) {}
  std::atomic<int> alive{-1};
  std::atomic<bool> done{false};
};

TEST_F(LocalsTest, EndBeforeSomebodyIsToldOfTheEndOfTheirEvent) {
  stage<Role::map, Marks>(&front);
  stage<Role::side_effect, Sees<'a'>>();
  one.start();
  Told told;
  Event& event = one.flow.make_event();
  event.set_value(Number{3});
  event.tell(told);
  one.flow.emit(event);
  ASSERT_TRUE(eventually([&] { return told.done.load(); }));
  EXPECT_EQ(told.alive, 0);
  EXPECT_TRUE(eventually([&] { return one.all_ended(); }));
  expect_own_tags("a");
}

}  // namespace
}  // namespace penstock::flow::locals_test
