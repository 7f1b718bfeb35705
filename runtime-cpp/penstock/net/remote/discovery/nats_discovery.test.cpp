// Processes that find each other through a real NATS server, and what is said where there is none.
#include "penstock/net/remote/discovery/nats_discovery.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/nats_server.hpp"

namespace penstock::net::nats_discovery_test {
namespace {

using testing::eventually;
using testing::NatsServer;
using Places = std::vector<std::string>;

/// However busy the machine is.
constexpr Nanos kNever = Nanos{1} << 60U;

std::string instance_of(char digit) {
  return std::string(nats::Announcement::kInstanceDigits, digit);
}

/// A process that looks for those of `models`.
struct Caller {
  explicit Caller(std::uint16_t port, nats::Login login = {}, const std::string& host = "127.0.0.1")
      : discovery({host, port, std::move(login), kNever}, "shop", "front"),
        clear(discovery.find("models", {})),
        secured(discovery.find("models", {.secured = true})),
        datagrams(discovery.find("models", {.udp = true})),
        sealed(discovery.find("models", {.udp = true, .secured = true})) {
    discovery.start();
  }
  [[nodiscard]] static Places of(Finder& finder) {
    Places places;
    for (const Directory::Instance& each : finder.instances())
      places.push_back(each.id.substr(0, 1) + " " + each.place.text());
    return places;
  }
  [[nodiscard]] bool finds(const Places& places) const {
    return eventually([&] { return of(*clear) == places; });
  }

