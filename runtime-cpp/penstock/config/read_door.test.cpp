#include "penstock/config/read_door.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace penstock::config::read_door_test {
namespace {

using Json = penstock::json::Json;

std::optional<Door> read(const Json& value, std::string* pointers = nullptr) {
  Problems problems;
  auto door = read_door(value, "/http", problems);
  if (pointers == nullptr) {
    EXPECT_TRUE(problems.empty()) << value.dump();
  } else {
    for (const Problem& problem : problems.take()) *pointers += problem.pointer + " ";
  }
  return door;
}
std::string wrong(const Json& value) {
  std::string pointers;
  static_cast<void>(read(value, &pointers));
  return pointers;
}

TEST(ReadDoor, TakesALoopbackAddressAsItIs) {
  const auto door = read("localhost:8080");
  ASSERT_TRUE(door);
  EXPECT_EQ(door->host, "localhost");
  EXPECT_EQ(door->port, 8080);
  EXPECT_FALSE(door->beyond || door->bearer);
  EXPECT_EQ(door->tls, Door::Tls::off);
  EXPECT_TRUE(read(Json{{"address", "127.0.0.1:0"}, {"auth", "bearer"}})->bearer);
}

TEST(ReadDoor, TakesOthersWithWhatSecuresThem) {
  for (const auto& [address, host] : {std::pair{"0.0.0.0:80", "0.0.0.0"},
                                      {"[::]:80", "::"},
                                      {"10.0.0.5:80", "10.0.0.5"},
                                      {"[2001:db8::5]:80", "2001:db8::5"}}) {
    const auto door = read(Json{{"address", address}, {"auth", "none"}, {"tls", "off"}});
    ASSERT_TRUE(door) << address;
    EXPECT_EQ(door->host, host);
    EXPECT_TRUE(door->beyond);
  }
  EXPECT_EQ(read(Json{{"address", "0.0.0.0:1"}, {"auth", "bearer"}, {"tls", "keys"}})->tls,
            Door::Tls::keys);
  const auto files = read(Json{{"address", "0.0.0.0:1"},
                               {"auth", "bearer"},
                               {"tls", {{"cert", "site.crt"}, {"key", "tls.key"}}}});
  EXPECT_EQ(files->tls, Door::Tls::files);
  EXPECT_EQ(files->certificate, "site.crt");
  EXPECT_EQ(files->key, "tls.key");
}

TEST(ReadDoor, WantsBothSaidBeyondThisMachine) {
  EXPECT_EQ(wrong("0.0.0.0:8080"), "/http ");
  EXPECT_EQ(wrong(Json{{"address", "0.0.0.0:1"}, {"auth", "bearer"}}), "/http ");
  EXPECT_EQ(wrong(Json{{"address", "0.0.0.0:1"}, {"tls", "off"}}), "/http ");
}

TEST(ReadDoor, SaysWhatIsWrong) {
  EXPECT_EQ(wrong("ads.example:80"), "/http ");
  EXPECT_EQ(wrong("224.0.0.1:80"), "/http ");
  EXPECT_EQ(wrong(80), "/http ");
  EXPECT_EQ(wrong(Json{{"adress", "127.0.0.1:1"}}), "/http /http/adress ");
  EXPECT_EQ(wrong(Json{{"address", "127.0.0.1:1"}, {"auth", "basic"}}), "/http/auth ");
  EXPECT_EQ(wrong(Json{{"address", "127.0.0.1:1"}, {"tls", true}}), "/http/tls ");
  EXPECT_EQ(wrong(Json{{"address", "127.0.0.1:1"}, {"tls", {{"cert", "a"}}}}), "/http/tls ");
  for (const char* const file :
       {"", "/etc/tls.crt", "../tls.crt", "a/b", ".", "..", ".hidden", "a b"}) {
    EXPECT_EQ(wrong(Json{{"address", "127.0.0.1:1"}, {"tls", {{"cert", file}, {"key", "k"}}}}),
              "/http/tls/cert ")
        << file;
  }
}

}  // namespace
}  // namespace penstock::config::read_door_test
