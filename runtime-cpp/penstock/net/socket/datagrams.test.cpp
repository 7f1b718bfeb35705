#include "penstock/net/socket/datagrams.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "penstock/net/socket/datagram_door.hpp"
#include "penstock/net/socket/place.hpp"
#include "support/no_files.hpp"

namespace penstock::net::datagrams_test {
namespace {

/// Of silence while something is under way.
constexpr Nanos kLost = 7'000'000'000;

using Kind = DatagramGreeting::Kind;

std::string bytes_of(const DatagramGreeting& greeting) {
  const auto bytes = greeting.bytes();
  return {bytes.data(), bytes.size()};
}

TEST(DatagramGreetings, AreReadAsTheyAreWritten) {
  DatagramGreeting greeting{Kind::cookie, 0x0102030405060708, {}};
  greeting.cookie[15] = 'x';
  const std::string bytes = bytes_of(greeting);
  const auto read = DatagramGreeting::read(bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->kind, Kind::cookie);
  EXPECT_EQ(read->number, greeting.number);
  EXPECT_EQ(read->cookie, greeting.cookie);
  EXPECT_FALSE(DatagramGreeting::read(bytes + "x"));
  EXPECT_FALSE(DatagramGreeting::read(bytes.substr(1)));
  EXPECT_FALSE(DatagramGreeting::read(bytes_of({static_cast<Kind>(7), 1, {}})));
  EXPECT_FALSE(DatagramGreeting::read(bytes_of({Kind::asks, 0, {}})));
}

TEST(DatagramCookies, AreOfAnAddressANumberAndATime) {
  constexpr Nanos kNow = 1'000'000'000'000;
  constexpr Nanos kSecond = 1'000'000'000;
  const DatagramCookies cookies("0123456789abcdef");
  const auto cookie = cookies.make("here", 1, kNow);
  EXPECT_TRUE(cookies.is_good(cookie, "here", 1, kNow + 10 * kSecond));
  EXPECT_FALSE(cookies.is_good(cookie, "here", 1, kNow + 20 * kSecond));
  EXPECT_FALSE(cookies.is_good(cookie, "there", 1, kNow));
  EXPECT_FALSE(cookies.is_good(cookie, "here", 2, kNow));
  EXPECT_FALSE(DatagramCookies("0123456789abcdeg").is_good(cookie, "here", 1, kNow));
}

// Of its authors' test vectors.
TEST(DatagramCookies, AreMadeWithSipHash) {
  const std::array<std::uint64_t, 2> key{0x0706050403020100, 0x0f0e0d0c0b0a0908};
  EXPECT_EQ(siphash(key, ""), 0x726fdb47dd0e0e31U);
  EXPECT_EQ(siphash(key, std::string("\0\1\2\3\4\5\6\7\10\11\12\13\14\15\16", 15)),
            0xa129ca6149be45e5U);
}

/// Two sockets of this host: one that listens, and one that is connected to it.
class DatagramDoors : public ::testing::Test {
 protected:
  static Descriptor listen() { return Place::udp("127.0.0.1", 0).listen(); }
  void say(const DatagramGreeting& greeting) const { say(bytes_of(greeting)); }
  void say(const std::string& bytes) const {
    ASSERT_EQ(send(caller.number(), bytes.data(), bytes.size(), 0),
              static_cast<ssize_t>(bytes.size()));
  }
  static void await(const Descriptor& socket) {
    constexpr int kLongMs = 300'000;  // what is lost would never come
    pollfd ready{.fd = socket.number(), .events = POLLIN, .revents = 0};
    ASSERT_EQ(poll(&ready, 1, kLongMs), 1) << "nothing has come";
  }
  /// To what a system call has read into it; below 0: nothing.
  static void cut(std::string& bytes, ssize_t count) {
    EXPECT_GE(count, 0);
    bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }
  Descriptor accept() {
    await(listening);
    return door.accept_from(listening, number);
  }
  [[nodiscard]] DatagramGreeting hear() const {
    await(caller);
    std::string bytes(100, '\0');
    cut(bytes, recv(caller.number(), bytes.data(), bytes.size(), 0));
    const auto greeting = DatagramGreeting::read(bytes);
    EXPECT_TRUE(greeting);
    return greeting.value_or(DatagramGreeting{});
  }

