// Two processes, one of which calls the other, as users run them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "support/child.hpp"
#include "support/nats_server.hpp"
#include "support/placed.hpp"

namespace penstock {
namespace {

using testing::Child;

class Neighbours : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = "/tmp/penstock-XXXXXX";  // short, as names of sockets are
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    setenv("PENSTOCK_DRAIN_MS", "300000", 1);
    setenv("PENSTOCK_RUN", run_folder().c_str(), 1);
    configure("ads", R"("services": {"Echo":
      {"pool": "work", "weights": {"Loud": 1, "Quiet": 0}}}, "flows": {})");
    configure("front", R"("services": {"Asks": {"pool": "work"}}, "flows": {"Ticks":
      {"source": {"kind": "rate", "perSecond": 200}, "joins": {}}})");
    configure("line", R"("services": {"Says": {"pool": "work"}}, "flows": {"Numbers":
      {"source": {"kind": "rate", "perSecond": 1000000}, "joins": {"echo": "work"}}})");
  }
  void TearDown() override {
    unsetenv("NEIGHBOUR");
    unsetenv("PENSTOCK_RUN");
    unsetenv("PENSTOCK_DRAIN_MS");
    std::filesystem::remove_all(folder_);
  }

  /// The six lines that `owner` says, sorted, where `runner` has these joins: what fails takes a
  /// way of its own.
  [[nodiscard]] std::vector<std::string> lines(const std::string& joins) const {
    configure("owner", R"("services": {"Tells": {"pool": "work"}, "Fails": {"pool": "work"}},
      "flows": {"Lines": {"source": {"kind": "rate", "perSecond": 1000000},
                          "joins": {"even": "work"}}})");
    configure("runner",
              R"("services": {"Even": {"pool": "work"}, "Below": {"pool": "work"},
      "Marks": {"pool": "work"}, "Halves": {"pool": "work"}, "Rescues": {"pool": "work"}},
      "flows": {}, "joins": )" +
                  joins,
              R"({"name": "work", "threads": [{}]}, {"name": "side", "threads": [{}]})");
    Child runner(start("runner"));
    EXPECT_NE(runner.line(), "");
    Child owner(start("owner"));
    EXPECT_NE(owner.line(), "");
    std::vector<std::string> said;
    while (said.size() < 6) said.push_back(owner.line());
    stopped(owner);
    stopped(runner);
    std::sort(said.begin(), said.end());
    return said;
  }

  [[nodiscard]] std::filesystem::path run_folder() const { return folder_ / "run"; }
  [[nodiscard]] std::ptrdiff_t sockets() const {
    return std::distance(std::filesystem::directory_iterator(run_folder()), {});
  }
  [[nodiscard]] std::vector<std::string> start(const std::string& binary) const {
    setenv("NEIGHBOUR", binary.c_str(), 1);
    return {testing::placed::neighbours, "--config", file(binary)};
  }
  /// True once it says so of its calls; what a busy machine has it say before that is passed over.
  static bool says(const Child& front, const std::string& words) {
    std::string line = front.line();
    while (!line.empty() && line.find(words) == std::string::npos) line = front.line();
    return !line.empty();
  }
  [[nodiscard]] std::string secret_file(const std::string& text) const {
    const std::filesystem::path file = folder_ / "secret";
    std::ofstream(file) << text;
    return file;
  }
  static int stopped(Child& child) {
    child.send(SIGTERM);
    const int code = child.wait();
    EXPECT_EQ(code, 0) << child.errors();
    return code;
  }

  void configure(const std::string& binary, const std::string& rest,
                 const std::string& pools = R"({"name": "work", "threads": [{}]})") const {
    std::ofstream(file(binary)) << R"({"penstock": 1, "binary": ")" << binary
                                << R"(", "topologyHash": "sha256:)" << std::string(64, '0')
                                << R"(", "control": "127.0.0.1:0", "sampling": 3,
      "pools": [)" << pools << "], "
                                << rest << "}";
  }
  /// `ads` at whatever port is free, which that server is told.
  void configure_announced(const testing::NatsServer& server, const std::string& scheme) const {
    configure("ads", R"("announce": ")" + server.url() + R"(", "listen": [")" + scheme +
                         R"(://127.0.0.1:0"],
      "services": {"Echo": {"pool": "work", "weights": {"Loud": 1, "Quiet": 0}}}, "flows": {})");
    configure("front", R"("peers": {"ads": ")" + scheme + "+" + server.url() + R"("},
      "services": {"Asks": {"pool": "work"}},
      "flows": {"Ticks": {"source": {"kind": "rate", "perSecond": 200}, "joins": {}}})");
  }
  void call_through_death_and_return() {
    auto ads = std::make_unique<Child>(start("ads"));
    ASSERT_NE(ads->line(), "");
    Child front(start("front"));
    ASSERT_TRUE(says(front, "answered"));

    ads.reset();  // SIGKILL
    ASSERT_TRUE(says(front, "ads cannot be reached"));

    ads = std::make_unique<Child>(start("ads"));
    ASSERT_NE(ads->line(), "");
    ASSERT_TRUE(says(front, "answered"));

    EXPECT_EQ(stopped(front), 0);
    EXPECT_EQ(stopped(*ads), 0);
  }

 private:
  [[nodiscard]] std::string file(const std::string& binary) const {
    return folder_ / (binary + ".json");
  }

  std::filesystem::path folder_;
};

