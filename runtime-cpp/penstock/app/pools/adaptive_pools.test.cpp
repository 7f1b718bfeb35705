#include "penstock/app/pools/adaptive_pools.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <semaphore>
#include <string>
#include <system_error>
#include <variant>
#include <vector>

#include "penstock/control/problem_codes.hpp"
#include "penstock/exec/affinity.hpp"
#include "support/flow_binary.hpp"
#include "support/gate.hpp"
#include "support/refuse_threads.hpp"

namespace penstock::app::adaptive_pools_test {
namespace {

using penstock::testing::FlowBinary;
using penstock::testing::Gate;

struct Number {
  int value = 0;
};

Gate g_gate;
std::atomic<int> g_begun{0};

struct Blocks : Handler {
  using request_type = Number;
  using response_type = void;
  static void handle(const Number& /*request*/) {
    ++g_begun;
    g_gate.pass();
  }
};

/// A binary whose pool has two to four threads, and a service there that blocks while the gate is
/// closed. Time passes when the test says so.
class AdaptivePoolsTest : public ::testing::Test {
 protected:
  void begin(unsigned from = 2, unsigned to = 4) {
    binary.service<Blocks>("Blocks", Kind::sync_remote);
    binary.pool("models", from);
    binary.config().pools.back().up_to = to;
    binary.place("Blocks", "models");
    outside = &binary.model().add_outside("Blocks");
    binary.start();
    binary.host().set_bounds_as_drawn();
    g_gate.close();
    g_begun = 0;
  }
  void TearDown() override {
    g_gate.open();
    for (auto& answer : answers) answer.get();
    binary.stop();
  }

  void ask(int times) {
    const Stub<Number, void> stub(outside);
    for (int call = 0; call < times; ++call) answers.push_back(stub({call}));
  }
  [[nodiscard]] static bool begun(int calls) {
    return penstock::testing::eventually([calls] { return g_begun == calls; });
  }
  void pass(int seconds) {
    for (int look = 0; look < 20 * seconds; ++look) pass_a_look();
  }
  void pass_a_look() {
    time += AdaptivePools::kLook;
    binary.host().adaptive().look(time);
  }
  [[nodiscard]] unsigned threads() { return binary.pool_of("models").size(); }
  [[nodiscard]] metrics::Adaptive state() {
    for (const metrics::PoolName& pool : binary.host().schema().pools) {
      if (pool.name == "models") return pool.adaptive.value_or(metrics::Adaptive{});
    }
    return {};
  }

