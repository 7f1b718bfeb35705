#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "penstock/json/append.hpp"
#include "penstock/json/strict.hpp"

namespace penstock::json {
namespace {

std::string text_of(std::string_view value) {
  std::string out;
  append_string(out, value);
  return out;
}

template <class Number>
std::string number_of(Number value) {
  std::string out;
  append_number(out, value);
  return out;
}

TEST(Append, EscapesWhatJsonCannotHold) {
  EXPECT_EQ(text_of("a\"b\\c\n\r\t\x01\x1f/\x7f"), "\"a\\\"b\\\\c\\n\\r\\t\\u0001\\u001f/\x7f\"");
  EXPECT_EQ(text_of(std::string_view("a\0b", 3)), "\"a\\u0000b\"");
  EXPECT_EQ(text_of(""), "\"\"");
}

TEST(Append, KeepsUtf8AndReplacesWhatIsNone) {
  EXPECT_EQ(text_of("ü€𝄞"), "\"ü€𝄞\"");
  const std::string mark = "\xEF\xBF\xBD";
  EXPECT_EQ(text_of("\xff"), "\"" + mark + "\"");
  EXPECT_EQ(text_of("a\xC3"), "\"a" + mark + "\"") << "cut off";
  EXPECT_EQ(text_of("\xC0\xAF"), "\"" + mark + mark + "\"") << "overlong";
  EXPECT_EQ(text_of("\xED\xA0\x80"), "\"" + mark + mark + mark + "\"") << "surrogate";
  EXPECT_EQ(text_of("\xF4\x90\x80\x80"), "\"" + mark + mark + mark + mark + "\"") << "too high";
}

TEST(Append, EveryByteGivesValidJson) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string bytes{static_cast<char>(first), static_cast<char>(second), 'x'};
      ASSERT_TRUE(Json::accept(text_of(bytes))) << first << " " << second;
    }
  }
}

TEST(Append, WritesNumbersThatReadBack) {
  EXPECT_EQ(number_of(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(number_of(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(number_of(0.1), "0.1");
  EXPECT_EQ(number_of(-0.0), "-0");
  EXPECT_EQ(number_of(1e300), "1e+300");
  EXPECT_EQ(number_of(200.0), "200");
  EXPECT_EQ(number_of(std::nan("")), "null");
  EXPECT_EQ(number_of(std::numeric_limits<double>::infinity()), "null");
}

TEST(Strict, TellsWholeNumbersFromOthers) {
  const auto whole = [](const char* text) { return whole_number(Json::parse(text)); };
  EXPECT_EQ(whole("4"), 4);
  EXPECT_EQ(whole("-4"), -4);
  EXPECT_EQ(whole("4.0"), 4);
  EXPECT_EQ(whole("1e3"), 1000);
  EXPECT_EQ(whole("9223372036854775807"), INT64_MAX);
  for (const char* none : {"1.5", "\"4\"", "null", "true", "[]", "9223372036854775808", "1e300"}) {
    EXPECT_EQ(whole(none), std::nullopt) << none;
  }
}

TEST(Strict, ReadsWhatIsWritten) {
  const auto parsed = parse_strict(R"({"a":[1,{"b":null},"x"],"":-0.5})");
  ASSERT_TRUE(std::holds_alternative<Json>(parsed));
  EXPECT_EQ(std::get<Json>(parsed).dump(), R"({"":-0.5,"a":[1,{"b":null},"x"]})");
  EXPECT_TRUE(std::holds_alternative<Json>(parse_strict("7")));
}

TEST(Strict, TakesAsManyLevelsAsAllowedAndNoMore) {
  EXPECT_TRUE(std::holds_alternative<Json>(parse_strict("[[1]]", 2)));
  const auto parsed = parse_strict("[0, [[1]]]", 2);
  const auto* failure = std::get_if<ParseFailure>(&parsed);
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->pointer, "/1/0");
}

TEST(Strict, EscapesPointers) { EXPECT_EQ(child_pointer("/a", "b/c~d"), "/a/b~1c~0d"); }

TEST(Strict, CutsExcerpts) {
  EXPECT_EQ(excerpt(Json(std::string(100, 'x'))).size(), 63U);
  EXPECT_EQ(excerpt(Json::array({1})), "a list");
  EXPECT_EQ(excerpt(Json("\xff")), "\"\\ufffd\"");
}

}  // namespace
}  // namespace penstock::json
