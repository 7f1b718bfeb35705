#include "penstock/net/nats/reader.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace penstock::net::nats::reader_test {
namespace {

using namespace std::string_literals;

struct Heard final : Reader::Listener {
  void info(std::string_view json) override { all.push_back("info" + std::string(json)); }
  void message(const Message& message) override {
    all.push_back(std::to_string(message.subscription) + " to " + std::string(message.reply) +
                  ": " + std::string(message.payload));
  }
  void ping() override { all.emplace_back("ping"); }
  void pong() override { all.emplace_back("pong"); }
  void error(std::string_view text) override { all.push_back("error" + std::string(text)); }

  std::vector<std::string> all;
};

using Lines = std::vector<std::string>;

const std::string kTold =
    "INFO {\"a\":1}\r\nPING\r\nping\r\nPONG\r\n+OK\r\n-ERR 'no'\r\nMSG a.b 7 2\r\nhi\r\n"
    "MSG a.b 8 _INBOX.x  3\r\na\r\n\r\nMSG a 9\t0\r\n\r\n";
const Lines kHeard{"info {\"a\":1}",       "ping",   "ping", "pong", "error 'no'", "7 to : hi",
                   "8 to _INBOX.x: a\r\n", "9 to : "};

TEST(NatsReader, TakesWhatAServerSaysInPiecesOfAnySize) {
  for (std::size_t size = 1; size <= kTold.size(); ++size) {
    Heard heard;
    Reader reader(heard);
    for (std::size_t at = 0; at < kTold.size(); at += size)
      ASSERT_TRUE(reader.take(std::string_view(kTold).substr(at, size))) << size;
    EXPECT_EQ(heard.all, kHeard) << size;
  }
}

TEST(NatsReader, PassesOverWhatIsLargerThanItKeeps) {
  Heard heard;
  Reader reader(heard);
  const std::string much(Reader::kLargestPayload + 1, 'x');
  EXPECT_TRUE(reader.take("MSG a 1 " + std::to_string(much.size()) + "\r\n" + much + "\r\n"));
  EXPECT_TRUE(reader.take("MSG a 1 999999999\r\n"));
  EXPECT_TRUE(reader.take(much));
  EXPECT_EQ(heard.all, Lines{});
  EXPECT_TRUE(reader.take("PING\r\n"));  // as part of it
  EXPECT_EQ(heard.all, Lines{});
}

TEST(NatsReader, RefusesWhatNoServerSays) {
  for (const std::string& told :
       {"HELLO\r\n"s, "\r\n"s, "PING\n"s, "MSG\r\n"s, "MSG a\r\n"s, "MSG a 1\r\n"s,
        "MSG a b 1\r\n"s, "MSG a 1 -1\r\n"s, "MSG a 1 1x\r\n"s, "MSG a 1 9999999999\r\n"s,
        "MSG a 99999999999999999999 1\r\n"s, "MSG a 1 b 2 3\r\n"s, "MSG a 1 2\r\nhim\r\n"s,
        "HMSG a 1 0 0\r\n"s, "HTTP/1.1 400 Bad Request\r\n"s, std::string("\0\r\n", 3),
        std::string(Reader::kLongestLine + 1, 'x')}) {
    Heard heard;
    Reader reader(heard);
    EXPECT_FALSE(reader.take(told)) << told.substr(0, 100);
    EXPECT_EQ(heard.all, Lines{});
  }
}

}  // namespace
}  // namespace penstock::net::nats::reader_test
