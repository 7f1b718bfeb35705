// Values that go through plain stages together: what differs from going one by one must not be
// seen.
#include <gtest/gtest.h>

#include <deque>
#include <latch>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "penstock/flow/graph/flow.hpp"
#include "penstock/flow/run/compose.hpp"
#include "support/gate.hpp"
#include "support/one_flow.hpp"

namespace penstock::flow::chunk_test {
namespace {

using testing::eventually;
using testing::OneFlow;
using testing::pool_settings;

constexpr int kMany = 200;

struct Number {
  int value = 0;
  std::string text;  // moves, and is to be destroyed once
};

struct Twice : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& number) { return {number.value * 2, number.text}; }
};
struct Odd : Handler {
  using request_type = Number;
  using response_type = Number;
  static std::optional<Number> handle(const Number& number) {
    if (number.value % 2 == 0) return std::nullopt;
    return number;
  }
};
struct Pick : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& number) {
    if (number.value % 10 == 3) throw Error(ErrorCode::aborted, "a three");
    return number;
  }
};
// Gives some something to carry.
struct Give : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& number) {
    give(number);
    return number;
  }
  static void give(const Number& number) {
    if (number.value % 50 == 7) context().local<std::string>() = number.text;
  }
};
struct GiveInPlace : Give {
  using response_type = void;
  static Verdict handle(const Number& number) {
    give(number);
    return keep_if(number.value % 100 != 7);
  }
};
struct GiveOrThrow : Give {
  static Number handle(const Number& number) {
    give(number);
    if (number.value % 100 == 57) throw Error(ErrorCode::aborted, "one in a hundred");
    return number;
  }
};
std::mutex g_mutex;
// What came to the last stages. Under the mutex.
struct Seen {
  std::vector<int> numbers;
  std::vector<int> elsewhere;
  std::set<std::string> texts;
  std::set<std::uint64_t> stretches;  // of work that they belonged to
  std::vector<std::string> failed;    // stages
  std::vector<int> carried;           // numbers that came with their own text
  int others = 0;                     // or with one of another number
};
Seen g_seen;

Seen seen() {
  const std::lock_guard hold(g_mutex);
  return g_seen;
}

struct Collect : Handler {
  using request_type = Number;
  using response_type = void;
  static void handle(const Number& number) {
    const std::lock_guard hold(g_mutex);
    g_seen.numbers.push_back(number.value);
    g_seen.texts.insert(number.text);
    g_seen.stretches.insert(call::t_turn.count.load());
  }
};
struct CollectElsewhere : Collect {
  static void handle(const Number& number) {
    const std::lock_guard hold(g_mutex);
    g_seen.elsewhere.push_back(number.value);
    g_seen.texts.insert(number.text);
    g_seen.stretches.insert(call::t_turn.count.load());
  }
};
struct LetPass : Handler {
  using request_type = Number;
  using response_type = void;
  static void handle(const Number& /*number*/) {}
};
struct CollectCarried : Collect {
  static void handle(const Number& number) {
    Collect::handle(number);
    const std::string* const text = context().find_local<std::string>();
    if (text == nullptr) return;
    const std::lock_guard hold(g_mutex);
    if (*text == number.text) {
      g_seen.carried.push_back(number.value);
    } else {
      ++g_seen.others;
    }
  }
};
struct Rescue : Handler {
  using request_type = Failure;
  using response_type = void;
  static void handle(const Failure& failure) {
    const std::lock_guard hold(g_mutex);
    g_seen.failed.push_back(failure.stage);
  }
};
struct RescueCarried : Handler {
  using request_type = Failure;
  using response_type = void;
  static void handle(const Failure& failure) {
    const std::lock_guard hold(g_mutex);
    g_seen.failed.push_back(failure.stage + " " + context().local<std::string>());
  }
};
struct Held : Handler {
  using request_type = Number;
  using response_type = void;
  static void handle(const Number& number) {
    if (number.value < 0) gate.pass();
  }
  static inline testing::Gate gate;
};

/// On its worker, as a handler that is known to be quick.
struct Push : exec::Job {
  OneFlow* one = nullptr;
  std::vector<Number> numbers;
  Nanos deadline_of_last = 0;
};

