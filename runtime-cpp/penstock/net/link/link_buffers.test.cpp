#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "penstock/net/link/link.hpp"
#include "support/two_links.hpp"

namespace penstock::net::link_buffers_test {
namespace {

using namespace penstock::testing::two_links;
using wire::BufferPart;
using wire::FrameHead;
using wire::FrameKind;

constexpr std::size_t kLarge = 100'000;
constexpr std::uint64_t kMostHeld = 250'000;

Buffer filled(std::size_t size, char first) {
  std::string text(size, '\0');
  for (std::size_t at = 0; at < size; ++at)
    text[at] = static_cast<char>(static_cast<std::size_t>(first) + at * 7);
  return Buffer(text);
}

/// Files of a socket: they come in the order in which they were sent.
struct Files final : Handover {
  std::deque<Buffer> sent;
  unsigned room = 0;
  [[nodiscard]] bool hand(Buffer& buffer, bool /*keep*/, BufferPart& part) override {
    if (room == 0) return false;
    --room;
    part = {BufferPart::Kind::new_segment, 0, 1, buffer.size()};
    sent.push_back(std::exchange(buffer, {}));
    return true;
  }
  [[nodiscard]] Taken take(const BufferPart& part, Buffer& to) override {
    if (sent.empty() || sent.front().size() != part.length) return Taken::malformed;
    to = std::move(sent.front());
    sent.pop_front();
    return Taken::yes;
  }
};

class LinkBuffers : public ::testing::Test {
 protected:
  void SetUp() override {
    front.services = 0;
    exchange();
  }
  void exchange() {
    while (front.link.has_bytes() || ads.link.has_bytes()) {
      to_ads.bring(front.link, now);
      to_front.bring(ads.link, now);
    }
  }
  /// So much of what the front has to say.
  void bring_some(std::size_t bytes) { to_ads.bring(front.link, bytes, now); }
  Link::Sent send(TestCall& call) { return front.link.send(call, 0, now); }
  /// Of the front, as another program may write it.
  void say(FrameHead head, const std::string& body) {
    head.body = static_cast<std::uint32_t>(body.size());
    char* const at = front.link.outgoing().append(wire::kHeadBytes + body.size());
    body.copy(wire::write_head(at, head), body.size());
    to_ads.bring(front.link, now);
  }
  void say_call(const std::vector<BufferPart>& parts, std::uint64_t number = 99) {
    std::string body(4 + wire::parts_size(parts.size()), '\0');
    wire::write_parts(body.data() + 4, parts);
    say({0, FrameKind::call, wire::kBuffers, 0, number}, body);
  }
  [[nodiscard]] std::string why_broken() {
    return ads.link.was_malformed() ? ads.link.why() : "it is not";
  }

