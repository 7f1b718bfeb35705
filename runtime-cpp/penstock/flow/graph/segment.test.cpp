// Plain stages that run as one: what differs from running them one by one must not be seen.
#include "penstock/flow/graph/segment.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <string>
#include <vector>

#include "support/one_flow.hpp"

namespace penstock::flow::segment_test {
namespace {

using testing::eventually;
using testing::OneFlow;
using testing::pool_settings;

std::mutex g_mutex;

struct Text {
  std::string text;
};
/// Another type, which the value is after every second stage.
struct Long {
  std::string text;
  std::uint64_t more[16] = {};
};

template <char letter>
struct ToLong : Handler {
  using request_type = Text;
  using response_type = Long;
  static Long handle(const Text& value) { return {value.text + letter, {}}; }
};
template <char letter>
struct ToText : Handler {
  using request_type = Long;
  using response_type = Text;
  static Text handle(const Long& value) {
    if (value.text.find("bad") != std::string::npos) throw Error(ErrorCode::not_found, "bad");
    return {value.text + letter};
  }
};
struct See : Handler {
  using request_type = Text;
  using response_type = void;
  static void handle(const Text& value) {
    const std::lock_guard hold(g_mutex);
    seen.push_back(value.text);
    pool = exec::Worker::current()->pool().name();
  }
  static inline std::vector<std::string> seen;
  static inline std::string pool;
};
struct Note : Handler {
  using request_type = Failure;
  using response_type = void;
  static void handle(const Failure& failure) {
    const std::lock_guard hold(g_mutex);
    stages.push_back(failure.stage);
  }
  static inline std::vector<std::string> stages;
};

struct Segments : ::testing::Test {
  OneFlow one;
  exec::Pool& front = one.binary.pool(pool_settings("front", 1));
  exec::Pool& back = one.binary.pool(pool_settings("back", 1));

