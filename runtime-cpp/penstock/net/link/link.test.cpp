#include "penstock/net/link/link.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "penstock/base/limits.hpp"
#include "penstock/net/wire/frame.hpp"
#include "support/two_links.hpp"

namespace penstock::net::link_test {
namespace {

using namespace penstock::testing::two_links;

class Links : public ::testing::Test {
 protected:
  /// Until nobody has anything to say.
  void exchange() {
    while (!front.link.outgoing().bytes().empty() || !ads.link.outgoing().bytes().empty()) {
      to_ads.bring(front.link, now);
      to_front.bring(ads.link, now);
    }
  }
  Link::Sent send(TestCall& call) { return front.link.send(call, 0, now); }

  Nanos now = kSecond;
  End front{kFront, kSecond};
  End ads{kAds, kSecond};
  Way to_ads{ads.link};
  Way to_front{front.link};
  void SetUp() override {
    front.services = 0;
    exchange();
  }
};

TEST_F(Links, SayWhoTheyAre) {
  EXPECT_EQ(front.link.state(), Link::State::open);
  EXPECT_EQ(front.link.peer().binary, "ads");
  EXPECT_EQ(ads.link.peer().binary, "front");
  EXPECT_TRUE(front.link.outlet(0).offered);
  EXPECT_EQ(front.credited, std::vector<std::size_t>{0});
  EXPECT_EQ(front.openings, 1);
}

TEST_F(Links, CarryACallAndItsAnswer) {
  TestCall call("hello");
  call.sent_with.left_us = 1500;
  ASSERT_EQ(send(call), Link::Sent::yes);
  exchange();
  ASSERT_EQ(ads.received.size(), 1U);
  EXPECT_EQ(ads.received[0]->request, "hello");
  EXPECT_EQ(ads.received[0]->left_us, 1500U);
  EXPECT_FALSE(ads.link.is_quiet());
  ads.echo(0);
  exchange();
  EXPECT_EQ(call.end, "answer: hello!");
  EXPECT_TRUE(front.link.is_quiet());
  EXPECT_TRUE(ads.link.is_quiet());
}

TEST_F(Links, CarryTheErrorOfAService) {
  TestCall call("hello");
  ASSERT_EQ(send(call), Link::Sent::yes);
  exchange();
  ads.link.fail(*ads.received.at(0), ErrorCode::not_found, "no such ad");
  exchange();
  EXPECT_EQ(call.end, "error 5: no such ad");
}

TEST_F(Links, StayWhateverTheErrorOfAServiceSays) {
  TestCall odd("odd");
  TestCall none("none");
  TestCall other("other");
  for (TestCall* const call : {&odd, &none, &other}) ASSERT_EQ(send(*call), Link::Sent::yes);
  exchange();
  ads.link.fail(*ads.received.at(0), ErrorCode::internal, "caf\xe9");
  ads.link.fail(*ads.received.at(1), ErrorCode::ok, "none");
  exchange();
  EXPECT_EQ(odd.end, "error 13: caf\xEF\xBF\xBD");
  EXPECT_EQ(none.end, "error 2: none");
  ads.received.erase(ads.received.begin(), ads.received.begin() + 2);
  ads.echo(0);
  exchange();
  EXPECT_EQ(other.end, "answer: other!");
}

TEST_F(Links, AnswerInAnyOrder) {
  TestCall first("first");
  TestCall second("second");
  ASSERT_EQ(send(first), Link::Sent::yes);
  ASSERT_EQ(send(second), Link::Sent::yes);
  exchange();
  ads.echo(1);
  exchange();
  EXPECT_EQ(first.end, "");
  EXPECT_EQ(second.end, "answer: second!");
  ads.echo(0);
  exchange();
  EXPECT_EQ(first.end, "answer: first!");
}

TEST_F(Links, Fault60EndWithMoreCreditThanAnyServiceGives) {
  const auto give = [this](std::uint32_t calls) {
    Outgoing& out = ads.link.outgoing();
    char* const at = out.append(wire::kHeadBytes + wire::kCreditBytes);
    wire::write_credit(wire::write_head(at, {wire::kCreditBytes, wire::FrameKind::credit, 0, 0, 0}),
                       calls);
    exchange();
  };
  give(limits::kLongestQueue - 4);
  EXPECT_EQ(front.link.state(), Link::State::open);
  give(1);
  EXPECT_EQ(front.link.state(), Link::State::closed);
  EXPECT_EQ(front.link.why(), "it gives credit beyond all bounds");
}

TEST_F(Links, SendNoMoreThanTheOtherEndTakes) {
  std::deque<TestCall> calls;
  for (int each = 0; each < 5; ++each) calls.emplace_back("x");
  for (int each = 0; each < 4; ++each) EXPECT_EQ(send(calls[each]), Link::Sent::yes);
  EXPECT_EQ(send(calls[4]), Link::Sent::not_now);
  exchange();
  EXPECT_EQ(send(calls[4]), Link::Sent::not_now);
  ads.echo(0);
  exchange();
  EXPECT_EQ(send(calls[4]), Link::Sent::yes);
  exchange();
  front.link.close("the test is over");
}

TEST_F(Links, GiveCreditInHalvesOfWhatTheyTake) {
  for (const std::uint32_t credits : {3U, 4U, 3U, 4U}) {
    TestCall call("x");
    ASSERT_EQ(send(call), Link::Sent::yes);
    exchange();
    ads.echo(0);
    exchange();
    EXPECT_EQ(front.link.outlet(0).credits, credits);
  }
}

TEST_F(Links, GiveCreditForWhatEndsBesideCallsThatDoNot) {
  std::deque<TestCall> hang;
  for (int each = 0; each < 3; ++each) ASSERT_EQ(send(hang.emplace_back("h")), Link::Sent::yes);
  for (int each = 0; each < 3; ++each) {
    TestCall call("x");
    ASSERT_EQ(send(call), Link::Sent::yes) << each;
    exchange();
    ads.echo(3);
    exchange();
    EXPECT_EQ(call.end, "answer: x!");
  }
  front.link.close("the test is over");
}

TEST_F(Links, GiveCreditForWhatHadEndedBeforeTheOthersCame) {
  TestCall ended("x");
  ASSERT_EQ(send(ended), Link::Sent::yes);
  exchange();
  ads.echo(0);
  exchange();
  std::deque<TestCall> hang;
  for (int each = 0; each < 4; ++each) {
    ASSERT_EQ(send(hang.emplace_back("h")), Link::Sent::yes) << each;
    exchange();
  }
  EXPECT_EQ(send(hang.emplace_back("h")), Link::Sent::not_now);
  front.link.close("the test is over");
}

TEST_F(Links, GiveCreditBackForWhatIsRefused) {
  ads.refuses = true;
  for (int each = 0; each < 40; ++each) {
    TestCall call("x");
    ASSERT_EQ(send(call), Link::Sent::yes) << each;
    exchange();
    EXPECT_EQ(call.end, "error 7: not you");
  }
}

TEST_F(Links, TellTheOtherEndThatNobodyWaits) {
  TestCall call("hello");
  ASSERT_EQ(send(call), Link::Sent::yes);
  exchange();
  front.link.cancel(call);
  exchange();
  EXPECT_TRUE(ads.received.at(0)->cancelled);
  EXPECT_FALSE(ads.received.at(0)->late);
  ads.echo(0);
  exchange();
  EXPECT_EQ(call.ends, 0);
  EXPECT_TRUE(front.link.is_quiet());
}

TEST_F(Links, TellTheOtherEndThatItWasTooLate) {
  TestCall call("hello");
  ASSERT_EQ(send(call), Link::Sent::yes);
  exchange();
  front.link.cancel(call, true);
  exchange();
  EXPECT_TRUE(ads.received.at(0)->late);
}

TEST_F(Links, DropAnAnswerThatCrossedACancellation) {
  TestCall call("hello");
  ASSERT_EQ(send(call), Link::Sent::yes);
  exchange();
  ads.echo(0);
  front.link.cancel(call);
  TestCall next("next");
  ASSERT_EQ(send(next), Link::Sent::yes) << "its place is used again";
  exchange();
  EXPECT_EQ(call.ends, 0);
  EXPECT_EQ(next.ends, 0) << "the answer was that of the call before";
  ads.echo(0);
  exchange();
  EXPECT_EQ(next.end, "answer: next!");
}

TEST_F(Links, EndWhatWasSentWhenTheyBreak) {
  TestCall call("hello");
  ASSERT_EQ(send(call), Link::Sent::yes);
  exchange();
  ads.link.close("reset");
  front.link.close("reset");
  EXPECT_EQ(call.end, "lost");
  EXPECT_EQ(call.ends, 1);
  EXPECT_TRUE(ads.received.at(0)->cancelled);
  ads.echo(0);  // harmless
  EXPECT_TRUE(ads.link.outgoing().bytes().empty());
  EXPECT_EQ(front.closings + ads.closings, 2);
  EXPECT_EQ(send(call), Link::Sent::not_now);
}

TEST_F(Links, RefuseWhatTheOtherEndDoesNotTake) {
  TestCall call(std::string(8193, 'x'));
  EXPECT_EQ(send(call), Link::Sent::too_large);
  TestCall small("x");
  ASSERT_EQ(send(small), Link::Sent::yes);
  exchange();
  ads.link.answer(*ads.received.at(0), 8193, [](char*) { ADD_FAILURE() << "it is not written"; });
  exchange();
  EXPECT_EQ(small.end, "error 8: the answer of 8193 bytes is larger than its caller takes");
}

TEST_F(Links, AreHeardOfOnceASecond) {
  now += kSecond;
  front.link.look(now);
  exchange();
  EXPECT_EQ(front.link.round_trip(), 1);
  EXPECT_EQ(front.link.next_look(), now + kSecond);
}

TEST_F(Links, KnowHowFarThePeerIsFromTheBeginningAndWhileTheyAreBusy) {
  EXPECT_EQ(front.link.round_trip(), 1);
  for (int tenth = 1; tenth <= 10; ++tenth) {
    now += kSecond / 10;
    TestCall call("hello");
    ASSERT_EQ(send(call), Link::Sent::yes);
    exchange();
    ads.echo(0);
    exchange();
    front.link.look(now);
  }
  now += 300;
  exchange();
  EXPECT_EQ(front.link.round_trip(), 300);
}

TEST_F(Links, Fault24AreLostWithoutASign) {
  const Nanos silent_since = now;
  while (front.link.state() == Link::State::open) front.link.look(now = front.link.next_look());
  EXPECT_EQ(now, silent_since + 3 * kSecond);
  EXPECT_EQ(front.link.why(), "nothing was heard of it");
}

TEST_F(Links, Fault58EndWhereTheRestOfAFrameNeverComes) {
  TestCall call(std::string(4000, 'x'));
  ASSERT_EQ(send(call), Link::Sent::yes);
  to_ads.bring(front.link, 100, now += kSecond / 2);
  EXPECT_TRUE(ads.received.empty());
  const Nanos silent_since = now;
  while (ads.link.state() == Link::State::open) ads.link.look(now = ads.link.next_look());
  EXPECT_EQ(now, silent_since + 3 * kSecond);
  EXPECT_EQ(ads.link.why(), "nothing was heard of it");
  front.link.close("it is over");
  EXPECT_EQ(call.end, "lost");
}

TEST_F(Links, GiveThePeerItsTimeAlsoWhereThePingLeftLate) {
  front.link.look(now += 10 * kSecond);
  EXPECT_EQ(front.link.next_look(), now + 2 * kSecond);
  exchange();
  front.link.look(now + 2 * kSecond);
  EXPECT_EQ(front.link.state(), Link::State::open);
}

TEST_F(Links, StayWhileThePeerMayBeComputing) {
  TestCall call("hello");
  ASSERT_EQ(send(call), Link::Sent::yes);
  exchange();
  for (int look = 0; look < 100; ++look) front.link.look(now = front.link.next_look());
  EXPECT_EQ(front.link.state(), Link::State::open);
  ads.echo(0);
  exchange();
  EXPECT_EQ(call.end, "answer: hello!");
}

TEST_F(Links, TakeNoNewCallsOnceTheyDrain) {
  TestCall call("hello");
  ASSERT_EQ(send(call), Link::Sent::yes);
  ads.link.drain();
  ads.link.drain();
  TestCall crossing("crossing");
  ASSERT_EQ(send(crossing), Link::Sent::yes);
  exchange();
  EXPECT_EQ(front.drainings, 1);
  TestCall late("late");
  EXPECT_EQ(send(late), Link::Sent::not_now);
  ads.echo(0);
  ads.echo(0);
  exchange();
  EXPECT_EQ(call.end, "answer: hello!");
  EXPECT_EQ(crossing.end, "answer: crossing!");
  EXPECT_TRUE(ads.link.is_quiet());
}

/// Of which one end keeps the calls that come by their numbers alone.
class LinksWithNumbers : public Links {
 protected:
  void SetUp() override {
    Links::SetUp();
    ads.keeps_numbers = true;
  }
};

TEST_F(LinksWithNumbers, AreNotQuietUntilEachIsAnswered) {
  TestCall first("first");
  TestCall second("second");
  ASSERT_EQ(send(first), Link::Sent::yes);
  ASSERT_EQ(send(second), Link::Sent::yes);
  exchange();
  ASSERT_EQ(ads.numbers.size(), 2U);
  EXPECT_FALSE(ads.link.is_quiet());
  ads.answer_number("one");
  exchange();
  EXPECT_EQ(first.end, "answer: one");
  EXPECT_EQ(second.ends, 0);
  EXPECT_FALSE(ads.link.is_quiet());
  ads.link.fail(ads.numbers.at(0), ErrorCode::not_found, "no such ad");
  EXPECT_TRUE(ads.link.is_quiet());
  exchange();
  EXPECT_EQ(second.end, "error 5: no such ad");
  EXPECT_TRUE(front.link.is_quiet());
}

// The peer may wait for it in silence.
TEST_F(LinksWithNumbers, AreNotLostWhileOneIsUnderWay) {
  TestCall call("hello");
  ASSERT_EQ(send(call), Link::Sent::yes);
  exchange();
  for (int look = 0; look < 100; ++look) ads.link.look(now = ads.link.next_look());
  EXPECT_EQ(ads.link.state(), Link::State::open);
  ads.answer_number("late");
  exchange();
  EXPECT_EQ(call.end, "answer: late");
}

TEST_F(LinksWithNumbers, GiveCreditBackForThem) {
  for (int each = 0; each < 40; ++each) {
    TestCall good("good");
    ASSERT_EQ(send(good), Link::Sent::yes) << each;
    TestCall bad("bad");
    ASSERT_EQ(send(bad), Link::Sent::yes) << each;
    exchange();
    ads.answer_number("done");
    ads.link.fail(ads.numbers.at(0), ErrorCode::internal, "ill");
    ads.numbers.clear();
    exchange();
    EXPECT_EQ(good.end, "answer: done");
    EXPECT_EQ(bad.end, "error 13: ill");
  }
}

TEST_F(LinksWithNumbers, GiveNoCreditBeforeThat) {
  std::deque<TestCall> calls;
  for (int each = 0; each < 5; ++each) calls.emplace_back("x");
  for (int each = 0; each < 4; ++each) EXPECT_EQ(send(calls[each]), Link::Sent::yes);
  exchange();
  EXPECT_EQ(ads.numbers.size(), 4U);
  EXPECT_EQ(send(calls[4]), Link::Sent::not_now);
  for (int each = 0; each < 4; ++each) ads.answer_number("x");
  exchange();
  EXPECT_EQ(send(calls[4]), Link::Sent::yes);
  front.link.cancel(calls[4]);
}

TEST_F(LinksWithNumbers, DoNotHearThatNobodyWaits) {
  TestCall call("hello");
  ASSERT_EQ(send(call), Link::Sent::yes);
  exchange();
  front.link.cancel(call);
  exchange();
  EXPECT_EQ(ads.link.state(), Link::State::open);
  EXPECT_FALSE(ads.link.is_quiet()) << "it is to be answered nevertheless";
  TestCall next("next");
  ASSERT_EQ(send(next), Link::Sent::yes);
  exchange();
  ads.answer_number("of the first");
  ads.answer_number("of the second");
  exchange();
  EXPECT_EQ(call.ends, 0);
  EXPECT_EQ(next.end, "answer: of the second");
  EXPECT_TRUE(ads.link.is_quiet());
}

TEST_F(LinksWithNumbers, WriteNothingOnceTheyAreClosed) {
  TestCall first("first");
  TestCall second("second");
  ASSERT_EQ(send(first), Link::Sent::yes);
  ASSERT_EQ(send(second), Link::Sent::yes);
  exchange();
  ads.link.close("reset");
  EXPECT_EQ(ads.closings, 1);
  ads.link.answer(ads.numbers.at(0), 1, [](char*) { ADD_FAILURE() << "it is not written"; });
  ads.link.fail(ads.numbers.at(1), ErrorCode::internal, "ill");
  EXPECT_TRUE(ads.link.outgoing().bytes().empty());
  EXPECT_TRUE(ads.link.is_quiet());
  front.link.close("reset");
  EXPECT_EQ(first.end, "lost");
  EXPECT_EQ(second.end, "lost");
}

TEST_F(LinksWithNumbers, RefuseAnAnswerThatTheOtherEndDoesNotTake) {
  TestCall call("x");
  ASSERT_EQ(send(call), Link::Sent::yes);
  exchange();
  ads.link.answer(ads.numbers.at(0), 8193, [](char*) { ADD_FAILURE() << "it is not written"; });
  exchange();
  EXPECT_EQ(call.end, "error 8: the answer of 8193 bytes is larger than its caller takes");
  EXPECT_TRUE(ads.link.is_quiet());
}

TEST(LinkGreeting, MeetsAServiceWithAnotherDefinition) {
  const Link::Self front =
      self_of(hello_of("front", {}),
              {{"Ads/Get", 1, 2}, {"Ads/Put", 1, 2}, {"Ads/End", 1, 2}, {"Ads/New", 1, 2}});
  const Link::Self ads = self_of(
      hello_of("ads", {{0, "Ads/Get", 1, 3}, {1, "Ads/Put", 3, 2}, {2, "Ads/New", 1, 2}}), {});
  End one(front, 0);
  one.services = 0;
  End other(ads, 0);
  other.services = 3;
  Way(one.link).bring(other.link, 0);
  Way(other.link).bring(one.link, 0);
  Way(one.link).bring(other.link, 0);
  EXPECT_EQ(one.link.outlet(0).why,
            "the answer of Ads/Get has another definition there (0000000000000003, here "
            "0000000000000002)");
  EXPECT_EQ(one.link.outlet(1).why,
            "the request of Ads/Put has another definition there (0000000000000003, here "
            "0000000000000001)");
  EXPECT_EQ(one.link.outlet(2).why, "it has no service Ads/End");
  EXPECT_TRUE(one.link.outlet(3).offered);
  TestCall call("x");
  EXPECT_EQ(one.link.send(call, 0, 0), Link::Sent::not_offered);
  EXPECT_EQ(one.link.send(call, 3, 0), Link::Sent::yes);
  one.link.cancel(call);
  EXPECT_EQ(one.credited, std::vector<std::size_t>{3}) << "nobody wants credit of the others";
}

// The hello may be there already, and be read only afterwards.
TEST(LinkGreeting, EndsByADrain) {
  End one(kFront, 0);
  End other(kAds, 0);
  other.link.drain();
  Way(one.link).bring(other.link, 0);
  EXPECT_EQ(other.link.state(), Link::State::closed);
  EXPECT_EQ(other.link.why(), "this end drains");
  EXPECT_EQ(other.openings, 0);
}

TEST(LinkGreeting, IsNotWaitedForForEver) {
  End end(kFront, kSecond);
  EXPECT_EQ(end.link.next_look(), 3 * kSecond);
  EXPECT_EQ(end.link.receive("PST", 2 * kSecond), 0U);
  end.link.look(3 * kSecond - 1);
  EXPECT_EQ(end.link.state(), Link::State::greeting);
  end.link.look(3 * kSecond);
  EXPECT_EQ(end.link.state(), Link::State::closed);
  EXPECT_EQ(end.link.why(), "it did not say hello in time");
  EXPECT_FALSE(end.link.was_malformed());
}

TEST(LinkGreeting, OfAnotherVersionIsNotMalformed) {
  End end(kFront, 0);
  EXPECT_EQ(end.link.receive(std::string("PSTK\x02\x03\0\0\0\0\0\0", 12), 0), 12U);
  EXPECT_EQ(end.link.state(), Link::State::closed);
  EXPECT_FALSE(end.link.was_malformed());
  EXPECT_EQ(end.closings, 1);
}

/// An end that has heard the hello of a peer that breaks the rules.
class Rules : public ::testing::Test {
 protected:
  void SetUp() override {
    say(kFront.hello_bytes);
    ASSERT_EQ(ads.link.state(), Link::State::open);
  }
  void say(const std::string& bytes) { EXPECT_EQ(ads.link.receive(bytes, 0), bytes.size()); }
  static std::string frame(wire::FrameKind kind, std::uint16_t service, std::uint64_t call,
                           const std::string& body) {
    std::string bytes(wire::kHeadBytes, '\0');
    wire::write_head(bytes.data(),
                     {static_cast<std::uint32_t>(body.size()), kind, 0, service, call});
    return bytes + body;
  }
  void expect_broken(const std::string& why) {
    EXPECT_EQ(ads.link.state(), Link::State::closed);
    EXPECT_EQ(ads.link.why(), why);
    EXPECT_TRUE(ads.link.was_malformed());
  }

