#include "penstock/codec.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace {

enum class Colour : std::int32_t { red = 0, green = 1 };

struct Inner {
  std::int32_t number = 0;
  friend bool operator==(const Inner&, const Inner&) = default;
};
struct Sample {
  std::int64_t large = 0;
  double real = 0;
  std::string text;
  Colour colour{};
  std::vector<std::int32_t> packed;
  std::optional<std::uint32_t> maybe;
  std::array<bool, 3> flags{};
  Inner inner;
  penstock::Boxed<Sample> next;
  penstock::Buffer raw;
  friend bool operator==(const Sample&, const Sample&) = default;
};

}  // namespace

namespace penstock::codec {

template <>
struct Message<Inner> {
  static std::size_t size(const Inner& inner) { return codec::size(1, inner.number); }
  static void write(Writer& out, const Inner& inner) { codec::write(out, 1, inner.number); }
  static bool read(Reader in, Inner& inner) {
    while (in.next())
      if (in.tag() == 1 ? !codec::read(in, inner.number) : (in.skip(), false)) return false;
    return true;
  }
};

template <>
struct Message<Sample> {
  static std::size_t size(const Sample& s) {
    return codec::size(1, s.large) + codec::size(2, s.real) + codec::size(3, s.text) +
           codec::size(4, s.colour) + codec::size(5, s.packed) + codec::size(6, s.maybe) +
           codec::size(7, s.flags) + codec::size(8, s.inner) + codec::size(9, s.next) +
           codec::size(10, s.raw);
  }
  static void write(Writer& out, const Sample& s) {
    codec::write(out, 10, s.raw);
    codec::write(out, 9, s.next);
    codec::write(out, 8, s.inner);
    codec::write(out, 7, s.flags);
    codec::write(out, 6, s.maybe);
    codec::write(out, 5, s.packed);
    codec::write(out, 4, s.colour);
    codec::write(out, 3, s.text);
    codec::write(out, 2, s.real);
    codec::write(out, 1, s.large);
  }
  static bool read(Reader in, Sample& s) {
    std::size_t seen = 0;
    while (in.next()) {
      bool good = true;
      switch (in.tag()) {
        case 1:
          good = codec::read(in, s.large);
          break;
        case 2:
          good = codec::read(in, s.real);
          break;
        case 3:
          good = codec::read(in, s.text);
          break;
        case 4:
          good = codec::read(in, s.colour);
          break;
        case 5:
          good = codec::read(in, s.packed);
          break;
        case 6:
          good = codec::read(in, s.maybe);
          break;
        case 7:
          good = codec::read(in, s.flags, seen);
          break;
        case 8:
          good = codec::read(in, s.inner);
          break;
        case 9:
          good = codec::read(in, s.next);
          break;
        case 10:
          good = codec::read(in, s.raw);
          break;
        default:
          in.skip();
      }
      if (!good) return false;
    }
    return seen == s.flags.size();
  }
};

}  // namespace penstock::codec

namespace {

using namespace std::string_literals;
using penstock::codec::append;
using penstock::codec::parse;

/// The flags that every Sample must carry.
const std::string kFlags = "\x3a\x03\x00\x00\x00"s;

Sample full() {
  Sample sample;
  sample.large = std::numeric_limits<std::int64_t>::min();
  sample.real = -0.0;
  sample.text = "grüße";
  sample.colour = static_cast<Colour>(-7);
  sample.packed = {0, 1, -1, 300, std::numeric_limits<std::int32_t>::max()};
  sample.maybe = 0;
  sample.flags = {true, false, true};
  sample.inner.number = 128;
  sample.next.emplace().text = "deeper";
  sample.raw = penstock::Buffer("\0\xff"s);
  return sample;
}

TEST(Codec, GivesBackWhatWasWritten) {
  std::string bytes;
  append(full(), bytes);
  Sample read;
  ASSERT_TRUE(parse(bytes, read));
  EXPECT_EQ(read, full());
  EXPECT_TRUE(std::signbit(read.real));
}

TEST(Codec, AppendsBehindWhatIsThere) {
  std::string bytes = "before";
  append(Inner{.number = 150}, bytes);
  EXPECT_EQ(bytes, "before\x08\x96\x01"s);
}

TEST(Codec, LeavesOutDefaultsButNotPresentOnes) {
  std::string bytes;
  append(Sample{}, bytes);
  EXPECT_EQ(bytes, kFlags);
  Sample sample;
  sample.maybe = 0;
  bytes.clear();
  append(sample, bytes);
  EXPECT_EQ(bytes, "\x30\x00"s + kFlags);
}

TEST(Codec, TakesScalarsPackedAndOneByOne) {
  Sample read;
  ASSERT_TRUE(parse("\x28\x01\x2a\x02\x02\x03\x28\x04"s + kFlags, read));
  EXPECT_EQ(read.packed, (std::vector<std::int32_t>{1, 2, 3, 4}));
}

TEST(Codec, SkipsUnknownFieldsAndOtherWireTypes) {
  Sample read;
  // Field 99 as a string; field 1 (a varint) as a string; field 3 (a string) as a varint.
  ASSERT_TRUE(parse("\x9a\x06\x02hi\x0a\x01x\x18\x05"s + kFlags, read));
  EXPECT_EQ(read, Sample{});
}

TEST(Codec, TheLastOneWinsAndMessagesMerge) {
  Sample read;
  ASSERT_TRUE(parse(
      "\x08\x01\x08\x02"s + "\x4a\x07\x08\x05" + kFlags + "\x4a\x09\x1a\x02hi" + kFlags + kFlags,
      read));
  EXPECT_EQ(read.large, 2);
  ASSERT_TRUE(read.next.has_value());
  EXPECT_EQ(read.next->large, 5);
  EXPECT_EQ(read.next->text, "hi");
}

TEST(Codec, AFixedArrayHasExactlyItsLength) {
  Sample read;
  EXPECT_FALSE(parse(""s, read));
  EXPECT_FALSE(parse("\x3a\x02\x01\x01"s, read));
  EXPECT_FALSE(parse("\x3a\x04\x01\x01\x01\x01"s, read));
  EXPECT_TRUE(parse("\x38\x01\x38\x00\x38\x01"s, read));
  EXPECT_EQ(read.flags, (std::array<bool, 3>{true, false, true}));
}

TEST(Codec, EveryTruncationIsMalformedOrShorter) {
  std::string bytes;
  append(full(), bytes);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    Sample read;
    EXPECT_FALSE(parse(std::string_view(bytes).substr(0, length), read) && read == full())
        << length;
  }
}