  Descriptor listening = listen();
  Descriptor caller = Place::udp("127.0.0.1", port_of(listening)).connect();
  DatagramDoor door;
  std::uint64_t number = 0;
};

TEST_F(DatagramDoors, OpenToWhoEchoesItsCookie) {
  say({Kind::asks, 7, {}});
  EXPECT_FALSE(accept().is_open());
  const DatagramGreeting cookie = hear();
  EXPECT_EQ(cookie.kind, Kind::cookie);
  EXPECT_EQ(cookie.number, 7U);
  say({Kind::asks, 8, cookie.cookie});  // another one's
  EXPECT_FALSE(accept().is_open());
  EXPECT_EQ(hear().kind, Kind::cookie);
  say({Kind::asks, 7, cookie.cookie});
  const Descriptor accepted = accept();
  ASSERT_TRUE(accepted.is_open());
  EXPECT_EQ(number, 7U);
  // What the caller says comes to its own socket from now on, and that of others to the first one.
  say("words");
  await(accepted);
  std::string heard(100, '\0');
  EXPECT_EQ(recv(accepted.number(), heard.data(), heard.size(), 0), 5);
  EXPECT_FALSE(is_strangers(accepted));
  EXPECT_FALSE(is_strangers(caller));
  EXPECT_FALSE(door.accept_from(listening, number).is_open());
  EXPECT_EQ(errno, EAGAIN);
  const Descriptor other = Place::udp("127.0.0.1", port_of(listening)).connect();
  const std::string asks = bytes_of({Kind::asks, 9, {}});
  ASSERT_EQ(send(other.number(), asks.data(), asks.size(), 0), 40);
  EXPECT_FALSE(accept().is_open());
  EXPECT_EQ(errno, ECONNABORTED);
}

TEST_F(DatagramDoors, OpenOnceToWhoAsksTwice) {
  say({Kind::asks, 7, {}});
  EXPECT_FALSE(accept().is_open());
  const DatagramGreeting cookie = hear();
  say({Kind::asks, 7, cookie.cookie});
  say({Kind::asks, 7, cookie.cookie});
  const Descriptor accepted = accept();
  EXPECT_TRUE(accepted.is_open());
  EXPECT_FALSE(accept().is_open());
  EXPECT_EQ(errno, ECONNABORTED);
  EXPECT_EQ(hear().kind, Kind::accepted) << "before the other answer";
  EXPECT_EQ(hear().kind, Kind::gone);
}

TEST_F(DatagramDoors, OpenToWhoAsksAgainWhereThereWasNoDescriptorAtFirst) {
  say({Kind::asks, 7, {}});
  EXPECT_FALSE(accept().is_open());
  const DatagramGreeting cookie = hear();
  say({Kind::asks, 7, cookie.cookie});
  await(listening);
  {
    const testing::NoFiles none;
    EXPECT_FALSE(door.accept_from(listening, number).is_open());
    EXPECT_EQ(errno, EMFILE);
  }
  say({Kind::asks, 7, cookie.cookie});
  const Descriptor accepted = accept();
  EXPECT_TRUE(accepted.is_open());
}

TEST_F(DatagramDoors, TellWhoHasAConnectionThatTheyDoNot) {
  say("of a connection");
  EXPECT_FALSE(accept().is_open());
  EXPECT_EQ(hear().kind, Kind::unknown);
  say({Kind::still, 7, {}});
  EXPECT_FALSE(accept().is_open());
  const DatagramGreeting gone = hear();
  EXPECT_EQ(gone.kind, Kind::gone);
  EXPECT_EQ(gone.number, 7U);
}

// Who says that it is somebody else has it told little more than it said.
TEST_F(DatagramDoors, AnswerNothingThatIsTooSmallToBeSealed) {
  DatagramDoor secured(true);
  const auto answer = [&](std::size_t bytes) {
    say(std::string(bytes, 'x'));
    await(listening);
    EXPECT_FALSE(secured.accept_from(listening, number).is_open());
  };
  answer(24);
  answer(25);
  EXPECT_EQ(hear().kind, Kind::unknown);
  char byte = 0;
  EXPECT_EQ(recv(caller.number(), &byte, 1, MSG_DONTWAIT), -1);
}

TEST_F(DatagramDoors, AreOnlyOneAtAPlace) {
  EXPECT_THROW(static_cast<void>(Place::udp("127.0.0.1", port_of(listening)).listen()),
               std::system_error);
}

/// Where somebody is, as the system has it.
struct At {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  [[nodiscard]] sockaddr* raw() noexcept { return reinterpret_cast<sockaddr*>(&address); }
  [[nodiscard]] bool operator==(const At& other) const noexcept {
    return size == other.size && std::memcmp(&address, &other.address, size) == 0;
  }
};

/// One that listens at all addresses of this host, and one who hears whoever answers.
class DatagramDoorsEverywhere : public DatagramDoors {
 protected:
  DatagramDoorsEverywhere() { listening = Place::everywhere(0, {.udp = true}).listen(); }

