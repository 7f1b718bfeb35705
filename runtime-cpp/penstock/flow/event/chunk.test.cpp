// Values that go through plain stages together: what differs from going one by one must not be
// seen.
#include <latch>
#include <optional>
#include <string>
#include <vector>

#include "penstock/flow/run/compose.hpp"
#include "support/chunked_flow.hpp"

namespace penstock::flow::chunk_test {
namespace {

using namespace chunked;

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

struct RecoveredChunks : ComposedChunks {
  // The first of them find no handlers, and go one by one.
  void expect_order_at(exec::Pool* join) {
    stage<Role::map, Throws<7>>("a");
    stage<Role::map, Throws<3>>("b");
    stage<Role::catch_failure, Recover>("c");
    one.stage<Role::side_effect, Collect>("d", Kind::single_threaded, front, join);
    maybe_compose<As<Throws<7>, Role::map>, As<Throws<3>, Role::map>>();
    start();
    std::vector<int> numbers;
    for (int value = 1; value <= kMany; ++value) numbers.push_back(value);
    for (std::uint64_t pushed = kMany; pushed <= 3 * kMany; pushed += kMany) {
      SetUp();
      push(count_to(kMany));
      wait_for(pushed);
      EXPECT_EQ(seen().numbers, numbers);
    }
    EXPECT_EQ(one.completed(), 3U * kMany);
    for (const Stage& stage : one.flow.stages()) {
      const std::uint64_t runs = 3U * kMany / 10 * (stage.id == "b" ? 9 : stage.id == "c" ? 2 : 10);
      EXPECT_EQ(one.flow.runs(stage), runs) << stage.id;
      EXPECT_EQ(stage.service->implementations.front()->sent_events(), runs) << stage.id;
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Composed, RecoveredChunks, ::testing::Bool());

TEST_P(RecoveredChunks, KeepTheirPlacesBeforeAStageThatTakesOneAtATime) {
  expect_order_at(nullptr);
}

TEST_P(RecoveredChunks, KeepTheirPlacesInTheQueueOfAJoin) { expect_order_at(&back); }

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

TEST_F(Chunks, GoTogetherAfterALookAtTheFiguresWhereNothingIsSampled) {
  stage<Role::side_effect, Collect>("a");
  start();
  push(count_to(1));
  wait_for(1);
  EXPECT_EQ(one.flow.follow_events(), nullptr);
  SetUp();
  push(count_to(kMany));
  wait_for(kMany + 1);
  EXPECT_EQ(seen().numbers.size(), static_cast<std::size_t>(kMany));
  EXPECT_EQ(seen().stretches.size(), (kMany + defaults::kMostInChunk - 1) / defaults::kMostInChunk);
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
