#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "support/flow_binary.hpp"
#include "support/gate.hpp"

namespace penstock::app::traces_test {
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
      longest_wait_us = std::max(longest_wait_us, sample.stages[1].wait.max_us.value_or(0));
      return sample.traces.size() == 1 && sample.traces[0].steps.size() > 1 &&
             sample.traces[0].steps[1].wait_us >= least_wait_us;
    }));
    return sample;
  }
  // For the second stage. A sample knows those of a second, and another one may have the trace.
  double longest_wait_us = 0;
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
  EXPECT_GT(longest_wait_us, 100);
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

TEST_F(TracesTest, TellWhatAVirtualStageTakesWhereOneBegins) {
  binary.emit(Job{1});
  ASSERT_TRUE(binary.idle());
  const metrics::Sample sample = binary.host().sample();
  // `first` is alone before a join; `left` and `right` run fused behind `second`.
  EXPECT_FALSE(sample.stages[0].fused);
  EXPECT_FALSE(sample.stages[2].fused);
  ASSERT_TRUE(sample.stages[1].fused);
  EXPECT_GE(sample.stages[1].fused->max_us.value_or(0), sample.stages[1].run.max_us.value_or(1e9));
}

// --- calls ---

struct Asked : Handler {
  using request_type = Job;
  using response_type = Job;
  static Job handle(const Job& job) {
    if (job.number < 0) throw Error(ErrorCode::invalid_argument, "negative");
    g_gate.pass();
    return job;
  }
};
struct Between : Handler {
  using request_type = Job;
  using response_type = Job;
  struct calls_type {
    Stub<Job, Job> Asked;
  };
  Task<Job> handle(Job job) { co_return co_await calls.Asked(job); }
  calls_type calls;
};
struct Asks : Handler {
  using request_type = Job;
  using response_type = void;
  struct calls_type {
    Stub<Job, Job> Between;
  };
  Task<void> handle(Job job) {
    auto asked = calls.Between.each(job);
    // Gives up only once the last one has begun.
    if (job.number == 0) g_gate.wait_for_one();
    const auto within = std::chrono::hours(job.number == 0 ? 0 : 1);
    static_cast<void>(co_await gather_within(within, std::move(asked)));
  }
  calls_type calls;
};

struct CallTracesTest : ::testing::Test {
  FlowBinary binary;

  void SetUp() override {
    g_gate.open();
    binary.service<Asks>("Asks", Kind::async_remote);
    binary.service<Between>("Between", Kind::async_remote);
    binary.service<Asked>("Asked", Kind::simple);
    for (const char* pool : {"front", "middle", "back"}) binary.pool(pool, 1);
    binary.place("Asks", "front");
    binary.place("Between", "middle");
    binary.place("Asked", "back");
    binary.call("Asks", "Between", &Asks::calls_type::Between);
    binary.call("Between", "Asked", &Between::calls_type::Asked);
    binary.flow<Jobs>("F").side_effect<Asks>("ask", "Asks");
    binary.config().sampling = 128;
    binary.start();
    EXPECT_TRUE(binary.host().sample().traces.empty());  // asks for one
  }
  void TearDown() override {
    g_gate.open();
    binary.stop();
  }
  // Of such an event. A trace is shown for a while only: another event where that was missed.
  metrics::EventTrace trace_of(Job job) {
    metrics::Sample sample;
    EXPECT_TRUE(eventually([&] {
      binary.emit(job);
      EXPECT_TRUE(binary.idle());
      sample = binary.host().sample();
      return !sample.traces.empty();
    }));
    return sample.traces.at(0);
  }
  std::uint32_t pool_id(const std::string& name) {
    return binary.model().pool_id(&binary.pool_of(name));
  }
};

TEST_F(CallTracesTest, TellTheCallsOfAStageAndTheCallsOfThose) {
  const metrics::EventTrace trace = trace_of(Job{-1});
  ASSERT_EQ(trace.steps.size(), 1U);
  ASSERT_EQ(trace.calls.size(), 2U);
  const metrics::TraceCall& between = trace.calls[0];
  const metrics::TraceCall& asked = trace.calls[1];
  EXPECT_EQ(between.parent, 0U);  // the step
  EXPECT_EQ(asked.parent, 1U);    // the call behind it
  EXPECT_EQ(between.service, 1U);
  EXPECT_EQ(asked.service, 2U);
  EXPECT_EQ(between.pool, pool_id("middle"));
  EXPECT_EQ(asked.pool, pool_id("back"));
  EXPECT_TRUE(asked.failed);
  EXPECT_TRUE(between.failed);
  EXPECT_GE(asked.at_us, between.at_us + between.wait_us.value_or(1e9));
  EXPECT_GE(between.run_us.value_or(0), asked.wait_us.value_or(1e9) + asked.run_us.value_or(1e9));
}

TEST_F(CallTracesTest, SeeACallThatEndsAfterItsEvent) {
  g_gate.close();
  binary.emit(Job{0});
  ASSERT_TRUE(eventually([&] { return binary.completed() == 1; }));
  flow::Flow& flow = *binary.model().flows().front();
  std::shared_ptr<const flow::Trace> trace;
  ASSERT_TRUE(eventually([&] { return (trace = flow.follow_events()) != nullptr; }));
  // The run of the stage, the call that was given up, and its own, which has begun.
  ASSERT_EQ(trace->calls().size(), 3U);
  EXPECT_NE(trace->calls()[2].begun_ns, 0);
  EXPECT_EQ(trace->calls()[2].ended_ns, 0);
  g_gate.open();
  EXPECT_TRUE(eventually([&] { return trace->calls()[2].ended_ns != 0; }));
}

}  // namespace
}  // namespace penstock::app::traces_test
