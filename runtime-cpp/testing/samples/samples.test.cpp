#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "penstock/exec/affinity.hpp"
#include "support/child.hpp"
#include "support/placed.hpp"
#include "support/small_binary.hpp"

namespace penstock {
namespace {

using nlohmann::json;
using testing::Child;
namespace placed = testing::placed;

// Binaries end as soon as nothing is left to do, however late a busy machine makes that.
void drain_however_long() { setenv("PENSTOCK_DRAIN_MS", "300000", 1); }

// A configuration of the hello sample in a folder of its own.
class Configured : public ::testing::Test {
 protected:
  void SetUp() override {
    drain_however_long();
    std::string name = std::filesystem::temp_directory_path() / "penstock-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    std::ifstream file(std::string(placed::samples) + "/hello/hello.json");
    config = json::parse(file);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string written() const {
    std::ofstream(folder_ / "hello.json") << config.dump(2);
    return folder_ / "hello.json";
  }

  json config;

 private:
  std::filesystem::path folder_;
};

TEST_F(Configured, SaysReadyInOneLineAndDrainsOnSigterm) {
  for (const int signal : {SIGTERM, SIGINT}) {
    Child hello({placed::hello, "--config", written()});
    const json ready = json::parse(hello.line());
    EXPECT_EQ(ready["event"], "ready");
    EXPECT_EQ(ready["binary"], "hello");
    EXPECT_EQ(ready["pid"], hello.pid());
    EXPECT_TRUE(ready["http"].is_null());
    EXPECT_TRUE(ready["control"].get<std::string>().starts_with("127.0.0.1:"));
    hello.send(signal);
    EXPECT_EQ(hello.rest(), "");
    EXPECT_EQ(hello.wait(), 0);
  }
}

TEST_F(Configured, NamesAndPinsItsThreadsAsDrawn) {
  const int last = exec::process_cpus().back();
  config["pools"][0]["name"] = "a_pool_with_a_long_name";
  config["pools"][0]["threads"] =
      json::parse(R"([{"cpus": [)" + std::to_string(last) + R"(]}, {}])");
  for (const char* service : {"Multiplication", "Printer"}) {
    config["services"][service]["pool"] = "a_pool_with_a_long_name";
  }
  config["flows"]["Numbers"]["joins"]["multiply"] = "a_pool_with_a_long_name";
  Child hello({placed::hello, "--config", written()});
  ASSERT_NE(hello.line(), "");
  const auto threads = hello.threads();
  EXPECT_EQ(threads.at("a_pool_with_a-0"), std::vector<int>{last});
  EXPECT_EQ(threads.at("a_pool_with_a-1"), exec::process_cpus());
  EXPECT_EQ(threads.count("adders-0"), 1U);
  EXPECT_EQ(threads.count("ps-control"), 1U);
  EXPECT_EQ(threads.count("ps-src-0"), 1U);
}

TEST_F(Configured, Fault51RefusesAPinToAnAbsentCpuUnlessRelaxed) {
  config["pools"][0]["threads"][0]["cpus"] = {1023};
  const std::string file = written();
  Child strict({placed::hello, "--config", file});
  EXPECT_EQ(strict.line(), "");
  const std::string reason = strict.errors();
  EXPECT_NE(reason.find("front-0"), std::string::npos) << reason;
  EXPECT_NE(reason.find("1023"), std::string::npos) << reason;
  EXPECT_EQ(strict.wait(), 78);

  Child relaxed({placed::hello, "--config", file, "--relax-pins"});
  EXPECT_NE(relaxed.line(), "");
  relaxed.send(SIGTERM);
  EXPECT_NE(relaxed.errors().find("warning: thread front-0"), std::string::npos);
  EXPECT_EQ(relaxed.wait(), 0);
}

TEST_F(Configured, Exits78OnAConfigurationThatCannotBeUsed) {
  struct Case {
    const char* pointer;
    json value;
    const char* named;
  };
  const std::vector<Case> cases{{"/surprise", 1, "/surprise"},
                                {"/services/Addition/pool", "nowhere", "nowhere"},
                                {"/services/Nobody", json::parse(R"({"pool": "front"})"), "Nobody"},
                                {"/services/Printer/thread", 7, "/services/Printer/thread"},
                                {"/flows/Numbers/joins/nostage", "front", "nostage"},
                                {"/binary", "other", "other"}};
  for (const Case& wrong : cases) {
    const json good = config;
    config[json::json_pointer(wrong.pointer)] = wrong.value;
    Child hello({placed::hello, "--config", written()});
    EXPECT_EQ(hello.line(), "") << wrong.pointer;
    const std::string reason = hello.errors();
    EXPECT_NE(reason.find(wrong.named), std::string::npos) << reason;
    EXPECT_NE(reason.find("hello.json"), std::string::npos) << reason;
    EXPECT_EQ(hello.wait(), 78) << wrong.pointer;
    config = good;
  }
}

TEST_F(Configured, Fault17ExitsWithTheReasonWhenItsControlPortIsBusy) {
  Child first({placed::hello, "--config", written()});
  config["control"] = json::parse(first.line())["control"];
  Child second({placed::hello, "--config", written()});
  EXPECT_EQ(second.line(), "");
  const std::string reason = second.errors();
  EXPECT_NE(reason.find("in use"), std::string::npos) << reason;
  EXPECT_EQ(second.wait(), 78);
}

TEST_F(Configured, AnswersVersionHelpAndWrongUsage) {
  Child version({placed::hello, "--version"});
  EXPECT_NE(version.line().find("hello sha256:"), std::string::npos);
  EXPECT_EQ(version.wait(), 0);
  Child help({placed::hello, "--help"});
  EXPECT_NE(help.rest().find("--relax-pins"), std::string::npos);
  EXPECT_EQ(help.wait(), 0);
  Child wrong({placed::hello, "--confg"});
  EXPECT_NE(wrong.errors().find("--confg"), std::string::npos);
  EXPECT_EQ(wrong.wait(), 2);
}

TEST_F(Configured, UsesNoCpuWhenItHasNothingToDo) {
  config["flows"]["Numbers"]["source"]["perSecond"] = 0;
  Child hello({placed::hello, "--config", written()});
  ASSERT_NE(hello.line(), "");
  const auto cpu_ns = [&] {
    timespec time{};
    clockid_t clock{};
    clock_getcpuclockid(hello.pid(), &clock);
    clock_gettime(clock, &time);
    return static_cast<Nanos>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
  };
  // Until its threads have gone to sleep.
  ASSERT_TRUE(testing::eventually([&] {
    const Nanos before = cpu_ns();
    timespec pause{0, 50'000'000};
    nanosleep(&pause, nullptr);
    return cpu_ns() - before < 500'000;
  }));
  hello.send(SIGTERM);
  EXPECT_EQ(hello.wait(), 0);
}

TEST(AdsSample, StartsItsFortyModelThreadsAndStopsThem) {
  drain_however_long();
  Child ads({placed::ads});
  ASSERT_NE(ads.line(), "");
  const auto threads = ads.threads();
  EXPECT_EQ(threads.count("models-39"), 1U);
  ads.send(SIGTERM);
  EXPECT_EQ(ads.wait(), 0);
}

}  // namespace
}  // namespace penstock
