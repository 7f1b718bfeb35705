#include "penstock/config/config.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace penstock::config::config_test {
namespace {

using nlohmann::json;

json good() {
  return json::parse(R"({ "penstock": 1, "binary": "ads-server",
    "topologyHash": "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "control": "127.0.0.1:0", "sampling": 3, "watchdogMs": 250,
    "liveness": { "pingMs": 200, "lostMs": 400, "hostLostMs": 900 },
    "pools": [
      { "name": "front", "threads": [ { "cpus": [0] } ], "idle": "spin", "priority": -5, "queue": 16,
        "overflow": "shed-oldest" },
      { "name": "models", "threads": [ {}, { "cpus": [] } ] } ],
    "services": {
      "GetAd": { "pool": "front", "deadlineMs": 100 },
      "ProduceAd": { "pool": "models", "thread": 1, "weights": { "ModelA": 90, "ModelB": 0 } },
      "LogAd": {} },
    "flows": { "Impressions": { "source": { "kind": "rate", "perSecond": 0.5 },
                                "joins": { "pick": "front", "log": "default" } } } })");
}

TEST(Config, ReadsEveryKey) {
  const Config config = parse(good().dump(), "x.json");
  EXPECT_EQ(config.binary, "ads-server");
  EXPECT_EQ(config.topology_hash.size(), 71U);
  EXPECT_EQ(config.control.host, "127.0.0.1");
  EXPECT_EQ(config.control.port, 0);
  EXPECT_EQ(config.sampling, 3);
  EXPECT_EQ(config.watchdog_ms, 250);
  EXPECT_EQ(config.liveness.ping_ms, 200);
  EXPECT_EQ(config.liveness.lost_ms, 400);
  EXPECT_EQ(config.liveness.host_lost_ms, 900);
  ASSERT_EQ(config.pools.size(), 2U);
  const Pool& front = config.pools[0];
  EXPECT_EQ(front.idle, Idle::spin);
  EXPECT_EQ(front.priority, -5);
  EXPECT_EQ(front.queue, 16U);
  EXPECT_EQ(front.overflow, Overflow::shed_oldest);
  EXPECT_FALSE(front.up_to);
  EXPECT_EQ(front.threads.at(0).cpus, std::vector<int>{0});
  const Service* produce = config.find_service("ProduceAd");
  ASSERT_NE(produce, nullptr);
  EXPECT_EQ(produce->thread, 1U);
  EXPECT_EQ(produce->weights.size(), 2U);
  EXPECT_EQ(config.find_service("GetAd")->deadline_ms, 100);
  const Flow* flow = config.find_flow("Impressions");
  ASSERT_NE(flow, nullptr);
  EXPECT_EQ(flow->source.kind, "rate");
  EXPECT_EQ(flow->source.settings, nullptr);  // nobody was there to read them
  EXPECT_EQ(flow->joins.size(), 2U);
  EXPECT_EQ(flow->joins[0].pool + flow->joins[1].pool, "defaultfront");
}

TEST(Config, ReadsWhatExposedServicesAreAskedWith) {
  EXPECT_EQ(parse(good().dump(), "x.json").expose.prefix, "/twirp");
  json value = good();
  value["expose"] = {{"prefix", "/api/v1.0"}, {"origins", {"https://shop.example"}}};
  const Config config = parse(value.dump(), "x.json");
  EXPECT_EQ(config.expose.prefix, "/api/v1.0");
  EXPECT_EQ(config.expose.origins, std::vector<std::string>{"https://shop.example"});
  value["expose"] = {{"prefix", ""}};
  EXPECT_EQ(parse(value.dump(), "x.json").expose.prefix, "");
  for (const char* const wrong : {"api", "/", "/api/", "//api", "/a//b", "/a b", "/%61"}) {
    value["expose"] = {{"prefix", wrong}};
    EXPECT_THROW(static_cast<void>(parse(value.dump(), "x.json")), ConfigError) << wrong;
  }
}

TEST(Config, ReadsJoinsOfStagesOfOtherBinaries) {
  json document = good();
  document["joins"] = {{"Orders.log", "models"}, {"Orders.pack", {{"threads", 2}}}};
  const Config config = parse(document.dump(), "x.json");
  ASSERT_EQ(config.joins.size(), 2U);
  EXPECT_EQ(config.joins[0].stage + " on " + config.joins[0].pool, "Orders.log on models");
  EXPECT_EQ(config.joins[1].stage, "Orders.pack");
  EXPECT_EQ(config.joins[1].threads, 2U);
}

