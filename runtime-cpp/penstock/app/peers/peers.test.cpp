#include "penstock/app/peers/peers.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <string>

#include "penstock/codec/failure.hpp"
#include "support/small_binary.hpp"

namespace penstock::app {
namespace {

constexpr Nanos kMs = 1'000'000;

TEST(LimitsOfLinks, AreWhatIsDrawnInNanoseconds) {
  const net::Link::Limits limits =
      limits_of({.ping_ms = 20, .lost_ms = 50, .host_lost_ms = 3'600'000});
  EXPECT_EQ(limits.silence, 20 * kMs);
  EXPECT_EQ(limits.lost, 50 * kMs);
  EXPECT_EQ(limits.host_lost, 3'600'000 * kMs);
  EXPECT_EQ(limits.greet, 2000 * kMs);
}

TEST(LimitsOfLinks, AreTheLinksOwnWhereNothingIsDrawn) {
  const net::Link::Limits limits = limits_of({});
  const net::Link::Limits own;
  EXPECT_EQ(limits.silence, own.silence);
  EXPECT_EQ(limits.lost, own.lost);
  EXPECT_EQ(limits.host_lost, own.host_lost);
}

TEST(LimitsOfLinks, LeaveALinkAsMuchTimeForItsHelloAsForAnAnswer) {
  EXPECT_EQ(limits_of({.lost_ms = 60'000}).greet, 60'000 * kMs);
}

// A binary that calls `models`, at an address, and `shop`, on this host.
class CalledBinaries : public ::testing::Test {
 public:
  CalledBinaries() {
    add("models");
    add("shop");
    config.peers = {{"models", place(7400)}};
  }

 protected:
  static config::PeerAddress place(std::uint16_t port) {
    config::PeerAddress address;
    address.host = "127.0.0.1";
    address.port = port;
    return address;
  }
  void add(const std::string& name) {
    const WireService wire{"Bundle/Service"};
    peers.add_remote(services.emplace_back(), {name, wire, {}, net::kRemoteType<Failure, Failure>});
  }
  const std::deque<net::Peer>& configured() {
    std::uint32_t slots = 100;
    peers.configure(config, "no-such-folder/front.json", pool, binary.registry(), slots);
    return peers.called();
  }

  const AppOptions options{.binary = "front",
                           .project = "market",
                           .topology_hash = "sha256:" + std::string(64, '0'),
                           .config = {}};
  config::Config config;
  std::deque<call::Service> services;
  testing::SmallBinary binary;
  exec::Pool& pool = binary.pool(testing::pool_settings("front", 1));
  Peers peers{options};
};

TEST_F(CalledBinaries, HaveLinksThatAreLostWhenTheDrawingSaysSo) {
  config.liveness = {.ping_ms = 20, .lost_ms = 50, .host_lost_ms = 70};
  for (const net::Peer& peer : configured()) {
    EXPECT_EQ(peer.limits.silence, 20 * kMs);
    EXPECT_EQ(peer.limits.lost, 50 * kMs);
    EXPECT_EQ(peer.limits.host_lost, 70 * kMs);
  }
}

TEST_F(CalledBinaries, AreFoundWhereTheDrawingSaysOrOnThisHost) {
  const std::deque<net::Peer>& called = configured();
  ASSERT_EQ(called.size(), 2U);
  ASSERT_EQ(called[0].instances().size(), 1U);
  EXPECT_EQ(called[0].instances().front().place.text(), "tcp://127.0.0.1:7400");
  EXPECT_FALSE(called[1].drawn || called[1].finder);
}

TEST_F(CalledBinaries, AreRefusedWhereTheirFolderLeavesNoRoomForASocket) {
  const std::string folder = "/tmp/" + std::string(90, 'x');
  setenv("PENSTOCK_RUN", folder.c_str(), 1);
  std::string why;
  try {
    static_cast<void>(configured());
  } catch (const Error& error) {
    why = error.message();
  }
  unsetenv("PENSTOCK_RUN");
  EXPECT_EQ(why,
            "the folder of this host's binaries leaves no room for the socket of shop, whose path "
            "has 107 bytes at most, here 122: " +
                folder + "; set PENSTOCK_RUN to a shorter one");
}

}  // namespace
}  // namespace penstock::app
