// Values that go on together where several ways do: what differs from going one by one must not be
// seen.
#include <atomic>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "penstock/flow/run/compose.hpp"
#include "support/chunked_flow.hpp"

namespace penstock::flow::divide_chunk_test {
namespace {

using namespace chunked;

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

constexpr std::size_t kChunks = kMany / defaults::kMostInChunk + 1;
constexpr std::size_t kThrees = kMany / 10;

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
  EXPECT_LE(seen().stretches.size(), 2U * kChunks);
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
  EXPECT_LE(seen().stretches.size(), 2U * kChunks);
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

TEST_F(BranchingChunks, WhatIsRecoveredOnOneOfTheWaysThatMeetAgainKeepsItsPlace) {
  stage<Role::side_effect, LetPass>("a");
  stage<Role::map, Throws<4>>("even");
  one.flow.stages().back().after = {0};
  one.flow.stages().back().when = {.of = &last_digit, .values = {0, 2, 4, 6, 8}};
  branch<LetPass>("odd", {1, 3, 5, 7, 9});
  stage<Role::catch_failure, Recover>("recover");
  one.flow.stages().back().after = {1, 2};
  one.stage<Role::side_effect, Collect>("both", Kind::single_threaded, front, &back);
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

// --- on several ways each ---

std::vector<int> all_numbers() { return numbers_with({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}); }

// Changes what it has, which nobody else is to see.
struct Spoil : Handler {
  using request_type = Number;
  using response_type = void;
  static void handle(Number& number) { number = {-1, "spoilt"}; }
};

struct FannedChunks : BranchingChunks {
  /// Behind the first stage, or another one.
  template <Role role, class H>
  void way(std::string id, exec::Pool* join = nullptr, std::uint32_t after = 0) {
    stage<role, H>(std::move(id), join);
    one.flow.stages().back().after = {after};
  }
  /// The first events make the handlers.
  void push_and_count(std::uint64_t failed_of_ten = 0) {
    start();
    push(count_to(10));
    wait_for(10);
    SetUp();
    push(count_to(kMany));
    wait_for(kMany + 10);
    const std::uint64_t failed = failed_of_ten * (kThrees + 1);
    EXPECT_EQ(one.failed(), failed);
    EXPECT_EQ(one.completed(), kMany + 10U - failed);
    EXPECT_EQ(one.dropped(), 0U);
  }
};

TEST_F(FannedChunks, GoEachWayTogether) {
  stage<Role::side_effect, LetPass>("a");
  way<Role::side_effect, Collect>("joined", &back);
  way<Role::side_effect, CollectElsewhere>("fused");
  push_and_count();
  EXPECT_EQ(seen().numbers, all_numbers());
  EXPECT_EQ(seen().elsewhere, all_numbers());
  EXPECT_EQ(seen().texts.size(), static_cast<std::size_t>(kMany));
  EXPECT_LE(seen().stretches.size(), 2U * kChunks);
  for (std::size_t at = 0; at < 3; ++at) expect_runs(at, kMany + 10U);
}

TEST_F(FannedChunks, AreCopiesOfEachOther) {
  stage<Role::side_effect, LetPass>("a");
  way<Role::side_effect, Spoil>("spoils");
  way<Role::side_effect, Collect>("b");
  way<Role::side_effect, Spoil>("spoils, too");
  push_and_count();
  EXPECT_EQ(seen().numbers, all_numbers());
  EXPECT_EQ(seen().texts.size(), static_cast<std::size_t>(kMany));
}

TEST_F(FannedChunks, GoOnFromOneFanOutToTheNext) {
  stage<Role::side_effect, LetPass>("a");
  way<Role::side_effect, Collect>("b");
  way<Role::side_effect, LetPass>("c", &back);
  way<Role::side_effect, CollectElsewhere>("d", nullptr, 2);
  way<Role::side_effect, LetPass>("e", nullptr, 2);
  push_and_count();
  EXPECT_EQ(seen().numbers, all_numbers());
  EXPECT_EQ(seen().elsewhere, all_numbers());
  EXPECT_LE(seen().stretches.size(), 2U * kChunks);
  for (std::size_t at = 0; at < 5; ++at) expect_runs(at, kMany + 10U);
}

TEST_F(FannedChunks, GoOneByOneWhereTheirWaysMeetAgain) {
  stage<Role::side_effect, LetPass>("a");
  way<Role::side_effect, LetPass>("b");
  way<Role::side_effect, LetPass>("c");
  stage<Role::side_effect, Collect>("both");
  one.flow.stages().back().after = {1, 2};
  push_and_count();
  std::vector<int> twice;
  for (const int number : all_numbers()) twice.insert(twice.end(), 2, number);
  EXPECT_EQ(seen().numbers, twice);
}

TEST_F(FannedChunks, GoAloneToAStageThatIsNotPlain) {
  stage<Role::side_effect, LetPass>("a");
  way<Role::side_effect, CollectElsewhere>("together", &back);
  one.stage<Role::side_effect, Collect>("turns", Kind::single_threaded, front, &back);
  one.flow.stages().back().after = {0};
  start();
  push(count_to(kMany));
  wait_for(kMany);
  EXPECT_EQ(one.completed(), static_cast<std::uint64_t>(kMany));
  EXPECT_EQ(seen().numbers, all_numbers());
  EXPECT_EQ(seen().elsewhere, all_numbers());
}

struct ComposedFannedChunks : FannedChunks, ::testing::WithParamInterface<bool> {
  template <class... Stages>
  void maybe_compose(std::size_t first) {
    if (GetParam()) one.flow.stages()[first].composed = Composition<Stages...>::composed();
  }
};
INSTANTIATE_TEST_SUITE_P(Composed, ComposedFannedChunks, ::testing::Bool());

// On one way some end before a three is thrown at, so that those behind have moved up.
TEST_P(ComposedFannedChunks, AnEventThatFailsOnTwoWaysFailsOnce) {
  stage<Role::side_effect, LetPass>("a");
  way<Role::map, Odd>("b", &back);
  way<Role::map, Pick>("c", nullptr, 1);
  way<Role::side_effect, Collect>("d", nullptr, 2);
  way<Role::map, Pick>("e");
  way<Role::side_effect, CollectElsewhere>("f", nullptr, 4);
  maybe_compose<As<Odd, Role::map>, As<Pick, Role::map>, As<Collect, Role::side_effect>>(1);
  maybe_compose<As<Pick, Role::map>, As<CollectElsewhere, Role::side_effect>>(4);
  push_and_count(1);
  EXPECT_EQ(seen().numbers, numbers_with({1, 5, 7, 9}));
  EXPECT_EQ(seen().elsewhere, numbers_with({0, 1, 2, 4, 5, 6, 7, 8, 9}));
  expect_runs(1, kMany + 10U);
  expect_runs(2, (kMany + 10U) / 2);
  expect_runs(4, kMany + 10U);
}

TEST_P(ComposedFannedChunks, AThrowOnOneWayEndsNothingOnAnother) {
  stage<Role::side_effect, LetPass>("a");
  way<Role::side_effect, Collect>("b", &back);
  way<Role::map, Pick>("c");
  way<Role::map, Odd>("d", nullptr, 2);
  way<Role::side_effect, CollectElsewhere>("e", nullptr, 3);
  way<Role::catch_failure, Rescue>("f", nullptr, 4);
  maybe_compose<As<Pick, Role::map>, As<Odd, Role::map>>(2);
  push_and_count(1);
  EXPECT_EQ(seen().numbers, all_numbers());
  EXPECT_EQ(seen().elsewhere, numbers_with({1, 5, 7, 9}));
  EXPECT_EQ(seen().failed, std::vector<std::string>(kThrees, "c"));
}

TEST_P(ComposedFannedChunks, WhatIsRecoveredOnOneWayKeepsItsPlaceThere) {
  stage<Role::side_effect, LetPass>("a");
  way<Role::map, Throws<3>>("b");
  way<Role::map, Throws<7>>("c", nullptr, 1);
  way<Role::catch_failure, Recover>("d", nullptr, 2);
  one.stage<Role::side_effect, Collect>("e", Kind::single_threaded, front, &back);
  way<Role::side_effect, CollectElsewhere>("f");
  maybe_compose<As<Throws<3>, Role::map>, As<Throws<7>, Role::map>>(1);
  push_and_count();
  EXPECT_EQ(seen().numbers, all_numbers());
  EXPECT_EQ(seen().elsewhere, all_numbers());
}

// A coroutine, so that its stage takes no chunks.
struct ThrowsAsTask : Throws<3> {
  static Task<Number> handle(const Number& number) { co_return Throws<3>::handle(number); }
};

TEST_F(FannedChunks, WhatIsRecoveredBehindAStageThatIsNotPlainKeepsItsPlace) {
  stage<Role::side_effect, LetPass>("a");
  one.stage<Role::map, ThrowsAsTask>("b", Kind::async_remote, front, nullptr);
  way<Role::catch_failure, Recover>("c", nullptr, 1);
  one.stage<Role::side_effect, Collect>("d", Kind::single_threaded, front, &back);
  way<Role::side_effect, CollectElsewhere>("e");
  push_and_count();
  EXPECT_EQ(seen().numbers, all_numbers());
  EXPECT_EQ(seen().elsewhere, all_numbers());
}

TEST_P(ComposedFannedChunks, AValueThatGetsSomethingToCarryGoesOnAloneInItsPlace) {
  stage<Role::side_effect, LetPass>("a");
  way<Role::map, Give>("b");
  way<Role::map, Odd>("c", nullptr, 1);
  way<Role::side_effect, CollectCarried>("d", &back, 2);
  way<Role::side_effect, CollectElsewhere>("e");
  maybe_compose<As<Give, Role::map>, As<Odd, Role::map>>(1);
  push_and_count();
  std::vector<int> carried;
  for (int value = 7; value <= kMany; value += 50) carried.push_back(value);
  EXPECT_EQ(seen().numbers, numbers_with({1, 3, 5, 7, 9}));
  EXPECT_EQ(seen().elsewhere, all_numbers());
  EXPECT_EQ(seen().carried, carried);
  EXPECT_EQ(seen().others, 0);
}

TEST_P(ComposedFannedChunks, AValueThatGetsSomethingToCarryMayEnd) {
  stage<Role::side_effect, LetPass>("a");
  way<Role::side_effect, GiveInPlace>("b");
  way<Role::side_effect, Collect>("c", nullptr, 1);
  way<Role::side_effect, CollectElsewhere>("d");
  maybe_compose<As<GiveInPlace, Role::side_effect>, As<Collect, Role::side_effect>>(1);
  push_and_count();
  std::vector<int> numbers;
  for (int value = 1; value <= kMany; ++value) {
    if (value % 100 != 7) numbers.push_back(value);
  }
  EXPECT_EQ(seen().numbers, numbers);
  EXPECT_EQ(seen().elsewhere, all_numbers());
  expect_runs(2, kMany + 10U - 3);  // with the 7 of the first ten
}

TEST_F(FannedChunks, WhatCarriesADeadlineGoesAloneAndInItsTurn) {
  stage<Role::side_effect, LetPass>("a");
  way<Role::side_effect, Collect>("b", &back);
  way<Role::side_effect, CollectElsewhere>("c");
  start();
  for (int push_of = 0; push_of < 3; ++push_of) push(count_to(4), now_ns() + 1'000'000'000'000);
  wait_for(12);
  const std::vector<int> expected{1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4};
  EXPECT_EQ(seen().numbers, expected);
  EXPECT_EQ(seen().elsewhere, expected);
}

TEST_F(FannedChunks, AreAsManyAtOnceAsAWayTakes) {
  constexpr std::uint32_t kAtOnce = 5;
  stage<Role::side_effect, LetPass>("a");
  way<Role::side_effect, CollectElsewhere>("fused");
  way<Role::side_effect, LetPass>("joined", &back);
  start();
  push(count_to(1));
  wait_for(1);
  SetUp();
  one.flow.stages()[1].at_once = kAtOnce;
  push(count_to(kMany));
  wait_for(kMany + 1);
  EXPECT_EQ(seen().elsewhere, all_numbers());
  EXPECT_GE(seen().stretches.size(), kMany / kAtOnce);
  EXPECT_LT(seen().stretches.size(), kMany / 2U);
}

TEST_F(FannedChunks, KnowTheirEventsWhereTheyAreDividedOnceMore) {
  stage<Role::side_effect, LetPass>("a");
  way<Role::side_effect, LetPass>("b");
  way<Role::map, Pick>("c", &back);
  start();
  push(count_to(1));
  wait_for(1);
  one.flow.stages()[1].at_once = 7;
  one.flow.stages()[2].at_once = 5;
  push(count_to(kMany));
  wait_for(kMany + 1);
  EXPECT_EQ(one.failed(), kThrees);
  EXPECT_EQ(one.completed(), kMany + 1U - kThrees);
}

TEST_F(FannedChunks, CountAsManyInEachQueueAsTheyAre) {
  Held::gate.close();
  stage<Role::side_effect, LetPass>("a");
  way<Role::side_effect, Held>("held", &back);
  way<Role::side_effect, Collect>("b");
  start();
  push({Number{-1, {}}});
  Held::gate.wait_for_one();
  push(count_to(kMany));
  ASSERT_TRUE(eventually([&] { return back.depth().queued == kMany; }));
  EXPECT_EQ(one.completed(), 0U);
  Held::gate.open();
  wait_for(kMany + 1);
  EXPECT_EQ(one.completed(), kMany + 1U);
}

TEST_F(FannedChunks, AreRefusedValueByValueByAQueueThatRejects) {
  Held::gate.close();
  stage<Role::side_effect, LetPass>("a");
  way<Role::side_effect, Held>("held", &back);
  way<Role::side_effect, Collect>("b");
  start();
  back.set_limits(5, exec::Overflow::reject);
  push({Number{-1, {}}});
  Held::gate.wait_for_one();
  push(count_to(20));
  ASSERT_TRUE(eventually([&] { return one.dropped() == 15; }));
  Held::gate.open();
  wait_for(21);
  EXPECT_EQ(one.completed(), 6U);
  EXPECT_EQ(seen().numbers.size(), 21U);
}

TEST_F(FannedChunks, FollowJoinsThatChangeWhileTheyWait) {
  Held::gate.close();
  stage<Role::side_effect, Held>("held", nullptr, &back);
  way<Role::side_effect, Collect>("b");
  way<Role::side_effect, CollectElsewhere>("c", &front);
  start();
  push({Number{-1, {}}});
  Held::gate.wait_for_one();
  push(count_to(kMany));
  ASSERT_TRUE(eventually([&] { return back.depth().queued == kMany; }));
  one.flow.set_join(one.flow.stages()[1], &front);
  one.flow.set_join(one.flow.stages()[2], nullptr);
  Held::gate.open();
  wait_for(kMany + 1);
  EXPECT_EQ(one.completed(), kMany + 1U);
  EXPECT_EQ(seen().numbers.size(), kMany + 1U);
  EXPECT_EQ(seen().elsewhere.size(), kMany + 1U);
}

TEST_F(FannedChunks, TakeTheirTimesOnEachWay) {
  stage<Role::side_effect, LetPass>("a");
  way<Role::side_effect, Collect>("b", &back);
  way<Role::side_effect, CollectElsewhere>("c");
  start();
  const Nanos began = now_ns();
  one.binary.registry().set_sampling(128);  // before a thread draws its next sample
  push(count_to(1));
  wait_for(1);
  push(count_to(kMany));
  wait_for(kMany + 1);
  const auto took = static_cast<std::uint64_t>(now_ns() - began);
  std::vector<std::uint64_t> samples;
  for (const Stage& stage : one.flow.stages()) {
    metrics::HistogramSum runs;
    one.binary.registry().collect(stage.timers.run, runs);
    EXPECT_LE(runs.sum_ns, took) << stage.id;
    samples.push_back(std::accumulate(runs.buckets.begin(), runs.buckets.end(), std::uint64_t{0}));
  }
  EXPECT_EQ(one.completed(), kMany + 1U);
  // On all ways those of the same values.
  EXPECT_GE(samples[1], 2U);
  EXPECT_EQ(samples[1], samples[2]);
}

// A value of which not every copy can be made.
struct Brittle {
  int value = 0;
  std::atomic<int>* copies = nullptr;

  Brittle(int value_, std::atomic<int>* copies_) : value(value_), copies(copies_) {}
  Brittle(const Brittle& other) : value(other.value), copies(other.copies) {
    if (value % 10 == 3) throw Error(ErrorCode::aborted, "a three");
    if (copies != nullptr) ++*copies;
  }
  Brittle(Brittle&& other) noexcept = default;
  Brittle& operator=(const Brittle&) = delete;
  ~Brittle() = default;
};
struct LetBrittlePass : Handler {
  using request_type = Brittle;
  using response_type = void;
  static void handle(const Brittle& /*brittle*/) {}
};
struct CountBrittle : LetBrittlePass {
  static void handle(const Brittle& /*brittle*/) { ++count; }
  static inline std::atomic<int> count{0};
};
struct CountBrittleElsewhere : LetBrittlePass {
  static void handle(const Brittle& /*brittle*/) { ++count; }
  static inline std::atomic<int> count{0};
};

TEST_F(FannedChunks, AValueOfWhichThereIsNoCopyIsDroppedAndTheOthersGoOn) {
  CountBrittle::count = 0;
  CountBrittleElsewhere::count = 0;
  stage<Role::side_effect, LetBrittlePass>("a");
  way<Role::side_effect, CountBrittle>("b");
  way<Role::side_effect, CountBrittleElsewhere>("c");
  start();
  struct PushBrittle : exec::Job {
    OneFlow* one = nullptr;
    // What counts completed events orders nothing else.
    std::atomic<int> copies{0};
    std::atomic<int> last{0};
  } push;
  push.one = &one;
  push.run = [](exec::Job& job) noexcept {
    auto& mine = static_cast<PushBrittle&>(job);
    // Read once: with the last value done the test goes on, and writes them anew.
    Flow& flow = mine.one->flow;
    const int last = mine.last;
    std::atomic<int>* const copies = &mine.copies;
    call::Activation activation;
    activation.implementation = flow.stages().front().only_implementation;
    const call::Activating activating(&activation);
    for (int value = 1; value <= last; ++value) flow.push(Brittle{value, copies});
  };
  push.last = 1;
  pusher.worker(0).post(push);
  wait_for(1);
  push.last = kMany;
  push.copies = 0;
  pusher.worker(0).post(push);
  wait_for(kMany + 1);
  EXPECT_EQ(one.dropped(), kThrees);
  EXPECT_EQ(one.completed(), kMany + 1U - kThrees);
  EXPECT_EQ(CountBrittle::count, static_cast<int>(kMany + 1 - kThrees));
  EXPECT_EQ(CountBrittleElsewhere::count, kMany + 1);
  // One for each way but the last.
  EXPECT_EQ(push.copies, static_cast<int>(kMany - kThrees));
}

}  // namespace
}  // namespace penstock::flow::divide_chunk_test
