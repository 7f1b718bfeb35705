#include "penstock/app/peers/drawn_places.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "penstock/base/error.hpp"

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

/// Those that are found at a server, where what lets this binary in there cannot be read.
class SecretBinaries : public ResolvedBinaries {
 protected:
  SecretBinaries() {
    setenv("PENSTOCK_NATS_TOKEN_FILE", "/no/such/token", 1);
    config.others = {{"models", address_of("127.0.0.1", 4222)}};
    config.others.front().second.nats = true;
    places.configure(config);
  }
  ~SecretBinaries() override { unsetenv("PENSTOCK_NATS_TOKEN_FILE"); }
  std::string why_not_led() {
    try {
      lead("models");
      return "it is led";
    } catch (const Error& error) {
      return error.message();
    }
  }

  const std::string unreadable =
      "PENSTOCK_NATS_TOKEN_FILE: /no/such/token has no first line that can be read, of at most "
      "4095 bytes";
};

TEST_F(SecretBinaries, FailWhoResolvesThemAndNotWhoMay) {
  places.watch();
  places.start();
  const std::string why =
      "models is found at nats://127.0.0.1:4222, which is not asked: " + unreadable +
      "; start this binary again once it has";
  EXPECT_EQ(why_not_led(), why);
  unsetenv("PENSTOCK_NATS_TOKEN_FILE");
  EXPECT_EQ(why_not_led(), why) << "nobody was asked at the start";
}

TEST_F(SecretBinaries, FailWhoCallsThemByTheDrawing) {
  EXPECT_EQ(why_not_led(), unreadable);
  EXPECT_EQ(why_not_led(), unreadable) << "each time";
  places.start();
}

}  // namespace
}  // namespace penstock::app::drawn_places_test
