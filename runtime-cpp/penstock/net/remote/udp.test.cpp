// Calls between binaries over datagrams.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "penstock/net/remote/discovery/file_discovery.hpp"
#include "support/calls_between.hpp"

namespace penstock::net::remote_test {
namespace {

class UdpCalls : public Calls {
 protected:
  UdpCalls() { peer.drawn = Directory::drawn_at(place); }
  ~UdpCalls() override { binary.stop(); }

  const Place place = own_place_over_udp();
};

TEST_F(UdpCalls, ReachAServiceAtAnAddress) {
  binary.start();
  Future<Word> early = outside({"early"});
  std::optional<Ads> ads(std::in_place, *directory, 'a', 1, &place);
  EXPECT_EQ(end_of(std::move(early)), "early!");
  EXPECT_EQ(end_of(inside({"inside"})), "inside!");
  EXPECT_EQ(end_of(blocking_inside({"blocking"})), "blocking!");
  EXPECT_EQ(peer.transport(), "udp");
  // Who comes back at the same place is found again.
  ads.reset();
  ads.emplace(*directory, 'b', 1, &place);
  EXPECT_EQ(end_of(inside({"again"})), "again!");
}

TEST_F(UdpCalls, ReachAServiceWhereAFileSaysThatItIs) {
  const std::string file = folder_ + "/peers.json";
  peer.drawn.reset();
  peer.finder = std::make_unique<FileDiscovery>(file, "ads", Transport{.udp = true});
  binary.start();
  Future<Word> early = outside({"early"});
  const Place any_port = Place::udp("127.0.0.1", 0);
  Ads ads(*directory, 'a', 1, &any_port);
  std::ofstream(file) << R"({"ads": ["127.0.0.1:)" << ads.port() << R"("]})";
  EXPECT_EQ(end_of(std::move(early)), "early!");
  EXPECT_EQ(peer.transport(), "udp");
}

TEST_F(UdpCalls, AreManyAndLarge) {
  Ads ads(*directory, 'a', 1, &place);
  binary.start();
  std::vector<Future<Word>> calls;
  std::vector<std::string> texts;
  for (std::size_t call = 0; call < 200; ++call) {
    texts.emplace_back(call % 10 == 0 ? 100'000 : 100, static_cast<char>('a' + call % 26));
    calls.push_back(outside({texts.back()}));
  }
  for (std::size_t call = 0; call < calls.size(); ++call)
    EXPECT_EQ(end_of(std::move(calls[call])), texts[call] + "!");
}

TEST_F(UdpCalls, EndOnceWhenTheirLinkBreaks) {
  Ads ads(*directory, 'a', 1, &place);
  binary.start();
  Future<Word> stays = inside({"stay"});
  EXPECT_TRUE(eventually([&] { return ads.seen.times("stay") == 1; }));
  ads.break_off();
  EXPECT_EQ(end_of(std::move(stays)),
            "unavailable: call to Ads/Echo: the link to ads broke while it was under way; it may "
            "have been run");
  EXPECT_EQ(end_of(inside({"again"})), "again!");
}

TEST_F(UdpCalls, AreCountedInPackets) {
  Ads ads(*directory, 'a', 1, &place);
  binary.start();
  EXPECT_EQ(end_of(inside({"inside"})), "inside!");
  EXPECT_TRUE(eventually([&] { return peer.figures.sent_packets != 0; }));
  // Read first: meanwhile more may go again.
  const std::uint64_t resent = peer.figures.resent_packets;
  EXPECT_LT(resent, peer.figures.sent_packets);
}

TEST_F(UdpCalls, SayWhichAddressIsNotReached) {
  binary.start();
  const Future<Word> waits = inside({"x"});
  EXPECT_TRUE(eventually([&] {
    return peer.figures.why_down() ==
           "ads cannot be reached: " + place.text() + ": Connection refused";
  }));
}

TEST_F(UdpCalls, GoToNoOtherBinary) {
  Ads ads(*directory, 'a', 1, &place);
  peer.binary = "models";
  binary.start();
  const Future<Word> waits = inside({"x"});
  EXPECT_TRUE(eventually([&] {
    return peer.figures.why_down() == "models cannot be reached: " + place.text() +
                                          ": it is penstock://test/ads, not penstock://test/models";
  }));
}

}  // namespace
}  // namespace penstock::net::remote_test
