#include <gtest/gtest.h>

#include <atomic>

#include "support/flow_binary.hpp"
#include "support/gate.hpp"

namespace penstock::app {
namespace {

using penstock::testing::eventually;
using penstock::testing::FlowBinary;

struct Job {
  int number = 0;
};
penstock::testing::Gate g_gate;

struct First : Handler {
  using request_type = Job;
  using response_type = Job;
  static Task<Job> handle(Job job) {
    co_await sleep_for(std::chrono::milliseconds(2));
    co_return job;
  }
};
struct Second : Handler {
  using request_type = Job;
  using response_type = Job;
  static Job handle(const Job& job) {
    if (job.number < 0) throw Error(ErrorCode::invalid_argument, "negative");
    g_gate.pass();
    return job;
  }
};
struct Last : Handler {
  using request_type = Job;
  using response_type = void;
  static void handle(const Job& /*job*/) {}
};
struct Jobs {
  static Job event(std::uint64_t number) { return {static_cast<int>(number)}; }
};

struct TracesTest : ::testing::Test {
  FlowBinary binary;

  void SetUp() override {
    g_gate.open();
    binary.service<First>("First", Kind::async_remote);
    binary.service<Second>("Second", Kind::simple);
    binary.service<Last>("Last", Kind::simple);
    binary.pool("front", 1);
    binary.pool("back", 1);
    for (const char* service : {"First", "Second", "Last"}) binary.place(service, "front");
    binary.flow<Jobs>("F")
        .map<First>("first", "First")
        .map<Second>("second", "Second")
        .side_effect<Last>("left", "Last")
        .side_effect<Last>("right", "Last")
        .after({"second"});
    binary.join({"second", "back", 1, 1, {}});
    binary.config().sampling = 128;
    binary.start();
    EXPECT_TRUE(binary.host().sample().traces.empty());  // asks for one
  }
  std::uint32_t pool_id(const std::string& name) {
    return binary.model().pool_id(&binary.pool_of(name));
  }
  // Once it has the trace of an event that waited so long for its second stage. That comes behind
  // the counters which idle() looks at.
  metrics::Sample sample_with_trace(double least_wait_us = 0) {
    metrics::Sample sample;
    EXPECT_TRUE(eventually([&] {
      sample = binary.host().sample();
      return sample.traces.size() == 1 && sample.traces[0].steps.size() > 1 &&
             sample.traces[0].steps[1].wait_us >= least_wait_us;
    }));
    return sample;
  }
};

TEST_F(TracesTest, TellWhereEachStageRanAndHowLongTheEventWaitedForIt) {
  g_gate.close();
  binary.emit(Job{1});
  g_gate.wait_for_one();
  // Behind the first one, which is not let through: it waits in the queue of the join.
  static_cast<void>(binary.host().sample());
  binary.emit(Job{2});
  ASSERT_TRUE(eventually([&] { return binary.pool_of("back").depth().queued == 1; }));
  const Nanos queued = now_ns();
  ASSERT_TRUE(eventually([&] { return now_ns() - queued > 5'000'000; }));
  g_gate.open();
  ASSERT_TRUE(binary.idle());
  const metrics::Sample sample = sample_with_trace(5000);
  ASSERT_EQ(sample.traces.size(), 1U);
  const metrics::EventTrace& trace = sample.traces[0];
  EXPECT_EQ(trace.outcome, "completed");
  ASSERT_EQ(trace.steps.size(), 4U);  // both branches
  const metrics::TraceStep& first = trace.steps[0];
  const metrics::TraceStep& second = trace.steps[1];
  EXPECT_EQ(first.stage, 0U);
  EXPECT_EQ(first.pool, pool_id("front"));
  EXPECT_GE(first.run_us, 2000);  // what it awaited, too
  EXPECT_EQ(second.stage, 1U);
  EXPECT_EQ(second.pool, pool_id("back"));
  EXPECT_GE(second.wait_us, 5000);
  EXPECT_GE(second.at_us, first.run_us);
  EXPECT_EQ(trace.steps[2].pool, pool_id("back"));  // fused: the queue was no wait of its own
  EXPECT_GE(trace.steps[2].at_us, second.at_us + second.wait_us);
  EXPECT_GE(trace.total_us, second.at_us + second.wait_us + second.run_us);
  EXPECT_GT(sample.stages[1].wait.max_us.value_or(0), 100);
}

TEST_F(TracesTest, HaveTheStepsOfOneEventAlone) {
  // So many that the blocks of events which were followed are those of later ones.
  constexpr int kRounds = 200;
  for (int round = 0; round < kRounds; ++round) {
    for (int number = 0; number < 5; ++number) binary.emit(Job{number});
    ASSERT_TRUE(binary.idle());
    const metrics::Sample sample = sample_with_trace();
    ASSERT_EQ(sample.traces.size(), 1U);
    ASSERT_EQ(sample.traces[0].steps.size(), 4U) << "in round " << round;
  }
}

TEST_F(TracesTest, TellWhereAnEventFailed) {
  binary.emit(Job{-1});
  ASSERT_TRUE(binary.idle());
  const metrics::Sample sample = sample_with_trace();
  ASSERT_EQ(sample.traces.size(), 1U);
  EXPECT_EQ(sample.traces[0].outcome, "failed");
  ASSERT_EQ(sample.traces[0].steps.size(), 2U);
  EXPECT_FALSE(sample.traces[0].steps[0].failed);
  EXPECT_TRUE(sample.traces[0].steps[1].failed);
}

}  // namespace
}  // namespace penstock::app