  void ask(const std::string& host) {
    const Descriptor there = Place::udp(host, port_of(listening)).connect();
    asked = {};
    ASSERT_EQ(getpeername(there.number(), asked.raw(), &asked.size), 0);
    asks = Place::udp(host.find(':') == std::string::npos ? "127.0.0.1" : "::1", 0).listen();
  }
  void say(const std::string& bytes) {
    ASSERT_EQ(sendto(asks.number(), bytes.data(), bytes.size(), 0, asked.raw(), asked.size),
              static_cast<ssize_t>(bytes.size()));
  }
  /// What comes from the address that was asked, and from no other one.
  std::string hear_from_it() {
    await(asks);
    std::string bytes(100, '\0');
    At from;
    cut(bytes, recvfrom(asks.number(), bytes.data(), bytes.size(), 0, from.raw(), &from.size));
    EXPECT_TRUE(from == asked);
    return bytes;
  }
  DatagramGreeting answer_to(const std::string& bytes) {
    say(bytes);
    EXPECT_FALSE(accept().is_open());
    return DatagramGreeting::read(hear_from_it()).value_or(DatagramGreeting{});
  }
  void come_and_go(std::uint64_t its_number) {
    EXPECT_EQ(answer_to("of a connection").kind, Kind::unknown);
    EXPECT_EQ(answer_to(bytes_of({Kind::still, its_number, {}})).kind, Kind::gone);
    const DatagramGreeting cookie = answer_to(bytes_of({Kind::asks, its_number, {}}));
    EXPECT_EQ(cookie.kind, Kind::cookie);
    say(bytes_of({Kind::asks, its_number, cookie.cookie}));
    const Descriptor accepted = accept();
    ASSERT_TRUE(accepted.is_open());
    EXPECT_EQ(number, its_number);
    EXPECT_EQ(DatagramGreeting::read(hear_from_it()).value_or(DatagramGreeting{}).kind,
              Kind::accepted);
    ASSERT_EQ(send(accepted.number(), "words", 5, 0), 5);
    EXPECT_EQ(hear_from_it(), "words");
    say("more words");
    await(accepted);
    std::string heard(100, '\0');
    EXPECT_EQ(recv(accepted.number(), heard.data(), heard.size(), 0), 10);
  }