struct Chunks : ::testing::Test {
  OneFlow one;
  exec::Pool& front = one.binary.pool(pool_settings("front", 1));
  exec::Pool& back = one.binary.pool(pool_settings("back", 1));
  exec::Pool& pusher = one.binary.pool(pool_settings("pusher", 1));
  std::deque<Push> pushes;

  void SetUp() override {
    const std::lock_guard hold(g_mutex);
    g_seen = {};
  }
  void TearDown() override {
    Held::gate.open();
    one.binary.stop();
  }

  template <Role role, class H>
  void stage(std::string id, exec::Pool* join = nullptr, exec::Pool* pool = nullptr) {
    one.stage<role, H>(std::move(id), Kind::simple, pool != nullptr ? *pool : front, join);
  }
  void start() {
    // By what is set here alone, however slow the machine is.
    one.binary.registry().set_sampling(0);
    one.start();
    for (Stage& stage : one.flow.stages()) {
      stage.at_once = defaults::kMostInChunk;
      if (stage.plain) stage.only_implementation->pace.note(0);
    }
  }
  // As one job.
  void push(std::vector<Number> numbers, Nanos deadline_of_last = 0) {
    Push& push = pushes.emplace_back();
    push.one = &one;
    push.numbers = std::move(numbers);
    push.deadline_of_last = deadline_of_last;
    push.run = [](exec::Job& job) noexcept {
      auto& mine = static_cast<Push&>(job);
      call::Activation activation;
      activation.implementation = mine.one->flow.stages().front().service->implementations.front();
      const call::Activating activating(&activation);
      for (Number& number : mine.numbers) {
        if (&number == &mine.numbers.back()) activation.context.deadline_ns = mine.deadline_of_last;
        mine.one->flow.push(std::move(number));
      }
    };
    pusher.worker(0).post(push);
  }
  static std::vector<Number> count_to(int last) {
    std::vector<Number> numbers;
    for (int value = 1; value <= last; ++value) {
      numbers.push_back({value, "the text of number " + std::to_string(value)});
    }
    return numbers;
  }
  void wait_for(std::uint64_t emitted) {
    ASSERT_TRUE(eventually([&] { return one.emitted() == emitted && one.all_ended(); }));
  }
};

TEST_F(Chunks, GoThroughEveryStageInOrderAndTogether) {
  stage<Role::map, Twice>("a");
  stage<Role::map, Twice>("b", &back);
  stage<Role::side_effect, Collect>("c");
  start();
  // The first event of a worker makes its handlers.
  push(count_to(1));
  wait_for(1);
  SetUp();
  push(count_to(kMany));
  wait_for(kMany + 1);
  EXPECT_EQ(one.completed(), static_cast<std::uint64_t>(kMany + 1));
  const std::vector<int> numbers = seen().numbers;
  ASSERT_EQ(numbers.size(), static_cast<std::size_t>(kMany));
  for (int at = 0; at < kMany; ++at) {
    EXPECT_EQ(numbers[static_cast<std::size_t>(at)], 4 * (at + 1));
  }
  EXPECT_EQ(seen().texts.size(), static_cast<std::size_t>(kMany));
  EXPECT_EQ(seen().stretches.size(), (kMany + defaults::kMostInChunk - 1) / defaults::kMostInChunk);
}

TEST_F(Chunks, CountEachValueOfEachStage) {
  stage<Role::map, Twice>("a");
  stage<Role::side_effect, Collect>("b", &back);
  start();
  push(count_to(kMany));
  wait_for(kMany);
  for (const Stage& stage : one.flow.stages()) {
    EXPECT_EQ(one.flow.runs(stage), static_cast<std::uint64_t>(kMany)) << stage.id;
    EXPECT_EQ(stage.only_implementation->sent_events(), static_cast<std::uint64_t>(kMany));
    EXPECT_EQ(stage.only_implementation->done_count(), static_cast<std::uint64_t>(kMany));
  }
}

struct ComposedChunks : Chunks, ::testing::WithParamInterface<bool> {
  template <class... Stages>
  void maybe_compose() {
    if (GetParam()) one.flow.stages().front().composed = Composition<Stages...>::composed();
  }
};
INSTANTIATE_TEST_SUITE_P(Composed, ComposedChunks, ::testing::Bool());

