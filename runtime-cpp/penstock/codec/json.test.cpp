#include "penstock/codec/json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "support/json_sample.hpp"

namespace penstock::codec {

namespace {

using testing::Colour;
using testing::Fixed;
using testing::Sample;

template <class T>
std::string written(const T& message) {
  std::string out;
  append_json(message, out);
  return out;
}
Sample sample(std::string_view text) {
  Sample read;
  JsonError error;
  EXPECT_TRUE(parse_json(text, read, error)) << text << ": " << error.text();
  return read;
}
template <class T = Sample>
std::string refusal(std::string_view text) {
  T read;
  JsonError error;
  EXPECT_FALSE(parse_json(text, read, error)) << text;
  return error.text();
}

TEST(Json, RefusesANumberThatItsFieldWouldTakeForInfinity) {
  EXPECT_EQ(sample("{\"thin\":3.4028235e38}").thin, std::numeric_limits<float>::max());
  EXPECT_EQ(sample("{\"thin\":-3.4028235e38}").thin, std::numeric_limits<float>::lowest());
  EXPECT_EQ(sample("{\"real\":1e300}").real, 1e300);
  for (const char* const number : {"1e39", "-1e39", "3.4028236e38", "\"1e300\""}) {
    EXPECT_NE(refusal(std::string("{\"thin\":") + number + "}").find("is too large for a number"),
              std::string::npos);
  }
}

TEST(Json, WritesWhatIsNotAsItStartsByProto3sRules) {
  EXPECT_EQ(written(Sample{}), "{}");
  Sample all;
  all.large = std::numeric_limits<std::int64_t>::min();
  all.small_one = 4'294'967'295U;
  all.real = -0.0;
  all.thin = 0.1F;
  all.flag = true;
  all.text = "gr\u00fc\u00df \"\\\n\x01";
  all.raw = std::string("\0\xff\x80", 3);
  all.handled = Buffer("hi");
  all.colour = Colour::DARK;
  all.flags = {true, false};
  all.raws = {"", "a"};
  all.maybe = "";
  all.inner.number = -1;
  all.next = Sample{};
  (*all.next).colour = static_cast<Colour>(99);
  const std::string text = written(all);
  EXPECT_EQ(text,
            "{\"large\":\"-9223372036854775808\",\"smallOne\":4294967295,\"real\":-0,\"thin\":0.1,"
            "\"flag\":true,\"text\":\"gr\u00fc\u00df \\\"\\\\\\n\\u0001\",\"raw\":\"AP+A\","
            "\"handled\":\"aGk=\",\"colour\":\"COLOUR_DARK\",\"flags\":[true,false],"
            "\"raws\":[\"\",\"YQ==\"],\"maybe\":\"\",\"inner\":{\"number\":-1},"
            "\"next\":{\"colour\":99}}");
  EXPECT_EQ(sample(text), all);
}

TEST(Json, WritesAFailure) {
  std::string out;
  encode_json(Failure{ErrorCode::not_found, "no \"a\"", "F", ""}, out);
  EXPECT_EQ(out, R"({"code":5,"message":"no \"a\"","flow":"F"})");
}

TEST(Json, ReadsAFailure) {
  Failure failure{ErrorCode::cancelled, "old", "old", "old"};
  JsonError error;
  EXPECT_TRUE(decode_json(R"({"code":5,"message":"no","stage":"s"})", failure, error));
  EXPECT_EQ(failure, (Failure{ErrorCode::not_found, "no", "", "s"}));
  EXPECT_FALSE(decode_json(R"({"code":"five"})", failure, error));
  EXPECT_NE(error.text(), "");
}

TEST(Json, ReadsTheWaysInWhichProto3LetsAValueBeWritten) {
  EXPECT_EQ(sample("{\"small_one\":\"7\",\"large\":1e3}").small_one, 7U);
  EXPECT_EQ(sample("{\"large\":-1.0E2}").large, -100);
  EXPECT_EQ(sample("{\"large\":9223372036854775807}").large, INT64_MAX);
  EXPECT_EQ(sample("{\"colour\":\"DARK\"}").colour, Colour::DARK);
  EXPECT_EQ(sample("{\"colour\":\"COLOUR_DARK\"}").colour, Colour::DARK);
  EXPECT_EQ(sample("{\"colour\":-7}").colour, Colour::DARK);
  EXPECT_TRUE(std::isnan(sample("{\"real\":\"NaN\"}").real));
  EXPECT_EQ(sample("{\"thin\":\"-Infinity\"}").thin, -std::numeric_limits<float>::infinity());
  EXPECT_EQ(sample("{\"real\":\"1.5\"}").real, 1.5);
  EXPECT_EQ(sample("{\"real\":1e-999}").real, 0);
  EXPECT_EQ(sample("{\"raw\":\"AP-A\"}").raw, std::string("\0\xff\x80", 3));
  EXPECT_EQ(sample("{\"raw\":\"YQ\"}").raw, "a");
  EXPECT_EQ(sample("{\"text\":\"\\ud83d\\ude00\\u0000\\/\"}").text,
            std::string("\xF0\x9F\x98\x80\0/", 6));
  EXPECT_EQ(sample("{\"maybe\":null,\"flags\":null,\"inner\":null,\"large\":null}"), Sample{});
  EXPECT_EQ(sample("\xEF\xBB\xBF { } \r\n\t"), Sample{});
  Fixed fixed;
  JsonError error;
  EXPECT_TRUE(parse_json(R"({"pair":[1,2]})", fixed, error));
  EXPECT_EQ(written(fixed), R"({"pair":[1,2]})");
}

TEST(Json, SaysWhereAndWhyATextIsNotTheMessage) {
  EXPECT_EQ(refusal("{\"real\":\"x\"}"), "/real: is a string, not a number (line 1, column 9)");
  EXPECT_EQ(refusal("{\"next\":\n {\"raws\": [\"YQ==\", 5]}}"),
            "/next/raws/1: is a number, not a string (line 2, column 20)");
  EXPECT_EQ(refusal("{\"none\":1}"), "/none: is no field of this message (line 1, column 2)");
  EXPECT_EQ(refusal("{\"small_one\":1,\"smallOne\":2}"),
            "/smallOne: is there twice (line 1, column 16)");
  EXPECT_EQ(refusal("{\"smallOne\":-1}"),
            "/smallOne: is -1, not a whole number from 0 of 32 bits (line 1, column 13)");
  EXPECT_EQ(refusal("{\"smallOne\":4294967296}"),
            "/smallOne: is 4294967296, not a whole number from 0 of 32 bits (line 1, column 13)");
  EXPECT_EQ(refusal("{\"large\":1.5}"),
            "/large: is 1.5, not a whole number of 64 bits (line 1, column 10)");
  EXPECT_EQ(refusal("{\"colour\":\"BLUE\"}"),
            "/colour: is \"BLUE\", no value of this enum (line 1, column 11)");
  EXPECT_EQ(refusal("{\"raw\":\"a\"}"), "/raw: is no base64 (line 1, column 8)");
  EXPECT_EQ(refusal("[]"), "is a list, not an object (line 1, column 1)");
  EXPECT_EQ(refusal(""), "no JSON value starts here (line 1, column 1)");
  EXPECT_EQ(refusal("{\"text\":\"\u00fc\xff\"}"),
            "/text: the text is no UTF-8 here (line 1, column 11)");
  EXPECT_EQ(refusal("{} {}"), "something follows the value (line 1, column 4)");
  EXPECT_EQ(refusal<Fixed>("{\"pair\":[1]}"),
            "/pair: has 1 elements, 2 are wanted (line 1, column 12)");
  EXPECT_EQ(refusal<Fixed>("{\"pair\":[1,2,3]}"),
            "/pair/2: is one too many: 2 are wanted (line 1, column 14)");
  EXPECT_EQ(refusal<Fixed>("{}"), "lacks the list \"pair\" (line 1, column 3)");
}

TEST(Json, LeavesUnknownNamesOutWhereItIsAskedTo) {
  const std::string text = R"({"new":[1e999,{"a":"\ud83d\ude00"},[],{}],"text":"a","more":-0.5e3})";
  EXPECT_EQ(refusal(text), "/new: is no field of this message (line 1, column 2)");
  const IgnoringUnknownNames lenient;
  EXPECT_EQ(sample(text).text, "a");
  for (const char* const value : {"01", "[1,]", "{\"a\"}", "\"\xff\"", "nul", "", "{\"a\":1,}"}) {
    EXPECT_NE(refusal(std::string("{\"new\":") + value + "}"), "") << value;
  }
  EXPECT_NE(refusal("{\"new\":" + std::string(101, '[')).find("nested deeper"), std::string::npos);
}

TEST(Json, BoundsItsNestingWithACounter) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "{\"next\":";
  EXPECT_NE(refusal(deep).find("is nested deeper than 100 levels"), std::string::npos);
}