TEST(Codec, ALengthBeyondTheEndIsRefusedBeforeMemoryIsTaken) {
  Sample read;
  EXPECT_FALSE(parse("\x1a\xff\xff\xff\xff\x0f"s, read));
  EXPECT_FALSE(parse("\x2a\xff\xff\xff\xff\x0f\x01"s, read));
  EXPECT_FALSE(parse("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s, read));
  EXPECT_FALSE(parse("\x0f"s, read));
}

TEST(Codec, NestingIsBounded) {
  const auto nested = [](int depth) {
    std::string bytes = kFlags;
    for (int level = 1; level < depth; ++level) {
      std::string outer(1, '\x4a');
      for (std::size_t left = bytes.size(); outer.size() == 1 || left != 0; left >>= 7U)
        outer += static_cast<char>((left & 0x7fU) | (left >= 0x80U ? 0x80U : 0U));
      bytes = outer + bytes + kFlags;
    }
    return bytes;
  };
  Sample read;
  EXPECT_TRUE(parse(nested(penstock::codec::kMaxDepth), read));
  EXPECT_FALSE(parse(nested(penstock::codec::kMaxDepth + 1), read));
}

TEST(Codec, VarintsHaveTheirSize) {
  using penstock::codec::varint_size;
  EXPECT_EQ(varint_size(0), 1U);
  for (unsigned bits = 1; bits <= 64; ++bits)
    EXPECT_EQ(varint_size(std::numeric_limits<std::uint64_t>::max() >> (64U - bits)),
              (bits + 6) / 7)
        << bits;
}

TEST(Buffer, SharesItsBytesUntilSomebodyWrites) {
  penstock::Buffer one("abc");
  penstock::Buffer other = one;
  EXPECT_EQ(one.bytes().data(), other.bytes().data());
  other.writable()[0] = std::byte{'x'};
  EXPECT_EQ(one.view(), "abc");
  EXPECT_EQ(other.view(), "xbc");
  EXPECT_NE(one, other);
  const penstock::Buffer taken = std::move(one);
  EXPECT_EQ(taken.view(), "abc");
}

TEST(Boxed, CopiesDeepAndMayBeAssignedFromInsideItself) {
  penstock::Boxed<Sample> box(full());
  const penstock::Boxed<Sample> copy = box;
  box->text = "changed";
  EXPECT_EQ(copy->text, "grüße");
  box = box->next;
  EXPECT_EQ(box->text, "deeper");
  box = std::nullopt;
  EXPECT_FALSE(box.has_value());
}

TEST(Codec, TakesNoMoreMemoryThanItMay) {
  Sample sample = full();
  sample.packed.assign(1000, 1);
  std::string bytes;
  append(sample, bytes);
  constexpr std::size_t kNeeded =
      sizeof(Sample) + 1000 * sizeof(std::int32_t) + penstock::codec::kMemoryOfBuffer;
  for (const std::size_t most : {kNeeded - 1, kNeeded, kNeeded + 1}) {
    const penstock::codec::BoundsMemory bound(most);
    Sample read;
    EXPECT_EQ(parse(bytes, read), most >= kNeeded);
    if (most >= kNeeded) {
      EXPECT_EQ(bound.taken(), kNeeded);
    } else {
      EXPECT_TRUE(bound.is_passed());
    }
  }
  // Elsewhere there is as much as before.
  Sample read;
  EXPECT_TRUE(parse(bytes, read));
}

}  // namespace
