#include "penstock/net/layers/checksum.hpp"

#include <gtest/gtest.h>

#include <string>

#include "penstock/net/layers/stack.hpp"

namespace penstock::net::layers::checksum_test {
namespace {

struct Sent {
  static constexpr std::size_t kMost = 100;
  std::string* last;
  void send(std::string_view bytes) const { *last = bytes; }
};

TEST(Checksum, IsCastagnolis) {
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);            // of its specification
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);  // RFC 3720, B.4
  EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43U);
  EXPECT_EQ(crc32c("6789", crc32c("12345")), 0xE3069283U);
}

TEST(Checksum, TakesNothingThatHasChanged) {
  std::string sent;
  Stack<Sent, Checksum> stack({&sent}, Checksum(1));
  ASSERT_TRUE(stack.send("some words", 1));
  std::string came;
  const auto take = [&came](std::string_view bytes) { came = bytes; };
  stack.receive(sent, 1, take);
  EXPECT_EQ(came, "some words");
  came.clear();
  for (std::size_t at = 0; at < sent.size(); ++at) {
    std::string other = sent;
    other[at] = static_cast<char>(other[at] ^ 0x10);
    stack.receive(other, 1, take);
    stack.receive(sent.substr(0, at), 1, take);
  }
  EXPECT_EQ(came, "");
  EXPECT_EQ(stack.layer<Checksum>().wrong(), 2 * sent.size());
}

TEST(Checksum, TakesNothingOfAnotherConnection) {
  std::string sent;
  Stack<Sent, Checksum> one({&sent}, Checksum(1));
  Stack<Sent, Checksum> other({&sent}, Checksum(2));
  ASSERT_TRUE(one.send("some words", 1));
  other.receive(sent, 1, [](std::string_view) { FAIL(); });
  EXPECT_EQ(other.layer<Checksum>().wrong(), 1U);
}

}  // namespace
}  // namespace penstock::net::layers::checksum_test
