#include "penstock/flow/graph/flow.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "penstock/exec/affinity.hpp"
#include "penstock/flow/source/rate_source.hpp"
#include "support/gate.hpp"
#include "support/small_binary.hpp"

namespace penstock::flow::flow_test {
namespace {

using namespace std::chrono_literals;
using penstock::testing::eventually;
using penstock::testing::pool_settings;
using penstock::testing::SmallBinary;

struct Word {
  std::string text;
};
struct Length {
  int value = 0;
};

// What the sinks saw; the tests of a suite run one after another.
std::mutex g_mutex;
std::vector<int> g_lengths;
std::vector<Failure> g_failures;
std::vector<int> g_threads;
void note_thread() {
  const std::lock_guard hold(g_mutex);
  g_threads.push_back(exec::this_tid());
}
std::size_t seen() {
  const std::lock_guard hold(g_mutex);
  return g_lengths.size();
}

struct Measure : Handler {
  using request_type = Word;
  using response_type = Length;
  static Length handle(const Word& word) {
    note_thread();
    if (word.text == "bad") throw Error(ErrorCode::invalid_argument, "bad word");
    return {static_cast<int>(word.text.size())};
  }
};
struct SlowMeasure : Measure {
  static Task<Length> handle(const Word& word) {
    co_await sleep_for(1ms);
    if (word.text == "bad") throw Error(ErrorCode::invalid_argument, "bad word");
    co_return Length{static_cast<int>(word.text.size())};
  }
};
struct Note : Handler {
  using request_type = Length;
  using response_type = void;
  static void handle(const Length& length) {
    note_thread();
    const std::lock_guard hold(g_mutex);
    g_lengths.push_back(length.value);
  }
};
// Exclusive, or the vector breaks.
struct NoteAlone : Note {
  void handle(const Length& length) {
    if (busy.exchange(true)) throw Error(ErrorCode::internal, "two at once");
    Note::handle(length);
    busy.store(false);
  }
  std::atomic<bool> busy{false};
};
struct Recover : Handler {
  using request_type = Failure;
  using response_type = Length;
  static Length handle(const Failure& failure) {
    const std::lock_guard hold(g_mutex);
    g_failures.push_back(failure);
    return {-1};
  }
};
struct Take : Handler {
  using request_type = Failure;
  using response_type = void;
  static void handle(const Failure& failure) {
    const std::lock_guard hold(g_mutex);
    g_failures.push_back(failure);
  }
};
struct Parcel {
  int lane = 0;
  int number = 0;
};
// One at a time and in order in each lane. Each lane has its own counter, so a thread sanitizer
// sees two at a time, too.
std::array<int, 10> g_next_in_lane{};
std::atomic<int> g_unsorted{0};
struct Sort : Handler {
  using request_type = Parcel;
  using response_type = Length;
  static constexpr auto partition_by = &Parcel::lane;
  static Task<Length> handle(const Parcel& parcel) {
    int& next = g_next_in_lane[static_cast<std::size_t>(parcel.lane)];
    if (next != parcel.number) ++g_unsorted;
    if (parcel.number % 8 == 0) co_await sleep_for(std::chrono::microseconds(100));
    next = parcel.number + 1;
    if (parcel.number % 5 == 0) throw Error(ErrorCode::invalid_argument, "bad parcel");
    co_return Length{parcel.lane};
  }
};
struct TakeByStage : Take {
  static constexpr auto partition_by = &Failure::stage;
};
struct Words {
  static Word event(std::uint64_t sequence) {
    return {sequence % 4 == 3 ? "bad" : std::string(sequence % 100, 'x')};
  }
};

penstock::testing::Gate g_gate;
struct NoteBehindAGate : Handler {
  using request_type = Word;
  using response_type = void;
  static void handle(const Word& word) {
    g_gate.pass();
    const std::lock_guard hold(g_mutex);
    g_lengths.push_back(static_cast<int>(word.text.size()));
  }
};

struct FlowTest : ::testing::Test {
  SmallBinary binary;
  Flow flow{"Words"};

