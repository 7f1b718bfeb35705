// Peers that say what no end says, at a real door: they are left and counted, and others served.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

#include "penstock/net/socket/rings.hpp"
#include "penstock/net/wire/frame.hpp"
#include "support/calls_between.hpp"

namespace penstock::net::hostile_test {
namespace {

using remote_test::Ads;
using remote_test::end_of;
using remote_test::hello_of;
using remote_test::instance_of;
using testing::eventually;

/// One that has connected.
class Hostile {
 public:
  explicit Hostile(const Directory& directory)
      : socket_(directory.instances("ads").front().place.connect()) {}

  void say(std::string_view bytes) const {
    ASSERT_EQ(send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  void say_hello() const { say(wire::write_hello(hello_of("hostile", instance_of('h')))); }
  /// Says it together with a file.
  void hand_over(std::string_view bytes, const Descriptor& file) const {
    iovec part{const_cast<char*>(bytes.data()), bytes.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* const head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    const int number = file.number();
    std::memcpy(CMSG_DATA(head), &number, sizeof number);
    ASSERT_EQ(sendmsg(socket_.number(), &message, MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  /// The other end wants no more of it.
  [[nodiscard]] bool is_left() const {
    return eventually([this] {
      std::array<char, 4096> some{};
      ssize_t count = 1;
      while (count > 0) count = recv(socket_.number(), some.data(), some.size(), MSG_DONTWAIT);
      return count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
    });
  }

 private:
  const Descriptor socket_;
};

std::string call_frame(std::uint64_t number, const std::string& text) {
  const std::string no_deadline(4, '\0');
  const std::string body =
      no_deadline + "\x0a" + static_cast<char>(text.size()) + text;  // as a Word
  std::string frame(wire::kHeadBytes, '\0');
  wire::write_head(frame.data(),
                   {static_cast<std::uint32_t>(body.size()), wire::FrameKind::call, 0, 0, number});
  return frame + body;
}

class HostilePeers : public remote_test::Calls {
 protected:
  void SetUp() override { binary.start(); }
  /// It was left, for what nobody says, nothing is kept of it, and others are answered.
  void expect_left(const Hostile& hostile) {
    ++left_;
    EXPECT_TRUE(hostile.is_left());
    EXPECT_TRUE(eventually([&] { return ads.refused(Refusals::Why::malformed) == left_; }));
    EXPECT_TRUE(eventually([&] { return ads.guests() == peer.figures.open; }));
    EXPECT_EQ(end_of(inside({"x"})), "x!");
  }

  Ads ads{*directory};

 private:
  std::uint64_t left_ = 0;
};

TEST_F(HostilePeers, Fault57AreLeftWithAFrameThatIsNone) {
  const Hostile hostile(*directory);
  hostile.say_hello();
  hostile.say(std::string(wire::kHeadBytes, '\xff'));
  expect_left(hostile);
}

TEST_F(HostilePeers, Fault59AreLeftBeforeThereIsMemoryForWhatTheyAnnounce) {
  const Hostile hostile(*directory);
  hostile.say_hello();
  std::string head(wire::kHeadBytes, '\0');
  wire::write_head(head.data(), {0xffffffffU, wire::FrameKind::call, 0, 0, 1});
  hostile.say(head);
  expect_left(hostile);
}

TEST_F(HostilePeers, Fault60AreLeftWhereTheirNumbersComeAgain) {
  const Hostile hostile(*directory);
  hostile.say_hello();
  hostile.say(call_frame(~std::uint64_t{0}, "stay"));
  hostile.say(call_frame(1, "stay"));
  EXPECT_TRUE(eventually([&] { return ads.seen.times("stay") == 2; }));
  hostile.say(call_frame(~std::uint64_t{0}, "again"));
  expect_left(hostile);
  // What it had under way is not run to its end.
  EXPECT_TRUE(eventually([&] { return ads.seen.cancelled == 2; }));
  EXPECT_EQ(ads.seen.times("again"), 0);
}

TEST_F(HostilePeers, Fault57AreLeftWithARingThatNoEndWrites) {
  constexpr off_t kFirstRecord = 4096;  // docs/wire.md
  const Descriptor file = Rings::make_file();
  const std::uint32_t length = 0xfffffff0U;
  ASSERT_EQ(pwrite(file.number(), &length, sizeof length, kFirstRecord), ssize_t{sizeof length});
  const Hostile hostile(*directory);
  const auto offer = Rings::offer_bytes();
  hostile.hand_over({offer.data(), offer.size()}, file);
  expect_left(hostile);
}

}  // namespace
}  // namespace penstock::net::hostile_test
