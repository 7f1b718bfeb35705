// What processes say to each other through a NATS server, without one and without a clock.
#include "penstock/net/nats/roster.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace penstock::net::nats::roster_test {
namespace {

constexpr Nanos kSecond = Session::kSecond;
const std::string kLetIn = "INFO {\"server_id\":\"x\",\"max_payload\":1048576}\r\nPONG\r\n";

std::string instance_of(char digit) { return std::string(Announcement::kInstanceDigits, digit); }

std::string here(char digit, const std::string& address) {
  return write_announcement({"models", instance_of(digit), {address}, false});
}
std::string gone(char digit) {
  return write_announcement({"models", instance_of(digit), {}, true});
}

class NatsRoster : public ::testing::Test {
 protected:
  /// What was said since.
  [[nodiscard]] std::string said() { return std::exchange(session.outgoing(), {}); }
  void hears(std::uint64_t subscription, const std::string& payload,
             const std::string& reply = {}) {
    session.receive("MSG any " + std::to_string(subscription) + " " + reply + " " +
                        std::to_string(payload.size()) + "\r\n" + payload + "\r\n",
                    now);
  }
  void let_in() {
    session.receive(kLetIn, now);
    ASSERT_TRUE(session.is_ready());
  }
  [[nodiscard]] std::vector<std::string> known() const {
    std::vector<std::string> places;
    for (const Announcement& each : roster.members(models))
      places.push_back(each.instance.substr(0, 1) + " " + each.addresses.front());
    return places;
  }
  using Known = std::vector<std::string>;

