// Calls that go over a link together, and their answers.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "penstock/net/link/link.hpp"
#include "penstock/net/wire/buffers.hpp"
#include "support/two_links.hpp"

namespace penstock::net::together_link_test {
namespace {

using namespace penstock::testing::two_links;

constexpr std::uint32_t kWindow = 200;

std::vector<std::string> texts(std::size_t count) {
  std::vector<std::string> all;
  for (std::size_t each = 0; each < count; ++each) all.push_back(std::to_string(each));
  return all;
}

class Together : public ::testing::Test {
 protected:
  void SetUp() override {
    front.services = 0;
    exchange();
  }
  /// Until nobody has anything to say.
  void exchange() {
    while (front.link.has_bytes() || ads.link.has_bytes()) {
      to_ads.bring(front.link, now);
      to_front.bring(ads.link, now);
    }
  }
  /// Of those from the place on, what is not sent.
  std::uint64_t send(TestRow& row, std::uint32_t from = 0) {
    std::uint64_t places = row.from(from);
    became = front.link.send(row, places, 0);
    return places;
  }
  /// Kinds of the frames that wait to leave, and how many calls those have that have several.
  static std::string waiting(Link& link) {
    std::string kinds;
    std::string_view bytes = link.outgoing().bytes();
    while (!bytes.empty()) {
      const wire::FrameRead frame = wire::read_frame(bytes, 1U << 20U);
      const bool several = frame.head.kind == wire::FrameKind::calls;
      kinds += several ? "calls" + std::to_string(wire::count_calls(frame.body)) + " "
                       : std::to_string(static_cast<int>(frame.head.kind)) + " ";
      bytes.remove_prefix(frame.bytes);
    }
    return kinds;
  }
  void echo_all() {
    while (!ads.received.empty()) ads.echo(0);
  }
  static void expect_echoes(const TestRow& row) {
    for (std::size_t at = 0; at < row.ends.size(); ++at)
      EXPECT_EQ(row.ends[at], "answer: " + row.requests[at] + "!");
  }