// Memory that processes share has no name, and is gone with them; sockets have one.
TEST_F(Neighbours, Fault38LeaveNothingBehindThatTheNextStartDoesNotTakeOut) {
  {
    Child ads(start("ads"));
    ASSERT_NE(ads.line(), "");
    Child front(start("front"));
    ASSERT_TRUE(says(front, "answered"));  // through memory
  }                                        // SIGKILL, of both
  std::error_code none;                    // there may be no such folder
  for (const auto& entry : std::filesystem::directory_iterator("/dev/shm", none))
    EXPECT_EQ(entry.path().string().find("penstock"), std::string::npos) << entry.path();
  ASSERT_EQ(sockets(), 1) << "of the one that was called";
  Child ads(start("ads"));
  ASSERT_NE(ads.line(), "");
  EXPECT_EQ(sockets(), 1) << "its own";
  EXPECT_EQ(stopped(ads), 0);
  EXPECT_TRUE(std::filesystem::is_empty(run_folder()));
}

TEST_F(Neighbours, CallEachOtherThroughDeathAndReturn) { call_through_death_and_return(); }

// At a port of this process's, below those that the system gives to others.
TEST_F(Neighbours, CallEachOtherOverDatagramsThroughDeathAndReturn) {
  const std::string address =
      "\"udp://127.0.0.1:" + std::to_string(10'000 + getpid() % 10'000) + "\"";
  configure("ads", R"("services": {"Echo":
      {"pool": "work", "weights": {"Loud": 1, "Quiet": 0}}}, "flows": {}, "listen": [)" +
                       address + "]");
  configure("front", R"("services": {"Asks": {"pool": "work"}}, "flows": {"Ticks":
      {"source": {"kind": "rate", "perSecond": 200}, "joins": {}}}, "peers": {"ads": )" +
                         address + "}");
  call_through_death_and_return();
}

// Nothing is lost or overtaken while nobody can be asked, and the source is held back meanwhile.
TEST_F(Neighbours, RunStagesOfEachOthersFlows) {
  Child line(start("line"));
  ASSERT_NE(line.line(), "");
  auto ads = std::make_unique<Child>(start("ads"));
  const std::string first = line.line();
  ASSERT_EQ(first.rfind("from ! of ", 0), 0U) << first;
  EXPECT_LT(std::stoi(first.substr(10)), 5000);
  EXPECT_EQ(line.line(), "all of 10000");

  ads.reset();  // SIGKILL
  setenv("NEIGHBOUR_MARK", "?", 1);
  Child another(start("ads"));
  unsetenv("NEIGHBOUR_MARK");
  ASSERT_TRUE(says(line, "from ? of "));
  // Nobody is there to the end.
  stopped(another);
  stopped(line);
}

// An event ends in another binary, goes on as that has changed it, and its failure is told there.
TEST_F(Neighbours, RunStagesThatEndChangeAndRescueEvents) {
  EXPECT_EQ(lines("{}"),
            (std::vector<std::string>{"0 of 0 on work-0, work-0", "1 of 2 on work-0, work-0",
                                      "5 of 10 on work-0, work-0", "6 of 12 on work-0, work-0",
                                      "7 of 14 on work-0, work-0",
                                      "not_found: there is no 6, at Lines.halves"}));
}

TEST_F(Neighbours, RunStagesWhereTheirJoinsSay) {
  EXPECT_EQ(lines(R"({"Lines.marks": "side", "Lines.halves": {"threads": 1}})"),
            (std::vector<std::string>{
                "0 of 0 on side-0, Lines.halves-0", "1 of 2 on side-0, Lines.halves-0",
                "5 of 10 on side-0, Lines.halves-0", "6 of 12 on side-0, Lines.halves-0",
                "7 of 14 on side-0, Lines.halves-0", "not_found: there is no 6, at Lines.halves"}));
}

