#include "penstock/app/model/read_source.hpp"

#include <gtest/gtest.h>

#include "penstock/app/binding.hpp"
#include "penstock/json/document.hpp"

namespace penstock::app::read_source_test {
namespace {

using config::ConfigError;
using config::Problem;
using flow::FileSource;
using flow::HttpSource;
using flow::RateSource;

template <class C>
SourceRegistration of(const char* kind) {
  const SourceBinding binding = bind_settings<int, C>(kind);
  return {binding.kind, binding.read};
}

// One flow, F, of the kind that its binary was built for.
config::Config read(const std::string& source, SourceRegistration built_for) {
  const std::string text = R"({"penstock":1,"binary":"b","topologyHash":"sha256:)" +
                           std::string(64, '0') + R"(","flows":{"F":{"source":)" + source + "}}}";
  return config::parse(text, "b.json",
                       read_sources([&](const std::string& flow) -> const SourceRegistration* {
                         return flow == "F" ? &built_for : nullptr;
                       }));
}

template <class C>
typename C::Settings settings(const std::string& source, const char* kind) {
  const config::Config config = read(source, of<C>(kind));
  return *static_cast<const typename C::Settings*>(config.flows.at(0).source.settings.get());
}

template <class C>
std::vector<Problem> problems(const std::string& source, const char* kind) {
  try {
    read(source, of<C>(kind));
  } catch (const ConfigError& error) {
    return error.problems();
  }
  return {};
}