  FlowBinary binary;
  const call::CallSite* outside = nullptr;
  std::vector<Future<void>> answers;
  Nanos time = 0;
};

TEST_F(AdaptivePoolsTest, APoolWithAStandingQueueGetsAThreadASecondUpToTheMost) {
  begin();
  ask(20);
  ASSERT_TRUE(begun(2));
  EXPECT_EQ(threads(), 2U);
  pass(1);
  EXPECT_EQ(threads(), 2U) << "a second of looks, and the one that ends it";
  const auto before = binary.host().schema_revision();
  ::testing::internal::CaptureStderr();
  pass(1);
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(threads(), 3U);
  EXPECT_GT(binary.host().schema_revision(), before);
  EXPECT_NE(said.find(R"({"event":"adapted","atMs":)"), std::string::npos) << said;
  EXPECT_NE(said.find(R"("pool":"models","from":2,"to":3,"waitedMs":)"), std::string::npos) << said;
  ASSERT_TRUE(begun(3));
  pass(2);
  ASSERT_TRUE(begun(4));
  pass(10);
  EXPECT_EQ(threads(), 4U);
  const metrics::Adaptive now = state();
  EXPECT_EQ(now.from, 2U);
  EXPECT_EQ(now.to, 4U);
  EXPECT_TRUE(now.on);
  EXPECT_EQ(now.by, "controller");
  EXPECT_EQ(now.steps, 2U);
  EXPECT_GE(now.waited_ms, 1000);
}

/// Takes an event for each turn that it is given.
std::counting_semaphore<> g_turns{0};
struct TakesTurns : Handler {
  using request_type = Number;
  using response_type = void;
  static void handle(const Number& /*request*/) {
    ++g_begun;
    g_turns.acquire();
  }
};
struct Numbers {
  static Number event(std::uint64_t number) { return {static_cast<int>(number)}; }
};

TEST_F(AdaptivePoolsTest, APoolWhoseFirstStageIsSoonDoneStaysAsItIs) {
  binary.service<TakesTurns>("Takes", Kind::sync_remote);
  binary.place("Takes", "models");
  binary.flow<Numbers>("F").side_effect<TakesTurns>("take", "Takes");
  begin();
  constexpr int kBetweenLooks = 20;
  int emitted = 0;
  const auto emit = [&](int events) {
    for (int event = 0; event < events; ++event) binary.emit(Number{});
    emitted += events;
  };
  emit(3);
  ASSERT_TRUE(begun(2));
  for (int look = 0; look < 3 * 20; ++look) {
    pass_a_look();
    emit(kBetweenLooks);
    g_turns.release(kBetweenLooks);
    ASSERT_TRUE(begun(emitted - 1));
  }
  g_turns.release(3);
  EXPECT_EQ(threads(), 2U) << "each waits a few milliseconds, not a second";
  EXPECT_TRUE(binary.idle());
}

TEST_F(AdaptivePoolsTest, AStepIsToldOnceItIsKnown) {
  begin();
  ask(20);
  ASSERT_TRUE(begun(2));
  exec::Pool& pool = binary.pool_of("models");
  std::uint64_t steps = 0;
  std::unique_ptr<AdaptivePools> own;
  own = std::make_unique<AdaptivePools>(
      AdaptivePools::Hooks{.left = [](const exec::Pool&) { return std::uint64_t{0}; },
                           .take = [](exec::Pool&, const PoolStep&) { return true; },
                           .changed = [&] { steps = own->state_of(pool)->steps; }});
  own->set(pool, {2, 4}, AdaptivePools::By::nobody);
  for (int look = 0; look <= 20; ++look) own->look(AdaptivePools::kLook * (look + 1));
  EXPECT_EQ(steps, 1U);
}

TEST_F(AdaptivePoolsTest, AStepThatIsRefusedIsWantedAgainOnlyAfterAnotherCalm) {
  begin();
  int wanted = 0;
  AdaptivePools own({.left = [](const exec::Pool&) { return std::uint64_t{0}; },
                     .take = [&](exec::Pool&, const PoolStep&) { return ++wanted == 0; }});
  own.set(binary.pool_of("models"), {1, 4}, AdaptivePools::By::nobody);
  for (int look = 0; look <= 12 * 20; ++look) own.look(AdaptivePools::kLook * (look + 1));
  EXPECT_EQ(wanted, 2);
}

// In a process of its own, which gets no threads any more.
TEST_F(AdaptivePoolsTest, BoundsWithoutAThreadForTheirControllerChangeNothing) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        binary.pool("still", 2);
        binary.start();
        binary.host().adaptive().start();
        penstock::testing::refuse_threads();
        try {
          static_cast<void>(binary.host().adapt_pool("still", control::Bounds{4, 8}));
        } catch (const std::system_error&) {
          std::cerr << "refused; ";
        }
        exec::Pool& pool = binary.pool_of("still");
        std::cerr << pool.size() << ' ' << binary.host().adaptive().state_of(pool).has_value();
        std::_Exit(0);
      },
      ::testing::ExitedWithCode(0), "refused; 2 0");
}

TEST_F(AdaptivePoolsTest, APoolWithoutWorkLosesItsThreadsDownToTheFewest) {
  begin();
  ask(20);
  ASSERT_TRUE(begun(2));
  pass(2);
  ASSERT_TRUE(begun(3));
  pass(2);
  ASSERT_EQ(threads(), 4U);
  g_gate.open();
  for (auto& answer : answers) answer.get();
  answers.clear();
  ASSERT_TRUE(binary.idle());
  // An answer leaves before its thread has come to rest.
  ASSERT_TRUE(penstock::testing::eventually([&] { return binary.pool_of("models").busy() == 0; }));
  pass(20);
  EXPECT_EQ(threads(), 2U);
  EXPECT_EQ(state().steps, 4U);
}

TEST_F(AdaptivePoolsTest, ItStaysAsAPersonMadeItUntilTheControllerIsSwitchedOnAgain) {
  begin();
  ask(20);
  ASSERT_TRUE(begun(2));
  ASSERT_TRUE(std::holds_alternative<control::Setting>(binary.host().resize_pool("models", 3)));
  EXPECT_FALSE(state().on);
  EXPECT_EQ(state().by, "person");
  ASSERT_TRUE(begun(3));
  pass(10);
  EXPECT_EQ(threads(), 3U);
  const auto on = binary.host().adapt_pool("models", std::nullopt);
  ASSERT_TRUE(std::holds_alternative<control::Adapting>(on));
  EXPECT_EQ(std::get<control::Adapting>(on).bounds.to, 4);
  EXPECT_TRUE(std::get<control::Adapting>(on).on);
  pass(2);
  EXPECT_EQ(threads(), 4U);
  ASSERT_TRUE(std::holds_alternative<control::Adapting>(binary.host().rest_pool("models")));
  EXPECT_FALSE(state().on);
}

