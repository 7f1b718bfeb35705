#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/codec.hpp"
#include "penstock/json_codec.hpp"

namespace penstock::codec {
namespace {

template <class T>
using Limits = std::numeric_limits<T>;

template <Coding coding, class T>
std::string written(std::uint32_t tag, const T& value) {
  std::string bytes(codec::size<coding>(tag, value), '?');
  Writer out(bytes.data() + bytes.size());
  codec::write<coding>(out, tag, value);
  EXPECT_EQ(out.position(), bytes.data());
  return bytes;
}

template <Coding coding, class T>
void expect_back(const T& value) {
  const std::string bytes = written<coding>(1, value);
  Reader in(bytes, 1);
  T back{};
  while (in.next()) ASSERT_TRUE(codec::read<coding>(in, back));
  EXPECT_EQ(back, value);
}

TEST(Coding, ZigzagIsShortForSmallNegativeNumbers) {
  EXPECT_EQ(written<Coding::zigzag>(1, std::int32_t{-1}), "\x08\x01");
  EXPECT_EQ(written<Coding::zigzag>(1, std::int64_t{-2}), "\x08\x03");
  EXPECT_EQ(written<Coding::zigzag>(1, std::int32_t{0}), "");
  for (const std::int32_t value :
       {1, -1, 300, Limits<std::int32_t>::min(), Limits<std::int32_t>::max()})
    expect_back<Coding::zigzag>(value);
  for (const std::int64_t value : {Limits<std::int64_t>::min(), Limits<std::int64_t>::max()})
    expect_back<Coding::zigzag>(value);
}

TEST(Coding, FixedTakesItsBytesWhateverTheValue) {
  EXPECT_EQ(written<Coding::fixed>(1, std::uint32_t{1}), std::string("\x0d\x01\0\0\0", 5));
  EXPECT_EQ(written<Coding::fixed>(1, std::int64_t{-1}), "\x09" + std::string(8, '\xff'));
  EXPECT_EQ(written<Coding::fixed>(1, std::int64_t{0}), "");
  expect_back<Coding::fixed>(Limits<std::int32_t>::min());
  expect_back<Coding::fixed>(Limits<std::uint64_t>::max());
}

TEST(Coding, ListsArePackedAndReadPackedOrNot) {
  expect_back<Coding::fixed>(std::vector<std::uint32_t>{1, 0, 7});
  expect_back<Coding::zigzag>(std::vector<std::int64_t>{-1, 0, Limits<std::int64_t>::min()});
  expect_back<Coding::zigzag>(std::optional<std::int32_t>{0});
  // One packed, one by itself.
  const std::string bytes("\x0a\x04\x01\0\0\0\x0d\x02\0\0\0", 11);
  Reader in(bytes, 1);
  std::vector<std::int32_t> back;
  while (in.next()) ASSERT_TRUE(codec::read<Coding::fixed>(in, back));
  EXPECT_EQ(back, (std::vector<std::int32_t>{1, 2}));
}

template <Coding coding = Coding::varint, class Elements>
std::string written_unpacked(const Elements& elements) {
  std::string bytes(size_unpacked<coding>(16, elements), '?');
  Writer out(bytes.data() + bytes.size());
  write_unpacked<coding>(out, 16, elements);
  EXPECT_EQ(out.position(), bytes.data());
  Reader in(bytes, 1);
  std::vector<typename Elements::value_type> back;
  while (in.next()) EXPECT_TRUE(codec::read<coding>(in, back));
  EXPECT_TRUE(std::equal(back.begin(), back.end(), elements.begin(), elements.end()));
  return bytes;
}

TEST(Coding, UnpackedListsHaveAKeyForEachElement) {
  EXPECT_EQ(written_unpacked(std::vector<std::int32_t>{}), "");
  EXPECT_EQ(written_unpacked(std::vector<std::uint64_t>{0, 300}),
            std::string("\x80\x01\0\x80\x01\xac\x02", 7));
  EXPECT_EQ(written_unpacked(std::vector<bool>{true, false}),
            std::string("\x80\x01\x01\x80\x01\0", 6));
  EXPECT_EQ(written_unpacked<Coding::zigzag>(std::vector<std::int64_t>{-1, 1}),
            "\x80\x01\x01\x80\x01\x02");
  EXPECT_EQ(written_unpacked<Coding::fixed>(std::array<std::uint32_t, 2>{7, 0}),
            std::string("\x85\x01\x07\0\0\0\x85\x01\0\0\0\0", 12));
  EXPECT_EQ(written_unpacked<Coding::fixed>(std::vector<std::int64_t>{-1}),
            "\x81\x01" + std::string(8, '\xff'));
  EXPECT_EQ(written_unpacked(std::array<float, 1>{1}), std::string("\x85\x01\0\0\x80\x3f", 6));
  EXPECT_EQ(written_unpacked(std::vector<double>{-0.0}),
            std::string("\x81\x01\0\0\0\0\0\0\0\x80", 10));
}

TEST(Coding, AnUnpackedArrayIsReadAgain) {
  const std::array<std::int32_t, 3> values{-1, 0, 7};
  std::string bytes(size_unpacked(1, values), '?');
  Writer out(bytes.data() + bytes.size());
  write_unpacked(out, 1, values);
  EXPECT_EQ(bytes, "\x08" + std::string(9, '\xff') + std::string("\x01\x08\0\x08\x07", 5));
  Reader in(bytes, 1);
  std::array<std::int32_t, 3> back{};
  std::size_t seen = 0;
  while (in.next()) ASSERT_TRUE(codec::read(in, back, seen));
  EXPECT_EQ(seen, 3U);
  EXPECT_EQ(back, values);
}

TEST(Coding, AnotherWireTypeIsSkipped) {
  const std::string bytes = written<Coding::fixed>(1, std::uint32_t{5});
  Reader in(bytes, 1);
  std::uint32_t value = 3;
  while (in.next()) ASSERT_TRUE(codec::read(in, value));
  EXPECT_EQ(value, 3U);
}

using Names = std::map<std::int32_t, std::string>;

Names read_names(std::string_view bytes, bool& good) {
  Names names;
  Reader in(bytes, 1);
  good = true;
  try {
    while (good && in.next()) good = read_map(in, names);
  } catch (const protozero::exception&) {
    good = false;
  }
  return names;
}

TEST(Map, IsAListOfEntriesByKey) {
  const Names names{{1, "one"}, {0, ""}};
  std::string bytes(map_size(1, names), '?');
  Writer out(bytes.data() + bytes.size());
  write_map(out, 1, names);
  EXPECT_EQ(bytes, std::string("\x0a\x04\x08\0\x12\0\x0a\x07\x08\x01\x12\x03one", 15));
  bool good = false;
  EXPECT_EQ(read_names(bytes, good), names);
  EXPECT_TRUE(good);
}

TEST(Map, TakesWhatLacksAndTheLastOfSeveral) {
  bool good = false;
  // No key, no value, a key twice, a field that is not known.
  EXPECT_EQ(read_names(std::string("\x0a\x03\x12\x01"
                                   "a"
                                   "\x0a\x02\x08\x05"
                                   "\x0a\x05\x08\x05\x12\x01"
                                   "b"
                                   "\x0a\x02\x18\x01",
                                   20),
                       good),
            (Names{{0, ""}, {5, "b"}}));
  EXPECT_TRUE(good);
}

TEST(Map, EveryTruncationIsMalformedOrShorter) {
  const std::string bytes("\x0a\x04\x08\x02\x12\0\x0a\x07\x08\x01\x12\x03one", 15);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    bool good = false;
    const Names names = read_names(std::string_view(bytes).substr(0, length), good);
    EXPECT_TRUE(!good || names.size() < 2) << length;
  }
}

struct Choice {
  std::optional<std::string> text;
  std::optional<std::int32_t> number;
};

TEST(OneOf, TheLastOneThatComesWins) {
  const std::string bytes(
      "\x0a\x01"
      "a"
      "\x10\x07",
      5);
  Choice choice;
  Reader in(bytes, 1);
  while (in.next()) {
    ASSERT_TRUE(in.tag() == 1 ? read_one(in, choice.text, choice.number)
                              : read_one(in, choice.number, choice.text));
  }
  EXPECT_FALSE(choice.text.has_value());
  EXPECT_EQ(choice.number, 7);
}

TEST(OneOf, WhatIsSkippedLeavesTheOthers) {
  Choice choice{.text = "a", .number = {}};
  // The number as a text.
  const std::string bytes(
      "\x12\x01"
      "b",
      3);
  Reader in(bytes, 1);
  while (in.next()) ASSERT_TRUE(read_one(in, choice.number, choice.text));
  EXPECT_EQ(choice.text, "a");
}

template <class Key>
std::string in_json(const std::map<Key, std::int64_t>& entries) {
  std::string text;
  JsonWriter out(text);
  out.open('{');
  write_json_map(out, "m", entries);
  out.close('}');
  return text;
}

template <class Key>
bool from_json(std::string_view text, std::map<Key, std::int64_t>& entries) {
  JsonReader in(text);
  return read_json_map(in, entries) && in.end();
}

TEST(MapJson, IsAnObjectWhoseNamesAreTheKeys) {
  EXPECT_EQ(in_json(std::map<std::string, std::int64_t>{{"a\"b", 1}, {"c", 0}}),
            R"({"m":{"a\"b":"1","c":"0"}})");
  EXPECT_EQ(in_json(std::map<std::int32_t, std::int64_t>{{-1, 2}}), R"({"m":{"-1":"2"}})");
  EXPECT_EQ(in_json(std::map<bool, std::int64_t>{{true, 2}}), R"({"m":{"true":"2"}})");
  EXPECT_EQ(in_json(std::map<bool, std::int64_t>{}), "{}");
}

