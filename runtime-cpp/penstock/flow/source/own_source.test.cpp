#include "penstock/flow/source/own_source.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>

#include "penstock/app/binding.hpp"
#include "support/flow_binary.hpp"

namespace penstock::flow::own_source_test {
namespace {

using testing::eventually;

struct Tick {
  std::int64_t number = 0;
};

std::atomic<std::int64_t> g_sum{0};
std::atomic<int> g_taken{0};

struct Sink final : Handler {
  using request_type = Tick;
  using response_type = void;
  static void handle(const Tick& tick) {
    g_sum += tick.number;
    ++g_taken;
  }
};

/// Counts to three, and fails once before the last.
struct Three {
  std::int64_t made = 0;
  bool failed = false;
  std::optional<Tick> next(const SourceStop& /*stop*/) {
    if (made == 2 && !std::exchange(failed, true)) throw std::runtime_error("not now");
    if (made == 3) return std::nullopt;
    return Tick{++made};
  }
};

/// Waits until it is stopped.
struct Patient {
  std::atomic<bool>& is_waiting;
  std::optional<Tick> next(const SourceStop& stop) const {
    is_waiting = true;
    while (!stop.sleep_for(std::chrono::hours(1))) {
    }
    EXPECT_TRUE(stop.requested());
    return std::nullopt;
  }
};

class OwnSourceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    g_sum = 0;
    g_taken = 0;
    binary_.service<Sink>("Sink", Kind::simple);
    binary_.pool("pool", 1);
    binary_.flow<Nothing>("Ticks").side_effect<Sink>("sink", "Sink");
    binary_.start();
  }
  Flow& flow() { return *binary_.model().flows().front(); }

  struct Nothing final : Handler {
    Tick event(std::uint64_t /*sequence*/) { return {}; }
  };
  testing::FlowBinary binary_;
};

TEST_F(OwnSourceTest, MakesEventsUntilThereAreNoMoreAndGoesOnAfterAFailure) {
  OwnSource<Three> source(flow(), "three", std::make_unique<Three>(), PacedSource::kNoLimit);
  EXPECT_EQ(source.kind(), "three");
  EXPECT_EQ(source.per_second(), std::nullopt);
  source.start(0);
  EXPECT_TRUE(eventually([] { return g_taken == 3; }));
  EXPECT_EQ(g_sum, 6);
  EXPECT_TRUE(source.stop(0));
}

TEST_F(OwnSourceTest, KeepsARateThatChangesWhileItRuns) {
  OwnSource<Three> source(flow(), "three", std::make_unique<Three>(), 0);
  source.start(0);
  EXPECT_EQ(source.per_second(), 0);
  EXPECT_TRUE(source.set_per_second(1000));
  EXPECT_TRUE(eventually([] { return g_taken == 3; }));
  EXPECT_TRUE(source.stop(0));
}

TEST_F(OwnSourceTest, IsToldToStopWhileItWaits) {
  std::atomic<bool> is_waiting{false};
  OwnSource<Patient> source(flow(), "patient", std::make_unique<Patient>(is_waiting),
                            PacedSource::kNoLimit);
  source.start(0);
  EXPECT_TRUE(eventually([&] { return is_waiting.load(); }));
  source.ask_to_stop();
  EXPECT_TRUE(source.stop(0));
  EXPECT_EQ(g_taken, 0);
}

}  // namespace
}  // namespace penstock::flow::own_source_test