  void SetUp() override {
    g_lengths.clear();
    g_failures.clear();
    g_threads.clear();
  }
  // Threads end before the flow that they run.
  void TearDown() override {
    g_gate.open();
    binary.stop();
  }

  template <Role role, class H>
  void stage(std::string id, call::Service& service, exec::Pool* join = nullptr) {
    auto binding = app::bind_stage<role, H>(std::move(id), service.name.str());
    flow.fit(binding.value_bytes);
    Stage& stage = flow.add_stage();
    app::set_up(stage, service, std::move(binding));
    stage.join = join;
  }
  void start() {
    flow.fit(sizeof(Word));
    binary.enroll(flow);
    binary.start();
  }
  void emit(std::string text) {
    Event& event = flow.make_event();
    event.set_value(Word{std::move(text)});
    flow.emit(event);
  }
  std::uint64_t count(std::uint32_t counter) { return binary.registry().count(counter); }
  // Counters order nothing: the lock makes what the handlers noted visible to the test.
  bool ended(std::uint64_t events) {
    const bool all = eventually([&] {
      const Flow::Counters& ids = flow.counters();
      return count(ids.completed) + count(ids.failed) + count(ids.dropped) == events;
    });
    const std::lock_guard noted(g_mutex);
    return all;
  }
};

TEST_F(FlowTest, EmitsNothingAfterAPauseThatCameWhileTheQueueWasFull) {
  auto& pool = binary.pool(pool_settings("a", 1, 1));
  auto& note = binary.service<NoteBehindAGate>("Note", Kind::simple, pool);
  stage<Role::side_effect, NoteBehindAGate>("note", note, &pool);
  RateSource source(flow, app::source_type_of<Words>(), 1e6);
  start();
  g_gate.close();
  source.start(0);
  // One event stands at the gate and one fills the queue: now the source waits for room, and not
  // only until the worker has taken the first.
  constexpr std::uint64_t emitted = 2;
  ASSERT_TRUE(eventually(
      [&] { return count(flow.counters().emitted) == emitted && pool.depth().blocked == 1; }));
  source.set_per_second(0);
  g_gate.open();
  EXPECT_TRUE(ended(emitted));
  EXPECT_TRUE(eventually([&] { return pool.depth().blocked == 0; }));  // and has found some
  source.stop();
  EXPECT_EQ(count(flow.counters().emitted), emitted);
}

TEST_F(FlowTest, Fault49LosesAndReordersNothingWhileItsPoolIsResizedAndPinned) {
  auto& pool = binary.pool(pool_settings("a", 1, 64));
  auto& note = binary.service<NoteAlone>("Note", Kind::single_threaded, pool);
  stage<Role::side_effect, NoteAlone>("note", note, &pool);
  start();
  constexpr int kEvents = 20'000;
  std::atomic<bool> enough{false};
  std::thread control([&] {
    for (unsigned round = 0; !enough; ++round) {
      EXPECT_EQ(pool.resize(1 + round % 4), 1 + round % 4);
      EXPECT_EQ(pool.size(), 1 + round % 4);  // in force
      EXPECT_FALSE(
          pool.pin(0, {exec::process_cpus()[round % exec::process_cpus().size()]}).empty());
    }
  });
  for (int number = 0; number < kEvents; ++number) {
    Event& event = flow.make_event();
    event.set_value(Length{number});
    pool.wait_for_room(0);
    flow.emit(event);
  }
  EXPECT_TRUE(ended(kEvents));
  enough = true;
  control.join();
  ASSERT_EQ(seen(), static_cast<std::size_t>(kEvents));
  for (int number = 0; number < kEvents; ++number) {
    ASSERT_EQ(g_lengths[static_cast<std::size_t>(number)], number);
  }
}

TEST_F(FlowTest, RunsFusedStagesOnTheThreadOfTheStageBefore) {
  auto& pool = binary.pool(pool_settings("a", 1));
  auto& other = binary.pool(pool_settings("b", 1));
  auto& measure = binary.service<Measure>("Measure", Kind::simple, pool);
  auto& note = binary.service<Note>("Note", Kind::simple, other);
  stage<Role::map, Measure>("measure", measure);
  stage<Role::side_effect, Note>("note", note);
  start();
  emit("hello");
  ASSERT_TRUE(ended(1));
  EXPECT_EQ(g_lengths, std::vector<int>{5});
  EXPECT_EQ(g_threads, std::vector<int>(2, pool.worker(0).tid()));
  EXPECT_EQ(count(flow.counters().completed), 1U);
}

TEST_F(FlowTest, GoesToTheDrawnPoolAtAJoin) {
  auto& pool = binary.pool(pool_settings("a", 1));
  auto& other = binary.pool(pool_settings("b", 1));
  auto& measure = binary.service<Measure>("Measure", Kind::simple, pool);
  auto& note = binary.service<Note>("Note", Kind::simple, pool);
  stage<Role::map, Measure>("measure", measure, &pool);
  stage<Role::side_effect, Note>("note", note, &other);
  start();
  emit("hello");
  ASSERT_TRUE(ended(1));
  EXPECT_EQ(g_threads, (std::vector<int>{pool.worker(0).tid(), other.worker(0).tid()}));
}

TEST_F(FlowTest, ACatchWithAResponseRecovers) {
  auto& pool = binary.pool(pool_settings("a", 1));
  stage<Role::map, SlowMeasure>("measure",
                                binary.service<SlowMeasure>("Measure", Kind::async_remote, pool));
  stage<Role::catch_failure, Recover>("recover",
                                      binary.service<Recover>("Recover", Kind::simple, pool));
  stage<Role::side_effect, Note>("note", binary.service<Note>("Note", Kind::simple, pool));
  start();
  emit("good");
  ASSERT_TRUE(ended(1));
  emit("bad");
  ASSERT_TRUE(ended(2));
  EXPECT_EQ(g_lengths, (std::vector<int>{4, -1}));
  ASSERT_EQ(g_failures.size(), 1U);
  EXPECT_EQ(g_failures[0], (Failure{ErrorCode::invalid_argument, "bad word", "Words", "measure"}));
  EXPECT_EQ(count(flow.counters().completed), 2U);
}

TEST_F(FlowTest, ACatchWithoutAResponseEndsTheEvent) {
  auto& pool = binary.pool(pool_settings("a", 1));
  stage<Role::map, Measure>("measure", binary.service<Measure>("Measure", Kind::simple, pool));
  stage<Role::side_effect, Note>("note", binary.service<Note>("Note", Kind::simple, pool));
  stage<Role::catch_failure, Take>("take", binary.service<Take>("Take", Kind::simple, pool));
  start();
  emit("bad");
  ASSERT_TRUE(ended(1));
  EXPECT_TRUE(g_lengths.empty());
  EXPECT_EQ(g_failures.size(), 1U);
  EXPECT_EQ(count(flow.counters().failed), 1U);
  EXPECT_EQ(count(flow.stages()[0].errors), 1U);
  EXPECT_EQ(count(flow.stages()[2].errors), 0U);
}

TEST_F(FlowTest, AFailureWithoutACatchIsCounted) {
  auto& pool = binary.pool(pool_settings("a", 1));
  stage<Role::map, Measure>("measure", binary.service<Measure>("Measure", Kind::simple, pool));
  start();
  emit("bad");
  ASSERT_TRUE(ended(1));
  EXPECT_EQ(count(flow.counters().failed), 1U);
}

TEST_F(FlowTest, DropsWhatAFullQueueRejects) {
  auto& pool = binary.pool(pool_settings("a", 1, 1, exec::Overflow::reject));
  stage<Role::map, Measure>("measure", binary.service<Measure>("Measure", Kind::simple, pool));
  start();
  g_mutex.lock();  // the handler waits for it
  for (int event = 0; event < 10; ++event) emit("x");
  EXPECT_GE(count(flow.counters().dropped), 8U);
  g_mutex.unlock();
  EXPECT_TRUE(ended(10));
}

TEST_F(FlowTest, PassesTheTurnOnOfAnEventThatIsShed) {
  auto& pool = binary.pool(pool_settings("a", 1, 2, exec::Overflow::shed_oldest));
  auto& measure = binary.service<Measure>("Measure", Kind::single_threaded, pool);
  auto& note = binary.service<NoteBehindAGate>("Note", Kind::simple, pool);
  stage<Role::map, Measure>("measure", measure, &pool);
  const Stub<Word, void> gated(&binary.site(note));
  start();
  g_gate.close();
  auto running = gated({"x"});
  g_gate.wait_for_one();
  emit("has its turn");
  emit("waits for its turn");
  auto oldest = gated({"x"});
  auto newest = gated({"x"});
  EXPECT_EQ(count(flow.counters().dropped), 1U);
  EXPECT_EQ(pool.depth().queued, 2U);
  EXPECT_THROW(oldest.get(), Error);  // in favour of who has got the turn and came in behind it
  g_gate.open();
  EXPECT_TRUE(ended(2));
  emit("has its turn");
  EXPECT_TRUE(ended(3));
  EXPECT_EQ(count(flow.counters().completed), 2U);
  running.get();
  newest.get();
}

/// Blocks, as far as its pool knows: that one has a queue for all of its threads.
struct Pass : Handler {
  using request_type = Word;
  using response_type = Word;
  static Word handle(const Word& word) { return word; }
};

struct WithSharedQueue : FlowTest, ::testing::WithParamInterface<exec::Overflow> {};
INSTANTIATE_TEST_SUITE_P(Overflow, WithSharedQueue,
                         ::testing::Values(exec::Overflow::reject, exec::Overflow::shed_oldest));

TEST_P(WithSharedQueue, CountsTheRoomThatIsKeptForEventsFurtherOn) {
  auto& front = binary.pool(pool_settings("front", 1, 4, GetParam()));
  auto& back = binary.pool(pool_settings("back", 1, 2));
  auto& pass = binary.service<Pass>("Pass", Kind::sync_remote, front);
  auto& note = binary.service<NoteBehindAGate>("Note", Kind::simple, back);
  stage<Role::map, Pass>("pass", pass, &front);
  stage<Role::side_effect, NoteBehindAGate>("note", note, &back);
  start();
  g_gate.close();
  emit("runs");
  g_gate.wait_for_one();
  for (std::uint64_t event = 1; event <= 2 + 4; ++event) {
    emit("waits");
    ASSERT_TRUE(eventually([&] {
      const exec::Pool::Depth depth = back.depth();
      return depth.queued + depth.blocked == event;
    }));
  }
  EXPECT_EQ(count(flow.counters().dropped), 0U);
  for (std::uint64_t event = 1; event <= 3; ++event) {
    emit("finds no room");
    EXPECT_EQ(count(flow.counters().dropped), event);
  }
  g_gate.open();
  EXPECT_TRUE(ended(10));
  EXPECT_EQ(count(flow.counters().completed), 7U);
}

TEST_F(FlowTest, KeepsASingleThreadedStageExclusiveOnAnotherPoolsThreads) {
  auto& pool = binary.pool(pool_settings("a", 3));
  auto& measure = binary.service<SlowMeasure>("Measure", Kind::async_remote, pool);
  auto& alone = binary.service<NoteAlone>("Alone", Kind::single_threaded, pool);
  stage<Role::map, SlowMeasure>("measure", measure, &pool);
  stage<Role::side_effect, NoteAlone>("alone", alone);
  start();
  std::vector<std::thread> sources;
  for (int source = 0; source < 3; ++source) {
    sources.emplace_back([&] {
      for (int event = 0; event < 500; ++event) emit("word");
    });
  }
  for (std::thread& source : sources) source.join();
  ASSERT_TRUE(ended(1500));
  EXPECT_EQ(seen(), 1500U);
  EXPECT_EQ(count(flow.counters().completed), 1500U);
}

TEST_F(FlowTest, KeepsThePartitionsOfAStageExclusiveAndInOrder) {
  auto& pool = binary.pool(pool_settings("a", 3));
  stage<Role::map, Sort>("sort", binary.service<Sort>("Sort", Kind::single_threaded, pool), &pool);
  stage<Role::catch_failure, TakeByStage>(
      "oops", binary.service<TakeByStage>("Take", Kind::single_threaded, pool));
  flow.fit(sizeof(Parcel));
  start();
  g_next_in_lane.fill(0);
  g_unsorted = 0;
  for (int number = 0; number < 200; ++number) {
    for (int lane = 0; lane < 10; ++lane) {
      Event& event = flow.make_event();
      event.set_value(Parcel{lane, number});
      flow.emit(event);
    }
  }
  ASSERT_TRUE(ended(2000));
  EXPECT_EQ(g_unsorted.load(), 0);
  EXPECT_EQ(count(flow.counters().completed), 1600U);
  EXPECT_EQ(count(flow.counters().failed), 400U);
  EXPECT_EQ(g_failures.size(), 400U);
}

TEST_F(FlowTest, ARateSourceIsNeverAheadOfItsRateAndTakesANewOne) {
  auto& pool = binary.pool(pool_settings("a", 1));
  stage<Role::map, Measure>("measure", binary.service<Measure>("Measure", Kind::simple, pool));
  start();
  RateSource source(flow, app::source_type_of<Words>(), 1000);
  const Nanos before = now_ns();
  source.start(0);
  ASSERT_TRUE(eventually([&] { return count(flow.counters().emitted) >= 300; }));
  const double seconds = static_cast<double>(now_ns() - before) / 1e9;
  EXPECT_GT(seconds, 0.29);
  source.set_per_second(0);
  source.stop();
  // From a pause that nothing is under way in.
  const std::uint64_t paused = count(flow.counters().emitted);
  RateSource paced(flow, app::source_type_of<Words>(), 0);
  paced.start(0);
  paced.set_per_second(0.001);
  ASSERT_TRUE(eventually([&] { return count(flow.counters().emitted) > paused; }));
  // That one begins the new schedule.
  EXPECT_EQ(count(flow.counters().emitted), paused + 1);
  paced.set_per_second(1e6);
  ASSERT_TRUE(eventually([&] { return count(flow.counters().emitted) > paused + 10'000; }));
  paced.stop();
  EXPECT_TRUE(ended(count(flow.counters().emitted)));
}

TEST_F(FlowTest, AFullJoinHoldsBackTheSource) {
  auto& front = binary.pool(pool_settings("a", 1, 8));
  auto& back = binary.pool(pool_settings("b", 1, 4));
  auto& measure = binary.service<SlowMeasure>("Measure", Kind::async_remote, front);
  auto& note = binary.service<Note>("Note", Kind::simple, back);
  stage<Role::map, SlowMeasure>("measure", measure, &front);
  stage<Role::side_effect, Note>("note", note, &back);
  start();
  RateSource source(flow, app::source_type_of<Words>(), 100'000);
  {
    const std::unique_lock blocked(g_mutex);  // the sink stands still
    source.start(0);
    ASSERT_TRUE(eventually([&] { return front.depth().blocked > 0; }));
    // How far it may be ahead: flow.world.cpp.
    ASSERT_TRUE(eventually([&] { return count(flow.counters().emitted) > 8; }));
  }
  ASSERT_TRUE(eventually([&] { return seen() > 1000; }));
  source.stop();
  const std::uint64_t emitted = count(flow.counters().emitted);
  EXPECT_TRUE(ended(emitted));
  EXPECT_EQ(count(flow.counters().dropped), 0U);
}

}  // namespace
}  // namespace penstock::flow::flow_test