TEST(Config, ReadsJoinsWithThreadsOfTheirOwn) {
  json document = good();
  document["flows"]["Impressions"]["joins"] = {
      {"pick", {{"threads", 4}, {"queue", 9}, {"overflow", "reject"}}},
      {"log", {{"threads", "cached"}}}};
  const Config config = parse(document.dump(), "x.json");
  const std::vector<Join>& joins = config.find_flow("Impressions")->joins;
  ASSERT_EQ(joins.size(), 2U);
  const Join& log = joins[0].stage == "log" ? joins[0] : joins[1];
  const Join& pick = joins[0].stage == "log" ? joins[1] : joins[0];
  EXPECT_EQ(pick.pool, "");
  EXPECT_EQ(pick.threads, 4U);
  EXPECT_EQ(pick.queue, 9U);
  EXPECT_EQ(pick.overflow, Overflow::reject);
  EXPECT_EQ(log.threads, 0U);
  EXPECT_EQ(log.queue, 1024U);
  EXPECT_EQ(log.overflow, Overflow::block);
}

TEST(Config, ReadsHowManyThreadsAPoolMayHave) {
  json document = good();
  document["services"]["ProduceAd"].erase("thread");
  document["pools"][1]["upTo"] = 32;
  const Config config = parse(document.dump(), "x.json");
  EXPECT_EQ(config.pools[1].threads.size(), 2U);
  EXPECT_EQ(config.pools[1].up_to, 32U);
}

json rule() {
  return json::parse(R"({ "of": "Impressions", "forSeconds": 7,
    "below": { "perSecond": 0.5, "preset": "calm-1",
               "pools": [ { "name": "front", "threads": [ {}, { "cpus": [1] } ] } ] },
    "above": { "perSecond": 5000, "preset": "busy",
               "joins": [ { "flow": "Impressions", "stage": "log", "join": { "threads": 4 } },
                          { "flow": "Impressions", "stage": "pick" } ] } })");
}

TEST(Config, ReadsRules) {
  json document = good();
  document["rules"] = {rule()};
  const Config config = parse(document.dump(), "x.json");
  ASSERT_EQ(config.rules.size(), 1U);
  const Rule& read = config.rules[0];
  EXPECT_EQ(read.of, "Impressions");
  EXPECT_EQ(read.for_seconds, 7U);
  EXPECT_EQ(read.below.per_second, 0.5);
  EXPECT_EQ(read.below.preset.name, "calm-1");
  ASSERT_EQ(read.below.preset.sizes.size(), 1U);
  EXPECT_EQ(read.below.preset.sizes[0].pool, "front");
  EXPECT_EQ(read.below.preset.sizes[0].threads.at(1).cpus, std::vector<int>{1});
  EXPECT_EQ(read.above.per_second, 5000);
  ASSERT_EQ(read.above.preset.slots.size(), 2U);
  EXPECT_EQ(read.above.preset.slots[0].flow, "Impressions");
  EXPECT_EQ(read.above.preset.slots[0].join->threads, 4U);
  EXPECT_EQ(read.above.preset.slots[1].stage, "pick");
  EXPECT_FALSE(read.above.preset.slots[1].join);
}

TEST(Config, FillsInDefaults) {
  json document = good();
  for (const char* key : {"control", "sampling", "watchdogMs", "liveness", "services", "flows"})
    document.erase(key);
  const Config config = parse(document.dump(), "x.json");
  EXPECT_EQ(config.control.port, 0);
  EXPECT_EQ(config.sampling, 3);
  EXPECT_EQ(config.watchdog_ms, 5000);
  EXPECT_EQ(config.liveness.ping_ms, 1000);
  EXPECT_EQ(config.liveness.lost_ms, 3000);
  EXPECT_EQ(config.liveness.host_lost_ms, 20000);
  const Pool& models = config.pools.at(1);
  EXPECT_EQ(models.idle, Idle::adaptive);
  EXPECT_EQ(models.priority, 0);
  EXPECT_EQ(models.queue, 1024U);
  EXPECT_EQ(models.overflow, Overflow::block);
}

TEST(Config, AcceptsAByteOrderMarkAndWholeNumbersWrittenAsDecimals) {
  json document = good();
  document["sampling"] = 5.0;
  EXPECT_EQ(parse("\xEF\xBB\xBF" + document.dump(), "x.json").sampling, 5);
}