TEST_P(ComposedChunks, AValueThatGetsSomethingToCarryGoesOnAloneInItsPlace) {
  stage<Role::map, Give>("a");
  stage<Role::map, Twice>("b");
  stage<Role::map, Twice>("c", &back);
  stage<Role::side_effect, CollectCarried>("d");
  maybe_compose<As<Give, Role::map>, As<Twice, Role::map>>();
  start();
  push(count_to(1));
  wait_for(1);
  SetUp();
  push(count_to(kMany));
  wait_for(kMany + 1);
  std::vector<int> numbers;
  std::vector<int> carried;
  for (int value = 1; value <= kMany; ++value) {
    numbers.push_back(4 * value);
    if (value % 50 == 7) carried.push_back(4 * value);
  }
  EXPECT_EQ(seen().numbers, numbers);
  EXPECT_EQ(seen().carried, carried);
  EXPECT_EQ(seen().others, 0);
  for (const Stage& stage : one.flow.stages()) {
    EXPECT_EQ(one.flow.runs(stage), kMany + 1U) << stage.id;
    EXPECT_EQ(stage.only_implementation->sent_events(), kMany + 1U) << stage.id;
  }
}

TEST_P(ComposedChunks, AValueThatGetsSomethingToCarryMayEndOrThrow) {
  stage<Role::side_effect, GiveInPlace>("a");
  stage<Role::map, GiveOrThrow>("b");
  stage<Role::side_effect, CollectCarried>("c");
  stage<Role::catch_failure, RescueCarried>("d");
  maybe_compose<As<GiveInPlace, Role::side_effect>, As<GiveOrThrow, Role::map>>();
  start();
  push(count_to(1));
  wait_for(1);
  SetUp();
  push(count_to(kMany));
  wait_for(kMany + 1);
  // Those of 7 and 107 end, with what they carry, and 57 and 157 throw.
  EXPECT_EQ(seen().numbers.size(), kMany - 4U);
  EXPECT_EQ(seen().failed,
            (std::vector<std::string>{"b the text of number 57", "b the text of number 157"}));
  EXPECT_EQ(seen().carried, std::vector<int>{});
  EXPECT_EQ(one.failed(), 2U);
  EXPECT_EQ(one.completed(), kMany - 1U);
}

std::int64_t last_digit(const void* number) {
  return static_cast<const Number*>(number)->value % 10;
}

std::vector<int> numbers_with(const std::set<int>& last_digits) {
  std::vector<int> numbers;
  for (int value = 1; value <= kMany; ++value) {
    if (last_digits.count(value % 10) != 0) numbers.push_back(value);
  }
  return numbers;
}

struct BranchingChunks : Chunks {
  /// Behind the first stage, for numbers with these last digits.
  template <class H>
  void branch(std::string id, std::vector<std::int64_t> digits, exec::Pool* join = nullptr) {
    stage<Role::side_effect, H>(std::move(id), join);
    one.flow.stages().back().after = {0};
    one.flow.stages().back().when = {.of = &last_digit, .values = std::move(digits)};
  }
  /// The first events make the handlers.
  void push_all() {
    start();
    push(count_to(10));
    wait_for(10);
    SetUp();
    push(count_to(kMany));
    wait_for(kMany + 10);
    EXPECT_EQ(one.completed(), kMany + 10U);
    EXPECT_EQ(one.dropped(), 0U);
  }
  void expect_runs(std::size_t at, std::uint64_t runs) {
    const Stage& stage = one.flow.stages()[at];
    EXPECT_EQ(one.flow.runs(stage), runs) << stage.id;
    EXPECT_EQ(stage.only_implementation->sent_events(), runs) << stage.id;
    EXPECT_EQ(stage.only_implementation->done_count(), runs) << stage.id;
  }
};

TEST_F(BranchingChunks, WhatGoesTheSameWayStaysTogether) {
  stage<Role::side_effect, LetPass>("a");
  branch<Collect>("joined", {1, 2, 3}, &back);
  branch<CollectElsewhere>("fused", {4, 5, 6});
  push_all();
  EXPECT_EQ(seen().numbers, numbers_with({1, 2, 3}));
  EXPECT_EQ(seen().elsewhere, numbers_with({4, 5, 6}));
  EXPECT_EQ(seen().texts.size(), kMany / 10 * 6U);
  // Those of a chunk, on each way.
  EXPECT_LE(seen().stretches.size(), 2U * (kMany / defaults::kMostInChunk + 1));
  expect_runs(0, kMany + 10U);
  expect_runs(1, (kMany + 10U) / 10 * 3);
  expect_runs(2, (kMany + 10U) / 10 * 3);
}