  Nanos now = kSecond;
  Roster roster{"shop", "x1"};
  const std::size_t models = roster.watch("models");
  Session session{roster, {}, "front", now};
};

TEST_F(NatsRoster, AsksWhoIsThereAndListensForThoseWhoCome) {
  session.receive(kLetIn.substr(0, kLetIn.size() - 6), now);
  const std::string hello = said();
  EXPECT_EQ(hello.substr(0, 9), "CONNECT {");
  EXPECT_EQ(hello.substr(hello.size() - 9), "}\r\nPING\r\n");
  EXPECT_EQ(hello.find("pass"), std::string::npos);
  EXPECT_FALSE(session.is_ready());
  session.receive("PONG\r\n", now);
  EXPECT_EQ(said(),
            "SUB penstock.shop.models 2\r\nSUB _INBOX.x1.models 3\r\n"
            "PUB penstock.shop.models.who _INBOX.x1.models 0\r\n\r\n");
  hears(3, here('a', "tcp://127.0.0.1:7400"));
  hears(2, here('b', "tcp://127.0.0.1:7401"));
  EXPECT_EQ(known(), (Known{"a tcp://127.0.0.1:7400", "b tcp://127.0.0.1:7401"}));
  hears(2, here('a', "tcp://127.0.0.1:7402"));
  hears(2, gone('b'));
  hears(2, gone('c'));
  EXPECT_EQ(known(), Known{"a tcp://127.0.0.1:7402"});
  EXPECT_EQ(roster.watch("models"), models) << "whoever else looks for it";
}

TEST_F(NatsRoster, SaysWhereThisProcessIsAndAnswersWhoAsks) {
  roster.held_from("10.0.0.5");
  let_in();
  static_cast<void>(said());
  roster.announce("front", instance_of('f'),
                  {{{.secured = true}, "", 41230},
                   {{}, "::1", 7},
                   {{.udp = true, .secured = true}, "", 9},
                   {{.udp = true}, "::1", 9}},
                  &session, now);
  const std::string own =
      R"({"addresses":["tls://10.0.0.5:41230","tcp://[::1]:7","udp+keys://10.0.0.5:9",)"
      R"("udp://[::1]:9"],"binary":"front",)"
      R"("instance":"ffffffffffffffff","penstock":1})";
  const std::string told = std::to_string(own.size()) + "\r\n" + own + "\r\n";
  EXPECT_EQ(said(), "SUB penstock.shop.front.who 1\r\nPUB penstock.shop.front " + told);
  hears(1, "", "_INBOX.y2.front");
  EXPECT_EQ(said(), "PUB _INBOX.y2.front " + told);
  hears(1, "");  // whoever wants no answer gets none
  EXPECT_EQ(said(), "");
  // Again and again.
  EXPECT_EQ(roster.next_look(), now + Roster::kEvery);
  roster.look(session, now + Roster::kEvery - 1);
  EXPECT_EQ(said(), "");
  now += Roster::kEvery;
  roster.look(session, now);
  EXPECT_EQ(said(), "PUB penstock.shop.front " + told);
  roster.withdraw(&session);
  const std::string end =
      R"({"binary":"front","gone":true,"instance":"ffffffffffffffff","penstock":1})";
  EXPECT_EQ(said(),
            "PUB penstock.shop.front " + std::to_string(end.size()) + "\r\n" + end + "\r\n");
  hears(1, "", "_INBOX.y2.front");
  now += Roster::kEvery;
  roster.look(session, now);
  EXPECT_EQ(said(), "");
}

TEST_F(NatsRoster, SaysItToTheNextServerToo) {
  roster.announce("front", instance_of('f'), {{{}, "127.0.0.1", 7}}, nullptr, now);
  let_in();
  EXPECT_NE(said().find("PUB penstock.shop.front "), std::string::npos);
  Session next(roster, {}, "front", now);
  next.receive(kLetIn, now);
  EXPECT_NE(next.outgoing().find("PUB penstock.shop.front "), std::string::npos);
}

TEST_F(NatsRoster, ForgetsWhoSaysNothingAnyMore) {
  let_in();
  hears(2, here('a', "tcp://127.0.0.1:7400"));
  now += kSecond;
  hears(2, here('b', "tcp://127.0.0.1:7401"));
  now += Roster::kForgotten - kSecond - 1;
  roster.look(session, now);
  EXPECT_EQ(known().size(), 2U);
  EXPECT_EQ(roster.next_look(), now + 1);
  roster.look(session, ++now);
  EXPECT_EQ(known(), Known{"b tcp://127.0.0.1:7401"});
}

TEST_F(NatsRoster, HoldsWhatItKnowsWhileThereIsNoServer) {
  let_in();
  hears(2, here('a', "tcp://127.0.0.1:7400"));
  now += 100 * Roster::kForgotten;
  Session next(roster, {}, "front", now);
  next.receive(kLetIn, now);
  roster.look(next, now);
  EXPECT_EQ(known(), Known{"a tcp://127.0.0.1:7400"});
  now += Roster::kForgotten;
  roster.look(next, now);
  EXPECT_EQ(known(), Known{});
}

TEST_F(NatsRoster, TakesWhoComesAtTheSameAddressForTheOneThatIsThereNow) {
  let_in();
  hears(2, here('a', "tcp://127.0.0.1:7400"));
  hears(2, here('b', "tcp://127.0.0.1:7400"));
  EXPECT_EQ(known(), Known{"b tcp://127.0.0.1:7400"});
}

TEST_F(NatsRoster, Fault74PassesOverWhatIsNoAnnouncement) {
  let_in();
  for (const std::string& wrong :
       {std::string(), std::string("{"), std::string("[]"), std::string("\0\xff", 2),
        std::string(R"({"penstock":1})"),
        std::string(
            R"({"penstock":2,"binary":"models","instance":"aaaaaaaaaaaaaaaa","addresses":[]})"),
        std::string(
            R"({"penstock":1,"binary":"others","instance":"aaaaaaaaaaaaaaaa","addresses":[]})"),
        std::string(R"({"penstock":1,"binary":"models","instance":"aaaa","addresses":[]})"),
        std::string(
            R"({"penstock":1,"binary":"models","instance":"../aaaaaaaaaaaaa","addresses":[]})"),
        std::string(R"({"penstock":1,"binary":"models","instance":"aaaaaaaaaaaaaaaa"})"),
        std::string(
            R"({"penstock":1,"binary":"models","instance":"aaaaaaaaaaaaaaaa","addresses":[7]})"),
        std::string(R"({"penstock":1,"binary":7,"instance":"aaaaaaaaaaaaaaaa","addresses":[]})"),
        here('a', std::string(101, 'x')),
        write_announcement({"models", instance_of('a'), std::vector<std::string>(17, "x"), false})})
    hears(2, wrong);
  // Nor is it known what others say at subjects that nobody subscribed to.
  hears(0, here('a', "x"));
  hears(4, here('a', "x"));
  hears(999999999, here('a', "x"));
  EXPECT_EQ(known(), Known{});
  EXPECT_TRUE(session.is_ready());
}

TEST_F(NatsRoster, Fault74KeepsABoundedNumberOfProcesses) {
  let_in();
  hears(2, here('a', "tcp://127.0.0.1:1"));
  for (std::size_t number = 0; number < 2 * Roster::kMostMembers; ++number) {
    std::string instance = std::to_string(number);
    instance.insert(0, Announcement::kInstanceDigits - instance.size(), '0');
    hears(2, write_announcement({"models", instance, {"tcp://127.0.0.1:" + instance}, false}));
  }
  EXPECT_EQ(roster.members(models).size(), Roster::kMostMembers);
  EXPECT_EQ(roster.members(models).front().instance, instance_of('a'));
}

// --- the session with the server ---

class NatsSession : public NatsRoster {
 protected:
  std::string end_after(const std::string& told) {
    Session own(roster, {}, "front", now);
    own.receive(told, now);
    EXPECT_TRUE(own.is_over());
    return own.why();
  }
};

TEST_F(NatsSession, EndsWhereTheServerDoesWhatNoneDoes) {
  EXPECT_EQ(end_after("PSTK\r\n"), "does not speak as NATS does");
  EXPECT_EQ(end_after("INFO {\r\n"), "does not speak as NATS does");
  EXPECT_EQ(end_after("INFO []\r\n"), "does not speak as NATS does");
  EXPECT_EQ(end_after("INFO {\"tls_required\":true}\r\n"),
            "wants TLS, which this binary does not speak with it");
  EXPECT_EQ(end_after("INFO {}\r\n-ERR 'Authorization Violation'\r\n"),
            "refuses: Authorization Violation");
  EXPECT_EQ(end_after("INFO {}\r\n-ERR 'a\x1b[2Jb'\r\n"), "refuses: a?[2Jb");
}

TEST_F(NatsSession, ShowsWhoItIsToTheServer) {
  Session own(roster, {"me", "se\"cret\n", "tok"}, "front", now);
  own.receive("INFO {}\r\n", now);
  EXPECT_NE(own.outgoing().find(R"("auth_token":"tok")"), std::string::npos);
  EXPECT_NE(own.outgoing().find(R"("pass":"se\"cret\n","pedantic")"), std::string::npos);
  EXPECT_NE(own.outgoing().find(R"("user":"me")"), std::string::npos);
}

TEST_F(NatsSession, AnswersPings) {
  let_in();
  static_cast<void>(said());
  session.receive("PING\r\n", now);
  EXPECT_EQ(said(), "PONG\r\n");
}

TEST_F(NatsSession, GivesUpAServerThatDoesNotLetItIn) {
  EXPECT_EQ(session.next_look(), now + Session::kGreet);
  // Whatever it says in between.
  session.receive("+OK\r\n", now + Session::kGreet - 1);
  session.look(now + Session::kGreet - 1);
  EXPECT_FALSE(session.is_over());
  session.look(now + Session::kGreet);
  EXPECT_TRUE(session.is_over());
  EXPECT_EQ(session.why(), "did not let this binary in in time");
}

TEST_F(NatsSession, GivesUpAServerThatSaysNothingAnyMore) {
  let_in();
  static_cast<void>(said());
  now = session.next_look();
  session.look(now);
  EXPECT_EQ(said(), "PING\r\n");
  session.receive("PONG\r\n", ++now);
  EXPECT_EQ(session.next_look(), now + Session::kSilence);
  session.look(now += Session::kSilence);
  session.look(now += Session::kSilence);
  EXPECT_TRUE(session.is_over());
  EXPECT_EQ(session.why(), "says nothing any more");
}

TEST_F(NatsSession, GivesUpAServerThatDoesNotReadWhatItIsTold) {
  let_in();
  for (int count = 0; count < 300'000 && !session.is_over(); ++count)
    session.receive("PING\r\n", now);
  EXPECT_TRUE(session.is_over());
  EXPECT_LE(session.outgoing().size(), Session::kMostUnsent);
  EXPECT_EQ(session.why(), "does not read what it is told");
}

TEST_F(NatsSession, GoesOnWhereItMayNotSayOneThing) {
  let_in();
  session.receive("-ERR 'Permissions Violation for Publish to \"a\"'\r\n", now);
  EXPECT_TRUE(session.is_ready());
  EXPECT_EQ(session.why(), "refuses: Permissions Violation for Publish to \"a\"");
}

}  // namespace
}  // namespace penstock::net::nats::roster_test