TEST(Config, ReadsWhereBinariesListen) {
  json document = good();
  document["listen"] = {"tcp://127.0.0.1:7400", "tcp://[::1]:7401"};
  document["peers"] = {{"models", "tcp://localhost:65535"}};
  document["others"] = {{"shop", "tls+nats://10.0.0.5:4222"}};
  const Config config = parse(document.dump(), "x.json");
  ASSERT_EQ(config.listen.size(), 2U);
  EXPECT_EQ(config.listen[0].host, "127.0.0.1");
  EXPECT_EQ(config.listen[0].port, 7400);
  EXPECT_EQ(config.listen[1].host, "::1");
  ASSERT_EQ(config.peers.size(), 1U);
  EXPECT_EQ(config.peers[0].first, "models");
  EXPECT_EQ(config.peers[0].second.port, 65535);
  EXPECT_FALSE(config.peers[0].second.secured);
  ASSERT_EQ(config.others.size(), 1U);
  EXPECT_EQ(config.others[0].first, "shop");
  EXPECT_TRUE(config.others[0].second.nats);
}

TEST(Config, TakesDatagrams) {
  json document = good();
  document["listen"] = {"udp://127.0.0.1:7400", "tcp://127.0.0.1:7400"};
  document["peers"] = {{"models", "udp://[::1]:7401"}};
  const Config config = parse(document.dump(), "x.json");
  ASSERT_EQ(config.listen.size(), 2U);
  EXPECT_TRUE(config.listen[0].datagrams);
  EXPECT_FALSE(config.listen[1].datagrams);
  ASSERT_EQ(config.peers.size(), 1U);
  EXPECT_TRUE(config.peers[0].second.datagrams);
  EXPECT_FALSE(config.peers[0].second.secured);
  EXPECT_EQ(config.peers[0].second.host, "::1");
  document["listen"] = {"udp://10.0.0.5:7400", "udp://models:7400", "udp://0.0.0.0:7400"};
  document["peers"] = {{"models", "udp://[2001:db8::5]:7401"}, {"prices", "udp://prices:7401"}};
  const Config beyond = parse(document.dump(), "x.json");
  for (const PeerAddress& address : {beyond.listen.at(0), beyond.listen.at(1), beyond.listen.at(2),
                                     beyond.peers.at(0).second, beyond.peers.at(1).second}) {
    EXPECT_TRUE(address.datagrams);
    EXPECT_TRUE(address.secured);
  }
  EXPECT_FALSE(beyond.listen[0].named);
  EXPECT_TRUE(beyond.listen[1].named);
  EXPECT_TRUE(beyond.listen[2].named);
  EXPECT_TRUE(beyond.peers[1].second.named);
  for (const char* const wrong :
       {"udp+ordered://127.0.0.1:7400", "udp://127.0.0.1:0", "udp://0.0.0.0:0"}) {
    document["listen"] = {wrong};
    EXPECT_THROW(static_cast<void>(parse(document.dump(), "x.json")), ConfigError) << wrong;
  }
}

TEST(Config, SecuresWhatIsBeyondTheHost) {
  json document = good();
  document["listen"] = {"tcp://10.0.0.5:7400", "tcp://[2001:db8::5]:7400", "tls://127.0.0.1:7401",
                        "tcp://127.0.0.1:7402", "tcp://models-1.example:7403"};
  const Config config = parse(document.dump(), "x.json");
  ASSERT_EQ(config.listen.size(), 5U);
  EXPECT_EQ(config.listen[4].host, "models-1.example");
  EXPECT_TRUE(config.listen[4].named);
  EXPECT_TRUE(config.listen[4].secured);
  EXPECT_FALSE(config.listen[0].named);
  EXPECT_EQ(config.listen[0].host, "10.0.0.5");
  EXPECT_TRUE(config.listen[0].secured);
  EXPECT_EQ(config.listen[1].host, "2001:db8::5");
  EXPECT_TRUE(config.listen[1].secured);
  EXPECT_TRUE(config.listen[2].secured);
  EXPECT_FALSE(config.listen[3].secured);
}

