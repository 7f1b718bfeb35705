#include "penstock/app/peers/drawn_places.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace penstock::app::drawn_places_test {
namespace {

config::PeerAddress address_of(const std::string& host, std::uint16_t port) {
  config::PeerAddress address;
  address.host = host;
  address.port = port;
  return address;
}

/// What code of the binary `shop` may resolve.
class ResolvedBinaries : public ::testing::Test {
 protected:
  net::Peer& lead(const std::string& binary) {
    peer.binary = binary;
    places.lead(peer);
    return peer;
  }
  static std::string place_of_one(const net::Peer& peer) {
    const auto all = peer.instances();
    return all.size() == 1 ? all.front().place.text() : std::to_string(all.size()) + " of them";
  }

  const AppOptions options{
      .binary = "shop", .project = "market", .topology_hash = {}, .config = {}};
  config::Config config;
  DrawnPlaces places{options};
  net::Peer peer;
};

TEST_F(ResolvedBinaries, AreThisProcessWhereItListensWhenTheyAreThisOne) {
  config.listen = {address_of("127.0.0.1", 0), address_of("127.0.0.1", 7401)};
  places.configure(config);
  ASSERT_TRUE(lead("shop").finder);
  EXPECT_EQ(place_of_one(peer), "0 of them");
  EXPECT_EQ(peer.why_none(), "it does not listen yet");
  places.listens_at(7400);
  EXPECT_EQ(place_of_one(peer), "tcp://127.0.0.1:7400");
}

TEST_F(ResolvedBinaries, AreAskedOnThisHostWhereThisOneListensAtAllItsAddresses) {
  config.listen = {address_of("models.example", 7400)};
  config.listen.front().named = config.listen.front().secured = true;
  places.configure(config);
  ASSERT_TRUE(lead("shop").finder);
  places.listens_at(7400);
  EXPECT_EQ(place_of_one(peer), "tls://127.0.0.1:7400");
}

TEST_F(ResolvedBinaries, AreInTheDirectoryWhereThisOneListensAtNoAddress) {
  places.configure(config);
  lead("shop");
  EXPECT_FALSE(peer.drawn || peer.finder);
}

/// In which a file is found by a path that is not absolute.
class OtherFolder {
 public:
  explicit OtherFolder(const std::filesystem::path& folder) {
    std::filesystem::current_path(folder);
  }
  OtherFolder(const OtherFolder&) = delete;
  OtherFolder& operator=(const OtherFolder&) = delete;
  ~OtherFolder() { std::filesystem::current_path(before_); }

 private:
  const std::filesystem::path before_ = std::filesystem::current_path();
};

TEST_F(ResolvedBinaries, AreInTheFileOfTheFolderThatThisOneWasStartedIn) {
  char name[] = "/tmp/penstock-app-XXXXXX";
  const std::string folder = mkdtemp(name);
  std::ofstream(folder + "/peers.json") << R"({"models": ["127.0.0.1:7400"]})";
  config.others = {{"models", {}}};
  config.others.front().second.file = "peers.json";
  {
    const OtherFolder started(folder);
    places.configure(config);
  }
  EXPECT_EQ(place_of_one(lead("models")), "tcp://127.0.0.1:7400");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace penstock::app::drawn_places_test
