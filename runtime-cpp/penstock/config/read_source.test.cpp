#include "penstock/config/read_source.hpp"

#include <gtest/gtest.h>

namespace penstock::config {
namespace {

struct Read {
  Source source;
  std::vector<Problem> problems;
};

Read read(std::string_view text) {
  Problems problems;
  Source source = read_source(json::Json::parse(text), "/flows/F/source", problems);
  return {std::move(source), problems.take()};
}

TEST(ReadSource, TakesEachKindWithItsSettingsAndDefaults) {
  EXPECT_EQ(read(R"({"kind":"rate","perSecond":0.5})").source.per_second, 0.5);

  const Source http = read(R"({"kind":"http","path":"/a/b-c"})").source;
  EXPECT_EQ(http.kind, SourceKind::http);
  EXPECT_EQ(http.path, "/a/b-c");
  EXPECT_FALSE(http.accepted);
  EXPECT_EQ(http.timeout_ms, 30'000);
  EXPECT_EQ(http.max_bytes, 102'400U);
  const Source set = read(R"({"kind":"http","path":"/","answer":"accepted","timeoutMs":5,
                              "maxBytes":16777216})")
                         .source;
  EXPECT_TRUE(set.accepted);
  EXPECT_EQ(set.timeout_ms, 5);
  EXPECT_EQ(set.max_bytes, 16'777'216U);

  const Source file = read(R"({"kind":"file","path":"a.jsonl"})").source;
  EXPECT_EQ(file.path, "a.jsonl");
  EXPECT_FALSE(file.loop);
  EXPECT_FALSE(file.per_second);
  const Source again = read(R"({"kind":"file","path":"a","loop":true,"perSecond":0})").source;
  EXPECT_TRUE(again.loop);
  EXPECT_EQ(again.per_second, 0);

  EXPECT_EQ(read(R"({"kind":"service"})").source.kind, SourceKind::service);
}

TEST(ReadSource, NamesWhatIsWrongAndWhere) {
  const auto refused = [](std::string_view text, std::string_view key) {
    const std::vector<Problem> problems = read(text).problems;
    ASSERT_EQ(problems.size(), 1U) << text;
    EXPECT_EQ(problems.front().pointer, "/flows/F/source" + std::string(key)) << text;
  };
  refused(R"([])", "");
  refused(R"({"kind":"kafka"})", "/kind");
  refused(R"({"kind":"rate"})", "");
  refused(R"({"kind":"rate","perSecond":1,"loop":true})", "/loop");
  refused(R"({"kind":"http"})", "");
  for (const char* const path : {"", "mo", "/mo/", "/a b", "//", "/a//b", "/%2e", "/a?b"}) {
    refused(R"({"kind":"http","path":")" + std::string(path) + "\"}", "/path");
  }
  refused(R"({"kind":"http","path":"/a","answer":"later"})", "/answer");
  refused(R"({"kind":"http","path":"/a","timeoutMs":0})", "/timeoutMs");
  refused(R"({"kind":"http","path":"/a","timeoutMs":3600001})", "/timeoutMs");
  refused(R"({"kind":"http","path":"/a","maxBytes":16777217})", "/maxBytes");
  refused(R"({"kind":"file","path":""})", "/path");
  refused(R"({"kind":"file","path":"a","loop":1})", "/loop");
  refused(R"({"kind":"file","path":"a","perSecond":-1})", "/perSecond");
  refused(R"({"kind":"service","path":"/a"})", "/path");
}

}  // namespace
}  // namespace penstock::config