  NatsDiscovery discovery;
  std::unique_ptr<Finder> clear;
  std::unique_ptr<Finder> secured;
  std::unique_ptr<Finder> datagrams;
  std::unique_ptr<Finder> sealed;
};

/// One of `models`.
struct Process {
  Process(std::uint16_t port, char digit, std::vector<nats::Roster::Door> doors,
          nats::Login login = {})
      : discovery({"127.0.0.1", port, std::move(login), kNever}, "shop", "models") {
    discovery.start();
    discovery.announce("models", instance_of(digit), std::move(doors));
  }
  ~Process() { discovery.withdraw(); }
  NatsDiscovery discovery;
};

TEST(NatsDiscovery, FindsThoseWhoComeAndMissesThoseWhoGo) {
  const NatsServer server;
  const Caller early(server.port());
  EXPECT_TRUE(eventually([&] {
    return early.clear->why_none() == server.url() + ": no process of it has announced itself";
  }));
  std::optional<Process> one(std::in_place, server.port(), 'a',
                             std::vector<nats::Roster::Door>{{{}, "127.0.0.1", 41230}});
  EXPECT_TRUE(early.finds({"a tcp://127.0.0.1:41230"}));
  EXPECT_EQ(early.clear->instances().front().id, instance_of('a'));
  const Caller late(server.port(), {}, "localhost");
  EXPECT_TRUE(late.finds({"a tcp://127.0.0.1:41230"}));
  one.reset();
  EXPECT_TRUE(early.finds({}));
  EXPECT_TRUE(late.finds({}));
}

TEST(NatsDiscovery, TellsTheAddressThatTheServerIsAskedFrom) {
  const NatsServer server;
  const Process one(server.port(), 'a', {{{.secured = true}, "", 41230}});
  const Caller caller(server.port());
  EXPECT_TRUE(
      eventually([&] { return Caller::of(*caller.secured) == Places{"a tls://127.0.0.1:41230"}; }));
  // Who is asked for no key is called on this host alone, and not by who has one.
  EXPECT_EQ(Caller::of(*caller.clear), Places{});
  EXPECT_EQ(caller.clear->why_none(),
            server.url() +
                ": it announces itself at tls://127.0.0.1:41230, where this binary may "
                "not call it");
  const Process other(server.port(), 'b', {{{}, "10.0.0.5", 7400}, {{}, "127.0.0.1", 7400}});
  EXPECT_TRUE(caller.finds({"b tcp://127.0.0.1:7400"}));
}

TEST(NatsDiscovery, TellsApartWhoIsSpokenToInDatagrams) {
  const NatsServer server;
  const Process one(server.port(), 'a', {{{.udp = true}, "127.0.0.1", 41230}});
  const Process two(server.port(), 'b', {{{.udp = true, .secured = true}, "", 41231}});
  const Caller caller(server.port());
  EXPECT_TRUE(eventually([&] {
    return Caller::of(*caller.datagrams) == Places{"a udp://127.0.0.1:41230"} &&
           Caller::of(*caller.sealed) == Places{"b udp://127.0.0.1:41231"};
  }));
  EXPECT_FALSE(caller.datagrams->instances().front().place.is_secured());
  EXPECT_TRUE(caller.sealed->instances().front().place.is_secured());
  EXPECT_EQ(Caller::of(*caller.clear), Places{});
  EXPECT_EQ(Caller::of(*caller.secured), Places{});
}

TEST(NatsDiscovery, SendsNobodyToAGroupOfHosts) {
  const NatsServer server;
  const Process one(server.port(), 'a',
                    {{{.secured = true}, "239.1.2.3", 7400},
                     {{.secured = true}, "0.0.0.0", 7400},
                     {{.secured = true}, "10.0.0.5", 7400}});
  const Caller caller(server.port());
  EXPECT_TRUE(
      eventually([&] { return Caller::of(*caller.secured) == Places{"a tls://10.0.0.5:7400"}; }));
}

TEST(NatsDiscovery, HoldsWhatItKnowsAndComesBackWhereTheServerWasAway) {
  NatsServer server;
  const Caller caller(server.port());
  const Process one(server.port(), 'a', {{{}, "127.0.0.1", 41230}});
  EXPECT_TRUE(caller.finds({"a tcp://127.0.0.1:41230"}));
  server.stop();
  const Process two(server.port(), 'b', {{{}, "127.0.0.1", 41231}});
  EXPECT_TRUE(eventually([&] {
    return caller.secured->why_none() == server.url() + ": Connection refused" ||
           caller.secured->why_none().find("announces itself at") != std::string::npos;
  }));
  EXPECT_EQ(Caller::of(*caller.clear), Places{"a tcp://127.0.0.1:41230"});
  server.start();
  EXPECT_TRUE(eventually([&] { return Caller::of(*caller.clear).size() == 2; }));
}

TEST(NatsDiscovery, SaysWhyTheServerIsNotReached) {
  NatsServer server;
  server.stop();
  const Caller caller(server.port());
  EXPECT_TRUE(eventually(
      [&] { return caller.clear->why_none() == server.url() + ": Connection refused"; }));
  const Caller nobody(server.port(), {}, "nobody.invalid");
  EXPECT_TRUE(eventually([&] {
    return nobody.clear->why_none() !=
           "nats://nobody.invalid:" + std::to_string(server.port()) + ": is being connected to";
  }));
}

TEST(NatsDiscovery, IsLetInByItsToken) {
  const NatsServer server({"--auth", "s3cret"});
  const Caller stranger(server.port(), {"", "", "guess"});
  EXPECT_TRUE(eventually([&] {
    return stranger.clear->why_none() == server.url() + ": refuses: Authorization Violation";
  }));
  const Process one(server.port(), 'a', {{{}, "127.0.0.1", 41230}}, {"", "", "s3cret"});
  const Caller caller(server.port(), {"", "", "s3cret"});
  EXPECT_TRUE(caller.finds({"a tcp://127.0.0.1:41230"}));
}

TEST(NatsDiscovery, IsLetInByItsUser) {
  const NatsServer server({"--user", "shop", "--pass", "s3cret"});
  const Process one(server.port(), 'a', {{{}, "127.0.0.1", 41230}}, {"shop", "s3cret", ""});
  const Caller caller(server.port(), {"shop", "s3cret", ""});
  EXPECT_TRUE(caller.finds({"a tcp://127.0.0.1:41230"}));
}

/// Who accepts the next connection of a socket that listens.
Descriptor next_of(const Descriptor& listening) {
  pollfd ready{.fd = listening.number(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(poll(&ready, 1, -1), 1);
  return accept_from(listening);
}

TEST(NatsDiscovery, ComesBackToAServerThatSaysWhatNoneDoes) {
  const Descriptor listening = Place::tcp("127.0.0.1", 0).listen();
  const std::uint16_t port = port_of(listening);
  const Caller caller(port);
  const std::string url = "nats://127.0.0.1:" + std::to_string(port);
  const std::string nonsense = "HTTP/1.1 400 Bad Request\r\n\r\n";
  {
    const Descriptor first = next_of(listening);
    ASSERT_EQ(send(first.number(), nonsense.data(), nonsense.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(nonsense.size()));
    EXPECT_TRUE(eventually(
        [&] { return caller.clear->why_none() == url + ": does not speak as NATS does"; }));
  }
  { const Descriptor second = next_of(listening); }
  EXPECT_TRUE(
      eventually([&] { return caller.clear->why_none() == url + ": has ended the connection"; }));
}

TEST(NatsDiscovery, EndsWhereTheServerSaysNothing) {
  const Descriptor listening = Place::tcp("127.0.0.1", 0).listen();
  std::optional<Caller> caller(std::in_place, port_of(listening));
  const Descriptor silent = next_of(listening);
  caller.reset();
  EXPECT_FALSE(caller.has_value());
}

}  // namespace
}  // namespace penstock::net::nats_discovery_test
