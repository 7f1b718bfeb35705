#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "support/two_links.hpp"

namespace penstock::net::link_definitions_test {
namespace {

using namespace penstock::testing::two_links;

constexpr const char* kOlder = "message 1=name:string\n";
constexpr const char* kNewer = "message 1=name:string 2=age:int32\n";
constexpr const char* kOther = "message 1=name:bytes\n";

/// One that wants Ads/Get, and one whose messages for it are others.
struct Ends {
  explicit Ends(wire::Definitions here, wire::Definitions there, std::uint64_t answer_there = 4)
      : front(self_of(hello_of("front", {}), {{"Ads/Get", 1, 2, std::move(here)}})),
        ads(self_of(hello_of("ads", {{0, "Ads/Get", 3, answer_there}}), {})) {
    ads.definitions = {std::move(there)};
  }
  Link::Self front;
  Link::Self ads;
};

struct Met {
  explicit Met(const Ends& ends) : front(ends.front, 0), ads(ends.ads, 0) {
    front.services = 0;
    exchange();
  }
  void exchange() {
    while (front.link.has_bytes() || ads.link.has_bytes()) {
      to_ads.bring(front.link, 0);
      to_front.bring(ads.link, 0);
    }
  }
  /// Frames that `from` has written and nobody has got.
  static std::string frame(wire::FrameKind kind, std::uint16_t service, const std::string& body) {
    std::string bytes(wire::kHeadBytes, '\0');
    wire::write_head(bytes.data(), {static_cast<std::uint32_t>(body.size()), kind, 0, service, 0});
    return bytes + body;
  }
  End front;
  End ads;
  Way to_ads{ads.link};
  Way to_front{front.link};
};

TEST(LinkDefinitions, AreComparedWhereTheyDiffer) {
  const Ends ends({kOlder, kNewer}, {kNewer, kOlder});
  Met met(ends);
  EXPECT_TRUE(met.front.link.outlet(0).offered);
  EXPECT_EQ(met.front.credited, std::vector<std::size_t>{0}) << "once it is understood";
  TestCall call("hello");
  ASSERT_EQ(met.front.link.send(call, 0, 0), Link::Sent::yes);
  met.exchange();
  met.ads.echo(0);
  met.exchange();
  EXPECT_EQ(call.end, "answer: hello!");
}

TEST(LinkDefinitions, SayWhichFieldDiffers) {
  const Ends ends({kOlder, kNewer}, {kNewer, kOther});
  Met met(ends);
  EXPECT_FALSE(met.front.link.outlet(0).offered);
  EXPECT_EQ(met.front.link.outlet(0).why,
            "the answer of Ads/Get has another definition there (0000000000000004, here "
            "0000000000000002): name is string here and bytes there");
  EXPECT_EQ(met.front.refused, std::vector<std::size_t>{0});
  EXPECT_TRUE(met.front.credited.empty());
  TestCall call("hello");
  EXPECT_EQ(met.front.link.send(call, 0, 0), Link::Sent::not_offered);
  EXPECT_EQ(met.front.link.state(), Link::State::open) << "the other services are";
}

TEST(LinkDefinitions, AreWaitedForByItsCalls) {
  const Ends ends({kOlder, kNewer}, {kNewer, kOlder});
  End front(ends.front, 0);
  front.services = 0;
  End ads(ends.ads, 0);
  Way to_ads(ads.link);
  Way to_front(front.link);
  to_front.bring(ads.link, 0);
  to_ads.bring(front.link, ends.front.hello_bytes.size(), 0);
  to_front.bring(ads.link, 0);  // its credit, and no definitions yet
  EXPECT_TRUE(front.link.outlet(0).offered) << "it may be";
  EXPECT_EQ(front.link.outlet(0).credits, 0U);
  TestCall call("hello");
  EXPECT_EQ(front.link.send(call, 0, 0), Link::Sent::not_now);
  EXPECT_TRUE(front.credited.empty());
  to_ads.bring(front.link, 0);
  to_front.bring(ads.link, 0);
  EXPECT_EQ(front.link.outlet(0).credits, 4U);
  EXPECT_EQ(front.credited, std::vector<std::size_t>{0});
}

TEST(LinkDefinitions, AreNotAskedForOfWhoDoesNotSayThem) {
  Ends ends({kOlder, kNewer}, {kNewer, kOlder});
  ends.ads.hello.features = 0;
  ends.ads.hello_bytes = wire::write_hello(ends.ads.hello);
  Met met(ends);
  EXPECT_FALSE(met.front.link.outlet(0).offered);
  EXPECT_EQ(met.front.link.outlet(0).why,
            "the request of Ads/Get has another definition there (0000000000000003, here "
            "0000000000000001)");
  EXPECT_EQ(met.ads.link.state(), Link::State::open);
}

TEST(LinkDefinitions, DoNotHelpWhereOneOfThemHasNoAnswer) {
  const Ends ends({kOlder, kNewer}, {kNewer, ""}, 0);
  EXPECT_FALSE(Met(ends).front.link.outlet(0).offered);
}

TEST(LinkDefinitions, ThatTheOtherEndDoesNotHaveAreNotUnderstood) {
  const Ends ends({kOlder, kNewer}, {});
  EXPECT_EQ(Met(ends).front.link.outlet(0).why,
            "the request of Ads/Get has another definition there (0000000000000003, here "
            "0000000000000001): they are not known there");
}

TEST(LinkDefinitions, AreSaidOnce) {
  const Ends ends({kOlder, kNewer}, {kNewer, kOlder});
  Met met(ends);
  const std::string question = Met::frame(wire::FrameKind::definitions, 0, "");
  EXPECT_EQ(met.ads.link.receive(question, 0), question.size());
  EXPECT_TRUE(met.ads.link.was_malformed()) << "or a peer could ask for more than it reads";
  EXPECT_EQ(met.ads.link.why(), "it asks for the same definitions twice");
}

TEST(LinkDefinitions, OfNoServiceAreMalformed) {
  const Ends ends({kOlder, kNewer}, {kNewer, kOlder});
  Met met(ends);
  static_cast<void>(met.ads.link.receive(Met::frame(wire::FrameKind::definitions, 7, ""), 0));
  EXPECT_TRUE(met.ads.link.was_malformed());
  EXPECT_EQ(met.ads.link.why(), "it asks for the definitions of a service that is not here");
}

TEST(LinkDefinitions, ThatAreBrokenEndTheLink) {
  const Ends ends({kOlder, kNewer}, {kNewer, kOlder});
  End front(ends.front, 0);
  front.services = 0;
  static_cast<void>(front.link.receive(ends.ads.hello_bytes, 0));
  const std::string broken = Met::frame(wire::FrameKind::definitions, 0, "\x09");
  static_cast<void>(front.link.receive(broken, 0));
  EXPECT_TRUE(front.link.was_malformed());
  EXPECT_EQ(front.link.why(), "its definitions are broken");
}

TEST(LinkDefinitions, ThatNobodyAskedForArePassedOver) {
  const Ends ends({kOlder, kNewer}, {kNewer, kOlder});
  Met met(ends);
  for (const auto service : std::initializer_list<std::uint16_t>{0, 9}) {
    const std::string unasked = Met::frame(wire::FrameKind::definitions, service, "\x09");
    EXPECT_EQ(met.front.link.receive(unasked, 0), unasked.size());
  }
  EXPECT_EQ(met.front.link.state(), Link::State::open);
}

}  // namespace
}  // namespace penstock::net::link_definitions_test