  At asked;
  Descriptor asks;
};

TEST_F(DatagramDoorsEverywhere, AnswerFromTheAddressThatWasAsked) {
  std::uint64_t its_number = 0;
  // As where there is IPv6, and where there is none.
  for (const Place& all : {Place::everywhere(0, {.udp = true}), Place::udp("0.0.0.0", 0)}) {
    listening = all.listen();
    for (const char* const host : {"127.0.0.1", "127.0.0.2", "127.0.0.1"}) {
      SCOPED_TRACE(all.text() + " at " + host);
      ask(host);
      come_and_go(++its_number);
    }
  }
}

// Each host of a network would answer who says it once, and that one need not be who has said it.
TEST_F(DatagramDoorsEverywhere, AnswerNothingThatWasSentToEachAddress) {
  const int yes = 1;
  std::uint64_t its_number = 0;
  for (const Place& all : {Place::everywhere(0, {.udp = true}), Place::udp("0.0.0.0", 0)}) {
    SCOPED_TRACE(all.text());
    listening = all.listen();
    ask("127.0.0.1");
    ASSERT_EQ(setsockopt(asks.number(), SOL_SOCKET, SO_BROADCAST, &yes, sizeof yes), 0);
    const At one = asked;
    ASSERT_EQ(inet_pton(AF_INET, "127.255.255.255",
                        &reinterpret_cast<sockaddr_in*>(asked.raw())->sin_addr),
              1);
    say(bytes_of({Kind::still, 9, {}}));
    EXPECT_FALSE(accept().is_open());
    EXPECT_EQ(errno, ECONNABORTED);
    asked = one;
    // The first thing that comes is the answer to the first thing said to that address alone.
    come_and_go(++its_number);
  }
}

/// Whether the host has addresses of IPv6, as the system tells it.
bool has_six() noexcept {
  const Descriptor socket(::socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_in6 here{};
  here.sin6_family = AF_INET6;
  here.sin6_addr = in6addr_loopback;
  return socket.is_open() &&
         bind(socket.number(), reinterpret_cast<const sockaddr*>(&here), sizeof here) == 0;
}

// Where there are none that is said.
TEST_F(DatagramDoorsEverywhere, AnswerToAddressesOfSix) {
  if (has_six()) {
    ask("::1");
    come_and_go(7);
    return;
  }
  try {
    const Descriptor none = Place::udp("::1", 7400).listen();
    FAIL() << "it listens";
  } catch (const std::system_error& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, 16), "udp://[::1]:7400");
  }
}

/// Both ends of a connection, brought together by hand.
class DatagramCarriers : public DatagramDoors {
 protected:
  void connect() {
    front = Datagrams::connect(caller, kLost);
    ASSERT_FALSE(accept().is_open());
    EXPECT_EQ(hear_at_front(), -1);
    accepted = accept();
    ASSERT_TRUE(accepted.is_open());
    back = Datagrams::accept(accepted, number, kLost);
    EXPECT_EQ(hear_at_front(), -1);
  }
  ssize_t hear_at_front() {
    await(caller);
    return front->receive(heard.data(), heard.size());
  }
  ssize_t hear_at_back() {
    await(accepted);
    return back->receive(heard.data(), heard.size());
  }