TEST(Config, ReadsTheServerThatSaysWhereOthersAre) {
  json document = good();
  document["announce"] = "nats://[::1]:4222";
  document["listen"] = {"tcp://127.0.0.1:0", "tcp://0.0.0.0:0", "tls://[::]:7401",
                        "udp://0.0.0.0:0"};
  document["peers"] = {{"models", "tls+nats://nats.example:4222"},
                       {"logs", "tcp+nats://10.0.0.5:1"},
                       {"prices", "udp+nats://10.0.0.5:1"},
                       {"far", "udp+keys+nats://10.0.0.5:1"}};
  const Config config = parse(document.dump(), "x.json");
  ASSERT_TRUE(config.announce);
  EXPECT_EQ(config.announce->host, "::1");
  EXPECT_EQ(config.announce->port, 4222);
  ASSERT_EQ(config.listen.size(), 4U);
  EXPECT_TRUE(config.listen[3].datagrams);
  EXPECT_EQ(config.listen[0].port, 0);
  EXPECT_FALSE(config.listen[0].secured);
  EXPECT_TRUE(config.listen[1].named);
  EXPECT_TRUE(config.listen[1].secured);
  ASSERT_EQ(config.peers.size(), 4U);
  for (const auto& [binary, address] : config.peers) {
    EXPECT_TRUE(address.nats);
    EXPECT_EQ(address.secured, binary == "models" || binary == "far");
    EXPECT_EQ(address.datagrams, binary == "prices" || binary == "far");
    EXPECT_EQ(address.host, binary == "models" ? "nats.example" : "10.0.0.5");
  }
  for (const char* const wrong : {"nats://", "nats://x", "nats://x:0", "nats://user:pass@x:1",
                                  "nats://0.0.0.0:1", "tls://x:4222", "nats://x:4222/"}) {
    document["announce"] = wrong;
    EXPECT_THROW(static_cast<void>(parse(document.dump(), "x.json")), ConfigError) << wrong;
  }
  document["announce"] = "nats://x:1";
  for (const char* const wrong :
       {"tls+nats://x", "nats://x:4222", "udp+nats://x", "udp+tls+nats://x:1"}) {
    document["peers"] = {{"models", wrong}};
    EXPECT_THROW(static_cast<void>(parse(document.dump(), "x.json")), ConfigError) << wrong;
  }
}

TEST(Config, ReadsTheFileThatSaysWhereOthersAre) {
  json document = good();
  document["listen"] = {"tcp://0.0.0.0:7400", "tls://[::]:7401"};
  document["peers"] = {{"models", "tls+file:run/peers.json"},
                       {"logs", "tcp+file:/x.json"},
                       {"prices", "udp+file:/x.json"},
                       {"far", "udp+keys+file:/x.json"}};
  const Config config = parse(document.dump(), "x.json");
  ASSERT_EQ(config.listen.size(), 2U);
  EXPECT_TRUE(config.listen[0].named);
  EXPECT_TRUE(config.listen[0].secured);
  EXPECT_EQ(config.listen[1].port, 7401);
  ASSERT_EQ(config.peers.size(), 4U);
  for (const auto& [binary, address] : config.peers) {
    EXPECT_EQ(address.secured, binary == "models" || binary == "far");
    EXPECT_EQ(address.datagrams, binary == "prices" || binary == "far");
    EXPECT_EQ(address.file, binary == "models" ? "run/peers.json" : "/x.json");
  }
  // Each where it belongs.
  document["listen"] = {"tcp+file:x.json"};
  EXPECT_THROW(static_cast<void>(parse(document.dump(), "x.json")), ConfigError);
  document["listen"] = json::array();
  for (const char* const wrong : {"tcp://0.0.0.0:7400", "tls+file:", "udp+file:"}) {
    document["peers"] = {{"models", wrong}};
    EXPECT_THROW(static_cast<void>(parse(document.dump(), "x.json")), ConfigError) << wrong;
  }
}

TEST(Config, ReadsWhoMayCall) {
  json document = good();
  document["callers"] = {{"ProduceAd", {"front", "other-front"}}, {"LogAd", json::array()}};
  const Config config = parse(document.dump(), "x.json");
  ASSERT_TRUE(config.callers);
  ASSERT_EQ(config.callers->size(), 2U);
  EXPECT_TRUE(config.callers->at("LogAd").empty());
  EXPECT_EQ(config.callers->at("ProduceAd"), (std::vector<std::string>{"front", "other-front"}));
  document.erase("callers");
  EXPECT_FALSE(parse(document.dump(), "x.json").callers);
}

TEST(Config, KnowsEveryFormOfLoopback) {
  for (const auto& [text, host, port] :
       {std::tuple{"[::1]:9000", "::1", 9000}, {"localhost:65535", "localhost", 65535}}) {
    json document = good();
    document["control"] = text;
    const Config config = parse(document.dump(), "x.json");
    EXPECT_EQ(config.control.host, host);
    EXPECT_EQ(config.control.port, port);
  }
}

struct Bad {
  std::string title;
  std::function<void(json&)> spoil;
  std::string pointer;
  std::string says;  ///< a piece of reason or remedy
};

void PrintTo(const Bad& bad, std::ostream* out) { *out << bad.title; }

class BadConfig : public testing::TestWithParam<Bad> {};