TEST(Json, TakesNoMoreMemoryThanItMay) {
  const std::string text = R"({"next":{"flags":[true,false],"handled":"YQ=="}})";
  constexpr std::size_t kNeeded = sizeof(Sample) + 2 * sizeof(bool) + kMemoryOfBuffer;
  {
    const BoundsMemory bound(kNeeded);
    EXPECT_TRUE(sample(text).next.has_value());
    EXPECT_EQ(bound.taken(), kNeeded);
  }
  const BoundsMemory bound(kNeeded - 1);
  EXPECT_NE(refusal(text).find("/next/handled: takes more memory than it may"), std::string::npos);
}

// The same texts are JSON to it as to the reader of configurations and commands.
TEST(Json, AgreesWithTheStrictParserOnWhatIsJson) {
  const std::vector<std::string> values{"0",
                                        "-0",
                                        "01",
                                        "1.",
                                        ".5",
                                        "-",
                                        "+1",
                                        "1e5",
                                        "1E+5",
                                        "1e",
                                        "0x1",
                                        "1e400",
                                        "-1e400",
                                        "NaN",
                                        "true",
                                        "tru",
                                        "truely",
                                        "false",
                                        "null",
                                        "nul",
                                        "\"\"",
                                        "\"a",
                                        "\"\\x\"",
                                        "\"\\u12\"",
                                        "\"\t\"",
                                        "\"\x7f\"",
                                        "\"\xc0\x80\"",
                                        "\"\xed\xa0\x80\"",
                                        "\"\\ud800\"",
                                        "\"\\udc00\"",
                                        "\"\\ud800\\u0041\"",
                                        "\"\xf4\x90\x80\x80\"",
                                        "\"\xe2\x82\xac\"",
                                        "\"\\u00e4\"",
                                        "'a'",
                                        "{}"};
  const std::vector<std::pair<std::string, std::string>> frames{
      {"{\"text\":", "}"},     {"{\"real\":", "}"},
      {"{\"flag\":", "}"},     {"{\"raws\":[", "]}"},
      {"{\"inner\":", "}"},    {"{\"flag\":", ",}"},
      {"{\"flag\" ", "}"},     {"{\"flags\":[true,", "]}"},
      {"{\"flags\":[", ",]}"}, {"", ""}};
  for (const auto& [before, after] : frames) {
    for (const std::string& value : values) {
      const std::string text = before + value + after;
      Sample read;
      JsonError error;
      // What we accept is JSON; what is JSON and refused is refused for its meaning.
      const bool ours = parse_json(text, read, error);
      const bool theirs = nlohmann::json::accept(text);
      if (ours) {
        EXPECT_TRUE(theirs) << text;
      } else if (theirs) {
        EXPECT_TRUE(error.reason.starts_with("is ")) << text << ": " << error.text();
      }
    }
  }
}

}  // namespace
}  // namespace penstock::codec
