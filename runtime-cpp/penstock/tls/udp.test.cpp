// Calls over datagrams between binaries that know each other by their keys, over real sockets.
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "penstock/net/remote/discovery/lookup.hpp"
#include "penstock/net/socket/datagram_door.hpp"
#include "penstock/net/socket/datagrams.hpp"
#include "support/secured_calls.hpp"

namespace penstock::net::udp_test {
namespace {

using namespace penstock::net::remote_test;  // NOLINT: its calls

using Kind = DatagramGreeting::Kind;

/// Says it until it is answered so: nothing brings a datagram again that was lost.
DatagramGreeting::Cookie answer_to(const Descriptor& socket, const DatagramGreeting& greeting,
                                   Kind kind) {
  const auto bytes = greeting.bytes();
  std::array<char, 2'000> heard{};
  for (;;) {
    EXPECT_EQ(send(socket.number(), bytes.data(), bytes.size(), 0), 40);
    pollfd ready{.fd = socket.number(), .events = POLLIN, .revents = 0};
    while (poll(&ready, 1, 500) == 1) {
      const ssize_t count = recv(socket.number(), heard.data(), heard.size(), MSG_DONTWAIT);
      if (count <= 0) break;
      const auto answer = DatagramGreeting::read({heard.data(), static_cast<std::size_t>(count)});
      if (answer && answer->kind == kind) return answer->cookie;
    }
  }
}

class SecuredUdpCalls : public SecuredCalls {
 protected:
  SecuredUdpCalls() : SecuredCalls(own_place_over_udp()) {}