TEST_P(BadConfig, IsRefusedAtItsPlace) {
  const Bad& bad = GetParam();
  json document = good();
  bad.spoil(document);
  try {
    static_cast<void>(parse(document.dump(), "ads.json"));
    FAIL() << "was accepted: " << document.dump();
  } catch (const ConfigError& error) {
    ASSERT_EQ(error.problems().size(), 1U) << error.what();
    const Problem& problem = error.problems().front();
    EXPECT_EQ(problem.pointer, bad.pointer);
    EXPECT_NE((problem.reason + "|" + problem.remedy).find(bad.says), std::string::npos)
        << error.what();
    EXPECT_FALSE(problem.remedy.empty());
    EXPECT_EQ(std::string(error.what()).rfind("ads.json: ", 0), 0U);
  }
}

json& front(json& d) { return d["pools"][0]; }
json& service(json& d, const char* name) { return d["services"][name]; }
json& flow(json& d) { return d["flows"]["Impressions"]; }

INSTANTIATE_TEST_SUITE_P(
    OneByOne, BadConfig,
    testing::Values(
        Bad{"array", [](json& d) { d = json::array(); }, "", "is a list"},
        Bad{"no version", [](json& d) { d.erase("penstock"); }, "", "\"penstock\" is missing"},
        Bad{"version 2", [](json& d) { d["penstock"] = 2; }, "/penstock", "from 1 to 1"},
        Bad{"version text", [](json& d) { d["penstock"] = "1"; }, "/penstock", "is \"1\""},
        Bad{"no binary", [](json& d) { d.erase("binary"); }, "", "\"binary\" is missing"},
        Bad{"binary number", [](json& d) { d["binary"] = 1; }, "/binary", "is a number"},
        Bad{"binary null", [](json& d) { d["binary"] = nullptr; }, "/binary", "is null"},
        Bad{"binary name", [](json& d) { d["binary"] = "../x"; }, "/binary", "no legal name"},
        Bad{"no hash", [](json& d) { d.erase("topologyHash"); }, "", "\"topologyHash\" is missing"},
        Bad{"hash short", [](json& d) { d["topologyHash"] = "sha256:00"; }, "/topologyHash",
            "64 hex digits"},
        Bad{"unknown key", [](json& d) { d["colour"] = 1; }, "/colour", "known are penstock"},
        Bad{"proto", [](json& d) { d["__proto__"] = 1; }, "/__proto__", "remove it"},
        Bad{"liveness list", [](json& d) { d["liveness"] = json::array(); }, "/liveness",
            "is a list"},
        Bad{"liveness key", [](json& d) { d["liveness"]["pingS"] = 1; }, "/liveness/pingS",
            "known are pingMs"},
        Bad{"liveness at once", [](json& d) { d["liveness"]["hostLostMs"] = 9; },
            "/liveness/hostLostMs", "from 10 to 3600000"},
        Bad{"liveness before the answer", [](json& d) { d["liveness"]["lostMs"] = 399; },
            "/liveness/lostMs", "two times `pingMs`"},
        Bad{"liveness that asks late", [](json& d) { d["liveness"] = {{"pingMs", 1501}}; },
            "/liveness/pingMs", "two times `pingMs`"},
        Bad{"peer everywhere",
            [](json& d) {
              d["peers"] = {{"models", "tcp://0.0.0.0:1"}};
            },
            "/peers/models", "address of one host"},
        Bad{"listen everywhere at no port", [](json& d) { d["listen"] = {"tcp://0.0.0.0:0"}; },
            "/listen/0", "PORT 1 to"},
        Bad{"listen group", [](json& d) { d["listen"] = {"tcp://239.1.1.1:1"}; }, "/listen/0",
            "address of one host"},
        Bad{"listen no name", [](json& d) { d["listen"] = {"tcp://models_1:1"}; }, "/listen/0",
            "address of one host"},
        Bad{"listen no number", [](json& d) { d["listen"] = {"tcp://10.0.0.300:1"}; }, "/listen/0",
            "address of one host"},
        Bad{"listen mapped", [](json& d) { d["listen"] = {"tls://[::ffff:0.0.0.0]:1"}; },
            "/listen/0", "address of one host"},
        Bad{"listen link", [](json& d) { d["listen"] = {"tls://[fe80::1]:1"}; }, "/listen/0",
            "address of one host"},
        Bad{"listen reserved", [](json& d) { d["listen"] = {"tls://240.0.0.1:1"}; }, "/listen/0",
            "address of one host"},
        Bad{"listen six bare", [](json& d) { d["listen"] = {"tcp://2001:db8::5:1"}; }, "/listen/0",
            "address of one host"},
        Bad{"listen udp", [](json& d) { d["listen"] = {"udp+ordered://a:1"}; }, "/listen/0",
            "udp://HOST:PORT"},
        Bad{"callers",
            [](json& d) {
              d["callers"] = {{"LogAd", "front"}};
            },
            "/callers/LogAd", "is no list"},
        Bad{"caller",
            [](json& d) {
              d["callers"] = {{"LogAd", {"front", "../x"}}};
            },
            "/callers/LogAd/1", "no legal name"},
        Bad{"listen any port", [](json& d) { d["listen"] = {"tcp://127.0.0.1:0"}; }, "/listen/0",
            "1 to 65535"},
        Bad{"listen number", [](json& d) { d["listen"] = {7400}; }, "/listen/0", "tcp://"},
        Bad{"peer without a scheme",
            [](json& d) {
              d["peers"] = {{"models", "127.0.0.1:1"}};
            },
            "/peers/models", "tcp://HOST:PORT"},
        Bad{"control world", [](json& d) { d["control"] = "0.0.0.0:1"; }, "/control", "loopback"},
        Bad{"control name", [](json& d) { d["control"] = "example.org:1"; }, "/control",
            "loopback"},
        Bad{"control bare", [](json& d) { d["control"] = "127.0.0.1"; }, "/control", "loopback"},
        Bad{"control port", [](json& d) { d["control"] = "127.0.0.1:65536"; }, "/control", "65535"},
        Bad{"control sign", [](json& d) { d["control"] = "127.0.0.1:+1"; }, "/control", "65535"},
        Bad{"control zero", [](json& d) { d["control"] = "127.0.0.1:01"; }, "/control", "65535"},
        Bad{"control v6", [](json& d) { d["control"] = "::1:80"; }, "/control", "[::1]"},
        Bad{"more threads than can be", [](json& d) { d["pools"][1]["upTo"] = 1025; },
            "/pools/1/upTo", "from 1 to 1024"},
        Bad{"fewer threads than there are", [](json& d) { d["pools"][1]["upTo"] = 1; },
            "/pools/1/upTo", "2 to 1024"},
        Bad{"pins on threads that come and go", [](json& d) { front(d)["upTo"] = 8; },
            "/pools/0/upTo", "pinned"},
        Bad{"a service on a thread that comes and goes", [](json& d) { d["pools"][1]["upTo"] = 8; },
            "/services/ProduceAd/thread", "come and go"},
        Bad{"a rule of nothing",
            [](json& d) {
              d["rules"] = {rule()};
              d["rules"][0].erase("of");
            },
            "/rules/0", "\"of\" is missing"},
        Bad{"two rules of one flow",
            [](json& d) {
              d["rules"] = {rule(), rule()};
            },
            "/rules/1/of", "already"},
        Bad{"a rule with one side",
            [](json& d) {
              d["rules"] = {rule()};
              d["rules"][0].erase("above");
            },
            "/rules/0", "\"above\" is missing"},
        Bad{"thresholds the wrong way round",
            [](json& d) {
              d["rules"] = {rule()};
              d["rules"][0]["below"]["perSecond"] = 5000;
            },
            "/rules/0/above/perSecond", "not above"},
        Bad{"a threshold of nothing",
            [](json& d) {
              d["rules"] = {rule()};
              d["rules"][0]["below"]["perSecond"] = 0;
            },
            "/rules/0/below/perSecond", "above 0"},
        Bad{"a threshold in words",
            [](json& d) {
              d["rules"] = {rule()};
              d["rules"][0]["above"]["perSecond"] = "many";
            },
            "/rules/0/above/perSecond", "no rate"},
        Bad{"a rule that waits for no second",
            [](json& d) {
              d["rules"] = {rule()};
              d["rules"][0]["forSeconds"] = 0;
            },
            "/rules/0/forSeconds", "from 1 to 3600"},
        Bad{"a preset of a pool that is not there",
            [](json& d) {
              d["rules"] = {rule()};
              d["rules"][0]["below"]["pools"][0]["name"] = "fornt";
            },
            "/rules/0/below/pools/0/name", "not listed"},
        Bad{"a preset of a pool whose threads come and go",
            [](json& d) {
              d["rules"] = {rule()};
              service(d, "ProduceAd").erase("thread");
              d["pools"][1]["upTo"] = 8;
              d["rules"][0]["below"]["pools"][0]["name"] = "models";
            },
            "/rules/0/below/pools/0/name", "come and go"},
        Bad{"a preset without threads",
            [](json& d) {
              d["rules"] = {rule()};
              d["rules"][0]["below"]["pools"][0]["threads"] = json::array();
            },
            "/rules/0/below/pools/0/threads", "1 to 1024"},
        Bad{"a join of a preset on no pool",
            [](json& d) {
              d["rules"] = {rule()};
              d["rules"][0]["above"]["joins"][0]["join"] = "none";
            },
            "/rules/0/above/joins/0/join", "not listed"},
        Bad{"sampling low", [](json& d) { d["sampling"] = -1; }, "/sampling", "from 0 to 128"},
        Bad{"sampling high", [](json& d) { d["sampling"] = 129; }, "/sampling", "from 0 to 128"},
        Bad{"sampling part", [](json& d) { d["sampling"] = 1.5; }, "/sampling", "is 1.5"},
        Bad{"sampling huge", [](json& d) { d["sampling"] = 1e300; }, "/sampling", "whole number"},
        Bad{"pools object",
            [](json& d) {
              d["pools"] = json::object();
              d["services"].clear();
              flow(d).erase("joins");
            },
            "/pools", "is an object"},
        Bad{"pool text", [](json& d) { d["pools"].push_back("x"); }, "/pools/2", "is a string"},
        Bad{"pool unknown", [](json& d) { front(d)["size"] = 1; }, "/pools/0/size", "remove"},
        Bad{"pool twice",
            [](json& d) {
              d["pools"][1]["name"] = "front";
              service(d, "ProduceAd") = json::object();
            },
            "/pools/1/name", "already"},
        Bad{"pool no name", [](json& d) { d["pools"].push_back({{"threads", {json::object()}}}); },
            "/pools/2", "\"name\" is missing"},
        Bad{"threads none", [](json& d) { front(d).erase("threads"); }, "/pools/0",
            "\"threads\" is missing"},
        Bad{"threads empty", [](json& d) { front(d)["threads"] = json::array(); },
            "/pools/0/threads", "1 to 1024"},
        Bad{"threads many", [](json& d) { front(d)["threads"] = json(1025, json::object()); },
            "/pools/0/threads", "lists 1025"},
        Bad{"threads number", [](json& d) { front(d)["threads"] = 4; }, "/pools/0/threads",
            "a list"},
        Bad{"thread key", [](json& d) { front(d)["threads"][0]["cpu"] = 1; },
            "/pools/0/threads/0/cpu", "known are cpus"},
        Bad{"cpu high", [](json& d) { front(d)["threads"][0]["cpus"] = {1024}; },
            "/pools/0/threads/0/cpus/0", "from 0 to 1023"},
        Bad{"cpu text", [](json& d) { front(d)["threads"][0]["cpus"] = {"0"}; },
            "/pools/0/threads/0/cpus/0", "CPU ids"},
        Bad{"cpus number", [](json& d) { front(d)["threads"][0]["cpus"] = 0; },
            "/pools/0/threads/0/cpus", "a list"},
        Bad{"idle", [](json& d) { front(d)["idle"] = "sleep"; }, "/pools/0/idle",
            "spin, park, adaptive"},
        Bad{"idle null", [](json& d) { front(d)["idle"] = nullptr; }, "/pools/0/idle", "is null"},
        Bad{"priority", [](json& d) { front(d)["priority"] = 20; }, "/pools/0/priority",
            "from -20 to 19"},
        Bad{"queue 0", [](json& d) { front(d)["queue"] = 0; }, "/pools/0/queue", "1048576"},
        Bad{"queue big", [](json& d) { front(d)["queue"] = 1048577; }, "/pools/0/queue", "1048576"},
        Bad{"overflow", [](json& d) { front(d)["overflow"] = "drop"; }, "/pools/0/overflow",
            "shed-oldest"},
        Bad{"service pool", [](json& d) { service(d, "GetAd")["pool"] = "nope"; },
            "/services/GetAd/pool", "\"nope\", which is not listed"},
        Bad{"service null", [](json& d) { service(d, "GetAd") = nullptr; }, "/services/GetAd",
            "an object"},
        Bad{"service name", [](json& d) { d["services"]["Get/Ad~"] = json::object(); },
            "/services/Get~1Ad~0", "no legal name"},
        Bad{"thread index", [](json& d) { service(d, "ProduceAd")["thread"] = 2; },
            "/services/ProduceAd/thread", "use 0 to 1"},
        Bad{"deadline 0", [](json& d) { service(d, "GetAd")["deadlineMs"] = 0; },
            "/services/GetAd/deadlineMs", "from 1 to 2147483647"},
        Bad{"deadline big", [](json& d) { service(d, "GetAd")["deadlineMs"] = 2147483648U; },
            "/services/GetAd/deadlineMs", "milliseconds"},
        Bad{"weight negative", [](json& d) { service(d, "ProduceAd")["weights"]["ModelA"] = -1; },
            "/services/ProduceAd/weights/ModelA", "shares from 0"},
        Bad{"weights zero", [](json& d) { service(d, "ProduceAd")["weights"]["ModelA"] = 0; },
            "/services/ProduceAd/weights", "share 0"},
        Bad{"source none", [](json& d) { flow(d).erase("source"); }, "/flows/Impressions",
            "\"source\" is missing"},
        Bad{"source list", [](json& d) { flow(d)["source"] = json::array(); },
            "/flows/Impressions/source", "object"},
        Bad{"source kind", [](json& d) { flow(d)["source"]["kind"] = 7; },
            "/flows/Impressions/source/kind", "string"},
        Bad{"join pool", [](json& d) { flow(d)["joins"]["pick"] = "gone"; },
            "/flows/Impressions/joins/pick", "\"gone\""},
        Bad{"join type", [](json& d) { flow(d)["joins"]["pick"] = 1; },
            "/flows/Impressions/joins/pick", "name a pool"},
        Bad{"join threads", [](json& d) { flow(d)["joins"]["pick"] = {{"threads", "many"}}; },
            "/flows/Impressions/joins/pick/threads", "cached"},
        Bad{"join queue",
            [](json& d) { flow(d)["joins"]["pick"] = {{"threads", 2}, {"queue", 0}}; },
            "/flows/Impressions/joins/pick/queue", "1 to 1048576"},
        Bad{"offered join pool", [](json& d) { d["joins"]["Orders.log"] = "gone"; },
            "/joins/Orders.log", "\"gone\""},
        Bad{"offered join name", [](json& d) { d["joins"]["Orders"] = "front"; }, "/joins/Orders",
            "no legal name"},
        Bad{"flow key", [](json& d) { flow(d)["stages"] = json::array(); },
            "/flows/Impressions/stages", "remove"}),
    [](const auto& test) {
      std::string name = test.param.title;
      for (char& c : name) {
        if (c == ' ') c = '_';
      }
      return name;
    });

