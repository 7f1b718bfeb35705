#include "penstock/http/wire.hpp"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <memory>
#include <string_view>
#include <utility>

namespace penstock::http::wire_test {
namespace {

using boost::asio::ip::tcp;
using Error = boost::system::error_code;

/// What is asked of what secures a connection, and what it answers.
struct Asked {
  int sends = 0;
  int receives = 0;
  int came = 0;
  bool goes = false;            ///< else it has to wait
  bool waits_for_room = false;  ///< for that
};

class Pretended final : public Secured {
 public:
  explicit Pretended(Asked& asked) : asked_(asked) {}
  void came(bool /*ends*/) noexcept override { ++asked_.came; }
  [[nodiscard]] ssize_t receive(char* /*to*/, std::size_t /*room*/) noexcept override {
    ++asked_.receives;
    return result(1);
  }
  [[nodiscard]] ssize_t send(const char* /*from*/, std::size_t count) noexcept override {
    ++asked_.sends;
    return result(static_cast<ssize_t>(count));
  }
  [[nodiscard]] bool waits_for_room() const noexcept override { return asked_.waits_for_room; }

 private:
  [[nodiscard]] ssize_t result(ssize_t count) const noexcept {
    if (asked_.goes) return count;
    errno = EAGAIN;
    return -1;
  }
  Asked& asked_;
};

struct Pretends final : Security {
  explicit Pretends(Asked& its_asked) : asked(its_asked) {}
  [[nodiscard]] std::unique_ptr<Secured> accept(int /*socket*/) const override {
    return std::make_unique<Pretended>(asked);
  }
  Asked& asked;
};

class WireTest : public ::testing::Test {
 protected:
  /// What can be done now, or the first hundred of it.
  void turn() {
    for (int time = 0; time < 100; ++time) io.poll_one();
    io.restart();
  }
  tcp::socket connect() {
    tcp::acceptor acceptor(io, {boost::asio::ip::make_address("127.0.0.1"), 0});
    other.connect(acceptor.local_endpoint());
    return acceptor.accept();
  }

  boost::asio::io_context io;
  tcp::socket other{io};
  Asked asked;
  Pretends security{asked};
  Wire wire{connect(), &security};
  std::size_t bytes = 0;
  char byte = 0;
};

// A half of what both ends have to agree on came: there is room to send, and no use in trying.
TEST_F(WireTest, WaitsForTheOtherEndWhereSendingWaitsForIt) {
  wire.async_write_some(boost::asio::buffer(std::string_view("abc")),
                        [this](const Error& error, std::size_t count) {
                          EXPECT_FALSE(error) << error.message();
                          bytes = count;
                        });
  turn();
  EXPECT_EQ(asked.sends, 1);
  asked.goes = true;
  boost::asio::write(other, boost::asio::buffer("x", 1));
  io.run();
  EXPECT_EQ(asked.came, 1);
  EXPECT_EQ(asked.sends, 2);
  EXPECT_EQ(bytes, 3U);
}

TEST_F(WireTest, WaitsForRoomWhereReadingWaitsForIt) {
  boost::asio::write(other, boost::asio::buffer("x", 1));
  asked.waits_for_room = true;
  wire.async_read_some(boost::asio::buffer(&byte, 1),
                       [this](const Error& error, std::size_t count) {
                         EXPECT_FALSE(error) << error.message();
                         bytes = count;
                       });
  asked.goes = true;
  io.run();
  EXPECT_EQ(asked.came, 0) << "what comes has been read already";
  EXPECT_EQ(asked.receives, 2);
  EXPECT_EQ(bytes, 1U);
}

}  // namespace
}  // namespace penstock::http::wire_test