  void SetUp() override {
    See::seen.clear();
    Note::stages.clear();
  }
  void TearDown() override { one.binary.stop(); }
  template <Role role, class H>
  void stage(std::string id, exec::Pool* join = nullptr) {
    one.stage<role, H>(std::move(id), Kind::simple, front, join);
  }
  void emit(std::string text) {
    Event& event = one.flow.make_event();
    event.set_value(Text{std::move(text)});
    one.flow.emit(event);
  }
  // Counters order nothing: the lock makes what the handlers noted visible to the test.
  [[nodiscard]] bool ended() {
    const bool all = eventually([this] { return one.all_ended(); });
    const std::lock_guard noted(g_mutex);
    return all;
  }
  [[nodiscard]] std::vector<std::uint64_t> runs() {
    std::vector<std::uint64_t> all;
    for (const Stage& stage : one.flow.stages()) all.push_back(one.flow.runs(stage));
    return all;
  }
};

constexpr int kEvents = 300;

TEST_F(Segments, GiveTheSameValuesAndCountsAsStagesOneByOne) {
  stage<Role::map, ToLong<'a'>>("a");
  stage<Role::map, ToText<'b'>>("b");
  stage<Role::side_effect, See>("see");
  stage<Role::map, ToLong<'c'>>("c");
  stage<Role::map, ToText<'d'>>("d", &back);
  stage<Role::map, ToLong<'e'>>("e");
  one.start();
  // At first no worker has handlers, then segments grow; some events are sampled.
  for (int event = 0; event < kEvents; ++event) emit("text longer than a short string is");
  ASSERT_TRUE(ended());
  EXPECT_EQ(See::seen.size(), std::size_t{kEvents});
  for (const std::string& text : See::seen) {
    ASSERT_EQ(text, "text longer than a short string isab");
  }
  EXPECT_EQ(runs(), std::vector<std::uint64_t>(6, kEvents));
  for (const Stage& stage : one.flow.stages()) {
    const call::Implementation& implementation = *stage.service->implementations.front();
    EXPECT_EQ(implementation.done_count(), std::uint64_t{kEvents}) << stage.id;
    EXPECT_EQ(implementation.sent_events(), std::uint64_t{kEvents}) << stage.id;
  }
}

TEST_F(Segments, AFailureInTheMiddleGoesToTheCatchAndIsCountedThere) {
  stage<Role::map, ToLong<'a'>>("a");
  stage<Role::map, ToText<'b'>>("b");
  stage<Role::side_effect, See>("see");
  stage<Role::catch_failure, Note>("note");
  one.start();
  for (int event = 0; event < kEvents; ++event) emit(event % 3 == 0 ? "bad" : "good");
  ASSERT_TRUE(ended());
  EXPECT_EQ(See::seen, std::vector<std::string>(kEvents * 2 / 3, "goodab"));
  EXPECT_EQ(Note::stages, std::vector<std::string>(kEvents / 3, "b"));
  EXPECT_EQ(runs(), (std::vector<std::uint64_t>{kEvents, kEvents, kEvents * 2 / 3, kEvents / 3}));
  EXPECT_EQ(one.completed(), std::uint64_t{kEvents * 2 / 3});
  EXPECT_EQ(one.failed(), std::uint64_t{kEvents / 3});
  EXPECT_EQ(one.binary.registry().count(one.flow.stages()[1].errors), std::uint64_t{kEvents / 3});
}

// Until its service's deadline has passed.
struct TakesAllItsTime : Handler {
  using request_type = Text;
  using response_type = Text;
  static Text handle(const Text& value) {
    while (now_ns() < context().deadline_ns) {
    }
    return value;
  }
};
struct FailsAsLate : Handler {
  using request_type = Text;
  using response_type = Text;
  static Text handle(const Text& value) {
    if (value.text == "bad") throw Error(ErrorCode::deadline_exceeded, "of something it asked");
    return value;
  }
};

TEST_F(Segments, AFailureDoesNotExpireByTheDeadlineOfAStageBefore) {
  stage<Role::map, TakesAllItsTime>("a");
  stage<Role::map, FailsAsLate>("b");
  one.flow.stages().front().service->deadline_ns = 1;
  one.start();
  emit("good");  // makes the handlers
  ASSERT_TRUE(ended());
  emit("bad");
  ASSERT_TRUE(ended());
  const Stage& late = one.flow.stages().back();
  EXPECT_EQ(one.failed(), 1U);
  EXPECT_EQ(one.binary.registry().count(late.errors), 1U);
  EXPECT_EQ(one.binary.registry().count(late.expired), 0U);
  EXPECT_EQ(
      one.binary.registry().count(late.only_implementation->counter_of(call::Ending::expired)), 0U);
}

TEST_F(Segments, ChainsMayBeLongerThanOne) {
  for (int pair = 0; pair < 20; ++pair) {
    stage<Role::map, ToLong<'a'>>("a" + std::to_string(pair));
    stage<Role::map, ToText<'b'>>("b" + std::to_string(pair));
  }
  stage<Role::side_effect, See>("see");
  one.start();
  for (int event = 0; event < kEvents; ++event) emit("");
  ASSERT_TRUE(ended());
  std::string all;
  for (int pair = 0; pair < 20; ++pair) all += "ab";
  EXPECT_EQ(See::seen, std::vector<std::string>(kEvents, all));
  EXPECT_EQ(runs(), std::vector<std::uint64_t>(41, kEvents));
}

TEST_F(Segments, AJoinThatComesOrGoesIsInForceForTheNextEvent) {
  stage<Role::map, ToLong<'a'>>("a");
  stage<Role::map, ToText<'b'>>("b");
  stage<Role::side_effect, See>("see");
  one.start();
  Stage& second = one.flow.stages()[1];
  for (int round = 0; round < 20; ++round) {
    exec::Pool* const join = round % 2 == 0 ? &back : nullptr;
    one.flow.set_join(second, join);
    for (int event = 0; event < 20; ++event) emit("x");
    ASSERT_TRUE(ended());
    EXPECT_EQ(See::pool, join != nullptr ? "back" : "front");
  }
  EXPECT_EQ(See::seen.size(), 400U);
  EXPECT_EQ(runs(), std::vector<std::uint64_t>(3, 400));
}

}  // namespace
}  // namespace penstock::flow::segment_test