void expect_refused(const std::string& text, const std::string& pointer, const std::string& says) {
  try {
    static_cast<void>(parse(text, "f"));
    FAIL() << "was accepted: " << text.substr(0, 80);
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.problems().front().pointer, pointer);
    EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
  }
}

TEST(ConfigText, RefusesWhatIsNoStrictJson) {
  expect_refused("", "", "line 1, column 1");
  expect_refused("{\n  \"penstock\": 1,\n}", "", "line 3, column 1");
  expect_refused("{} {}", "", "line 1");
  expect_refused("{ /* no */ }", "", "line 1");
  expect_refused("{\"penstock\": 1e999}", "/penstock", "line 1");
  expect_refused("{\"binary\": \"\xff\"}", "/binary", "line 1");
  expect_refused("{\"binary\": \"\\ud800\"}", "/binary", "line 1");
  expect_refused("{\"binary\": \"a\\u0000b\"}", "/binary", "NUL");
  expect_refused("{\"a\\u0000\": 1}", "", "NUL");
  expect_refused("{\"pools\": [{}, {\"name\": 1, \"name\": 2}]}", "/pools/1/name", "twice");
  expect_refused("{\"a~/b\": 1, \"a~/b\": 2}", "/a~0~1b", "twice");
}

TEST(ConfigText, BoundsTheDepth) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "[";
  std::string pointer;
  for (int i = 0; i < 32; ++i) pointer += "/0";
  expect_refused(deep, pointer, "deeper than 32");
}

