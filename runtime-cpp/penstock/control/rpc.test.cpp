#include "penstock/control/rpc.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "penstock/control/fake_host.hpp"

namespace penstock::control::rpc_test {
namespace {

using nlohmann::json;

std::string request(const std::string& method, const std::string& params) {
  return R"({"jsonrpc":"2.0","id":5,"method":")" + method + R"(","params":)" + params + "}";
}

TEST(Rpc, DecodesEveryCommand) {
  const auto command = [](const std::string& text) {
    auto decoded = decode_rpc(text);
    if (const auto* failure = std::get_if<RpcFailure>(&decoded)) {
      ADD_FAILURE() << failure->message;
      return Command{};
    }
    EXPECT_EQ(std::get<RpcCall>(decoded).id, 5);
    return std::get<RpcCall>(decoded).command;
  };
  const auto resize =
      std::get<ResizePool>(command(request("pool.resize", R"({"pool":"front","threads":1024})")));
  EXPECT_EQ(resize.pool, "front");
  EXPECT_EQ(resize.threads, 1024);
  const auto adapt = std::get<AdaptPool>(
      command(request("pool.adapt", R"({"pool":"front","adapt":{"from":2,"to":1024}})")));
  EXPECT_EQ(adapt.pool, "front");
  EXPECT_TRUE(adapt.on);
  EXPECT_EQ(adapt.bounds.value().from, 2);
  EXPECT_EQ(adapt.bounds.value().to, 1024);
  for (const bool on : {true, false}) {
    const auto known = std::get<AdaptPool>(command(request(
        "pool.adapt", std::string(R"({"pool":"front","adapt":)") + (on ? "true}" : "false}"))));
    EXPECT_EQ(known.on, on);
    EXPECT_FALSE(known.bounds);
  }
  for (const bool on : {true, false}) {
    const auto rule = std::get<SetRule>(command(request(
        "rule.set", std::string(R"({"rule":"Impressions","on":)") + (on ? "true}" : "false}"))));
    EXPECT_EQ(rule.rule, "Impressions");
    EXPECT_EQ(rule.on, on);
  }
  const auto pin = std::get<PinThread>(
      command(request("pool.pin", R"({"pool":"front","thread":0,"cpus":[0,1023]})")));
  EXPECT_EQ(pin.cpus, (std::vector<int>{0, 1023}));
  const auto source =
      std::get<SetSource>(command(request("source.set", R"({"flow":"F","perSecond":1e9})")));
  EXPECT_EQ(source.per_second, 1e9);
  EXPECT_EQ(std::get<SetSampling>(command(request("sampling.set", R"({"per128":128})"))).per128,
            128);
  const auto shared = std::get<SetJoin>(
      command(request("join.set", R"({"flow":"F","stage":"s","join":{"pool":"front"}})")));
  EXPECT_EQ(shared.flow + "/" + shared.stage + " on " + shared.join.pool, "F/s on front");
  const auto own = std::get<SetJoin>(command(request(
      "join.set",
      R"({"flow":"F","stage":"s","join":{"threads":1024,"queue":16,"overflow":"reject"}})")));
  EXPECT_EQ(own.join.pool, "");
  EXPECT_EQ(own.join.threads, 1024);
  EXPECT_EQ(own.join.queue, 16);
  EXPECT_EQ(own.join.overflow, "reject");
  const auto cached = std::get<SetJoin>(
      command(request("join.set", R"({"flow":"F","stage":"s","join":{"threads":"cached"}})")));
  EXPECT_EQ(cached.join.threads, 0);
  EXPECT_EQ(cached.join.queue, 1024);
  EXPECT_EQ(cached.join.overflow, "block");
  const auto removed =
      std::get<RemoveJoin>(command(request("join.remove", R"({"flow":"F","stage":"s"})")));
  EXPECT_EQ(removed.flow + "/" + removed.stage, "F/s");
  EXPECT_FALSE(std::get<Watch>(command(request("live.watch", R"({"close":false})"))).close);
}

struct BadParams {
  const char* method;
  const char* params;
  const char* code;
  const char* says;
};

TEST(Rpc, RefusesParamsByRule) {
  for (const BadParams& bad : std::initializer_list<BadParams>{
           {"pool.resize", R"({"pool":"front","threads":0})", "PS501", "threads is 0"},
           {"pool.resize", R"({"pool":"front","threads":1025})", "PS501", "1025"},
           {"pool.resize", R"({"pool":"front","threads":[]})", "PS501", "a list"},
           {"pool.resize", R"({"pool":"front"})", "PS121", "threads is missing"},
           {"pool.resize", R"({"threads":4})", "PS121", "pool is missing"},
           {"pool.resize", R"({"pool":1,"threads":4})", "PS122", "pool is 1"},
           {"pool.resize", R"({"pool":"p","threads":4,"force":true})", "PS120", "\"force\""},
           {"pool.resize", R"(["front",4])", "PS122", "params is a list"},
           {"pool.resize", "null", "PS122", "params is null"},
           {"pool.adapt", R"({"pool":"p","adapt":{"from":0,"to":4}})", "PS519", "from is 0"},
           {"pool.adapt", R"({"pool":"p","adapt":{"from":1,"to":1025}})", "PS519", "1025"},
           {"pool.adapt", R"({"pool":"p","adapt":{"from":8,"to":2}})", "PS520", "to is 2"},
           {"pool.adapt", R"({"pool":"p","adapt":{"from":8}})", "PS121", "to is missing"},
           {"pool.adapt", R"({"pool":"p","adapt":{"from":1,"to":2,"cpus":[0]}})", "PS120",
            "\"cpus\""},
           {"pool.adapt", R"({"pool":"p","adapt":"on"})", "PS122", "adapt is a string"},
           {"rule.set", R"({"rule":"F","on":1})", "PS122", "on is 1"},
           {"rule.set", R"({"rule":"F"})", "PS121", "on is missing"},
           {"pool.pin", R"({"pool":"p","thread":-1,"cpus":[]})", "PS510", "-1"},
           {"pool.pin", R"({"pool":"p","thread":0,"cpus":[1024]})", "PS504", "1024"},
           {"pool.pin", R"({"pool":"p","thread":0,"cpus":["0"]})", "PS504", "\"0\""},
           {"pool.pin", R"({"pool":"p","thread":0,"cpus":[3,1,3]})", "PS505", "CPU 3"},
           {"pool.pin", R"({"pool":"p","thread":0,"cpus":0})", "PS122", "cpus is 0"},
           {"source.set", R"({"flow":"F","perSecond":-0.1})", "PS420", "-0.1"},
           {"source.set", R"({"flow":"F","perSecond":1000000001})", "PS420", "1000000001"},
           {"source.set", R"({"flow":"F","perSecond":"5"})", "PS420", "\"5\""},
           {"sampling.set", R"({"per128":129})", "PS752", "129"},
           {"sampling.set", R"({"per128":2.5})", "PS752", "2.5"},
           {"join.set", R"({"flow":"F","stage":"s"})", "PS121", "join is missing"},
           {"join.set", R"({"flow":"F","join":{"pool":"p"}})", "PS121", "stage is missing"},
           {"join.set", R"({"flow":"F","stage":"s","join":"p"})", "PS122", "is a string"},
           {"join.set", R"({"flow":"F","stage":"s","join":{}})", "PS121", "threads is missing"},
           {"join.set", R"({"flow":"F","stage":"s","join":{"pool":""}})", "PS750", "pool is \"\""},
           {"join.set", R"({"flow":"F","stage":"s","join":{"pool":"p","queue":8}})", "PS120",
            "\"queue\""},
           {"join.set", R"({"flow":"F","stage":"s","join":{"threads":0}})", "PS501",
            "threads is 0"},
           {"join.set", R"({"flow":"F","stage":"s","join":{"threads":"many"}})", "PS501",
            "\"many\""},
           {"join.set", R"({"flow":"F","stage":"s","join":{"threads":1,"queue":0}})", "PS502",
            "queue is 0"},
           {"join.set", R"({"flow":"F","stage":"s","join":{"threads":1,"overflow":"drop"}})",
            "PS123", "\"drop\""},
           {"join.remove", R"({"flow":"F","stage":"s","pool":"p"})", "PS120", "\"pool\""},
           {"live.watch", R"({"close":1})", "PS122", "close is 1"}}) {
    const auto decoded = decode_rpc(request(bad.method, bad.params));
    const auto* failure = std::get_if<RpcFailure>(&decoded);
    ASSERT_NE(failure, nullptr) << bad.params;
    EXPECT_EQ(failure->code, RpcCode::invalid_params) << bad.params;
    EXPECT_EQ(failure->problem, bad.code) << bad.params;
    EXPECT_EQ(failure->id, 5) << bad.params;
    EXPECT_NE(failure->message.find(bad.says), std::string::npos) << failure->message;
    EXPECT_FALSE(failure->help.empty()) << bad.params;
    EXPECT_TRUE(failure->is_request());
    EXPECT_TRUE(json::accept(encode_failure(*failure)));
  }
}

TEST(Rpc, TellsNoRequestFromABadOne) {
  for (const char* text :
       {"", "nonsense", "[]", "5", "{}", R"({"jsonrpc":"2.0","id":1})",
        R"({"jsonrpc":"2.0","id":1,"method":5})", R"({"jsonrpc":"2.0","id":"1","method":"x"})",
        R"({"jsonrpc":"2.0","id":null,"method":"x"})", R"({"jsonrpc":2,"id":1,"method":"x"})",
        R"({"jsonrpc":"2.0","id":1,"method":"x","more":1})",
        R"({"jsonrpc":"2.0","id":1,"id":2,"method":"x"})",
        R"([{"jsonrpc":"2.0","id":1,"method":"x"}])"}) {
    const auto decoded = decode_rpc(text);
    const auto* failure = std::get_if<RpcFailure>(&decoded);
    ASSERT_NE(failure, nullptr) << text;
    EXPECT_FALSE(failure->is_request()) << text;
    EXPECT_EQ(failure->id, std::nullopt) << text;
  }
  const auto decoded = decode_rpc(request("pool.explode", "{}"));
  EXPECT_EQ(std::get<RpcFailure>(decoded).code, RpcCode::method_not_found);
}

TEST(Rpc, ChecksNamesAgainstTheRunningBinary) {
  fake::FakeHost host;
  const metrics::Schema schema = host.schema();
  const auto code = [&](Command command) -> std::string {
    const auto failure = check_names({1, "x", std::move(command)}, schema);
    return failure ? failure->problem : "";
  };
  EXPECT_EQ(code(ResizePool{"front", 2}), "");
  EXPECT_EQ(code(ResizePool{"Front", 2}), "PS750");
  EXPECT_EQ(code(PinThread{"models", 1, {}}), "");
  EXPECT_EQ(code(PinThread{"models", 2, {}}), "PS510");
  EXPECT_EQ(code(PinThread{"none", 0, {}}), "PS750");
  EXPECT_EQ(code(SetSource{"Impressions", 1}), "");
  EXPECT_EQ(code(SetSource{"impressions", 1}), "PS751");
  EXPECT_EQ(code(SetSampling{3}), "");
  EXPECT_EQ(code(SetRule{"Impressions", false}), "");
  EXPECT_EQ(code(SetRule{"GetAd", false}), "PS762");
  EXPECT_EQ(code(SetJoin{"Impressions", "log", {"models"}}), "");
  EXPECT_EQ(code(SetJoin{"Impressions", "log", {}}), "");
  EXPECT_EQ(code(SetJoin{"Impressions", "log", {"none"}}), "PS750");
  EXPECT_EQ(code(SetJoin{"none", "log", {}}), "PS751");
  EXPECT_EQ(code(SetJoin{"Impressions", "none", {}}), "PS756");
  EXPECT_EQ(code(RemoveJoin{"Impressions", "pick"}), "");
  EXPECT_EQ(code(RemoveJoin{"Impressions", "Pick"}), "PS756");
}

TEST(Rpc, EncodesAnswersWithTheirId) {
  fake::FakeHost host;
  const Answer done = perform({-7, "pool.pin", PinThread{"front", 0, {1}}}, host);
  EXPECT_EQ(json::parse(done.text),
            json::parse(R"({"jsonrpc":"2.0","id":-7,"result":{"asked":[1],"actual":[1]}})"));
  EXPECT_EQ(done.problem, "");
  const Answer refused = perform({8, "pool.pin", PinThread{"front", 0, {9}}}, host);
  const json error = json::parse(refused.text)["error"];
  EXPECT_EQ(error["code"], -32000);
  EXPECT_EQ(error["data"]["code"], "PS753");
  EXPECT_EQ(refused.problem, "PS753");
}

TEST(Rpc, AnswersWhatARuleHasBroughtIntoForce) {
  fake::FakeHost host;
  const Answer done = perform({1, "rule.set", SetRule{"Impressions", false}}, host);
  EXPECT_EQ(json::parse(done.text)["result"], json::parse(R"({"on":false,"preset":"busy"})"));
}

TEST(Rpc, AnswersWhereAStageRunsOnceItsJoinIsInForce) {
  fake::FakeHost host;
  const auto answered = [&host](Command command) {
    return json::parse(perform({1, "x", std::move(command)}, host).text);
  };
  EXPECT_EQ(answered(SetJoin{"Impressions", "log", {"models"}})["result"],
            json::parse(R"({"pool":"models","threads":2,"tookMs":0.5})"));
  EXPECT_EQ(answered(RemoveJoin{"Impressions", "log"})["result"],
            json::parse(R"({"pool":null,"threads":0,"tookMs":0.5})"));
  const json refused = answered(SetJoin{"Impressions", "log", {}})["error"];
  EXPECT_EQ(refused["data"]["code"], "PS515");
  EXPECT_EQ(refused["data"]["help"], "Give the join more threads.");
}

}  // namespace
}  // namespace penstock::control::rpc_test
