// Bytes that were changed on their way between two binaries.
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/secured_calls.hpp"

namespace penstock::net::remote_test {
namespace {

/// Between one who connects to `from` and who listens at `to`: passes on what they say.
class Between {
 public:
  Between(const Place& from, const Place& to)
      : listens_(from.listen()), thread_([this, to] { run(to); }) {}
  Between(const Between&) = delete;
  Between& operator=(const Between&) = delete;
  ~Between() {
    ends_ = true;
    thread_.join();
  }
  /// A bit of what the caller says next is turned over.
  void corrupt() noexcept { corrupts_ = true; }

 private:
  void run(const Place& to) {
    std::vector<std::array<Descriptor, 2>> pairs;
    while (!ends_) {
      std::vector<pollfd> wait{{.fd = listens_.number(), .events = POLLIN, .revents = 0}};
      for (const auto& pair : pairs) {
        for (const Descriptor& end : pair)
          wait.push_back({.fd = end.number(), .events = POLLIN, .revents = 0});
      }
      poll(wait.data(), wait.size(), 10);
      for (std::size_t at = 1; at < wait.size(); ++at) {
        if (wait[at].revents != 0) pass_on(wait[at].fd, wait[((at - 1) ^ 1U) + 1].fd, at % 2 == 1);
      }
      if (wait[0].revents == 0) continue;
      Descriptor came(accept(listens_.number(), nullptr, nullptr));
      Descriptor goes = to.connect();
      pollfd connected{.fd = goes.number(), .events = POLLOUT, .revents = 0};
      poll(&connected, 1, -1);
      pairs.push_back({std::move(came), std::move(goes)});
    }
  }
  void pass_on(int from, int to, bool of_caller) {
    std::array<char, 4096> some{};
    const ssize_t count = recv(from, some.data(), some.size(), MSG_DONTWAIT);
    if (count <= 0) {
      shutdown(to, SHUT_WR);
      shutdown(from, SHUT_RD);
      return;
    }
    if (of_caller && corrupts_.exchange(false)) some.at(static_cast<std::size_t>(count) - 1) ^= 1;
    if (send(to, some.data(), static_cast<std::size_t>(count), MSG_NOSIGNAL) == count) return;
    // Who found the change has gone.
    shutdown(to, SHUT_RDWR);
    shutdown(from, SHUT_RDWR);
  }

  const Descriptor listens_;
  std::atomic<bool> corrupts_{false};
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

/// That nobody listens at by itself.
Place another_place() {
  const std::string own = own_place().text();  // tcp://127.x.y.z:7400
  const std::size_t host = own.find("127.");
  return Place::tcp(own.substr(host, own.rfind(':') - host), 7401);
}

TEST_F(SecuredCalls, Fault29EndAndAreCountedWhereAByteWasChanged) {
  const Place middle = another_place();
  peer.drawn = Directory::drawn_at(middle.secured());
  Ads ads(*directory, 'a', 1, &place, theirs.get());
  std::optional<Between> between(std::in_place, middle, own_place());
  reach(1);
  between->corrupt();
  // The call that it hit, or a ping of one that nobody uses; never one that was changed.
  while (ads.refused(Refusals::Why::malformed) + ads.refused(Refusals::Why::key) == 0) {
    const std::string end = end_of(inside({"y"}));
    EXPECT_TRUE(end == "y!" || end.find("it may have been run") != std::string::npos) << end;
  }
  EXPECT_EQ(ads.refused(Refusals::Why::key), 0U) << "it was known before";
  EXPECT_TRUE(eventually([&] { return end_of(inside({"z"})) == "z!"; }));
  binary.stop();
}

}  // namespace
}  // namespace penstock::net::remote_test