TEST_F(Neighbours, OneWithAJoinOfAStageThatItDoesNotOfferDoesNotStart) {
  configure("ads", R"("services": {}, "flows": {}, "joins": {"Numbers.other": "work"})");
  Child ads(start("ads"));
  EXPECT_EQ(ads.line(), "");
  const std::string reason = ads.errors();
  EXPECT_NE(reason.find("/joins/Numbers.other"), std::string::npos) << reason;
  EXPECT_EQ(ads.wait(), 78);
}

// Each process of it takes whatever port is free, and tells a server which one it got.
TEST_F(Neighbours, FindEachOtherThroughAServerThatAsksForAPassword) {
  const testing::NatsServer server({"--user", "shop", "--pass", "s3cret"});
  configure_announced(server, "tcp");
  {
    Child front(start("front"));
    ASSERT_TRUE(says(
        front, "ads cannot be reached: " + server.url() + ": refuses: Authorization Violation"));
    stopped(front);
  }
  const std::string secret = secret_file("s3cret\n");
  setenv("PENSTOCK_NATS_USER", "shop", 1);
  setenv("PENSTOCK_NATS_PASSWORD_FILE", secret.c_str(), 1);
  auto ads = std::make_unique<Child>(start("ads"));
  Child other(start("ads"));
  Child front(start("front"));
  ASSERT_NE(ads->line(), "");
  ASSERT_NE(other.line(), "");
  ASSERT_TRUE(says(front, "answered"));
  ads.reset();  // SIGKILL: the other one goes on
  EXPECT_EQ(stopped(other), 0);
  ASSERT_TRUE(says(front, "ads cannot be reached"));
  Child another(start("ads"));
  ASSERT_TRUE(says(front, "answered"));
  EXPECT_EQ(stopped(another), 0);
  EXPECT_EQ(stopped(front), 0);
  setenv("PENSTOCK_NATS_PASSWORD_FILE", "/nowhere/secret", 1);
  Child blind(start("ads"));
  EXPECT_EQ(blind.line(), "");
  EXPECT_NE(blind.errors().find("PENSTOCK_NATS_PASSWORD_FILE: /nowhere/secret has no first line"),
            std::string::npos);
  EXPECT_EQ(blind.wait(), 78);
  unsetenv("PENSTOCK_NATS_PASSWORD_FILE");
  unsetenv("PENSTOCK_NATS_USER");
}

TEST_F(Neighbours, FindEachOtherThroughAServerOverDatagrams) {
  const testing::NatsServer server;
  configure_announced(server, "udp");
  auto ads = std::make_unique<Child>(start("ads"));
  Child other(start("ads"));
  ASSERT_NE(ads->line(), "");
  ASSERT_NE(other.line(), "");
  Child front(start("front"));
  ASSERT_TRUE(says(front, "answered"));
  ads.reset();  // SIGKILL
  EXPECT_EQ(stopped(other), 0);
  ASSERT_TRUE(says(front, "ads cannot be reached"));
  Child another(start("ads"));
  ASSERT_TRUE(says(front, "answered"));
  EXPECT_EQ(stopped(another), 0);
  EXPECT_EQ(stopped(front), 0);
}

TEST_F(Neighbours, OneThatIsStoppedEndsWellAndIsMissed) {
  Child ads(start("ads"));
  ASSERT_NE(ads.line(), "");
  Child front(start("front"));
  ASSERT_TRUE(says(front, "answered"));
  EXPECT_EQ(stopped(ads), 0);
  EXPECT_TRUE(std::filesystem::is_empty(run_folder()));
  EXPECT_TRUE(says(front, "ads cannot be reached"));
  EXPECT_EQ(stopped(front), 0);
}

TEST_F(Neighbours, OneWhoseFolderOthersMayEnterDoesNotStart) {
  std::filesystem::create_directory(run_folder());
  std::filesystem::permissions(run_folder(), std::filesystem::perms::all);
  Child ads(start("ads"));
  EXPECT_EQ(ads.line(), "");
  const std::string reason = ads.errors();
  EXPECT_NE(reason.find("chmod 700"), std::string::npos) << reason;
  EXPECT_EQ(ads.wait(), 78);
}

}  // namespace
}  // namespace penstock