TEST(ConfigText, NamesAllMistakesAtOnceButNotThousands) {
  json document = good();
  document["sampling"] = -1;
  document["colour"] = 1;
  try {
    static_cast<void>(parse(document.dump(), "f"));
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.problems().size(), 2U) << error.what();
  }
  for (int i = 0; i < 1000; ++i) document["key" + std::to_string(i)] = 1;
  try {
    static_cast<void>(parse(document.dump(), "f"));
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.problems().size(), 50U);
  }
}

TEST(ConfigFile, IsReadOrRefusedByName) {
  std::string directory = testing::TempDir() + "penstock-config-XXXXXX";
  ASSERT_NE(mkdtemp(directory.data()), nullptr);
  const std::filesystem::path file = std::filesystem::path(directory) / "ads.json";
  const auto refusal = [](const std::filesystem::path& path) -> std::string {
    try {
      static_cast<void>(load(path));
      return "accepted";
    } catch (const ConfigError& error) {
      return error.what();
    }
  };
  EXPECT_NE(refusal(file).find("cannot be opened"), std::string::npos);
  EXPECT_NE(refusal(file).find(file.string()), std::string::npos);
  EXPECT_NE(refusal(directory).find("no regular file"), std::string::npos);
  std::ofstream(file) << good().dump();
  EXPECT_EQ(load(file).binary, "ads-server");
  std::ofstream(file) << "";
  EXPECT_NE(refusal(file).find("line 1, column 1"), std::string::npos);
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace penstock::config::config_test
