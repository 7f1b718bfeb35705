// Two ends of TLS over a pair of sockets, without links.
#include "penstock/tls/stream.hpp"

#include <gtest/gtest.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>

#include "support/made_keys.hpp"

namespace penstock::tls_part::stream_test {
namespace {

class Streams : public ::testing::Test {
 public:
  Streams() {
    char name[] = "/tmp/penstock-tls-XXXXXX";
    folder_ = mkdtemp(name);
    testing::MadeKeys keys(folder_ + "/keys");
    keys.add("ads");
    context = load_keys({"test", "ads"}, keys.folder());
    std::array<int, 2> ends{};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()), 0);
    here_socket = net::Descriptor(ends[0]);
    there_socket = net::Descriptor(ends[1]);
  }
  ~Streams() override { std::filesystem::remove_all(folder_); }

  /// Sends it whole, while the other end reads; what that one got.
  static std::string pass(Stream& from, Stream& to, std::string text) {
    std::string got;
    while (!text.empty() || got.empty()) {
      const ssize_t sent = text.empty() ? 0 : from.send(text.data(), text.size());
      if (sent > 0) text.erase(0, static_cast<std::size_t>(sent));
      from.came(false);
      to.came(false);
      char byte = 0;
      // Also for the handshake.
      EXPECT_LT(from.receive(&byte, 1), 0);
      std::array<char, 4096> some{};
      const ssize_t came = to.receive(some.data(), some.size());
      if (came > 0) got.append(some.data(), static_cast<std::size_t>(came));
      if (came < 0 && errno != EAGAIN) return "broken";
    }
    return got;
  }

 protected:
  std::string folder_;
  Context context;
  net::Descriptor here_socket;
  net::Descriptor there_socket;
};

TEST_F(Streams, ChangeTheirKeyWhenItHasBeenUsedEnough) {
  Stream here(*context, here_socket.number(), true, 3);
  Stream there(*context, there_socket.number(), false);
  for (int count = 0; count < 20; ++count)
    EXPECT_EQ(pass(here, there, std::to_string(count)), std::to_string(count));
  EXPECT_EQ(there.changes(), 6U);
  EXPECT_EQ(here.changes(), 0U);
  EXPECT_EQ(pass(there, here, "back"), "back");
}

TEST_F(Streams, EndWhereTheOtherEndDoesNothingButChangeItsKey) {
  Stream here(*context, here_socket.number(), true, 1);
  Stream there(*context, there_socket.number(), false);
  std::string got;
  int passed = 0;
  while (got != "broken" && passed < 1000) {
    got = pass(here, there, "x");
    ++passed;
  }
  EXPECT_EQ(got, "broken");
  EXPECT_GE(passed, 16);
  EXPECT_LE(passed, 20);
}

// What has been said not to have left is not at the other end: a link holds that against it.
TEST_F(Streams, SayOfAllThatHasComeThatItHasLeft) {
  const int small = 1;
  ASSERT_EQ(setsockopt(here_socket.number(), SOL_SOCKET, SO_SNDBUF, &small, sizeof small), 0);
  Stream here(*context, here_socket.number(), true);
  Stream there(*context, there_socket.number(), false);
  EXPECT_EQ(pass(here, there, "x"), "x");
  const std::string text(300'000, 'x');
  std::size_t sent = 0;
  std::size_t offered = 0;
  std::size_t came = 0;
  std::array<char, 4096> some{};
  while (sent < text.size()) {
    // More is added while what was shown waits for room.
    offered = std::min(text.size(), offered + 10'000);
    const ssize_t count = here.send(text.data() + sent, offered - sent);
    if (count > 0) sent += static_cast<std::size_t>(count);
    if (count > 0) continue;
    ASSERT_EQ(errno, EAGAIN);
    there.came(false);
    for (ssize_t got = 1; got > 0; came += static_cast<std::size_t>(std::max<ssize_t>(got, 0)))
      got = there.receive(some.data(), some.size());
    ASSERT_LE(came, sent);
  }
}

TEST_F(Streams, TakeAnEndForWhatItIs) {
  auto here = std::make_unique<Stream>(*context, here_socket.number(), true);
  Stream there(*context, there_socket.number(), false);
  EXPECT_EQ(pass(*here, there, "x"), "x");
  EXPECT_EQ(here->peer(), "penstock://test/ads");
  here.reset();
  here_socket.close();
  there.came(true);
  char byte = 0;
  EXPECT_EQ(there.receive(&byte, 1), 0);
  EXPECT_EQ(there.send("x", 1), -1);
}

}  // namespace
}  // namespace penstock::tls_part::stream_test
