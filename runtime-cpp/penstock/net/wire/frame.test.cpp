#include "penstock/net/wire/frame.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "penstock/base/error.hpp"
#include "penstock/base/utf8.hpp"
#include "support/hex_of_page.hpp"

namespace penstock::net::wire::frame_test {
namespace {

using Found = FrameRead::Found;
using penstock::testing::hex_of_page;

constexpr std::uint32_t kLargest = 1U << 20U;
constexpr TraceIds kTrace{0x0102030405060708, 0x1112131415161718, 0x2122232425262728, 1};

std::string frame_of(FrameHead head, const std::string& body) {
  head.body = static_cast<std::uint32_t>(body.size());
  std::string bytes(kHeadBytes, '\0');
  EXPECT_EQ(write_head(bytes.data(), head), bytes.data() + kHeadBytes);
  return bytes + body;
}

std::string call_frame(std::uint64_t call, const CallEnvelope& envelope,
                       const std::string& message) {
  std::string body(envelope.size(), '\0');
  EXPECT_EQ(envelope.write(body.data()), body.data() + body.size());
  return frame_of({0, FrameKind::call, envelope.flags(), 7, call}, body + message);
}

CallEnvelope with_baggage(Baggage baggage) {
  CallEnvelope envelope;
  envelope.baggage = std::make_shared<const Baggage>(std::move(baggage));
  return envelope;
}

/// What is read of the body of a call with these flags; none: it is malformed.
std::optional<CallBody> read_back(std::uint8_t flags, const std::string& body) {
  CallBody out;
  if (!read_call({0, FrameKind::call, flags, 0, 0}, body, out)) return std::nullopt;
  return out;
}

Baggage over_the_wire(const CallEnvelope& envelope) {
  std::string body(envelope.size(), '\0');
  envelope.write(body.data());
  const auto read = read_back(envelope.flags(), body);
  return read && read->envelope.baggage ? *read->envelope.baggage : Baggage{};
}

TEST(WireFrame, OfACallIsWhatThePageSays) {
  const std::string request = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
  CallEnvelope envelope;
  envelope.left_us = 1500;
  EXPECT_EQ(call_frame(42, envelope, request), hex_of_page("wire.md", "call"));
  EXPECT_EQ(call_frame(42, envelope, request).size(), 84U);
}

TEST(WireFrame, OfACallCarriesItsContext) {
  CallEnvelope envelope = with_baggage({{"user", "7"}});
  envelope.trace = kTrace;
  const std::string bytes = hex_of_page("wire.md", "call-with-context");
  EXPECT_EQ(call_frame(43, envelope, ""), bytes);

  const FrameRead read = read_frame(bytes, kLargest);
  ASSERT_EQ(read.found, Found::frame) << read.why;
  CallBody call;
  ASSERT_TRUE(read_call(read.head, read.body, call));
  EXPECT_EQ(call.envelope.trace.traceparent(), kTrace.traceparent());
  EXPECT_EQ(*call.envelope.baggage, (Baggage{{"user", "7"}}));
  EXPECT_TRUE(call.message.empty());
}

TEST(WireFrame, OfOtherKindsAreWhatThePageSays) {
  EXPECT_EQ(frame_of({0, FrameKind::answer, 0, 7, 42}, "\x08\x01"),
            hex_of_page("wire.md", "answer"));
  const ErrorBody error{5, "no such"};
  std::string body(size(error), '\0');
  EXPECT_EQ(write(body.data(), error), body.data() + body.size());
  EXPECT_EQ(frame_of({0, FrameKind::error, 0, 7, 42}, body), hex_of_page("wire.md", "error"));
  std::string credit(kCreditBytes, '\0');
  write_credit(credit.data(), 64);
  EXPECT_EQ(frame_of({0, FrameKind::credit, 0, 7, 0}, credit), hex_of_page("wire.md", "credit"));
  EXPECT_EQ(frame_of({0, FrameKind::ping, 0, 0, 9}, ""), hex_of_page("wire.md", "ping"));
}

TEST(WireFrame, IsPartOfOneUntilItsLastByte) {
  const std::string bytes = hex_of_page("wire.md", "error");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const FrameRead read = read_frame(std::string_view(bytes).substr(0, size), kLargest);
    EXPECT_EQ(read.found, Found::part) << size;
    EXPECT_EQ(read.bytes, size < kHeadBytes ? kHeadBytes : bytes.size()) << size;
  }
}

TEST(WireFrame, IsReadWithOthersBehindIt) {
  const std::string bytes = hex_of_page("wire.md", "answer");
  const std::string both = bytes + hex_of_page("wire.md", "ping");
  const FrameRead read = read_frame(both, kLargest);
  ASSERT_EQ(read.found, Found::frame) << read.why;
  EXPECT_EQ(read.bytes, bytes.size());
  EXPECT_EQ(read.head, (FrameHead{2, FrameKind::answer, 0, 7, 42}));
  EXPECT_EQ(read.body, "\x08\x01");
}

TEST(WireFrame, ThatIsLargerThanWasAgreedIsRefusedByItsHead) {
  const std::string head = frame_of({0, FrameKind::answer, 0, 7, 42}, std::string(8193, 'x'));
  EXPECT_EQ(read_frame(head.substr(0, kHeadBytes), 8192).found, Found::malformed);
  EXPECT_EQ(read_frame(head.substr(0, kHeadBytes), 8192).why, "it is larger than was agreed");
  EXPECT_EQ(read_frame(head.substr(0, kHeadBytes), 8193).found, Found::part);
}

TEST(WireFrame, ThatIsNotKnownIsMalformed) {
  const auto why = [](FrameHead head, const std::string& body) {
    const FrameRead read = read_frame(frame_of(head, body), kLargest);
    return read.found == Found::malformed ? std::string(read.why) : "it is none";
  };
  EXPECT_EQ(why({0, FrameKind{0}, 0, 0, 0}, ""), "its kind is not known");
  EXPECT_EQ(why({0, FrameKind{13}, 0, 0, 0}, ""), "its kind is not known");
  EXPECT_EQ(why({0, FrameKind::calls, kTraced, 0, 0}, ""), "its kind has no flags");
  EXPECT_EQ(why({0, FrameKind::call, 16, 0, 0}, ""), "a flag is not known");
  EXPECT_EQ(why({0, FrameKind::call, kSampled, 0, 0}, ""), "what is sampled is not traced");
  EXPECT_EQ(why({0, FrameKind::answer, kTraced, 0, 0}, ""), "its kind has no flags");
  EXPECT_EQ(why({0, FrameKind::piece, kBuffers, 0, 0}, "x"), "its kind has no flags");
  EXPECT_EQ(why({0, FrameKind::cancel, kTraced, 0, 0}, ""), "a flag is not known");
  EXPECT_EQ(why({0, FrameKind::cancel, kLate, 0, 0}, ""), "it is none");
  EXPECT_EQ(why({0, FrameKind::piece, 0, 0, 0}, ""), "a piece is empty");
  EXPECT_EQ(why({0, FrameKind::credit, 0, 0, 0}, "12345"), "a credit is one number");
  for (const FrameKind kind :
       {FrameKind::cancel, FrameKind::ping, FrameKind::pong, FrameKind::drain}) {
    EXPECT_EQ(why({0, kind, 0, 0, 0}, "x"), "its kind has no body");
  }
}

TEST(WireCall, TellsHowLongSomebodyWaits) {
  Context context;
  EXPECT_EQ(CallEnvelope::of(context, 5'000'000).left_us, 0U);
  context.deadline_ns = 6'500'000;
  EXPECT_EQ(CallEnvelope::of(context, 5'000'000).left_us, 1500U);
  // One that has passed is not one without an end.
  EXPECT_EQ(CallEnvelope::of(context, 6'500'000).left_us, 1U);
  EXPECT_EQ(CallEnvelope::of(context, 9'000'000).left_us, 1U);
  context.deadline_ns = 10'000'000'000'000;
  EXPECT_EQ(CallEnvelope::of(context, 0).left_us, std::numeric_limits<std::uint32_t>::max());

  CallEnvelope envelope;
  Context given;
  given.deadline_ns = 1;
  envelope.give_to(given, 100);
  EXPECT_EQ(given.deadline_ns, 0);
  envelope.left_us = 1500;
  envelope.give_to(given, 100);
  EXPECT_EQ(given.deadline_ns, 1'500'100);
}

TEST(WireCall, LeavesNothingToTheNextOne) {
  const CallEnvelope full{1500, kTrace, std::make_shared<const Baggage>(Baggage{{"tenant", "a"}})};
  Context given;
  full.give_to(given, 100);
  EXPECT_EQ(given.trace.parent, kTrace.parent);
  EXPECT_EQ(given.baggage_value("tenant"), "a");
  CallEnvelope{}.give_to(given, 100);
  EXPECT_EQ(given.trace.parent, 0U);
  EXPECT_EQ(given.baggage, nullptr);
  EXPECT_EQ(given.deadline_ns, 0);

  std::string body(full.size(), '\0');
  full.write(body.data());
  CallBody read;
  const FrameHead head{0, FrameKind::call, full.flags(), 0, 1};
  ASSERT_TRUE(read_call(head, body, read));
  EXPECT_EQ(read.envelope.trace.parent, kTrace.parent);
  ASSERT_TRUE(read_call({0, FrameKind::call, 0, 0, 2}, std::string(4, '\0'), read));
  EXPECT_FALSE(read.envelope.trace.present());
  EXPECT_EQ(read.envelope.baggage, nullptr);
}

TEST(WireCall, TakesAlongBaggageAsFarAsItFits) {
  const std::string large(kMostBaggageBytes - 8, 'x');
  EXPECT_EQ(over_the_wire(with_baggage({{"abcde", large}, {"b", "2"}, {"", "3"}})),
            (Baggage{{"b", "2"}}));
  EXPECT_EQ(over_the_wire(with_baggage({{"abcd", large}, {"b", "2"}})), (Baggage{{"abcd", large}}));
  Baggage many;
  for (int entry = 0; entry < 70; ++entry) many.emplace_back(std::to_string(entry), "");
  EXPECT_EQ(over_the_wire(with_baggage(many)), Baggage(many.begin(), many.begin() + kMostBaggage));
  const CallEnvelope nothing = with_baggage({{"", "3"}});
  EXPECT_EQ(nothing.flags(), 0);
  EXPECT_EQ(nothing.size(), 4U);
}

TEST(WireCall, ThatIsBrokenIsRefused) {
  const std::string left(4, '\0');
  EXPECT_FALSE(read_back(0, "123"));
  EXPECT_FALSE(read_back(kTraced, left + std::string(23, 'x')));
  EXPECT_FALSE(read_back(kTraced, left + std::string(24, '\0'))) << "traced, without a trace";
  EXPECT_FALSE(read_back(kBaggage, left));
  EXPECT_FALSE(read_back(kBaggage, left + std::string("\0\0", 2))) << "none of it";
  EXPECT_FALSE(read_back(kBaggage, left + std::string("\x04\0\0\0\0\0", 6))) << "an empty key";
  EXPECT_FALSE(read_back(kBaggage, left + std::string("\x04\0\x01\0a\x01", 6))) << "cut off";
  std::string many;
  for (std::size_t entry = 0; entry <= kMostBaggage; ++entry) many += std::string("\x01\0a\0\0", 5);
  EXPECT_FALSE(read_back(kBaggage, left + std::string("\x45\x01", 2) + many));
  EXPECT_TRUE(read_back(kBaggage, left + std::string("\x05\0\x01\0a\0\0", 7)));
}

TEST(WireError, IsReadAsItWasWritten) {
  const std::string bytes = hex_of_page("wire.md", "error");
  ErrorBody error;
  ASSERT_TRUE(read_error(read_frame(bytes, kLargest).body, error));
  EXPECT_EQ(error.code, 5);
  EXPECT_EQ(error.text, "no such");
}

TEST(WireError, IsCutBetweenTwoCharacters) {
  const std::string text = "a" + [] {
    std::string umlauts;
    for (int each = 0; each < 3'000; ++each) umlauts += "\xc3\xa4";
    return umlauts;
  }();
  const ErrorBody error{13, text};
  std::string body(size(error), '\0');
  write(body.data(), error);
  ErrorBody read;
  ASSERT_TRUE(read_error(body, read));
  EXPECT_EQ(read.text, std::string_view(text).substr(0, kLongestErrorText - 1));
}

TEST(WireError, IsSaidInUtf8WhateverItsTextIs) {
  const auto heard = [](std::int32_t code, const std::string& text) {
    const ErrorBody error{code, text};
    std::string body(size(error), '\0');
    EXPECT_EQ(write(body.data(), error), body.data() + body.size());
    ErrorBody read;
    EXPECT_TRUE(read_error(body, read));
    return std::pair(read.code, std::string(read.text));
  };
  constexpr std::string_view kMark = "\xEF\xBF\xBD";
  EXPECT_EQ(heard(13, "caf\xe9!").second, "caf" + std::string(kMark) + "!");
  EXPECT_EQ(heard(13, "\xe2\x82").second, std::string(kMark) + std::string(kMark));
  EXPECT_EQ(heard(13, std::string(kLongestErrorText, '\xff')).second.size(),
            kLongestErrorText / kMark.size() * kMark.size());
  EXPECT_EQ(heard(13, std::string(kLongestErrorText - 1, 'x') + "\xff").second,
            std::string(kLongestErrorText - 1, 'x'));
  EXPECT_EQ(heard(0, "ok").first, static_cast<std::int32_t>(ErrorCode::unknown));
  for (unsigned bytes = 0; bytes < 1U << 16U; ++bytes) {
    const std::string text{static_cast<char>(bytes), static_cast<char>(bytes >> 8U)};
    const std::string said = heard(13, text).second;
    EXPECT_TRUE(utf8_length(text) != 2 || said == text);
  }
}

TEST(WireError, ThatNoServiceCanAnswerWithIsRefused) {
  ErrorBody error;
  EXPECT_FALSE(read_error("123", error));
  EXPECT_FALSE(read_error(std::string("\0\0\0\0", 4), error)) << "ok";
  EXPECT_FALSE(read_error(std::string("\x12\0\0\0", 4), error)) << "18";
  EXPECT_FALSE(read_error(std::string("\xff\xff\xff\xff", 4), error)) << "-1";
  EXPECT_FALSE(read_error(std::string("\x05\0\0\0\xc3", 5), error)) << "half a character";
  EXPECT_FALSE(read_error(std::string("\x05\0\0\0", 4) + std::string(4097, 'x'), error));
  EXPECT_TRUE(read_error(std::string("\x11\0\0\0", 4), error)) << "17, deadlock";
}

TEST(WireCredit, OfNothingIsRefused) {
  std::uint32_t more = 0;
  EXPECT_TRUE(read_credit(std::string("\x40\0\0\0", 4), more));
  EXPECT_EQ(more, 64U);
  EXPECT_FALSE(read_credit(std::string("\0\0\0\0", 4), more));
}

}  // namespace
}  // namespace penstock::net::wire::frame_test