TEST_F(BranchingChunks, WhatGoesSeveralWaysKeepsItsPlaceOnEach) {
  stage<Role::side_effect, LetPass>("a");
  branch<Collect>("joined", {0, 1, 2, 3}, &back);
  branch<CollectElsewhere>("fused", {0, 4, 5, 6});
  push_all();
  EXPECT_EQ(seen().numbers, numbers_with({0, 1, 2, 3}));
  EXPECT_EQ(seen().elsewhere, numbers_with({0, 4, 5, 6}));
  expect_runs(1, (kMany + 10U) / 10 * 4);
  expect_runs(2, (kMany + 10U) / 10 * 4);
}

TEST_F(BranchingChunks, WaysThatMeetAgainKeepTheOrderOfBoth) {
  stage<Role::side_effect, LetPass>("a");
  branch<LetPass>("even", {0, 2, 4, 6, 8});
  branch<LetPass>("odd", {1, 3, 5, 7, 9});
  stage<Role::side_effect, Collect>("both");
  one.flow.stages().back().after = {1, 2};
  push_all();
  EXPECT_EQ(seen().numbers, numbers_with({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST_F(BranchingChunks, AFullQueueThatRejectsCountsEach) {
  Held::gate.close();
  stage<Role::side_effect, LetPass>("a");
  branch<Held>("held", {-1, 1, 2, 3}, &back);
  branch<Collect>("fused", {4, 5, 6});
  start();
  back.set_limits(5, exec::Overflow::reject);
  push({Number{-1, {}}});
  Held::gate.wait_for_one();
  push(count_to(20));
  ASSERT_TRUE(eventually([&] { return one.dropped() == 1; }));
  Held::gate.open();
  wait_for(21);
  EXPECT_EQ(one.completed(), 20U);
  EXPECT_EQ(seen().numbers, (std::vector<int>{4, 5, 6, 14, 15, 16}));
}

TEST_F(Chunks, AFailureGoesToItsCatchAndTheOthersGoOn) {
  stage<Role::map, Pick>("pick");
  stage<Role::side_effect, Collect>("collect", &back);
  stage<Role::catch_failure, Rescue>("rescue");
  start();
  push(count_to(kMany));
  wait_for(kMany);
  constexpr std::size_t kThrees = kMany / 10;
  EXPECT_EQ(seen().numbers.size(), kMany - kThrees);
  EXPECT_EQ(seen().failed, std::vector<std::string>(kThrees, "pick"));
  EXPECT_EQ(one.failed(), kThrees);
  EXPECT_EQ(one.completed(), kMany - kThrees);
}

TEST_F(Chunks, AHandlerMayEndSomeOfThem) {
  stage<Role::map, Odd>("odd");
  stage<Role::map, Twice>("twice");
  stage<Role::side_effect, Collect>("collect", &back);
  start();
  push(count_to(kMany));
  wait_for(kMany);
  EXPECT_EQ(one.completed(), static_cast<std::uint64_t>(kMany));
  const std::vector<int> numbers = seen().numbers;
  ASSERT_EQ(numbers.size(), static_cast<std::size_t>(kMany / 2));
  for (int at = 0; at < kMany / 2; ++at) {
    EXPECT_EQ(numbers[static_cast<std::size_t>(at)], 2 * (2 * at + 1));
  }
}

TEST_F(Chunks, WhatCarriesADeadlineGoesAloneAndInItsTurn) {
  stage<Role::map, Twice>("a");
  stage<Role::side_effect, Collect>("b");
  start();
  for (int push_of = 0; push_of < 3; ++push_of) push(count_to(7), now_ns() + 1'000'000'000'000);
  wait_for(21);
  const std::vector<int> once{2, 4, 6, 8, 10, 12, 14};
  std::vector<int> expected;
  for (int of = 0; of < 3; ++of) expected.insert(expected.end(), once.begin(), once.end());
  EXPECT_EQ(seen().numbers, expected);
}

TEST_F(Chunks, WaitForNoOtherJobWhereTheHandlerTakesLong) {
  stage<Role::side_effect, Collect>("a", nullptr, &back);
  // Nothing is known of the handler that pushes.
  one.binary.registry().set_sampling(0);
  one.start();
  push(count_to(9));
  wait_for(9);
  EXPECT_EQ(seen().stretches.size(), 9U);
}

TEST_F(Chunks, AreNotKeptForAJobThatMayTakeLong) {
  std::latch all_posted(1);
  Held::gate.close();
  stage<Role::side_effect, Collect>("a");
  // Behind the job that pushes, on its worker; nothing is known of its handler.
  Flow other{"G"};
  app::StageBinding binding = app::bind_stage<Role::side_effect, Held>("held", "held");
  other.fit(binding.value_bytes);
  app::set_up(other.add_stage(), one.binary.service<Held>("held", Kind::simple, pusher),
              std::move(binding));
  one.binary.enroll(other);
  start();
  struct Wait : exec::Job {
    std::latch* until = nullptr;
  } wait;
  wait.until = &all_posted;
  wait.run = [](exec::Job& job) noexcept { static_cast<Wait&>(job).until->wait(); };
  pusher.worker(0).post(wait);
  push(count_to(3));
  Event& event = other.make_event();
  event.set_value(Number{-1, {}});
  other.emit(event);
  all_posted.count_down();
  wait_for(3);
  Held::gate.open();
  one.binary.stop();
}

TEST_F(Chunks, CountAsManyInAQueueAsTheyAre) {
  Held::gate.close();
  stage<Role::side_effect, Held>("held");
  start();
  push({Number{-1, {}}});
  Held::gate.wait_for_one();
  push(count_to(kMany));
  ASSERT_TRUE(eventually([&] { return front.depth().queued == kMany; }));
  Held::gate.open();
  wait_for(kMany + 1);
  EXPECT_EQ(front.depth().queued, 0U);
}

TEST_F(Chunks, TakeTheirTimesWhereSamplingEndsWhileTheyWait) {
  Held::gate.close();
  stage<Role::side_effect, Held>("held");
  start();
  metrics::Registry& registry = one.binary.registry();
  const Nanos began = now_ns();
  registry.set_sampling(128);  // before a thread draws its next sample
  push({Number{-1, {}}});
  Held::gate.wait_for_one();
  push(count_to(kMany));
  ASSERT_TRUE(eventually([&] { return front.depth().queued == kMany; }));
  registry.set_sampling(0);
  Held::gate.open();
  wait_for(kMany + 1);
  metrics::HistogramSum runs;
  registry.collect(one.flow.stages().front().timers.run, runs);
  EXPECT_FALSE(runs.buckets.empty());
  EXPECT_LE(runs.sum_ns, static_cast<std::uint64_t>(now_ns() - began));
}

TEST_F(Chunks, FollowAJoinThatChangesWhileTheyWait) {
  Held::gate.close();
  stage<Role::side_effect, Held>("held", nullptr, &back);
  stage<Role::side_effect, Collect>("collect");
  start();
  push({Number{-1, {}}});
  Held::gate.wait_for_one();
  push(count_to(kMany));
  ASSERT_TRUE(eventually([&] { return back.depth().queued == kMany; }));
  one.flow.set_join(one.flow.stages()[1], &front);
  Held::gate.open();
  wait_for(kMany + 1);
  EXPECT_EQ(seen().numbers.size(), static_cast<std::size_t>(kMany + 1));
}

TEST_F(Chunks, AreRefusedValueByValueByAQueueThatRejects) {
  Held::gate.close();
  stage<Role::side_effect, Held>("held", &back);
  start();
  back.set_limits(5, exec::Overflow::reject);
  push({Number{-1, {}}});
  Held::gate.wait_for_one();
  push(count_to(20));
  ASSERT_TRUE(eventually([&] { return one.dropped() == 15; }));
  Held::gate.open();
  wait_for(21);
  EXPECT_EQ(one.completed(), 6U);
}

}  // namespace
}  // namespace penstock::flow::chunk_test
