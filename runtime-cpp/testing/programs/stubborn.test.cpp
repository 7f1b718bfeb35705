#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "penstock/base/defaults.hpp"
#include "support/ask.hpp"
#include "support/child.hpp"
#include "support/placed.hpp"
#include "support/small_binary.hpp"

namespace penstock {
namespace {

using testing::Child;
using testing::eventually;

// A supervisor kills five seconds after its SIGTERM. That the drain ends by itself is seen below;
// how long a busy machine takes for it says nothing.
static_assert(defaults::kDrainNanos + defaults::kGoodbyeNanos < 5'000'000'000);

constexpr int kNotDrained = 75;

class Stubborn : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = std::filesystem::temp_directory_path() / "penstock-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    // It ends as soon as nothing is left to do, however late a busy machine makes that.
    setenv("PENSTOCK_DRAIN_MS", "300000", 1);
    std::ofstream(file()) << R"({"penstock": 1, "binary": "stubborn",
      "topologyHash": "sha256:)" +
                                 std::string(64, '0') + R"(", "control": "127.0.0.1:0",
      "sampling": 3, "watchdogMs": 200, "pools": [{"name": "front", "threads": [{}, {}]}],
      "services": {"Sink": {"pool": "front"}},
      "flows": {"Ticks": {"source": {"kind": "rate", "perSecond": 1000}, "joins": {}}}})";
  }
  void TearDown() override {
    unsetenv("STUBBORN");
    unsetenv("PENSTOCK_DRAIN_MS");
    std::filesystem::remove_all(folder_);
  }

  [[nodiscard]] std::filesystem::path file() const { return folder_ / "stubborn.json"; }

  // Of what never ends, so that waiting for it is in vain from the start.
  static void drain_soon() { setenv("PENSTOCK_DRAIN_MS", "100", 1); }

  // Its exit code after SIGTERM.
  static int stopped(Child& child) {
    child.send(SIGTERM);
    return child.wait();
  }

  // The next line of its standard error with this in it; empty when none comes.
  static std::string error_with(const Child& child, const std::string& part) {
    std::string line = child.error_line();
    while (!line.empty() && line.find(part) == std::string::npos) line = child.error_line();
    return line;
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(Stubborn, StopsInTimeWithASourceThatNeverReturns) {
  setenv("STUBBORN", "source", 1);
  drain_soon();
  Child child({testing::placed::stubborn, "--config", file()});
  ASSERT_NE(child.line(), "");
  ASSERT_NE(error_with(child, "in the source"), "");
  EXPECT_EQ(stopped(child), kNotDrained);
  EXPECT_NE(child.errors().find("given up"), std::string::npos);
}

TEST_F(Stubborn, StopsInTimeWithABlockingHandlerThatNeverReturns) {
  setenv("STUBBORN", "handler", 1);
  drain_soon();
  Child child({testing::placed::stubborn, "--config", file()});
  ASSERT_NE(child.line(), "");
  ASSERT_NE(error_with(child, "in the handler"), "");
  EXPECT_EQ(stopped(child), kNotDrained);
  const std::string errors = child.errors();
  EXPECT_NE(errors.find("given up: Sink "), std::string::npos) << errors;
  EXPECT_NE(errors.find("thread front-"), std::string::npos) << errors;
}

TEST_F(Stubborn, RefusesATimeToDrainThatIsNone) {
  for (const char* wrong : {"", "soon", "10s", "0", "-1", "3600001", "1e3"}) {
    setenv("PENSTOCK_DRAIN_MS", wrong, 1);
    Child child({testing::placed::stubborn, "--config", file()});
    EXPECT_EQ(child.line(), "");
    const std::string errors = child.errors();
    EXPECT_NE(errors.find("PENSTOCK_DRAIN_MS=" + std::string(wrong) + ": give milliseconds"),
              std::string::npos)
        << errors;
    EXPECT_EQ(child.wait(), 78) << wrong;
  }
}

TEST_F(Stubborn, StopsWhileAHandlersConstructorNeverReturns) {
  setenv("STUBBORN", "constructor", 1);
  Child child({testing::placed::stubborn, "--config", file()});
  // Its first worker has its name when it makes the handler.
  ASSERT_TRUE(eventually([&] { return child.threads().count("front-0") == 1; }));
  EXPECT_EQ(stopped(child), 0);
  EXPECT_EQ(child.rest(), "");  // it never said that it was ready
}

TEST_F(Stubborn, LivesWithExceptionsThatAreNoStandardOnes) {
  for (const char* way : {"throwing constructor", "throwing handler"}) {
    setenv("STUBBORN", way, 1);
    Child child({testing::placed::stubborn, "--config", file()});
    ASSERT_NE(child.line(), "") << way;
    EXPECT_EQ(stopped(child), 0) << way;
  }
}

TEST_F(Stubborn, Fault42NamesAHandlerThatNeverReturnsOnStandardError) {
  setenv("STUBBORN", "handler", 1);
  drain_soon();
  Child child({testing::placed::stubborn, "--config", file()});
  ASSERT_NE(child.line(), "");
  const std::string report = error_with(child, "watchdog");
  EXPECT_NE(report.find("watchdog: Sink has kept thread front-"), std::string::npos) << report;
  EXPECT_EQ(stopped(child), kNotDrained);
}

TEST_F(Stubborn, Fault4NamesSignalAndServiceOfACrashAndDiesOfIt) {
  // A sanitizer would handle the signal itself.
  setenv("ASAN_OPTIONS", "handle_segv=0", 1);
  setenv("TSAN_OPTIONS", "handle_segv=0", 1);
  for (const char* way : {"crash", "overflow"}) {
    setenv("STUBBORN", way, 1);
    Child child({testing::placed::stubborn, "--config", file()});
    const std::string errors = child.errors();
    EXPECT_NE(errors.find("stubborn: SIGSEGV in service Sink on thread front-"), std::string::npos)
        << errors;
    // A function that nobody outside of its file can call is named in the stack, too.
    if (way == std::string_view("overflow")) {
      EXPECT_NE(errors.find("endless"), std::string::npos) << errors;
    }
    EXPECT_EQ(child.wait(), -SIGSEGV) << way;
  }
  unsetenv("ASAN_OPTIONS");
  unsetenv("TSAN_OPTIONS");
}

TEST_F(Stubborn, ExitsWith71WhenTheSystemRefusesAThread) {
  setenv("STUBBORN", "no threads", 1);
  setenv("ASAN_OPTIONS", "detect_leaks=0", 1);  // its search for leaks needs a thread
  Child child({testing::placed::stubborn, "--config", file()});
  EXPECT_EQ(child.line(), "");
  const std::string errors = child.errors();
  EXPECT_NE(errors.find("pool front got 0 of its 2 threads"), std::string::npos) << errors;
  EXPECT_EQ(errors.find("--relax-pins"), std::string::npos) << errors;
  EXPECT_EQ(child.wait(), 71);
  unsetenv("ASAN_OPTIONS");
}

TEST_F(Stubborn, SaysThatWithoutATokenOnlyHealthIsAnswered) {
  unsetenv("PENSTOCK_CONTROL_TOKEN");
  Child child({testing::placed::stubborn, "--config", file()});
  ASSERT_NE(child.line(), "");
  EXPECT_EQ(stopped(child), 0);
  const std::string errors = child.errors();
  EXPECT_NE(errors.find("only /healthz answers"), std::string::npos) << errors;
  EXPECT_EQ(errors.find("readyz"), std::string::npos) << errors;
}

TEST_F(Stubborn, NamesATokenThatNoHeaderCarriesOnce) {
  setenv("PENSTOCK_CONTROL_TOKEN", "two words", 1);
  Child child({testing::placed::stubborn, "--config", file()});
  EXPECT_EQ(child.line(), "");
  const std::string errors = child.errors();
  EXPECT_NE(errors.find("PENSTOCK_CONTROL_TOKEN"), std::string::npos) << errors;
  EXPECT_EQ(errors.find("PENSTOCK_CONTROL_TOKEN"), errors.rfind("PENSTOCK_CONTROL_TOKEN"));
  EXPECT_EQ(errors.find("two words"), std::string::npos) << errors;
  EXPECT_EQ(child.wait(), 78);
  unsetenv("PENSTOCK_CONTROL_TOKEN");
}

// Asks `GET /metrics` without a token: a refusal, which the audit log on stderr has a line of.
TEST_F(Stubborn, LogsRefusalsWithoutTheTokenThatWasTried) {
  setenv("PENSTOCK_CONTROL_TOKEN", "right", 1);
  Child child({testing::placed::stubborn, "--config", file()});
  unsetenv("PENSTOCK_CONTROL_TOKEN");
  const std::string ready = child.line();
  const auto at = ready.find("127.0.0.1:");
  ASSERT_NE(at, std::string::npos) << ready;
  const std::string address = ready.substr(at, ready.find('"', at) - at);
  const std::string answer = testing::ask(address, "GET /metrics HTTP/1.1\r\nHost: " + address +
                                                       "\r\nAuthorization: Bearer wrong\r\n\r\n");
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 401")) << answer;
  EXPECT_EQ(stopped(child), 0);
  const std::string errors = child.errors();
  EXPECT_NE(errors.find(R"("event":"refused")"), std::string::npos) << errors;
  EXPECT_EQ(errors.find("wrong"), std::string::npos) << errors;
}

}  // namespace
}  // namespace penstock
