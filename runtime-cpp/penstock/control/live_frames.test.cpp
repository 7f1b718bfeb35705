#include "penstock/control/live_frames.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "penstock/control/fake_host.hpp"

namespace penstock::control::live_frames_test {
namespace {

using namespace std::chrono_literals;

TEST(LiveFrames, TellThePoolsWhoseThreadsComeAndGo) {
  fake::FakeHost host;
  metrics::Schema schema = host.schema();
  schema.pools[1].cached = true;
  const auto pools = nlohmann::json::parse(schema_frame(schema, 100ms))["pools"];
  EXPECT_FALSE(pools[0].contains("cached"));
  EXPECT_EQ(pools[1]["cached"], true);
}

TEST(LiveFrames, NameTheServicesThatOtherBinariesRun) {
  fake::FakeHost host;
  metrics::Schema schema = host.schema();
  const auto frame = [&schema] { return nlohmann::json::parse(schema_frame(schema, 100ms)); };
  EXPECT_FALSE(frame().contains("remotes"));
  schema.remotes = {{7, "Far", "far-server"}};
  EXPECT_EQ(frame()["remotes"],
            nlohmann::json::parse(R"([{"id": 7, "name": "Far", "binary": "far-server"}])"));
}

TEST(LiveFrames, TellOfTheLinksToOtherBinaries) {
  fake::FakeHost host;
  metrics::Schema schema = host.schema();
  metrics::Sample sample = host.sample();
  const auto named = [&schema] { return nlohmann::json::parse(schema_frame(schema, 100ms)); };
  const auto counted = [&sample] { return nlohmann::json::parse(sample_frame(sample)); };
  EXPECT_FALSE(named().contains("links"));
  EXPECT_FALSE(counted().contains("links"));
  schema.links = {{0, "far-server", "unix"}, {1, "gone", "unix", "it is not running"}};
  sample.links = {{0, 2, 0, 900, 1800, 1, 84.1234, 200, 10, 5.0, 61.5, 1310.25},
                  {1, 0, 7, 0, 0, 0}};
  EXPECT_EQ(named()["links"],
            nlohmann::json::parse(R"([{"id": 0, "binary": "far-server", "transport": "unix"},
    {"id": 1, "binary": "gone", "transport": "unix", "down": "it is not running"}])"));
  EXPECT_EQ(counted()["links"],
            nlohmann::json::parse("[[0, 2, 0, 900, 1800, 1, 84.123, 5, 61.5, 1310.25], "
                                  "[1, 0, 7, 0, 0, 0, null, null, null, null]]"));
}

TEST(LiveFrames, TellTheBoundsOfAPoolAndWhoChangedItLast) {
  fake::FakeHost host;
  metrics::Schema schema = host.schema();
  schema.pools[1].adaptive = {2, 32, true, "controller", 7, 12.3456};
  const auto pools = nlohmann::json::parse(schema_frame(schema, 100ms))["pools"];
  EXPECT_FALSE(pools[0].contains("adaptive"));
  EXPECT_EQ(pools[1]["adaptive"], nlohmann::json::parse(R"({"from":2,"to":32,"on":true,
    "by":"controller","steps":7,"waitedMs":12.346})"));
}

TEST(LiveFrames, TellTheRulesAndWhatTheyBroughtIntoForce) {
  fake::FakeHost host;
  metrics::Schema schema = host.schema();
  const auto rules = [&schema] { return nlohmann::json::parse(schema_frame(schema, 100ms)); };
  EXPECT_EQ(rules()["rules"], nlohmann::json::parse(R"([{"of":"Impressions",
    "below":{"perSecond":1000,"preset":"calm"},"above":{"perSecond":5000,"preset":"busy"},
    "forSeconds":5,"on":true,"by":"rule","preset":"busy","switches":3,"perSecond":5432.124}])"));
  schema.rules[0].preset = "";
  schema.rules[0].refused = "no";
  EXPECT_EQ(rules()["rules"][0]["preset"], nullptr);
  EXPECT_EQ(rules()["rules"][0]["refused"], "no");
  schema.rules.clear();
  EXPECT_FALSE(rules().contains("rules"));
}

TEST(LiveFrames, TellEndingsAndTheirTimesByServiceAndWhereItHasSeveralByImplementation) {
  fake::FakeHost host;
  metrics::Sample sample = host.sample();
  sample.services[1].endings = {8, 500, 3, 2};
  sample.services[1].wait = {97'000, {}, {}, {}, {}};
  sample.implementations[2].endings = {3, 0, 0, 0};
  sample.implementations[2].run = {2900.5, {}, {}, {}, {}};
  const auto frame = nlohmann::json::parse(sample_frame(sample));
  const auto outcomes =
      nlohmann::json::parse("[[0,null,0,0,0,0],[1,null,8,500,3,2],[1,0,0,0,0,0],[1,1,3,0,0,0]]");
  EXPECT_EQ(frame["outcomes"], outcomes);
  const auto wait = nlohmann::json::parse("[1,null,97000,null,null,null,null]");
  EXPECT_EQ(frame["serviceWaits"][1], wait);
  const auto run = nlohmann::json::parse("[1,1,2900.5,null,null,null,null]");
  EXPECT_EQ(frame["serviceRuns"][3], run);
}

TEST(LiveFrames, TellWhatAStageRanAndItsVirtualStageWhereOneBegins) {
  fake::FakeHost host;
  metrics::Sample sample = host.sample();
  sample.stages[0].served = 90;
  sample.stages[0].expired = 5;
  sample.stages[0].run = {10, {}, {}, {}, {}};
  sample.stages[0].fused = metrics::Latency{25, {}, {}, {}, {}};
  const auto frame = nlohmann::json::parse(sample_frame(sample));
  EXPECT_EQ(frame["stageOutcomes"], nlohmann::json::parse("[[0,0,90,5],[0,1,0,0]]"));
  EXPECT_EQ(frame["runs"][0], nlohmann::json::parse("[0,0,10,null,null,null,null]"));
  EXPECT_EQ(frame["fused"], nlohmann::json::parse("[[0,0,25,null,null,null,null]]"));
}

TEST(LiveFrames, TellTheCallsOfATraceWhereItHasAny) {
  fake::FakeHost host;
  metrics::Sample sample = host.sample();
  auto trace = nlohmann::json::parse(sample_frame(sample))["traces"][0];
  EXPECT_EQ(trace.size(), 5U);
  sample.traces[0].calls = {{0, 1, 2, 1, 3, 12.5, 4, 100, false},
                            {2, 0, 0, {}, {}, 20, {}, {}, true}};
  trace = nlohmann::json::parse(sample_frame(sample))["traces"][0];
  EXPECT_EQ(trace[5],
            nlohmann::json::parse("[[0,1,2,1,3,12.5,4,100,0],[2,0,0,null,null,20,null,null,1]]"));
}

}  // namespace
}  // namespace penstock::control::live_frames_test