TEST(MapJson, IsReadAsItIsWritten) {
  std::map<std::int32_t, std::int64_t> numbers;
  EXPECT_TRUE(from_json(R"({"-1": 2, "3": "4"})", numbers));
  EXPECT_EQ(numbers, (std::map<std::int32_t, std::int64_t>{{-1, 2}, {3, 4}}));
  std::map<bool, std::int64_t> flags;
  EXPECT_TRUE(from_json(R"({"true": 2, "false": 1})", flags));
  EXPECT_EQ(flags.size(), 2U);
  std::map<std::string, std::int64_t> texts;
  EXPECT_TRUE(from_json(R"({"gr\u00fc\u00dfe": 1})", texts));
  EXPECT_TRUE(texts.contains("gr\u00fc\u00dfe"));
  EXPECT_TRUE(from_json("null", texts));
}

TEST(MapJson, RefusesOtherKeysAndOnesThatAreThereTwice) {
  for (const std::string_view text :
       {R"({"a": 1})", R"({"": 1})", R"({"1": 1, "1": 2})", R"({"1": 1, "01": 2})",
        R"({"2147483648": 1})", R"({"1": null})", R"([1])", R"({"1 ": 1})"}) {
    std::map<std::int32_t, std::int64_t> numbers;
    EXPECT_FALSE(from_json(text, numbers)) << text;
  }
  std::map<bool, std::int64_t> flags;
  EXPECT_FALSE(from_json(R"({"1": 1})", flags));
}

TEST(MapJson, TakesNoMoreMemoryThanItMay) {
  constexpr std::size_t kNeeded = 2 * kMemoryOfEntry<bool, std::int64_t>;
  for (const std::size_t most : {kNeeded - 1, kNeeded}) {
    const BoundsMemory bound(most);
    std::map<bool, std::int64_t> flags;
    EXPECT_EQ(from_json(R"({"true": 2, "false": 1})", flags), most >= kNeeded);
  }
}

TEST(OneOfJson, TwoMembersAreRefusedAndNullIsNone) {
  JsonReader in("1");
  EXPECT_TRUE(only_one(in, std::optional<int>{}, std::optional<int>{1}));
  EXPECT_TRUE(only_one(in, std::optional<int>{1}, std::optional<int>{}));
  EXPECT_FALSE(only_one(in, std::optional<int>{1}, std::optional<int>{2}));
}

}  // namespace
}  // namespace penstock::codec