  const std::string no_deadline = std::string(4, '\0');
  End ads{kAds, 0};
};

TEST_F(Rules, AreThatNoMoreComesThanThereIsCreditFor) {
  for (std::uint64_t call = 0; call < 5; ++call)
    say(frame(wire::FrameKind::call, 0, call, no_deadline));
  expect_broken("it sends more calls than it was given credit for");
  EXPECT_EQ(ads.received.size(), 4U);
}
TEST_F(Rules, AreThatNoCallComesWithCreditThatHasNotLeft) {
  ads.refuses = true;
  std::uint64_t call = 0;
  std::size_t most = 0;
  while (ads.link.state() == Link::State::open && call < 1000) {
    say(frame(wire::FrameKind::call, 0, call++, no_deadline));
    most = std::max(most, ads.link.outgoing().bytes().size());
  }
  expect_broken("it sends more calls than it was given credit for");
  EXPECT_EQ(call, 5U);
  EXPECT_LT(most, 1000U);
  EXPECT_TRUE(ads.link.outgoing().bytes().empty());
}
TEST_F(Rules, AreNotBrokenByAWindowOfLargeAnswersThatWait) {
  for (std::uint64_t call = 0; call < 4; ++call)
    say(frame(wire::FrameKind::call, 0, call, no_deadline + std::string(8000, 'x')));
  for (int each = 0; each < 4; ++each) ads.echo(0);
  say(frame(wire::FrameKind::ping, 0, 1, ""));
  EXPECT_GT(ads.link.outgoing().bytes().size(), 32'000U);
  EXPECT_EQ(ads.link.state(), Link::State::open);
  // The first half of the window is known to be open again where its credit has left.
  ads.link.outgoing().take(ads.link.outgoing().bytes().size() - 1);
  for (std::uint64_t call = 0; call < 4; ++call)
    say(frame(wire::FrameKind::call, 0, call, no_deadline));
  EXPECT_EQ(ads.link.state(), Link::State::open);
}
TEST_F(Rules, AreThatWhoAsksReadsTheAnswers) {
  const std::string ping = frame(wire::FrameKind::ping, 0, 7, "");
  std::string pings;
  for (int each = 0; each < 1024; ++each) pings += ping;
  std::size_t most = 0;
  for (int each = 0; each < 100 && ads.link.state() == Link::State::open; ++each) {
    say(pings);
    most = std::max(most, ads.link.outgoing().bytes().size());
  }
  expect_broken("it does not read what it asks for");
  EXPECT_LT(most, (1U << 20U) + 1000U);
  EXPECT_TRUE(ads.link.outgoing().bytes().empty());
}
TEST_F(Rules, AllowAsManyPingsAsOneLikesWhereTheAnswersLeave) {
  const std::string ping = frame(wire::FrameKind::ping, 0, 7, "");
  for (int each = 0; each < 100'000; ++each) {
    say(ping);
    // Never all of them.
    ads.link.outgoing().take(ads.link.outgoing().bytes().size() - wire::kHeadBytes);
  }
  EXPECT_EQ(ads.link.state(), Link::State::open);
}
TEST_F(Rules, AreThatNumbersDiffer) {
  say(frame(wire::FrameKind::call, 0, 7, no_deadline));
  say(frame(wire::FrameKind::call, 0, 7, no_deadline));
  expect_broken("it gives two calls the same number");
}
TEST_F(Rules, AreThatTheServiceIsThere) {
  say(frame(wire::FrameKind::call, 1, 7, no_deadline));
  expect_broken("it calls a service that is not here");
}
TEST_F(Rules, Fault57AreThatACallIsWhole) {
  say(frame(wire::FrameKind::call, 0, 7, "12"));
  expect_broken("a call is broken");
}
TEST_F(Rules, AreThatAnErrorIsOne) {
  say(frame(wire::FrameKind::error, 0, 7, no_deadline));
  expect_broken("an error is broken");
}
TEST_F(Rules, AreThatCreditIsSome) {
  say(frame(wire::FrameKind::credit, 0, 0, no_deadline));
  expect_broken("a credit is broken");
}
TEST_F(Rules, Fault59AreThatNobodyWaitsForAFrameOfFourGibibytes) {
  std::string head(wire::kHeadBytes, '\0');
  wire::write_head(head.data(), {0xffffffffU, wire::FrameKind::answer, 0, 0, 0});
  say(head);  // no more of it is asked for
  expect_broken("it is larger than was agreed");
}
TEST_F(Rules, AreThatFramesAreNotLargerThanAgreed) {
  say(frame(wire::FrameKind::answer, 0, 0, std::string(8193, 'x')));
  expect_broken("it is larger than was agreed");
}
TEST_F(Rules, Fault33DoNotForbidWhatNobodyWaitsFor) {
  say(frame(wire::FrameKind::answer, 0, 7, "late"));
  say(frame(wire::FrameKind::cancel, 0, 7, ""));
  say(frame(wire::FrameKind::credit, 9, 0, std::string("\x01\0\0\0", 4)));
  say(frame(wire::FrameKind::definitions, 0, 0, "of a newer one"));
  EXPECT_EQ(ads.link.state(), Link::State::open);
}

}  // namespace
}  // namespace penstock::net::link_test
