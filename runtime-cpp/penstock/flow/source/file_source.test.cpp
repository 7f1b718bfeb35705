#include "penstock/flow/source/file_source.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>

#include "support/json_word.hpp"
#include "support/one_flow.hpp"

namespace penstock::flow::file_source_test {
namespace {

using penstock::testing::eventually;
using penstock::testing::JsonWord;
using penstock::testing::pool_settings;

std::mutex g_mutex;
std::vector<std::int32_t> g_numbers;
std::vector<std::string> g_said;

struct Collect : Handler {
  using request_type = JsonWord;
  using response_type = void;
  static void handle(const JsonWord& word) {
    const std::lock_guard hold(g_mutex);
    g_numbers.push_back(word.number);
  }
};

std::vector<std::int32_t> numbers() {
  const std::lock_guard hold(g_mutex);
  return g_numbers;
}
std::vector<std::string> said() {
  const std::lock_guard hold(g_mutex);
  return g_said;
}

class FileSourceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    g_numbers.clear();
    g_said.clear();
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    auto& pool = one.binary.pool(pool_settings("a", 1, 16));
    one.stage<Role::map, Collect>("collect", Kind::single_threaded, pool, &pool);
    one.flow.fit(sizeof(JsonWord));
    one.start();
  }
  void TearDown() override {
    one.binary.stop();
    std::filesystem::remove_all(folder);
  }
  [[nodiscard]] std::string path() const { return folder + "/words.jsonl"; }
  void write(std::string_view text) const { std::ofstream(path(), std::ios::binary) << text; }
  [[nodiscard]] FileSource::Settings settings(bool loop = false,
                                              double rate = FileSource::kNoLimit) const {
    return {&read_json<JsonWord>, path(), loop, rate, [](const std::string& text) {
              const std::lock_guard hold(g_mutex);
              g_said.push_back(text);
            }};
  }

  std::string folder = ::testing::TempDir() + "penstock-file-XXXXXX";
  penstock::testing::OneFlow one;
};

TEST_F(FileSourceTest, MakesAnEventOfEachLineAndSaysWhenItIsRead) {
  // A byte order mark, a Windows line end, blank lines, no newline at the end.
  write("\xEF\xBB\xBF{\"number\":1}\r\n\n  \n{\"number\":2}\n{\"number\":3}");
  FileSource source(one.flow, settings());
  ASSERT_EQ(source.open(), "");
  source.start(0);
  ASSERT_TRUE(eventually([] { return !said().empty(); }));
  EXPECT_EQ(said().front(), "flow F: " + path() + " is read: 3 events, 0 bad lines");
  ASSERT_TRUE(eventually([&] { return one.completed() == 3; }));
  EXPECT_EQ(numbers(), (std::vector{1, 2, 3}));
  EXPECT_TRUE(source.stop());
}

TEST_F(FileSourceTest, CountsABadLineAndReportsItWithItsNumberAndPlace) {
  write(
      "{\"number\":1}\n\n{\"number\":\"x\"}\n{oops\n{\"number\":4,\"colour\":1}\n{\"number\":5}\n");
  FileSource source(one.flow, settings());
  ASSERT_EQ(source.open(), "");
  source.start(0);
  ASSERT_TRUE(eventually([] { return said().size() == 4; }));
  EXPECT_EQ(said()[0], "flow F: " + path() +
                           ", line 3: /number: is x, not a whole number of 32 bits (column 11)");
  EXPECT_EQ(said()[1],
            "flow F: " + path() + ", line 4: a name in quotes is missing here (column 2)");
  EXPECT_EQ(said()[2],
            "flow F: " + path() + ", line 5: /colour: is no field of this message (column 13)");
  EXPECT_EQ(said()[3], "flow F: " + path() + " is read: 2 events, 3 bad lines");
  ASSERT_TRUE(eventually([&] { return one.all_ended(); }));
  EXPECT_EQ(one.emitted(), 5U);
  EXPECT_EQ(one.failed(), 3U);
  EXPECT_EQ(numbers(), (std::vector{1, 5}));
}