TEST_F(AdaptivePoolsTest, ARefusedChangeLetsTheControllerWork) {
  begin();
  ASSERT_TRUE(std::holds_alternative<control::Refusal>(binary.host().pin("models", 0, {1023})));
  const auto gone = binary.host().pin("models", 2, {});
  ASSERT_TRUE(std::holds_alternative<control::Refusal>(gone));
  EXPECT_EQ(std::get<control::Refusal>(gone).code, control::problem::kNoSuchThread);
  EXPECT_TRUE(state().on);
}

// At the end of a drain a command may still come.
TEST_F(AdaptivePoolsTest, APoolThatHasEndedItsThreadsGetsNoneAgain) {
  begin();
  exec::Pool& pool = binary.pool_of("models");
  ASSERT_TRUE(pool.stop(penstock::testing::far_from_now()));
  const auto refused = binary.host().resize_pool("models", 3);
  ASSERT_TRUE(std::holds_alternative<control::Refusal>(refused));
  EXPECT_EQ(std::get<control::Refusal>(refused).message,
            "pool models has ended its threads, as the binary stops");
  EXPECT_TRUE(std::holds_alternative<control::Refusal>(
      binary.host().adapt_pool("models", control::Bounds{2, 8})));
  EXPECT_EQ(pool.size(), 0U);
}

TEST_F(AdaptivePoolsTest, OtherBoundsAreInForceAtOnce) {
  begin();
  const auto wider = binary.host().adapt_pool("models", control::Bounds{3, 8});
  ASSERT_TRUE(std::holds_alternative<control::Adapting>(wider));
  EXPECT_EQ(std::get<control::Adapting>(wider).threads, 3);
  EXPECT_EQ(threads(), 3U);
  EXPECT_EQ(state().to, 8U);
}

TEST_F(AdaptivePoolsTest, APinnedThreadIsInTheWayOfBounds) {
  begin();
  const int cpu = exec::process_cpus().front();
  ASSERT_TRUE(std::holds_alternative<control::Pinning>(binary.host().pin("models", 1, {cpu})));
  EXPECT_FALSE(state().on);
  const auto refused = binary.host().adapt_pool("models", control::Bounds{2, 8});
  ASSERT_TRUE(std::holds_alternative<control::Refusal>(refused));
  EXPECT_EQ(std::get<control::Refusal>(refused).message, "thread 1 of pool models is pinned");
  ASSERT_TRUE(std::holds_alternative<control::Pinning>(binary.host().pin("models", 1, {})));
  EXPECT_TRUE(std::holds_alternative<control::Adapting>(
      binary.host().adapt_pool("models", control::Bounds{2, 8})));
}

TEST_F(AdaptivePoolsTest, APoolThatIsDrawnWithANumberHasNoBoundsUntilItIsGivenSome) {
  binary.pool("still", 2);
  begin();
  const auto none = binary.host().adapt_pool("still", std::nullopt);
  EXPECT_EQ(std::get<control::Refusal>(none).code, "PS761");
  EXPECT_TRUE(std::holds_alternative<control::Refusal>(binary.host().rest_pool("still")));
  EXPECT_TRUE(std::holds_alternative<control::Adapting>(
      binary.host().adapt_pool("still", control::Bounds{1, 3})));
  EXPECT_TRUE(std::holds_alternative<control::Adapting>(binary.host().rest_pool("still")));
}

// The thread that looks at the pools: it ends at once, whenever it is told.
TEST_F(AdaptivePoolsTest, ItsThreadComesAndGoes) {
  begin();
  binary.host().adaptive().start();
  const Nanos far = penstock::testing::far_from_now();
  ASSERT_TRUE(binary.host().adaptive().stop(far));
  ASSERT_TRUE(binary.host().adaptive().stop(far));
}

// A handler's constructor, say, that it waits for.
TEST_F(AdaptivePoolsTest, ItIsNotWaitedForBeyondTheDeadlineWhereAChangeIsUnderWay) {
  begin();
  binary.host().adaptive().start();
  const auto change = binary.host().adaptive().hold();
  EXPECT_FALSE(binary.host().adaptive().stop(now_ns()));
}

}  // namespace
}  // namespace penstock::app::adaptive_pools_test