  Nanos now = kSecond;
  End front{kFront, kSecond};
  End ads{kAds, kSecond, kWindow};
  Way to_ads{ads.link};
  Way to_front{front.link};
  Link::Sent became = Link::Sent::yes;
};

TEST_F(Together, AreOneFrameAndEndOneByOne) {
  TestRow row(texts(wire::kMostTogether));
  EXPECT_EQ(send(row), 0U);
  EXPECT_EQ(became, Link::Sent::yes);
  EXPECT_EQ(waiting(front.link), "calls64 ");
  EXPECT_EQ(front.link.sent_calls(), wire::kMostTogether);
  exchange();
  ASSERT_EQ(ads.received.size(), wire::kMostTogether);
  std::reverse(ads.received.begin(), ads.received.end());
  echo_all();
  exchange();
  expect_echoes(row);
  EXPECT_TRUE(front.link.is_quiet());
  EXPECT_TRUE(ads.link.is_quiet());
}

TEST_F(Together, GoWithThoseBeforeThemThatHaveNotLeft) {
  TestRow row(texts(6));
  std::uint64_t first = 0b11;
  EXPECT_EQ(front.link.send(row, first, 0), Link::Sent::yes);
  EXPECT_EQ(send(row, 2), 0U);
  EXPECT_EQ(waiting(front.link), "calls6 ");
  exchange();
  EXPECT_EQ(ads.received.size(), 6U);
  echo_all();
  exchange();
  expect_echoes(row);
}

TEST_F(Together, GoBehindThoseOfWhichAPartHasLeft) {
  TestRow row(texts(6));
  std::uint64_t first = 0b11;
  ASSERT_EQ(front.link.send(row, first, 0), Link::Sent::yes);
  to_ads.bring(front.link, 5, now);
  EXPECT_EQ(send(row, 2), 0U);
  exchange();
  EXPECT_EQ(ads.received.size(), 6U);
  echo_all();
  exchange();
  expect_echoes(row);
}

// Which may have made a record of TLS of them.
TEST_F(Together, GoBehindThoseThatATransportHasSeen) {
  TestRow row(texts(6));
  std::uint64_t first = 0b11;
  ASSERT_EQ(front.link.send(row, first, 0), Link::Sent::yes);
  front.link.outgoing().are_shown();
  const std::string seen(front.link.outgoing().bytes());
  EXPECT_EQ(send(row, 2), 0U);
  EXPECT_EQ(waiting(front.link), "calls2 calls4 ");
  EXPECT_EQ(front.link.outgoing().bytes().substr(0, seen.size()), seen);
  exchange();
  echo_all();
  exchange();
  expect_echoes(row);
}

TEST_F(Together, GoBehindWhatWasSaidSince) {
  TestRow row(texts(6));
  std::uint64_t first = 0b11;
  ASSERT_EQ(front.link.send(row, first, 0), Link::Sent::yes);
  TestCall alone("alone");
  ASSERT_EQ(front.link.send(alone, 0, now), Link::Sent::yes);
  EXPECT_EQ(send(row, 2), 0U);
  EXPECT_EQ(waiting(front.link), "calls2 1 calls4 ");
  exchange();
  EXPECT_EQ(ads.received.at(2)->request, "alone");
  echo_all();
  exchange();
  expect_echoes(row);
  EXPECT_EQ(alone.end, "answer: alone!");
}

// The second row has the numbers behind those of the first one.
TEST_F(Together, AreOfOneRow) {
  ads.keeps_together = wire::kMostTogether;
  TestRow one(texts(wire::kMostTogether));
  TestRow other(texts(8));
  std::uint64_t first = 0xFFFFFFFF;
  ASSERT_EQ(front.link.send(one, first, 0), Link::Sent::yes);
  to_ads.bring(front.link, now);
  ASSERT_EQ(send(one, 32), 0U);
  ASSERT_EQ(send(other), 0U);
  EXPECT_EQ(waiting(front.link), "calls32 calls8 ");
  exchange();
  ASSERT_EQ(ads.rows.size(), 3U);
  EXPECT_EQ(ads.rows[2].first.number, ads.rows[0].first.number + wire::kMostTogether);
  // Whoever answers may take them together.
  ads.link.answer(ads.rows[0].first, {0xFFFFFFFF, 0, {}});
  ads.link.answer(ads.rows[1].first, {(std::uint64_t{1} << 40U) - 1, 0, {}});
  exchange();
  for (const TestRow* const row : {&one, &other}) {
    for (const std::string& end : row->ends) EXPECT_EQ(end, "answer: ");
  }
  EXPECT_TRUE(front.link.is_quiet());
}

TEST_F(Together, GoAloneToWhoTakesNoneTogether) {
  Link::Self older = kAds;
  older.hello.features = wire::kBuffersBeside;
  older.hello_bytes = wire::write_hello(older.hello);
  End old(older, now, kWindow);
  End own(kFront, now);
  own.services = 0;
  Way there(old.link);
  Way back(own.link);
  there.bring(own.link, now);
  back.bring(old.link, now);
  TestRow row(texts(3));
  std::uint64_t places = row.from(0);
  ASSERT_EQ(own.link.send(row, places, 0), Link::Sent::yes);
  EXPECT_EQ(waiting(own.link), "6 7 1 1 1 ");
  there.bring(own.link, now);
  while (!old.received.empty()) old.echo(0);
  back.bring(old.link, now);
  expect_echoes(row);
}

TEST_F(Together, AreAsManyAsThereIsCreditFor) {
  TestRow first(texts(64));
  TestRow second(texts(64));
  TestRow third(texts(64));
  TestRow last(texts(64));
  EXPECT_EQ(send(first) | send(second) | send(third), 0U);
  EXPECT_EQ(send(last), last.from(kWindow - 3 * 64));
  EXPECT_EQ(became, Link::Sent::not_now);
  exchange();
  EXPECT_FALSE(ads.link.was_malformed());
  EXPECT_EQ(ads.received.size(), kWindow);
  echo_all();
  exchange();
  EXPECT_EQ(send(last, kWindow - 3 * 64), 0U);
  exchange();
  echo_all();
  exchange();
  expect_echoes(last);
  EXPECT_TRUE(front.link.is_quiet());
}

TEST_F(Together, SayWhichIsTooLarge) {
  TestRow row({"one", std::string(8192, 'x'), "three"});
  EXPECT_EQ(send(row), 0b110U);
  EXPECT_EQ(became, Link::Sent::too_large);
  EXPECT_EQ(send(row, 2), 0U);
  exchange();
  echo_all();
  exchange();
  EXPECT_EQ(row.ends[0], "answer: one!");
  EXPECT_EQ(row.ends[1], "");  // it was not sent
  EXPECT_EQ(row.ends[2], "answer: three!");
}

TEST_F(Together, AreNoLargerThanTheOtherEndTakes) {
  TestRow row(std::vector<std::string>(8, std::string(3000, 'x')));
  EXPECT_EQ(send(row), 0U);
  EXPECT_EQ(waiting(front.link), "calls2 calls2 calls2 calls2 ");
  exchange();
  echo_all();
  exchange();
  expect_echoes(row);
}

TEST_F(Together, AreAnsweredTogether) {
  ads.keeps_together = 3;
  TestRow row(texts(5));
  ASSERT_EQ(send(row), 0U);
  exchange();
  ASSERT_EQ(ads.rows.size(), 1U);
  ASSERT_EQ(ads.received.size(), 2U);  // one by one
  EXPECT_EQ(ads.received[0]->request, "3");
  EXPECT_FALSE(ads.link.is_quiet());
  std::string message(wire::kTogetherHead, '\0');
  wire::begin_message(message.data(), 2);
  message += "me";
  ads.link.answer(ads.rows[0].first, {0b101, 0b100, message});
  ads.link.fail(CallNumber{ads.rows[0].first.number + 1, 0}, ErrorCode::not_found, "no such ad");
  echo_all();
  exchange();
  EXPECT_EQ(row.ends, (std::vector<std::string>{"answer: ", "error 5: no such ad", "answer: me",
                                                "answer: 3!", "answer: 4!"}));
  EXPECT_TRUE(front.link.is_quiet());
  EXPECT_TRUE(ads.link.is_quiet());
}

TEST_F(Together, AreAnsweredOnce) {
  ads.keeps_together = 2;
  TestRow row(texts(2));
  ASSERT_EQ(send(row), 0U);
  exchange();
  const CallNumber first = ads.rows.at(0).first;
  ads.link.answer(first, {0b11, 0, {}});
  exchange();
  ads.link.keep_numbers(5);
  // Again, of a row that there never was, and of places that it does not have.
  ads.link.answer(first, {0b11, 0, {}});
  ads.link.answer({first.number + (std::uint64_t{1000} << 6U), 0}, {0b1, 0, {}});
  ads.link.answer({first.number + 5, 0}, {0b11, 0, {}});
  exchange();
  EXPECT_EQ(row.ends, (std::vector<std::string>{"answer: ", "answer: "}));
  EXPECT_EQ(front.link.state(), Link::State::open);
}

TEST_F(Together, AreLostOneByOneWhereTheLinkBreaks) {
  ads.keeps_together = 1;
  TestRow row(texts(3));
  TestRow other(texts(2));
  ASSERT_EQ(send(row), 0U);
  exchange();
  ads.link.answer(ads.rows.at(0).first, {1, 0, {}});
  exchange();
  ASSERT_EQ(send(other), 0U);
  front.link.close("the test is over");
  EXPECT_EQ(row.ends, (std::vector<std::string>{"answer: ", "lost", "lost"}));
  EXPECT_EQ(other.ends, (std::vector<std::string>{"lost", "lost"}));
  EXPECT_TRUE(front.link.is_quiet());
  std::uint64_t places = other.from(0);
  EXPECT_EQ(front.link.send(other, places, 0), Link::Sent::not_now);
  EXPECT_EQ(places, other.from(0));
}

TEST_F(Together, AreNotThoseOfARowThatHadTheirNumbers) {
  ads.keeps_together = 2;
  for (int times = 0; times < 3; ++times) {
    TestRow row(texts(2));
    ASSERT_EQ(send(row), 0U);
    exchange();
    ads.link.answer(ads.rows.back().first, {0b11, 0, {}});
    exchange();
    EXPECT_EQ(row.ends[1], "answer: ");
  }
  EXPECT_NE(ads.rows[0].first.number, ads.rows[1].first.number);
  TestRow last(texts(2));
  ASSERT_EQ(send(last), 0U);
  exchange();
  ads.link.keep_numbers(2);
  ads.link.answer(ads.rows[0].first, {0b11, 0, {}});
  exchange();
  EXPECT_EQ(last.ends[0], "");
  front.link.close("the test is over");
}

/// What a peer says that breaks the rules.
class TogetherRules : public Together {
 protected:
  void say(wire::FrameKind kind, std::uint16_t service, std::uint64_t call,
           const std::string& body) {
    std::string bytes(wire::kHeadBytes, '\0');
    wire::write_head(bytes.data(),
                     {static_cast<std::uint32_t>(body.size()), kind, 0, service, call});
    bytes += body;
    EXPECT_EQ(ads.link.receive(bytes, now), bytes.size());
  }
  static std::string calls(std::size_t count) { return std::string(2 * count, '\0'); }
  void expect_broken(const std::string& why) {
    EXPECT_EQ(ads.link.why(), why);
    EXPECT_TRUE(ads.link.was_malformed());
  }
};

TEST_F(TogetherRules, AreThatTheyAreWhole) {
  say(wire::FrameKind::calls, 0, 1, "\x05");
  expect_broken("calls that go together are broken");
}
TEST_F(TogetherRules, AreThatNoMoreComeThanThereIsCreditFor) {
  for (std::uint64_t frame = 0; frame < 4; ++frame)
    say(wire::FrameKind::calls, 0, frame * 64, calls(frame < 3 ? 64 : 9));
  expect_broken("it sends more calls than it was given credit for");
  EXPECT_EQ(ads.received.size(), 192U);
}
TEST_F(TogetherRules, AreThatTheServiceIsThere) {
  say(wire::FrameKind::calls, 1, 0, calls(2));
  expect_broken("it calls a service that is not here");
}
TEST_F(TogetherRules, AreThatNumbersDiffer) {
  say(wire::FrameKind::call, 0, 7, std::string(4, '\0'));
  say(wire::FrameKind::calls, 0, 5, calls(3));
  expect_broken("it gives two calls the same number");
}
TEST_F(TogetherRules, AreThatAnswersAreWhole) {
  say(wire::FrameKind::answers, 0, 1, std::string(16, '\0'));
  expect_broken("answers that come together are broken");
}
// With buffers that none of them can take, and numbers beyond the last one.
TEST_F(TogetherRules, AreThatAnswersHaveNoBuffers) {
  TestRow row(texts(2));
  ASSERT_EQ(send(row), 0U);
  std::string bytes(wire::kHeadBytes, '\0');
  std::string body(wire::parts_size(1), '\0');
  wire::write_parts(body.data(), {{wire::BufferPart::Kind::pieces, 0, 0, 70'000}});
  const std::string sent(front.link.outgoing().bytes());
  const std::uint64_t number = wire::read_frame(sent, 8192).head.call;
  wire::write_head(bytes.data(), {static_cast<std::uint32_t>(body.size()), wire::FrameKind::answer,
                                  wire::kBuffers, 0, number});
  bytes += body;
  EXPECT_EQ(front.link.receive(bytes, now), bytes.size());
  EXPECT_EQ(front.link.why(), "calls that go together have no buffers");
  EXPECT_EQ(row.ends, (std::vector<std::string>{"lost", "lost"}));
}
TEST_F(TogetherRules, DoNotForbidAnswersThatNobodyWaitsFor) {
  std::string body(wire::kAnswersHead, '\0');
  wire::write_answers(body.data(), ~std::uint64_t{0}, 0);
  TestCall call("the first one, with the number 0");
  ASSERT_EQ(ads.link.state(), Link::State::open);
  ASSERT_EQ(front.link.send(call, 0, now), Link::Sent::yes);
  for (const std::uint64_t number : {~std::uint64_t{0} - 5, std::uint64_t{1} << 63U}) {
    std::string bytes(wire::kHeadBytes, '\0');
    wire::write_head(bytes.data(), {static_cast<std::uint32_t>(body.size()),
                                    wire::FrameKind::answers, 0, 0, number});
    bytes += body;
    EXPECT_EQ(front.link.receive(bytes, now), bytes.size());
  }
  EXPECT_EQ(front.link.state(), Link::State::open);
  exchange();
  echo_all();
  exchange();
  EXPECT_EQ(call.ends, 1);
}
TEST_F(TogetherRules, AreThatBothEndsAgreedToThem) {
  Link::Self older = kFront;
  older.hello.features = 0;
  End end(kAds, now, kWindow);
  const std::string hello = wire::write_hello(older.hello);
  ASSERT_EQ(end.link.receive(hello, now), hello.size());
  std::string bytes(wire::kHeadBytes, '\0');
  wire::write_head(bytes.data(), {2, wire::FrameKind::calls, 0, 0, 1});
  bytes += calls(1);
  EXPECT_EQ(end.link.receive(bytes, now), bytes.size());
  EXPECT_TRUE(end.link.was_malformed());
}

}  // namespace
}  // namespace penstock::net::together_link_test