TEST(ReadSource, TakesEachKindWithItsSettingsAndDefaults) {
  EXPECT_EQ(settings<RateSource>(R"({"kind":"rate","perSecond":0.5})", "rate").per_second, 0.5);

  const auto http = settings<HttpSource>(R"({"kind":"http","path":"/a/b-c"})", "http");
  EXPECT_EQ(http.path, "/a/b-c");
  EXPECT_FALSE(http.accepted);
  EXPECT_EQ(http.timeout_ms, 30'000);
  EXPECT_EQ(http.max_bytes, 102'400U);
  const auto set = settings<HttpSource>(
      R"({"kind":"http","path":"/","answer":"accepted","timeoutMs":5,"maxBytes":16777216})",
      "http");
  EXPECT_TRUE(set.accepted);
  EXPECT_EQ(set.timeout_ms, 5);
  EXPECT_EQ(set.max_bytes, 16'777'216U);

  const auto file = settings<FileSource>(R"({"kind":"file","path":"a.jsonl"})", "file");
  EXPECT_EQ(file.path, "a.jsonl");
  EXPECT_FALSE(file.loop);
  EXPECT_EQ(file.per_second, FileSource::kNoLimit);
  const auto again =
      settings<FileSource>(R"({"kind":"file","path":"a","loop":true,"perSecond":0})", "file");
  EXPECT_TRUE(again.loop);
  EXPECT_EQ(again.per_second, 0);

  EXPECT_TRUE(problems<flow::ServiceSource>(R"({"kind":"service"})", "service").empty());
}

template <class C>
void refused(const std::string& source, const char* kind, const std::string& key,
             const std::string& words = "") {
  const std::vector<Problem> found = problems<C>(source, kind);
  ASSERT_EQ(found.size(), 1U) << source;
  EXPECT_EQ(found.front().pointer, "/flows/F/source" + key) << source;
  const std::string said = found.front().reason + "; " + found.front().remedy;
  EXPECT_NE(said.find(words), std::string::npos) << said;
}

TEST(ReadSource, NamesWhatIsWrongAndWhere) {
  refused<RateSource>(R"([])", "rate", "");
  refused<RateSource>(R"({"kind":"kafka"})", "rate", "/kind", "built for a rate source");
  refused<RateSource>(R"({"kind":"rate"})", "rate", "");
  refused<RateSource>(R"({"kind":"rate","perSecond":-0.1})", "rate", "/perSecond",
                      "from 0 (paused)");
  refused<RateSource>(R"({"kind":"rate","perSecond":1000000001})", "rate", "/perSecond",
                      "1000000000");
  refused<RateSource>(R"({"kind":"rate","perSecond":"5"})", "rate", "/perSecond", R"(is "5")");
  refused<RateSource>(R"({"kind":"rate","perSecond":1,"loop":true})", "rate", "/loop",
                      "known are kind, perSecond");
  refused<HttpSource>(R"({"kind":"http"})", "http", "");
  for (const char* const path : {"", "mo", "/mo/", "/a b", "//", "/a//b", "/%2e", "/a?b"}) {
    refused<HttpSource>(R"({"kind":"http","path":")" + std::string(path) + "\"}", "http", "/path");
  }
  refused<HttpSource>(R"({"kind":"http","path":"/a","answer":"later"})", "http", "/answer");
  refused<HttpSource>(R"({"kind":"http","path":"/a","timeoutMs":0})", "http", "/timeoutMs");
  refused<HttpSource>(R"({"kind":"http","path":"/a","timeoutMs":3600001})", "http", "/timeoutMs");
  refused<HttpSource>(R"({"kind":"http","path":"/a","maxBytes":16777217})", "http", "/maxBytes");
  refused<FileSource>(R"({"kind":"file","path":""})", "file", "/path");
  refused<FileSource>(R"({"kind":"file","path":"a","loop":1})", "file", "/loop", "true or false");
  refused<FileSource>(R"({"kind":"file","path":"a","perSecond":-1})", "file", "/perSecond");
  refused<flow::ServiceSource>(R"({"kind":"service","path":"/a"})", "service", "/path");
}

/// What the generator writes for a source of a project.
struct Own {
  std::string word = "tea";
  std::int64_t count = 0;
  std::optional<double> share;
  std::string mode = "slow";
  bool is_loud = true;

  using Settings = Own;
  static Own read_from(SourceReader& in) {
    Own own;
    if (auto read = in.text("word", 2, 4, false)) own.word = std::move(*read);
    if (const auto read = in.integer("count", 1, 9, "cups", true)) own.count = *read;
    if (const auto read = in.number("share", 0, 1, false)) own.share = *read;
    if (const auto read = in.choice("mode", {"slow", "quick"}, true)) {
      own.mode = *read == 0 ? "slow" : "quick";
    }
    if (const auto read = in.flag("loud", false)) own.is_loud = *read;
    return own;
  }
};

TEST(ReadSource, ReadsTheSettingsOfAProjectsOwn) {
  const Own bare = settings<Own>(R"({"kind":"tea","count":3,"mode":"quick"})", "tea");
  EXPECT_EQ(bare.word, "tea");
  EXPECT_EQ(bare.count, 3);
  EXPECT_FALSE(bare.share);
  EXPECT_EQ(bare.mode, "quick");
  EXPECT_TRUE(bare.is_loud);
  const Own full = settings<Own>(
      R"({"kind":"tea","count":3,"mode":"slow","word":"ink","share":0.5,"loud":false})", "tea");
  EXPECT_EQ(full.word, "ink");
  EXPECT_EQ(full.share, 0.5);
  EXPECT_FALSE(full.is_loud);
  refused<Own>(R"({"kind":"tea","count":10,"mode":"slow"})", "tea", "/count", "cups from 1 to 9");
  refused<Own>(R"({"kind":"tea","count":1})", "tea", "", R"("mode" is missing)");
  refused<Own>(R"({"kind":"tea","count":1,"mode":"fast"})", "tea", "/mode", "slow, quick");
  refused<Own>(R"({"kind":"tea","count":1,"mode":"slow","share":2})", "tea", "/share");
}

TEST(ReadSource, CountsTheCharactersOfATextAsTheChecksOfADrawingDo) {
  const auto with = [](const std::string& word) {
    return R"({"kind":"tea","count":1,"mode":"slow","word":")" + word + "\"}";
  };
  refused<Own>(with(""), "tea", "/word", "is empty; use a text of 2 to 4 characters");
  refused<Own>(with("a"), "tea", "/word", "has 1 characters");
  refused<Own>(with("abcde"), "tea", "/word", "has 5 characters; use a text of 2 to 4 characters");
  // An accent takes two bytes, a face four and two places of a text of JavaScript.
  const std::string accents = "\u00e9\u00e9\u00e9\u00e9";
  EXPECT_EQ(settings<Own>(with(accents), "tea").word, accents);
  EXPECT_EQ(settings<Own>(with("\U0001F600\U0001F600"), "tea").word, "\U0001F600\U0001F600");
  refused<Own>(with("\U0001F600\U0001F600a"), "tea", "/word", "has 5 characters");
  refused<FileSource>(R"({"kind":"file","path":")" + std::string(10'001, 'a') + "\"}", "file",
                      "/path", "has 10001 characters");
}

TEST(ReadSource, SaysNothingOfFlowsThatTheBinaryDoesNotHave) {
  const std::string text = R"({"penstock":1,"binary":"b","topologyHash":"sha256:)" +
                           std::string(64, '0') +
                           R"(","flows":{"G":{"source":{"kind":"x","anything":1}}}})";
  const config::Config config =
      config::parse(text, "b.json", read_sources([](const std::string&) { return nullptr; }));
  EXPECT_EQ(config.flows.at(0).source.settings, nullptr);
}

}  // namespace
}  // namespace penstock::app::read_source_test