TEST_F(FileSourceTest, ReportsTheFirstBadLinesAndCountsTheRest) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "oops\n";
  write(text);
  FileSource source(one.flow, settings());
  ASSERT_EQ(source.open(), "");
  source.start(0);
  ASSERT_TRUE(eventually([&] { return one.failed() == 1000; }));
  ASSERT_TRUE(eventually([] { return said().size() == FileSource::kMostReported + 2; }));
  EXPECT_EQ(said().back(), "flow F: " + path() + " is read: 0 events, 1000 bad lines");
}

TEST_F(FileSourceTest, PassesOverALineThatIsTooLongWithoutHoldingIt) {
  write("{\"number\":1}\n{\"text\":\"" + std::string(3 * FileSource::kLongestLine, 'a') +
        "\"}\n{\"number\":3}\n");
  FileSource source(one.flow, settings());
  ASSERT_EQ(source.open(), "");
  source.start(0);
  ASSERT_TRUE(eventually([] { return said().size() == 2; }));
  EXPECT_EQ(said()[0], "flow F: " + path() + ", line 2: is longer than 1048576 bytes");
  ASSERT_TRUE(eventually([&] { return one.completed() == 2; }));
  EXPECT_EQ(numbers(), (std::vector{1, 3}));
}

TEST_F(FileSourceTest, StartsAgainAtTheEndAndLosesNothingToAFullQueue) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "{\"number\":" + std::to_string(i) + "}\n";
  write(text);
  FileSource source(one.flow, settings(true));
  ASSERT_EQ(source.open(), "");
  source.start(0);
  ASSERT_TRUE(eventually([&] { return one.completed() >= 1000; }));
  EXPECT_TRUE(source.stop());
  ASSERT_TRUE(eventually([&] { return one.all_ended(); }));
  EXPECT_EQ(one.dropped(), 0U);
  const std::vector<std::int32_t> seen = numbers();
  for (std::size_t at = 0; at < seen.size(); ++at) {
    ASSERT_EQ(seen[at], static_cast<std::int32_t>(at % 100));
  }
  EXPECT_TRUE(said().empty());
}

TEST_F(FileSourceTest, DoesNotRepeatAFileWithoutAGoodLine) {
  write("\n\noops\n");
  FileSource source(one.flow, settings(true));
  ASSERT_EQ(source.open(), "");
  source.start(0);
  ASSERT_TRUE(eventually([] { return said().size() == 2; }));
  EXPECT_EQ(said()[1], "flow F: " + path() + " is read: 0 events, 1 bad lines");
}

TEST_F(FileSourceTest, KeepsItsRateAndTakesANewOne) {
  write("{}\n");
  FileSource source(one.flow, settings(true, 0));
  EXPECT_EQ(source.per_second(), 0);
  ASSERT_EQ(source.open(), "");
  source.start(0);
  const Nanos before = now_ns();
  EXPECT_TRUE(source.set_per_second(200));
  ASSERT_TRUE(eventually([&] { return one.emitted() >= 60; }));
  EXPECT_GT(now_ns() - before, 280'000'000);
  source.set_per_second(0);
  EXPECT_EQ(source.per_second(), 0);
  EXPECT_EQ(FileSource(one.flow, settings()).per_second(), std::nullopt);
}

TEST_F(FileSourceTest, SaysWhyAFileCannotBeRead) {
  EXPECT_EQ(FileSource(one.flow, settings()).open(),
            "cannot be opened (No such file or directory)");
  ASSERT_EQ(mkfifo(path().c_str(), 0600), 0);
  EXPECT_EQ(FileSource(one.flow, settings()).open(), "is no regular file");
}

}  // namespace
}  // namespace penstock::flow::file_source_test