  std::unique_ptr<Carrier> front;
  Descriptor accepted;
  std::unique_ptr<Carrier> back;
  std::string heard = std::string(4096, '\0');
};

TEST_F(DatagramCarriers, BringAStreamBothWays) {
  connect();
  const std::string some(3'000, 's');
  EXPECT_EQ(front->send(some.data(), some.size()), 3'000);
  std::size_t came = 0;
  while (came < some.size() && !HasFatalFailure()) {
    const ssize_t count = hear_at_back();
    if (count > 0) came += static_cast<std::size_t>(count);
  }
  EXPECT_EQ(came, some.size());
  EXPECT_EQ(heard.front(), 's');
  EXPECT_EQ(back->send("answer", 6), 6);
  EXPECT_EQ(hear_at_front(), 6);
}

TEST_F(DatagramCarriers, AreLostAfterAsLongAsTheyWereTold) {
  connect();
  EXPECT_EQ(front->send("x", 1), 1);
  front->due(now_ns() + kLost / 2);
  EXPECT_EQ(front->receive(heard.data(), heard.size()), -1);
  EXPECT_EQ(errno, EAGAIN);
  front->due(now_ns() + kLost);
  EXPECT_EQ(front->receive(heard.data(), heard.size()), -1);
  EXPECT_EQ(errno, ETIMEDOUT);
}

TEST_F(DatagramCarriers, TakeNothingBeforeTheOtherEndIsThere) {
  front = Datagrams::connect(caller, kLost);
  EXPECT_EQ(front->send("x", 1), -1);
  EXPECT_EQ(errno, EAGAIN);
  EXPECT_NE(front->next(), 0);
  // What is lost is said again.
  front->due(front->next());
  EXPECT_FALSE(accept().is_open());
  EXPECT_EQ(hear().kind, Kind::cookie);
  EXPECT_FALSE(accept().is_open());
  EXPECT_EQ(hear().kind, Kind::cookie);
}

TEST_F(DatagramCarriers, HoldBackWhoSendsMoreThanComes) {
  connect();
  const std::string some(std::size_t{4} << 20U, 's');
  const ssize_t taken = front->send(some.data(), some.size());
  EXPECT_GT(taken, 1'000'000);
  EXPECT_LT(taken, 1'300'000);
  EXPECT_EQ(front->send(some.data(), 1), -1);
  EXPECT_EQ(errno, EAGAIN);
}

TEST_F(DatagramCarriers, CountWhatTheySend) {
  connect();
  EXPECT_EQ(front->sent_packets()->all, 0U);
  EXPECT_EQ(front->send("x", 1), 1);
  EXPECT_EQ(front->sent_packets()->all, 1U);
  EXPECT_EQ(front->sent_packets()->again, 0U);
}

// Whoever says only what nobody takes does not have the thread for itself.
TEST_F(DatagramCarriers, LeaveSomeForLaterOfWhatBringsNothing) {
  connect();
  EXPECT_EQ(back->send("x", 1), 1);
  EXPECT_NE(back->next(), 1);
  for (int turn = 0; turn < 1'000 && back->next() != 1 && !HasFatalFailure(); ++turn) {
    for (int count = 0; count < 150; ++count) say("of nobody");
    EXPECT_EQ(hear_at_back(), -1);
    EXPECT_EQ(errno, EAGAIN);
  }
  EXPECT_EQ(back->next(), 1) << "the rest is read soon";
  while (back->next() == 1 && !HasFailure())
    EXPECT_EQ(back->receive(heard.data(), heard.size()), -1);
  EXPECT_EQ(front->send("y", 1), 1);
  EXPECT_EQ(hear_at_back(), 1);
}

TEST_F(DatagramCarriers, AreThroughOnceTheOtherEndHasSaidThatItHasAll) {
  connect();
  EXPECT_TRUE(front->is_through());
  EXPECT_EQ(front->send("x", 1), 1);
  EXPECT_FALSE(front->is_through());
  EXPECT_EQ(hear_at_back(), 1);
  back->due(now_ns() + kLost / 2);
  EXPECT_EQ(hear_at_front(), -1);
  EXPECT_TRUE(front->is_through());
}

TEST_F(DatagramCarriers, EndWithTheOtherEnd) {
  connect();
  back.reset();
  EXPECT_EQ(hear_at_front(), 0);
}

// As after a process that was killed, where another one listens by now.
TEST_F(DatagramCarriers, EndWhereTheOtherEndKnowsNothingOfThem) {
  connect();
  accepted.close();
  EXPECT_EQ(front->send("words", 5), 5);
  EXPECT_FALSE(accept().is_open());
  EXPECT_EQ(hear_at_front(), -1);
  EXPECT_FALSE(accept().is_open());
  EXPECT_EQ(hear_at_front(), 0);
}

// All that was said of it being accepted, and ended, was lost.
TEST_F(DatagramCarriers, EndWhereTheOtherEndHasEndedBeforeTheyBegan) {
  front = Datagrams::connect(caller, kLost);
  ASSERT_FALSE(accept().is_open());
  EXPECT_EQ(hear_at_front(), -1);
  ASSERT_TRUE(accept().is_open());
  EXPECT_EQ(hear().kind, DatagramGreeting::Kind::accepted);
  front->due(front->next());
  EXPECT_FALSE(accept().is_open());
  EXPECT_EQ(hear_at_front(), 0);
}

// Its door reads what has come before a worker of its pool has the connection.
TEST_F(DatagramCarriers, GoOnWhereTheyAskedTwiceBeforeTheyWereAccepted) {
  front = Datagrams::connect(caller, kLost);
  ASSERT_FALSE(accept().is_open());
  EXPECT_EQ(hear_at_front(), -1);
  front->due(front->next());
  accepted = accept();
  ASSERT_TRUE(accepted.is_open());
  EXPECT_FALSE(accept().is_open());
  EXPECT_EQ(hear_at_front(), -1) << "it is accepted, and there is no such connection";
  back = Datagrams::accept(accepted, number, kLost);
  EXPECT_EQ(front->send("x", 1), 1);
  EXPECT_EQ(hear_at_back(), 1);
}

TEST_F(DatagramCarriers, SayThatNobodyListens) {
  const Place place = Place::udp("127.0.0.1", port_of(listening));
  listening.close();
  const Descriptor alone = place.connect();
  const auto carrier = Datagrams::connect(alone, kLost);
  await(alone);
  EXPECT_EQ(carrier->receive(heard.data(), heard.size()), -1);
  EXPECT_EQ(errno, ECONNREFUSED);
}

}  // namespace
}  // namespace penstock::net::datagrams_test