  std::deque<TestCall> calls;
  Files files;
  Nanos now = kSecond;
  End front{kFront, kSecond};
  End ads{kAds, kSecond, 4, {.buffer_bytes = kMostHeld}};
  Way to_ads{ads.link};
  Way to_front{front.link};
};

TEST_F(LinkBuffers, GoInPiecesAndComeBack) {
  TestCall& call = calls.emplace_back("two", std::vector{filled(kLarge, 'a'), filled(70'001, 'q')});
  ASSERT_EQ(send(call), Link::Sent::yes);
  EXPECT_FALSE(front.link.is_quiet());
  exchange();
  ASSERT_EQ(ads.received.size(), 1U);
  EXPECT_EQ(ads.received[0]->request, "two");
  ASSERT_EQ(ads.received[0]->buffers.size(), 2U);
  EXPECT_EQ(ads.received[0]->buffers[0], filled(kLarge, 'a'));
  EXPECT_EQ(ads.received[0]->buffers[1], filled(70'001, 'q'));
  ads.echo(0);
  EXPECT_FALSE(ads.link.is_quiet());
  call.buffers.clear();
  exchange();
  EXPECT_EQ(call.end, "answer: two!");
  ASSERT_EQ(call.buffers.size(), 2U);
  EXPECT_EQ(call.buffers[1], filled(70'001, 'q'));
  EXPECT_TRUE(front.link.is_quiet());
  EXPECT_TRUE(ads.link.is_quiet());
}

TEST_F(LinkBuffers, HoldUpNoOtherCall) {
  TestCall& large = calls.emplace_back("large", std::vector{filled(kLarge, 'a')});
  TestCall& small = calls.emplace_back("small");
  ASSERT_EQ(send(large), Link::Sent::yes);
  bring_some(20'000);
  ASSERT_EQ(send(small), Link::Sent::yes);
  bring_some(20'000);
  ASSERT_EQ(ads.received.size(), 1U);
  EXPECT_EQ(ads.received[0]->request, "small");
  exchange();
  EXPECT_EQ(ads.received.size(), 2U);
}

TEST_F(LinkBuffers, LeaveWhereOtherFramesAlwaysWait) {
  constexpr std::size_t kMuch = 80'000;
  TestCall& large = calls.emplace_back("large", std::vector{filled(kLarge, 'a')});
  ASSERT_EQ(send(large), Link::Sent::yes);
  const auto others = [this] { (void)front.link.outgoing().append(kMuch); };
  others();
  const std::size_t before = front.link.outgoing().bytes().size();
  const std::size_t with_a_piece = front.link.next_bytes().size();
  EXPECT_GT(with_a_piece, before);
  others();
  EXPECT_EQ(front.link.next_bytes().size(), with_a_piece + kMuch) << "one at a time";
  front.link.outgoing().take(with_a_piece);
  EXPECT_GT(front.link.next_bytes().size(), kMuch);
}

TEST_F(LinkBuffers, OfTwoCallsComeOneAfterTheOther) {
  TestCall& one = calls.emplace_back("one", std::vector{filled(kLarge, 'a')});
  TestCall& other = calls.emplace_back("other", std::vector{filled(kLarge, 'b')});
  ASSERT_EQ(send(one), Link::Sent::yes);
  ASSERT_EQ(send(other), Link::Sent::yes);
  exchange();
  ASSERT_EQ(ads.received.size(), 2U);
  EXPECT_EQ(ads.received[0]->buffers.at(0), filled(kLarge, 'a'));
  EXPECT_EQ(ads.received[1]->buffers.at(0), filled(kLarge, 'b'));
}

TEST_F(LinkBuffers, OfACancelledCallAreDropped) {
  TestCall& begun = calls.emplace_back("begun", std::vector{filled(kLarge, 'a')});
  TestCall& waits = calls.emplace_back("waits", std::vector{filled(kLarge, 'b')});
  ASSERT_EQ(send(begun), Link::Sent::yes);
  ASSERT_EQ(send(waits), Link::Sent::yes);
  bring_some(20'000);
  front.link.cancel(waits);
  front.link.cancel(begun);
  exchange();
  EXPECT_TRUE(ads.received.empty());
  EXPECT_TRUE(ads.link.is_quiet());
  EXPECT_TRUE(front.link.is_quiet());
  // All credit is there again, so that as many calls can be sent as ever.
  std::size_t sent = 0;
  while (send(calls.emplace_back("again")) == Link::Sent::yes) ++sent;
  exchange();
  EXPECT_GE(sent, 3U);
  EXPECT_EQ(ads.received.size(), sent);
}

TEST_F(LinkBuffers, ComeInTheOrderInWhichTheyWereHandedOver) {
  front.link.hand_over_through(files);
  ads.link.hand_over_through(files);
  files.room = 1;
  TestCall& both =
      calls.emplace_back("both", std::vector{filled(kLarge, 'a'), filled(70'001, 'q')});
  ASSERT_EQ(send(both), Link::Sent::yes);
  files.room = 1;
  TestCall& other = calls.emplace_back("other", std::vector{filled(80'000, 'b')});
  ASSERT_EQ(send(other), Link::Sent::yes);
  exchange();
  EXPECT_EQ(why_broken(), "it is not");
  ASSERT_EQ(ads.received.size(), 2U);
  EXPECT_EQ(ads.received[0]->buffers, (std::vector{filled(kLarge, 'a'), filled(70'001, 'q')}));
  EXPECT_EQ(ads.received[1]->buffers, std::vector{filled(80'000, 'b')});
}

TEST_F(LinkBuffers, OfACancelledCallThatWereHandedOverAreToldOf) {
  front.link.hand_over_through(files);
  ads.link.hand_over_through(files);
  files.room = 1;
  TestCall& both =
      calls.emplace_back("both", std::vector{filled(kLarge, 'a'), filled(70'001, 'q')});
  ASSERT_EQ(send(both), Link::Sent::yes);
  front.link.cancel(both);
  exchange();
  EXPECT_TRUE(files.sent.empty());
  EXPECT_TRUE(ads.received.empty());
  files.room = 1;
  TestCall& other = calls.emplace_back("other", std::vector{filled(80'000, 'b')});
  ASSERT_EQ(send(other), Link::Sent::yes);
  exchange();
  EXPECT_EQ(why_broken(), "it is not");
  ASSERT_EQ(ads.received.size(), 1U);
  EXPECT_EQ(ads.received[0]->buffers, std::vector{filled(80'000, 'b')});
}

TEST_F(LinkBuffers, OfAnswersThatWaitHoldUpTheCreditOfTheirCalls) {
  for (int call = 0; call < 4; ++call)
    ASSERT_EQ(send(calls.emplace_back("small")), Link::Sent::yes);
  exchange();
  ASSERT_EQ(ads.received.size(), 4U);
  for (int call = 0; call < 4; ++call) {
    ads.received[0]->buffers = {filled(kLarge, 'a')};
    ads.echo(0);
  }
  to_front.bring(ads.link, 20'000, now);
  EXPECT_EQ(send(calls.emplace_back("early")), Link::Sent::not_now);
  exchange();
  EXPECT_EQ(send(calls.emplace_back("later")), Link::Sent::yes);
}

TEST_F(LinkBuffers, BeyondWhatIsHeldAreRefusedAndTheLinkGoesOn) {
  TestCall& one = calls.emplace_back("one", std::vector{filled(kLarge, 'a')});
  TestCall& two = calls.emplace_back("two", std::vector{filled(kLarge, 'b')});
  TestCall& three = calls.emplace_back("three", std::vector{filled(kLarge, 'c')});
  ASSERT_EQ(send(one), Link::Sent::yes);
  ASSERT_EQ(send(two), Link::Sent::yes);
  ASSERT_EQ(send(three), Link::Sent::yes);
  exchange();
  EXPECT_EQ(ads.received.size(), 2U);
  EXPECT_EQ(three.end,
            "error 8: there is no memory for its buffers of " + std::to_string(kLarge) + " bytes");
  ads.echo(0);
  TestCall& four = calls.emplace_back("four", std::vector{filled(kLarge, 'd')});
  ASSERT_EQ(send(four), Link::Sent::yes);
  exchange();
  EXPECT_EQ(ads.received.size(), 2U);
  EXPECT_EQ(one.end, "answer: one!");
}

TEST_F(LinkBuffers, OfWhoMayNotCallAreNotWaitedFor) {
  ads.refuses = true;
  TestCall& call = calls.emplace_back("x");
  call.buffers.push_back(filled(kLarge, 'a'));
  ASSERT_EQ(send(call), Link::Sent::yes);
  bring_some(1'000);  // the message, and not its buffer
  to_front.bring(ads.link, now);
  EXPECT_EQ(call.end, "error 7: not you");
  exchange();
  EXPECT_EQ(why_broken(), "it is not");
  EXPECT_TRUE(ads.link.is_quiet());
}

TEST_F(LinkBuffers, ThatAreTooManyOrTooLargeAreNotSent) {
  TestCall& many =
      calls.emplace_back("many", std::vector<Buffer>(wire::kMostBuffers + 1, Buffer("x")));
  EXPECT_EQ(send(many), Link::Sent::too_large);
  // As an answer: the caller is told.
  TestCall& call = calls.emplace_back("call", std::vector{filled(kLarge, 'a')});
  ASSERT_EQ(send(call), Link::Sent::yes);
  exchange();
  ads.received.at(0)->buffers = {filled(kMostHeld + 1, 'a')};
  ads.echo(0);
  exchange();
  EXPECT_EQ(call.end.substr(0, 8), "error 8:") << call.end;
}

TEST_F(LinkBuffers, StandInTheMessageWhereTheOtherEndIsOlder) {
  static const Link::Self kOlder = [] {
    Link::Self self = kAds;
    self.hello.features = 0;
    self.hello_bytes = wire::write_hello(self.hello);
    return self;
  }();
  End older(kOlder, kSecond);
  End caller(kFront, kSecond);
  caller.services = 0;
  Way to_older(older.link);
  Way to_caller(caller.link);
  to_older.bring(caller.link, now);
  to_caller.bring(older.link, now);
  TestCall& call = calls.emplace_back("all of it", std::vector{filled(kLarge, 'a')});
  ASSERT_EQ(caller.link.send(call, 0, now), Link::Sent::yes);
  to_older.bring(caller.link, now);
  ASSERT_EQ(older.received.size(), 1U);
  EXPECT_TRUE(older.received[0]->buffers.empty());
}

TEST_F(LinkBuffers, OfNobodyAreMalformed) {
  say_call({{BufferPart::Kind::segment, 0, 1, 100}});
  EXPECT_EQ(why_broken(), "it hands over a buffer that it has not");
}
TEST_F(LinkBuffers, ThatAreBrokenAreMalformed) {
  say_call({{BufferPart::Kind::pieces, 0, 0, 0}});
  EXPECT_EQ(why_broken(), "its buffers are broken");
}
TEST_F(LinkBuffers, LoosePiecesAreMalformed) {
  say({0, FrameKind::piece, 0, 0, 0}, "loose");
  EXPECT_EQ(why_broken(), "it sends a loose piece");
}
TEST_F(LinkBuffers, MoreThanWasSaidIsMalformed) {
  say_call({{BufferPart::Kind::pieces, 0, 0, 4}});
  say({0, FrameKind::piece, 0, 0, 0}, "12345");
  EXPECT_EQ(why_broken(), "it sends a loose piece");
}
TEST_F(LinkBuffers, OfTwoMessagesAtOnceAreMalformed) {
  say_call({{BufferPart::Kind::pieces, 0, 0, 4}});
  say_call({{BufferPart::Kind::pieces, 0, 0, 4}}, 100);
  EXPECT_EQ(why_broken(), "it begins a message before the one before is whole");
}
TEST_F(LinkBuffers, OfTwoCallsOfOneNumberAreMalformed) {
  say_call({{BufferPart::Kind::pieces, 0, 0, 4}});
  say({0, FrameKind::call, 0, 0, 99}, std::string(4, '\0'));
  EXPECT_EQ(why_broken(), "it gives two calls the same number");
}

TEST_F(LinkBuffers, AreGoneWithTheLink) {
  TestCall& call = calls.emplace_back("call", std::vector{filled(kLarge, 'a')});
  ASSERT_EQ(send(call), Link::Sent::yes);
  bring_some(30'000);
  front.link.close("broken");
  ads.link.close("broken");
  EXPECT_EQ(call.end, "lost");
  EXPECT_TRUE(ads.received.empty());
}

TEST_F(LinkBuffers, TakeFromTheTimeOfTheirCall) {
  TestCall& call = calls.emplace_back("call", std::vector{filled(kLarge, 'a')});
  call.sent_with.left_us = 5'000;
  ASSERT_EQ(send(call), Link::Sent::yes);
  bring_some(30'000);
  now += 3 * kMs;
  exchange();
  ASSERT_EQ(ads.received.size(), 1U);
  EXPECT_EQ(ads.received[0]->left_us, 2'000U);
}

}  // namespace
}  // namespace penstock::net::link_buffers_test
