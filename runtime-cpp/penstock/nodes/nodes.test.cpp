#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "penstock/nodes/backoff.hpp"
#include "penstock/nodes/cache.hpp"
#include "penstock/nodes/line_file.hpp"
#include "penstock/nodes/log_line.hpp"
#include "penstock/nodes/random.hpp"
#include "penstock/nodes/rate_limit.hpp"
#include "penstock/nodes/windows.hpp"

namespace penstock::nodes {
namespace {

using namespace std::chrono_literals;

constexpr Nanos kSecond = 1'000'000'000;

TEST(RateLimitTest, LetsABurstGoAndSpacesTheRest) {
  RateLimit limit(10, 3);
  const Nanos start = kSecond;
  EXPECT_EQ(limit.reserve(start), 0);
  EXPECT_EQ(limit.reserve(start), 0);
  EXPECT_EQ(limit.reserve(start), 0);
  EXPECT_EQ(limit.reserve(start), kSecond / 10);
  EXPECT_EQ(limit.reserve(start), kSecond / 5);
  EXPECT_EQ(limit.reserve(start + kSecond), 0);  // a quiet time, and the burst is there again
}

TEST(RateLimitTest, HasNoBurstThatIsTooLong) {
  RateLimit limit(0.001, 1e9);
  for (int event = 0; event < 10; ++event) EXPECT_EQ(limit.reserve(kSecond), 0);
  EXPECT_TRUE(limit.admit(kSecond));
}

TEST(RateLimitTest, AdmitsNoMoreThanTheRateAndKeepsNoPlaceForTheOthers) {
  RateLimit limit(10, 1);
  const Nanos start = kSecond;
  EXPECT_TRUE(limit.admit(start));
  EXPECT_FALSE(limit.admit(start + kSecond / 20));
  EXPECT_FALSE(limit.admit(start + kSecond / 20));
  EXPECT_TRUE(limit.admit(start + kSecond / 10));
}

TEST(RateLimitTest, AdmitsItsRateHoweverManyThreadsAsk) {
  RateLimit limit(1, 1000);
  std::atomic<int> admitted{0};
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int event = 0; event < 1000; ++event) admitted += limit.admit(kSecond) ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(admitted, 1000);
}

TEST(CacheTest, KeepsWhatIsUsedAndForgetsWhatIsOldOrUnused) {
  Cache<std::string, int> cache(2, 100ns);
  cache.keep("a", 1, 0);
  cache.keep("b", 2, 0);
  ASSERT_NE(cache.find("a", 50), nullptr);  // used: "b" makes room
  cache.keep("c", 3, 50);
  EXPECT_EQ(cache.find("b", 50), nullptr);
  EXPECT_EQ(*cache.find("a", 99), 1);
  EXPECT_EQ(cache.find("a", 100), nullptr);  // no longer good
  EXPECT_EQ(*cache.find("c", 149), 3);
  cache.keep("c", 4, 149);
  EXPECT_EQ(*cache.find("c", 248), 4);
  EXPECT_EQ(cache.size(), 1U);
}

TEST(WindowsTest, GivesTheResultToTheEventThatOpenedItOrFilledIt) {
  Windows<int, int> windows(1s, 3);
  const auto sum = [&windows](int key, int value) {
    return windows.add(
        key, [value](int& total, std::uint64_t) { total += value; }, 0);
  };
  const auto first = sum(1, 5);
  EXPECT_NE(first.opened, 0U);
  EXPECT_FALSE(first.closed);
  EXPECT_NE(sum(2, 100).opened, 0U);  // a window for each key
  EXPECT_EQ(sum(1, 6).opened, 0U);
  EXPECT_EQ(sum(1, 7).closed, 18);  // full
  EXPECT_EQ(windows.close(1, first.opened), std::nullopt);
  const auto second = sum(1, 1);
  EXPECT_NE(second.opened, first.opened);
  EXPECT_EQ(windows.close(1, first.opened), std::nullopt);  // not the first one's
  EXPECT_EQ(windows.close(1, second.opened), 1);
}

TEST(WindowsTest, AreTakenOverWhenTheirOpenerDoesNotComeBack) {
  Windows<AllEvents, int> windows(1s);
  const auto count = [&windows](Nanos now) {
    return windows.add(
        {}, [](int& total, std::uint64_t) { ++total; }, now);
  };
  EXPECT_NE(count(0).opened, 0U);
  EXPECT_EQ(count(kSecond).opened, 0U);
  const auto late = count(3 * kSecond);
  ASSERT_NE(late.opened, 0U);
  EXPECT_EQ(windows.close({}, late.opened), 3);
}

TEST(WindowsTest, WaitForTheirNewOpenerAsLongAsForTheFirst) {
  Windows<AllEvents, int> windows(10s);
  const auto count = [&windows](Nanos now) {
    return windows.add(
        {}, [](int& total, std::uint64_t) { ++total; }, now);
  };
  EXPECT_NE(count(0).opened, 0U);
  const auto late = count(12 * kSecond);
  ASSERT_NE(late.opened, 0U);
  for (Nanos at = 13; at < 22; ++at) EXPECT_EQ(count(at * kSecond).opened, 0U) << at;
  EXPECT_EQ(windows.close({}, late.opened), 11);
}

TEST(RandomTest, StaysWithinItsRange) {
  bool least = false;
  bool greatest = false;
  for (int draw = 0; draw < 1000; ++draw) {
    const std::int32_t number = uniform<std::int32_t>(-1, 1);
    ASSERT_LE(-1, number);
    ASSERT_LE(number, 1);
    least |= number == -1;
    greatest |= number == 1;
    const double share = uniform(0.0, 0.5);
    ASSERT_LE(0.0, share);
    ASSERT_LT(share, 0.5);
  }
  EXPECT_TRUE(least && greatest);
  EXPECT_EQ(choice(std::to_array<std::string>({"only"})), "only");
}

TEST(BackoffTest, AsksAgainAfterPausesThatGrow) {
  constexpr auto kPassing = std::to_array({ErrorCode::aborted, ErrorCode::unavailable});
  Backoff backoff(4, 10ms, 25ms);
  const auto again = [&] { return backoff.again(ErrorCode::unavailable, kPassing); };
  for (const auto whole : {10ms, 20ms, 25ms}) {
    ASSERT_TRUE(again());
    const auto pause = backoff.pause();
    EXPECT_LE(whole / 2, pause);
    EXPECT_LE(pause, whole);
  }
  EXPECT_FALSE(again());
  EXPECT_FALSE(Backoff(3, 0ms, 0ms).again(ErrorCode::not_found, kPassing));
}

TEST(LogLineTest, ShowsValuesOnOneLineWhateverIsInThem) {
  std::string line = "order ";
  append_value(line, std::string("a\nb\x1b[31m\\"));
  line += ' ';
  append_value(line, true);
  line += ' ';
  append_value(line, -1.5);
  EXPECT_EQ(line, "order a\\nb\\x1b[31m\\\\ true -1.5");
  EveryNth second(2);
  EXPECT_TRUE(second.take());
  EXPECT_FALSE(second.take());
  EXPECT_TRUE(second.take());
}

TEST(LogLineTest, ShowsNoControlCharactersOfTheEightBitKind) {
  std::string line;
  append_printable(line,
                   "\xc2\x9b"
                   "31m \x9b"
                   "31m \xe2\x9b");
  EXPECT_EQ(line, "\\xc2\\x9b31m \\x9b31m \xe2\\x9b");
  line.clear();
  // What has such bytes behind other ones is a letter as any.
  const std::string letters = "\u00a0\u00c0\u2019\U0001f680";
  append_printable(line, letters);
  EXPECT_EQ(line, letters);
}

struct LineFileTest : ::testing::Test {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("lines-" + std::to_string(::getpid()));
  ~LineFileTest() override { std::filesystem::remove(path); }
  [[nodiscard]] std::string content() const {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
};

TEST_F(LineFileTest, AppendsEachLineAtOnce) {
  for (const char* const text : {"one", "two"}) {
    LineFile file(path.string());
    file.text() += text;
    file.end_line();
    EXPECT_TRUE(content().ends_with(std::string(text) + '\n'));
  }
  EXPECT_EQ(content(), "one\ntwo\n");
}

TEST_F(LineFileTest, CollectsLinesAndWritesTheRestAtItsEnd) {
  {
    LineFile file(path.string(), 8);
    file.text() += "one";
    file.end_line();
    EXPECT_EQ(content(), "");
    file.text() += "three";
    file.end_line();
    EXPECT_EQ(content(), "one\nthree\n");
    file.text() += "four";
    file.end_line();
  }
  EXPECT_EQ(content(), "one\nthree\nfour\n");
}

/// Files may not be longer meanwhile.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : before_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &limit_);
    const rlimit less{bytes, limit_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &less);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &limit_);
    std::signal(SIGXFSZ, before_);
  }

 private:
  void (*before_)(int);
  rlimit limit_{};
};

TEST_F(LineFileTest, BeginsALineOfItsOwnBehindHalfALine) {
  LineFile file(path.string());
  const auto write = [&file](std::string_view line) {
    file.text() += line;
    try {
      file.end_line();
    } catch (const Error&) {
      return false;
    }
    return true;
  };
  EXPECT_TRUE(write("one"));
  {
    const FullDisk full(6);
    EXPECT_FALSE(write("three"));
    EXPECT_FALSE(write("four"));
  }
  EXPECT_TRUE(write("five"));
  EXPECT_TRUE(write("six"));
  EXPECT_EQ(content(), "one\nth\nfive\nsix\n");
  {
    const FullDisk full(content().size());
    EXPECT_FALSE(write("seven"));
  }
  EXPECT_TRUE(write("eight"));
  EXPECT_EQ(content(), "one\nth\nfive\nsix\neight\n");
}

TEST(LineFileErrorTest, SaysWhichFileCannotBeOpened) {
  LineFile file("/no/such/folder/lines");
  file.text() += "lost";
  try {
    file.end_line();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::internal);
    EXPECT_EQ(error.message(), "/no/such/folder/lines cannot be opened: No such file or directory");
  }
}

}  // namespace
}  // namespace penstock::nodes
