// What becomes of the right of a single-threaded service when its holder does not run where it was
// sent.

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "support/gate.hpp"
#include "support/small_binary.hpp"

namespace penstock::strand_test {
namespace {

using testing::eventually;
using testing::Gate;
using testing::pool_settings;
using testing::SmallBinary;

struct Number {
  int value = 0;
};

Gate g_gate;
Gate g_gate_alone;

// Both answer with the thread that they ran on.
struct Gated : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& /*request*/) {
    g_gate.pass();
    return {static_cast<int>(exec::Worker::current()->index())};
  }
};
struct Alone : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& /*request*/) {
    g_gate_alone.pass();
    return {static_cast<int>(exec::Worker::current()->index())};
  }
};

struct StrandTest : ::testing::Test {
  SmallBinary binary;

  void SetUp() override {
    g_gate.open();
    g_gate_alone.open();
  }
  void TearDown() override {
    g_gate.open();
    g_gate_alone.open();
    binary.stop();
  }
  Stub<Number, Number> stub(call::Service& service) {
    return Stub<Number, Number>(&binary.site(service));
  }
  static ErrorCode code_of(Future<Number> future) {
    try {
      future.get();
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::ok;
  }
};

TEST_F(StrandTest, PassesTheRightOnOfARequestThatIsShed) {
  auto& pool = binary.pool(pool_settings("p", 1, 1, exec::Overflow::shed_oldest));
  const auto gated = stub(binary.service<Gated>("Gated", Kind::simple, pool));
  const auto alone = stub(binary.service<Alone>("Alone", Kind::single_threaded, pool));
  binary.start();
  g_gate.close();
  auto running = gated({});
  g_gate.wait_for_one();
  auto has_the_right = alone({});
  auto takes_its_place = gated({});
  EXPECT_EQ(code_of(std::move(has_the_right)), ErrorCode::resource_exhausted);
  g_gate.open();
  EXPECT_EQ(code_of(alone({})), ErrorCode::ok);
  EXPECT_EQ(code_of(std::move(running)), ErrorCode::ok);
}

struct StrandAtTheLimit : StrandTest, ::testing::WithParamInterface<Kind> {};
INSTANTIATE_TEST_SUITE_P(Queue, StrandAtTheLimit,
                         ::testing::Values(Kind::simple, Kind::sync_remote));  // a shared one

TEST_P(StrandAtTheLimit, CountsARequestOnceThatWaitsWithTheRight) {
  auto& pool = binary.pool(pool_settings("p", 1, 3, exec::Overflow::reject));
  const auto gated = stub(binary.service<Gated>("Gated", GetParam(), pool));
  const auto alone = stub(binary.service<Alone>("Alone", Kind::single_threaded, pool));
  binary.start();
  g_gate.close();
  auto running = gated({});
  g_gate.wait_for_one();
  auto has_the_right = alone({});
  auto waits_for_it = alone({});
  auto last_place = gated({});
  auto too_many = gated({});
  EXPECT_EQ(code_of(std::move(too_many)), ErrorCode::resource_exhausted);
  g_gate.open();
  for (auto* const future : {&running, &has_the_right, &waits_for_it, &last_place}) {
    EXPECT_EQ(code_of(std::move(*future)), ErrorCode::ok);
  }
}

TEST_F(StrandTest, LeavesAThreadThatWasRemoved) {
  auto& pool = binary.pool(pool_settings("p", 2));
  auto& gated_service = binary.service<Gated>("Gated", Kind::simple, pool);
  gated_service.thread = 0;
  const auto gated = stub(gated_service);
  const auto alone = stub(binary.service<Alone>("Alone", Kind::single_threaded, pool));
  binary.start();
  g_gate.close();
  g_gate_alone.close();
  auto keeps_first_thread = gated({});
  g_gate.wait_for_one();
  auto waits_for_first_thread = gated({});  // so that the other one is the less loaded
  auto first = alone({});
  g_gate_alone.wait_for_one();
  std::vector<Future<Number>> others;
  others.reserve(3);
  for (int number = 0; number < 3; ++number) others.push_back(alone({}));
  g_gate.open();
  std::thread resizing([&] { EXPECT_EQ(pool.resize(1), 1U); });
  EXPECT_TRUE(eventually([&] { return pool.size() == 1; }));
  g_gate_alone.open();
  EXPECT_EQ(first.get().value, 1);
  for (auto& other : others) EXPECT_EQ(other.get().value, 0);
  resizing.join();
}

// Each is refused in its turn, however many they are: as many, one within the other, fit on no
// stack.
TEST_F(StrandTest, RefusesAllThatWaitForTheRightInAPoolThatHasStopped) {
  auto& pool = binary.pool(pool_settings("p", 1, 50'000, exec::Overflow::shed_oldest));
  const auto gated = stub(binary.service<Gated>("Gated", Kind::simple, pool));
  const auto alone = stub(binary.service<Alone>("Alone", Kind::single_threaded, pool));
  binary.start();
  g_gate.close();
  auto running = gated({});
  g_gate.wait_for_one();
  std::vector<Future<Number>> waiting;
  waiting.reserve(40'000);
  for (int number = 0; number < 40'000; ++number) waiting.push_back(alone({}));
  EXPECT_FALSE(pool.stop(now_ns()));  // its thread still stands at the gate
  g_gate.open();
  EXPECT_TRUE(pool.stop(testing::far_from_now()));
  for (auto& future : waiting) EXPECT_EQ(code_of(std::move(future)), ErrorCode::unavailable);
  EXPECT_EQ(code_of(std::move(running)), ErrorCode::ok);
}

}  // namespace
}  // namespace penstock::strand_test
