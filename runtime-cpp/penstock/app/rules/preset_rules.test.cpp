#include "penstock/app/rules/preset_rules.hpp"

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "penstock/exec/affinity.hpp"
#include "support/flow_binary.hpp"

namespace penstock::app::preset_rules_test {
namespace {

using penstock::testing::FlowBinary;

struct Job {
  int number = 0;
};
struct Fetch : Handler {
  using request_type = Job;
  using response_type = Job;
  static Job handle(const Job& job) { return job; }
};
struct Store : Handler {
  using request_type = Job;
  using response_type = void;
  static void handle(const Job& /*job*/) {}
};
struct Jobs {
  static Job event(std::uint64_t number) { return {static_cast<int>(number)}; }
};

config::Preset preset(std::string name, std::size_t threads, std::optional<config::Join> store) {
  config::Preset made;
  made.name = std::move(name);
  made.sizes = {{"front", std::vector<config::Thread>(threads)}};
  if (store) store->stage = "store";
  made.slots = {{"F", "store", std::move(store)}};
  return made;
}
config::Join own(unsigned threads) {
  config::Join join;
  join.threads = threads;
  join.queue = 64;
  return join;
}

/// A binary with a flow, and a rule that gives it more threads above five events a second and fewer
/// below two. Time passes when the test says so.
class PresetRulesTest : public ::testing::Test {
 protected:
  config::Rule& drawn(Kind kind = Kind::simple, std::string of = "F") {
    binary.service<Fetch>("Fetch", kind);
    binary.service<Store>("Store", Kind::simple);
    binary.pool("front", 2);
    binary.place("Fetch", "front");
    binary.place("Store", "front");
    binary.flow<Jobs>("F").map<Fetch>("fetch", "Fetch").side_effect<Store>("store", "Store");
    binary.config().rules.push_back(
        {std::move(of),
         {2, preset("calm", kind == Kind::sync_remote ? 1 : 2, std::nullopt)},
         {5, preset("busy", 4, own(3))},
         2});
    return binary.config().rules.back();
  }
  void start() {
    binary.start();
    binary.host().set_bounds_as_drawn();
    binary.host().adaptive().look(time);
  }
  void TearDown() override { binary.stop(); }

  void pass(int seconds, int per_second) {
    for (int second = 0; second < seconds; ++second) {
      for (int event = 0; event < per_second; ++event) binary.emit(Job{event});
      time += 1'000'000'000;
      binary.host().adaptive().look(time);
    }
  }
  [[nodiscard]] unsigned threads() { return binary.pool_of("front").size(); }
  [[nodiscard]] std::optional<control::Join> store() {
    return binary.model().joins().now(binary.first_flow().stages()[1]);
  }
  [[nodiscard]] metrics::PresetRule state() { return binary.host().schema().rules.at(0); }

