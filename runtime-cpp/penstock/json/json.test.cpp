#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "penstock/json/append.hpp"
#include "penstock/json/document.hpp"

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

TEST(Document, TellsWholeNumbersFromOthers) {
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

TEST(Document, ReadsWhatIsWritten) {
  const auto parsed = parse_document(R"({"a":[1,{"b":null},"x"],"":-0.5})");
  ASSERT_TRUE(std::holds_alternative<Json>(parsed));
  EXPECT_EQ(std::get<Json>(parsed).dump(), R"({"":-0.5,"a":[1,{"b":null},"x"]})");
  EXPECT_TRUE(std::holds_alternative<Json>(parse_document("7")));
}

TEST(Document, KeepsWholeNumbersWholeWhereTheyFit) {
  const auto parsed =
      parse_document("[18446744073709551615,-9223372036854775808,-9223372036854775809,1e-999,1.0]");
  ASSERT_TRUE(std::holds_alternative<Json>(parsed));
  const auto& list = std::get<Json>(parsed);
  EXPECT_EQ(list[0], std::numeric_limits<std::uint64_t>::max());
  EXPECT_TRUE(list[0].is_number_unsigned());
  EXPECT_EQ(list[1], std::numeric_limits<std::int64_t>::min());
  EXPECT_TRUE(list[1].is_number_integer());
  EXPECT_EQ(list[2], -9223372036854775809.0);
  EXPECT_EQ(list[3], 0.0);
  EXPECT_TRUE(list[4].is_number_float());
}

TEST(Document, TellsNumbersThatAreTooLargeFromThoseThatAreTooSmall) {
  const std::string zeros(400, '0');
  const std::string far(30, '9');
  for (const std::string& large : {"1" + zeros, "1" + zeros + "e-1", "-0.1" + zeros + "e+999",
                                   "1e" + far, "0." + zeros + "1e" + far, std::string("-1E400")}) {
    const auto parsed = parse_document(large);
    const auto* const error = std::get_if<JsonError>(&parsed);
    ASSERT_NE(error, nullptr) << large;
    EXPECT_EQ(error->reason, "is too large for a number") << large;
  }
  for (const std::string& small : {"0." + zeros + "1", "0." + zeros + "1e+2", "1" + zeros + "e-999",
                                   "-1e-" + far, "0e" + far, std::string("0.0e400")}) {
    const auto parsed = parse_document(small);
    ASSERT_TRUE(std::holds_alternative<Json>(parsed)) << small;
    EXPECT_EQ(std::get<Json>(parsed), 0.0) << small;
  }
}

TEST(Document, SaysWhatIsWrongAndWhere) {
  const auto refusal = [](std::string_view text) {
    const auto parsed = parse_document(text);
    const auto* error = std::get_if<JsonError>(&parsed);
    return error == nullptr ? "accepted" : error->text();
  };
  EXPECT_EQ(refusal(""), "no JSON value starts here (line 1, column 1)");
  EXPECT_EQ(refusal("{\n \"a\": [1, 2,]}"), "/a/2: no JSON value starts here (line 2, column 13)");
  EXPECT_EQ(refusal("{\"a\":{\"b\":1,\"b\":2}}"), "/a/b: is there twice (line 1, column 13)");
  EXPECT_EQ(refusal("{\"a\":1e999}"), "/a: is too large for a number (line 1, column 6)");
  EXPECT_EQ(refusal("[\"a\\u0000\"]"), "/0: holds a NUL character (line 1, column 2)");
  EXPECT_EQ(refusal("{\"\\u0000\":1}"), "a name holds a NUL character (line 1, column 2)");
  EXPECT_EQ(refusal("[] []"), "something follows the value (line 1, column 4)");
  EXPECT_EQ(refusal("[nul]"), "/0: no JSON value starts here (line 1, column 2)");
}

TEST(Document, IsWhatAnotherReaderMakesOfTheText) {
  // Pieces put together at random: most of it is nearly JSON.
  constexpr std::array<std::string_view, 22> kPieces{
      "{",  "}",  "[",        "]",    ",",     ":",    "\"a\"", "\"b\"", "\"\\n\\u00e4\"",
      "1",  "-0", "2.5e3",    "true", "false", "null", " ",     "\n",    "0",
      "1e", "-",  "\"\xff\"", "\"c"};
  constexpr unsigned kSeed = 1;
  std::mt19937 random(kSeed);
  int documents = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = random() % 2 == 0 ? "{\"k\":" : "[";
    const std::string_view end = text == "[" ? "]" : "}";
    for (auto pieces = random() % 6; pieces > 0; --pieces) {
      text += kPieces[random() % kPieces.size()];
    }
    text += end;
    const auto ours = parse_document(text);
    const Json theirs = Json::parse(text, nullptr, false);
    if (const auto* error = std::get_if<JsonError>(&ours)) {
      ASSERT_TRUE(error->reason == "is there twice" || theirs.is_discarded()) << text;
      ASSERT_GE(error->line, 1U);
    } else {
      ASSERT_EQ(std::get<Json>(ours), theirs) << text;
      ++documents;
    }
  }
  EXPECT_GT(documents, 100);
}

TEST(Document, TakesAsManyLevelsAsAllowedAndNoMore) {
  EXPECT_TRUE(std::holds_alternative<Json>(parse_document("[[1]]", 2)));
  const auto parsed = parse_document("[0, [[1]]]", 2);
  const auto* failure = std::get_if<JsonError>(&parsed);
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->pointer, "/1/0");
}

TEST(Document, EscapesPointers) { EXPECT_EQ(child_pointer("/a", "b/c~d"), "/a/b~1c~0d"); }

TEST(Document, CutsExcerpts) {
  EXPECT_EQ(excerpt(Json(std::string(100, 'x'))).size(), 63U);
  EXPECT_EQ(excerpt(Json::array({1})), "a list");
  EXPECT_EQ(excerpt(Json("\xff")), "\"\\ufffd\"");
}

}  // namespace
}  // namespace penstock::json
