#include "penstock/net/remote/discovery/file_discovery.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/no_files.hpp"

namespace penstock::net::file_discovery_test {
namespace {

class DiscoveryFile : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/penstock-discovery-XXXXXX";
    folder = mkdtemp(name);
    file = folder + "/peers.json";
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  /// As an editor or a deployment does: another file in its place.
  void replace(const std::string& text) const {
    std::ofstream(file + ".new") << text;
    ASSERT_EQ(rename((file + ".new").c_str(), file.c_str()), 0);
  }
  static std::vector<std::string> places(FileDiscovery& of) {
    std::vector<std::string> texts;
    for (const Directory::Instance& each : of.instances()) texts.push_back(each.place.text());
    return texts;
  }
  using Places = std::vector<std::string>;

  std::string folder;
  std::string file;
};

TEST_F(DiscoveryFile, SaysWhereTheProcessesOfABinaryAre) {
  replace(R"({"models": ["10.0.0.5:7400", "[2001:db8::5]:7401"], "others": 7})");
  FileDiscovery secured(file, "models", {.secured = true});
  EXPECT_EQ(places(secured), (Places{"tls://10.0.0.5:7400", "tls://[2001:db8::5]:7401"}));
  EXPECT_EQ(secured.instances()[0].id,
            Directory::drawn_at(Place::tcp("10.0.0.5", 7400).secured()).id);
  replace(R"({"models": ["127.0.0.1:7400"]})");
  FileDiscovery clear(file, "models", {});
  EXPECT_EQ(places(clear), Places{"tcp://127.0.0.1:7400"});
  // Nothing goes in the clear beyond the host.
  replace(R"({"models": ["10.0.0.5:7400"]})");
  EXPECT_EQ(places(clear), Places{"tcp://127.0.0.1:7400"});
  EXPECT_EQ(clear.why_none(), file + " has \"10.0.0.5:7400\", which is beyond this host, of a " +
                                  "binary that listens on it alone");
}

TEST_F(DiscoveryFile, IsOfThoseWhoAreSpokenToInDatagrams) {
  replace(R"({"models": ["10.0.0.5:7400"]})");
  FileDiscovery secured(file, "models", {.udp = true, .secured = true});
  EXPECT_EQ(places(secured), Places{"udp://10.0.0.5:7400"});
  EXPECT_TRUE(secured.instances().front().place.is_secured());
  FileDiscovery clear(file, "models", {.udp = true});
  EXPECT_EQ(places(clear), Places{});
  replace(R"({"models": ["[::1]:7400"]})");
  EXPECT_EQ(places(clear), Places{"udp://[::1]:7400"});
  EXPECT_FALSE(clear.instances().front().place.is_secured());
}

TEST_F(DiscoveryFile, MayBeForbsRegistry) {
  const auto object = [](const std::string& name, const std::string& ip, int port) {
    return R"({"name": ")" + name + R"(", "module": "shop", "class": "Models", "ip": ")" + ip +
           R"(", "port": )" + std::to_string(port) + "}";
  };
  replace(R"({"objects": [)" + object("models/Models", "10.0.0.5", 7400) + "," +
          object("models/Prices", "10.0.0.5", 7400) + "," +
          object("models.2/Models", "2001:db8::5", 7401) + "," +
          object("models-two/Models", "10.0.0.7", 1) + "," +
          object("obj_name", "192.0.2.1", 13994) + "]}");
  FileDiscovery found(file, "models", {.secured = true});
  const Places both{"tls://10.0.0.5:7400", "tls://[2001:db8::5]:7401"};
  EXPECT_EQ(places(found), both);
  // Beside lists of addresses; without one or the other it holds what it said.
  replace(R"({"models": ["10.0.0.6:7400"], "objects": [)" + object("models", "10.0.0.5", 7400) +
          "]}");
  EXPECT_EQ(places(found), (Places{"tls://10.0.0.6:7400", "tls://10.0.0.5:7400"}));
  const auto why_not = [&](const std::string& text) {
    replace(text);
    EXPECT_EQ(places(found).size(), 2U);
    return found.why_none().substr(file.size() + 1);
  };
  EXPECT_EQ(why_not(R"({"objects": [7]})"), "has an object without \"name\"");
  EXPECT_EQ(why_not(R"({"objects": [{"name": "models", "port": 1}]})"),
            "has an object without \"ip\"");
  for (const std::string port : {"", R"(, "port": -1)", R"(, "port": "1")", R"(, "port": 1.5)"})
    EXPECT_EQ(why_not(R"({"objects": [{"name": "models", "ip": "10.0.0.5")" + port + "}]}"),
              "has an object without \"port\"");
  EXPECT_EQ(why_not(R"({"objects": [)" + object("models", "10.0.0.5", 70'000) + "]}"),
            "has \"10.0.0.5:70000\" where an address belongs: a number and a port, 10.0.0.5:7400");
  EXPECT_EQ(why_not(R"({"objects": [)" + object("models", "", 1) + "]}"),
            "has \":1\" where an address belongs: a number and a port, 10.0.0.5:7400");
  replace(R"({"objects": []})");
  EXPECT_EQ(places(found), Places{});
  EXPECT_EQ(found.why_none(), file + " lists no process of it");
}

TEST_F(DiscoveryFile, MayBeOfABinaryThatIsCalledObjects) {
  replace(R"({"objects": ["10.0.0.5:7400"]})");
  FileDiscovery listed(file, "objects", {.secured = true});
  EXPECT_EQ(places(listed), Places{"tls://10.0.0.5:7400"});
  replace(R"({"objects": [{"name": "objects", "ip": "10.0.0.6", "port": 7400}]})");
  EXPECT_EQ(places(listed), Places{"tls://10.0.0.6:7400"});
  FileDiscovery other(file, "models", {.secured = true});
  replace(R"({"objects": ["10.0.0.5:7400"]})");
  EXPECT_EQ(places(other), Places{});
  EXPECT_EQ(other.why_none(), file + " lists no process of it");
}

TEST_F(DiscoveryFile, IsReadAgainWhenItIsAnotherOne) {
  FileDiscovery found(file, "models", {.secured = true});
  EXPECT_EQ(places(found), Places{});
  EXPECT_EQ(found.why_none(), file + " cannot be read: No such file or directory");
  replace(R"({"models": ["10.0.0.5:7400"]})");
  EXPECT_EQ(places(found), Places{"tls://10.0.0.5:7400"});
  replace(R"({"models": ["10.0.0.6:7400"]})");
  EXPECT_EQ(places(found), Places{"tls://10.0.0.6:7400"});
  replace(R"({"models": []})");
  EXPECT_EQ(places(found), Places{});
  EXPECT_EQ(found.why_none(), file + " lists no process of it");
  replace("{}");
  EXPECT_EQ(places(found), Places{});
  EXPECT_EQ(found.why_none(), file + " lists no process of it");
}

// It may have been put there as another user's, or this process may have had too many open.
TEST_F(DiscoveryFile, IsReadOnceItCanBeAlsoIfItIsTheSame) {
  FileDiscovery found(file, "models", {.secured = true});
  replace(R"({"models": ["10.0.0.5:7400"]})");
  {
    const testing::NoFiles none;
    EXPECT_EQ(places(found), Places{});
  }
  EXPECT_EQ(found.why_none(), file + " cannot be read: Too many open files");
  EXPECT_EQ(places(found), Places{"tls://10.0.0.5:7400"});
}

TEST_F(DiscoveryFile, HoldsWhatItSaidWhileItCannotBeUsed) {
  FileDiscovery found(file, "models", {.secured = true});
  const auto why_not = [&](const std::string& text) {
    replace(R"({"models": ["10.0.0.5:7400"]})");
    EXPECT_EQ(places(found), Places{"tls://10.0.0.5:7400"});
    replace(text);
    EXPECT_EQ(places(found), Places{"tls://10.0.0.5:7400"});
    return found.why_none().substr(file.size() + 1);
  };
  EXPECT_EQ(why_not(R"({"models": ["10.0.)"), "is no JSON");
  EXPECT_EQ(why_not("[]"), "has no list of addresses by binaries");
  EXPECT_EQ(why_not(R"({"models": "10.0.0.5:7400"})"), "has no list of addresses at \"models\"");
  EXPECT_EQ(why_not(R"({"models": [7400]})"),
            "has a number at \"models\" where an address belongs");
  for (const std::string address :
       {"10.0.0.5", "10.0.0.5:0", "10.0.0.5:70000", "10.0.0.5:7400x", "10.0.0.5:", ":7400",
        "models:7400", "2001:db8::5:7400", "[::1:7400", "tcp://10.0.0.5:7400", "0.0.0.0:7400",
        "239.1.2.3:7400", "255.255.255.255:7400", "[::]:7400", "[ff02::1]:7400", "[fe80::1]:7400",
        "[::ffff:239.1.2.3]:7400"})
    EXPECT_EQ(
        why_not(R"({"models": ["10.0.0.6:7400", ")" + address + R"("]})"),
        "has \"" + address + "\" where an address belongs: a number and a port, 10.0.0.5:7400");
  EXPECT_EQ(why_not(std::string((1U << 20U) + 1, ' ')), "has more than 1 MiB");
  std::filesystem::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  EXPECT_EQ(places(found), Places{"tls://10.0.0.5:7400"});
  EXPECT_EQ(found.why_none(), file + " is no file");
}

}  // namespace
}  // namespace penstock::net::file_discovery_test