  /// One who has shown that it is at its address, and is taken.
  [[nodiscard]] Descriptor greeted(std::uint64_t number) const {
    Descriptor socket = own_place_over_udp().connect();
    const auto cookie = answer_to(socket, {Kind::asks, number, {}}, Kind::cookie);
    answer_to(socket, {Kind::asks, number, cookie}, Kind::accepted);
    return socket;
  }
};

TEST_F(SecuredUdpCalls, ReachAService) {
  EXPECT_TRUE(place.text().starts_with("udp://127."));
  binary.start();
  Future<Word> early = outside({"early"});
  std::optional<Ads> ads(std::in_place, *directory, 'a', 1, &place, theirs.get());
  EXPECT_EQ(end_of(std::move(early)), "early!");
  EXPECT_EQ(end_of(inside({"inside"})), "inside!");
  EXPECT_EQ(end_of(blocking_inside({"blocking"})), "blocking!");
  EXPECT_EQ(peer.transport(), "udp+keys");
  ads.reset();
  ads.emplace(*directory, 'b', 1, &place, theirs.get());
  EXPECT_EQ(end_of(inside({"again"})), "again!");
}

// Each address answers for itself: who asks one hears no other.
TEST_F(SecuredUdpCalls, ReachEachAddressOfOneThatListensAtAll) {
  const Place everywhere = Place::everywhere(0, {.udp = true, .secured = true});
  Ads ads(*directory, 'a', 1, &everywhere, theirs.get());
  peer.drawn.reset();
  peer.finder =
      std::make_unique<Lookup>("ads.example", ads.port(), true, [](const std::string& /*host*/) {
        return std::vector<std::string>{"127.0.0.1", "127.0.0.2"};
      });
  reach(2);
  EXPECT_EQ(end_of(inside({"inside"})), "inside!");
  EXPECT_EQ(peer.transport(), "udp+keys");
}

TEST_F(SecuredUdpCalls, AreManyAndLarge) {
  Ads ads(*directory, 'a', 1, &place, theirs.get());
  binary.start();
  std::vector<Future<Word>> calls;
  std::vector<std::string> texts;
  for (std::size_t call = 0; call < 200; ++call) {
    texts.emplace_back(call % 10 == 0 ? 100'000 : 100, static_cast<char>('a' + call % 26));
    calls.push_back(outside({texts.back()}));
  }
  for (std::size_t call = 0; call < calls.size(); ++call)
    EXPECT_EQ(end_of(std::move(calls[call])), texts[call] + "!");
}

TEST_F(SecuredUdpCalls, Fault79GoToNobodyWithTheKeyOfAnotherBinary) {
  keys.add("models");
  theirs = security_of("models", keys);
  Ads ads(*directory, 'a', 1, &place, theirs.get());
  binary.start();
  Future<Word> waits = inside({"x"});
  EXPECT_TRUE(is_down("it has the key of penstock://test/models, not of penstock://test/ads"));
  EXPECT_EQ(ads.seen.came, 0);
}

TEST_F(SecuredUdpCalls, GoToNobodyOfAnotherAuthority) {
  MadeKeys others(folder_ + "/others");
  others.add("ads");
  theirs = security_of("ads", others);
  Ads ads(*directory, 'a', 1, &place, theirs.get());
  binary.start();
  Future<Word> waits = inside({"x"});
  EXPECT_TRUE(is_down("its key is of another authority than this binary's"));
  // It is counted before it is said.
  EXPECT_TRUE(eventually([&] { return !ads.said().empty(); }));
  EXPECT_NE(ads.refused(Refusals::Why::key), 0U);
  const std::string said = ads.said().at(0);
  EXPECT_TRUE(said.starts_with("refused 127.")) << said;
  EXPECT_NE(said.find(": it refuses the key of this binary: "), std::string::npos) << said;
}

TEST_F(SecuredUdpCalls, AreRefusedUnderAnotherName) {
  // The key is that of `front`, and the hello says that it is `models`.
  Ads ads(*directory, 'a', 1, &place, theirs.get());
  peer.self = self_of(hello_of("models", instance_of('f')), {{"Ads/Echo", 1, 2}});
  binary.start();
  Future<Word> waits = inside({"x"});
  EXPECT_TRUE(is_down("it was closed by the other end")) << peer.figures.why_down();
  EXPECT_EQ(ads.seen.came, 0);
  EXPECT_NE(ads.refused(Refusals::Why::key), 0U);
  // Of two threads that refuse one says it, and not the one that was first to count.
  ASSERT_TRUE(eventually([&] { return !ads.said().empty(); }));
  EXPECT_TRUE(ads.said().at(0).ends_with(
      ": it has the key of penstock://test/front, not of penstock://test/models"));
}

TEST_F(SecuredUdpCalls, Fault79GoToNobodyInTheClear) {
  // It listens in the clear.
  const Place clear = own_place_over_udp();
  Ads ads(*directory, 'a', 1, &clear);
  binary.start();
  Future<Word> waits = inside({"x"});
  EXPECT_TRUE(is_down("it does not speak TLS 1.3")) << peer.figures.why_down();
  EXPECT_EQ(ads.seen.came, 0);
}

TEST_F(SecuredUdpCalls, Fault79ComeFromNobodyInTheClear) {
  Ads ads(*directory, 'a', 1, &place, theirs.get());
  peer.drawn = Directory::drawn_at(own_place_over_udp());
  binary.start();
  Future<Word> waits = inside({"x"});
  EXPECT_TRUE(eventually([&] { return !peer.figures.why_down().empty(); }));
  EXPECT_TRUE(eventually([&] { return ads.refused(Refusals::Why::key) != 0; }));
  EXPECT_EQ(ads.seen.came, 0);
}

TEST_F(SecuredUdpCalls, AreNotKeptOutByStrangersWhoSayNothing) {
  // Nobody's time is over (kPatient): each that comes takes the place of another one.
  Ads ads(*directory, 'a', 1, &place, theirs.get());
  std::vector<Descriptor> strangers;
  for (std::uint64_t number = 1; number <= 300; ++number) strangers.push_back(greeted(number));
  binary.start();
  EXPECT_EQ(end_of(inside({"x"})), "x!");
  // Of two threads each keeps 64, and those who are known.
  EXPECT_TRUE(eventually([&] { return ads.guests() <= 2 * 64 + peer.figures.open; }));
  EXPECT_NE(ads.refused(Refusals::Why::crowded), 0U);
}

TEST_F(SecuredUdpCalls, AreNotKeptOutByStrangersWhoSayTooMuch) {
  Ads ads(*directory, 'a', 1, &place, theirs.get());
  const Descriptor stranger = greeted(7);
  using Stream = layers::Stream<Udp>;
  bool refused = false;
  Stream stack(Udp{stranger.number(), &refused}, layers::Checksum(7),
               layers::Delivery(Udp::kMost, {}, now_ns()), layers::Ordering({}));
  EXPECT_TRUE(eventually([&] { return ads.guests() == 1; }));
  // The beginning of a record that is longer than any handshake, byte by byte.
  static_cast<void>(stack.send(std::string("\x16\x03\x01\x40\x00\x01", 6), now_ns()));
  std::array<char, 2'000> some{};
  const auto nothing = [](std::string_view /*bytes*/) {};
  while (ads.guests() != 0) {
    static_cast<void>(stack.send("x", now_ns()));
    pollfd ready{.fd = stranger.number(), .events = POLLIN, .revents = 0};
    poll(&ready, 1, 1);
    const ssize_t came = recv(stranger.number(), some.data(), some.size(), MSG_DONTWAIT);
    if (came > 0) stack.receive({some.data(), static_cast<std::size_t>(came)}, now_ns(), nothing);
    stack.timer(now_ns(), nothing);
  }
  binary.start();
  EXPECT_EQ(end_of(inside({"x"})), "x!");
}

/// Between one who connects to `from` and who listens at `to`: changes and doubles some datagrams.
class Between {
 public:
  Between(const Place& from, const Place& to)
      : listens_(from.listen()), to_(to), thread_([this] { run(); }) {}
  Between(const Between&) = delete;
  Between& operator=(const Between&) = delete;
  ~Between() {
    ends_ = true;
    thread_.join();
  }
  std::atomic<unsigned> changed{0};
  std::atomic<unsigned> doubled{0};

 private:
  struct Caller {
    sockaddr_storage at{};
    socklen_t size = sizeof(sockaddr_storage);
    Descriptor goes;
  };

  void run() {
    std::vector<Caller> callers;
    std::array<char, 2'000> bytes{};
    while (!ends_) {
      std::vector<pollfd> wait{{.fd = listens_.number(), .events = POLLIN, .revents = 0}};
      for (const Caller& caller : callers)
        wait.push_back({.fd = caller.goes.number(), .events = POLLIN, .revents = 0});
      poll(wait.data(), wait.size(), 10);
      for (std::size_t at = 1; at < wait.size(); ++at) {
        if (wait[at].revents == 0) continue;
        const Caller& caller = callers[at - 1];
        const ssize_t count = recv(wait[at].fd, bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (count <= 0) continue;
        pass_on({bytes.data(), static_cast<std::size_t>(count)}, [&](std::string_view some) {
          sendto(listens_.number(), some.data(), some.size(), 0,
                 reinterpret_cast<const sockaddr*>(&caller.at), caller.size);
        });
      }
      Caller from;
      const ssize_t count = recvfrom(listens_.number(), bytes.data(), bytes.size(), MSG_DONTWAIT,
                                     reinterpret_cast<sockaddr*>(&from.at), &from.size);
      if (count <= 0) continue;
      auto known = std::find_if(callers.begin(), callers.end(), [&](const Caller& caller) {
        return std::memcmp(&caller.at, &from.at, from.size) == 0;
      });
      if (known == callers.end()) {
        from.goes = to_.connect();
        known = callers.insert(callers.end(), std::move(from));
      }
      pass_on({bytes.data(), static_cast<std::size_t>(count)}, [&](std::string_view some) {
        send(known->goes.number(), some.data(), some.size(), 0);
      });
    }
  }
  template <class Send>
  void pass_on(std::string_view datagram, Send send_it) {
    ++count_;
    if (count_ % 7 == 0 && datagram.size() != DatagramGreeting::kBytes) {
      std::string other(datagram);
      char& byte = other[count_ % other.size()];
      byte = static_cast<char>(byte ^ 1);
      ++changed;
      return send_it(other);
    }
    send_it(datagram);
    if (count_ % 5 != 0) return;
    ++doubled;
    send_it(datagram);
  }

  const Descriptor listens_;
  const Place to_;
  unsigned count_ = 0;
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

TEST_F(SecuredUdpCalls, Fault29AreWhatTheyWereWhereDatagramsWereChanged) {
  const std::string host = own_host();
  const Place middle = Place::udp(host, 7401);
  peer.drawn = Directory::drawn_at(middle.secured());
  Ads ads(*directory, 'a', 1, &place, theirs.get());
  Between between(middle, own_place_over_udp());
  binary.start();
  for (int call = 0; call < 100; ++call)
    ASSERT_EQ(end_of(inside({std::to_string(call)})), std::to_string(call) + "!");
  EXPECT_EQ(ads.seen.came, 100);
  EXPECT_GT(between.changed, 10U);
  EXPECT_GT(between.doubled, 10U);
  binary.stop();
}

}  // namespace
}  // namespace penstock::net::udp_test