  FlowBinary binary;
  Nanos time = 1'000'000'000;
};

TEST_F(PresetRulesTest, BringsThePresetOfTheRateIntoForceAndSaysSo) {
  drawn();
  start();
  EXPECT_EQ(state().by, "drawing");
  EXPECT_EQ(state().preset, "");
  pass(1, 10);
  EXPECT_EQ(threads(), 2U) << "it has not held for two seconds";
  const auto before = binary.host().schema_revision();
  ::testing::internal::CaptureStderr();
  pass(1, 10);
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find(R"({"event":"switched","atMs":)"), std::string::npos) << said;
  EXPECT_NE(said.find(R"("rule":"F","preset":"busy","perSecond":10,"result":"in force"})"),
            std::string::npos)
      << said;
  EXPECT_GT(binary.host().schema_revision(), before);
  EXPECT_EQ(threads(), 4U);
  EXPECT_EQ(store(), (control::Join{"", 3, 64, "block"}));
  EXPECT_EQ(state().preset, "busy");
  EXPECT_EQ(state().by, "rule");
  EXPECT_EQ(state().switches, 1U);
  EXPECT_EQ(state().per_second, 10);
  pass(5, 3);
  EXPECT_EQ(threads(), 4U) << "between the two";
  pass(2, 0);
  EXPECT_EQ(threads(), 2U);
  EXPECT_EQ(store(), std::nullopt);
  EXPECT_EQ(state().preset, "calm");
  EXPECT_EQ(state().switches, 2U);
  ASSERT_TRUE(binary.idle());
}

TEST_F(PresetRulesTest, WhatIsInForceAlreadyIsNoSwitch) {
  drawn();
  start();
  ::testing::internal::CaptureStderr();
  pass(2, 0);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(state().preset, "calm");
  EXPECT_EQ(state().switches, 0U);
  EXPECT_EQ(state().by, "drawing");
}

TEST_F(PresetRulesTest, APersonsChangeLetsItRestUntilItIsSwitchedOnAgain) {
  drawn();
  start();
  pass(2, 10);
  ASSERT_EQ(threads(), 4U);
  ASSERT_TRUE(std::holds_alternative<control::Setting>(binary.host().resize_pool("front", 3)));
  EXPECT_FALSE(state().on);
  EXPECT_EQ(state().by, "person");
  EXPECT_EQ(state().preset, "");
  pass(5, 0);
  EXPECT_EQ(threads(), 3U);
  const auto on = binary.host().set_rule("F", true);
  ASSERT_TRUE(std::holds_alternative<control::Ruling>(on));
  EXPECT_TRUE(std::get<control::Ruling>(on).on);
  pass(3, 0);
  EXPECT_EQ(threads(), 2U);
  EXPECT_EQ(state().preset, "calm");
  const auto off = binary.host().set_rule("F", false);
  EXPECT_FALSE(std::get<control::Ruling>(off).on);
  pass(5, 10);
  EXPECT_EQ(threads(), 2U);
  EXPECT_TRUE(std::holds_alternative<control::Refusal>(binary.host().set_rule("G", true)));
}

TEST_F(PresetRulesTest, ItRestsAfterAChangeOfAnythingThatItsPresetsName) {
  binary.pool("other", 2);
  drawn();
  start();
  ASSERT_TRUE(std::holds_alternative<control::Setting>(binary.host().resize_pool("other", 3)));
  EXPECT_TRUE(state().on);
  ASSERT_TRUE(
      std::holds_alternative<control::Joined>(binary.host().set_join("F", "fetch", {"other"})));
  EXPECT_TRUE(state().on);
  const auto pinned = binary.host().pin("front", 0, {1023});
  ASSERT_TRUE(std::holds_alternative<control::Refusal>(pinned));
  EXPECT_EQ(std::get<control::Refusal>(pinned).message,
            "thread 0 of pool front cannot be pinned: this process has no CPU 1023");
  EXPECT_TRUE(state().on);
  const auto rests = [this](bool in_force) {
    EXPECT_TRUE(in_force);
    EXPECT_FALSE(state().on);
    static_cast<void>(binary.host().set_rule("F", true));
  };
  rests(std::holds_alternative<control::Joined>(
      binary.host().set_join("F", "store", control::Join{"other"})));
  rests(std::holds_alternative<control::Joined>(binary.host().remove_join("F", "store")));
  rests(std::holds_alternative<control::Pinning>(
      binary.host().pin("front", 0, {exec::process_cpus().front()})));
  static_cast<void>(binary.host().pin("front", 0, {}));
  rests(std::holds_alternative<control::Adapting>(
      binary.host().adapt_pool("front", control::Bounds{1, 8})));
}

TEST_F(PresetRulesTest, APresetIsBroughtIntoForceWithItsPinsAndTakenBackWithThem) {
  const int cpu = exec::process_cpus().front();
  config::Rule& rule = drawn();
  rule.above.preset.sizes[0].threads[3].cpus = {cpu};
  start();
  pass(2, 10);
  ASSERT_EQ(threads(), 4U);
  EXPECT_EQ(binary.pool_of("front").asked_cpus(3), std::vector<int>{cpu});
}

TEST_F(PresetRulesTest, WhatIsRefusedIsRefusedAsAWholeAndLetsTheRuleRest) {
  config::Rule& rule = drawn();
  // The join is in force and the pool has its threads before the pin is refused.
  rule.above.preset.sizes[0].threads[3].cpus = {1023};
  start();
  ::testing::internal::CaptureStderr();
  pass(2, 10);
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find(R"("rule":"F","preset":"busy","perSecond":10,"result":"PS753"})"),
            std::string::npos)
      << said;
  EXPECT_EQ(threads(), 2U);
  EXPECT_EQ(store(), std::nullopt);
  EXPECT_FALSE(state().on);
  EXPECT_EQ(state().switches, 0U);
  EXPECT_NE(state().refused.find("no CPU 1023"), std::string::npos) << state().refused;
  static_cast<void>(binary.host().set_rule("F", true));
  EXPECT_EQ(state().refused, "");
}

// The rules of any other change: a stage that blocks is not left on one thread.
TEST_F(PresetRulesTest, APresetThatBreaksARuleIsRefused) {
  drawn(Kind::sync_remote);
  start();
  pass(2, 0);
  EXPECT_EQ(threads(), 2U);
  EXPECT_FALSE(state().on);
  EXPECT_NE(state().refused.find("sync-remote"), std::string::npos) << state().refused;
}

TEST_F(PresetRulesTest, APoolWhoseThreadsComeAndGoIsLeftToItsController) {
  drawn();
  start();
  static_cast<void>(binary.host().adapt_pool("front", control::Bounds{1, 8}));
  static_cast<void>(binary.host().set_rule("F", true));
  pass(3, 10);
  EXPECT_FALSE(state().on);
  EXPECT_NE(state().refused.find("come and go"), std::string::npos) << state().refused;
}

TEST_F(PresetRulesTest, WatchesTheCallsOfAServiceAsWell) {
  drawn(Kind::simple, "Fetch");
  const Stub<Job, Job> stub(&binary.model().add_outside("Fetch"));
  start();
  for (int second = 0; second < 2; ++second) {
    std::vector<Future<Job>> answers;
    answers.reserve(10);
    for (int call = 0; call < 10; ++call) answers.push_back(stub({call}));
    for (auto& answer : answers) static_cast<void>(answer.get());
    pass(1, 0);
  }
  EXPECT_EQ(threads(), 4U);
  EXPECT_EQ(state().name, "Fetch");
}

TEST_F(PresetRulesTest, WhatARuleNamesIsThere) {
  drawn().of = "G";
  EXPECT_THROW(binary.start(), StartError);
}
TEST_F(PresetRulesTest, AStageThatARuleNamesIsThere) {
  drawn().below.preset.slots[0].stage = "stor";
  EXPECT_THROW(binary.start(), StartError);
}

// The thread that looks is there where only rules are drawn.
TEST_F(PresetRulesTest, ItsThreadComesAndGoes) {
  drawn();
  start();
  binary.host().adaptive().start(true);
  ASSERT_TRUE(binary.host().adaptive().stop(testing::far_from_now()));
  pass(2, 10);
  EXPECT_EQ(threads(), 2U) << "stopped";
}

}  // namespace
}  // namespace penstock::app::preset_rules_test
